/** Shares of a common shuffle, in bytes, as docs/shares.md defines them: chains, what is signed, and the seeds. */

import { fromHex, Message, utf8 } from "./bytes.js";
import { hmac, sha256 } from "./chain.js";
import { derive } from "./shuffle.js";

const LINK = utf8("pokersvc/share/1");
const BOUND = utf8("pokersvc/bound/1");
const OPENED = utf8("pokersvc/opened/1");
const TOGETHER = utf8("pokersvc/together/1");
const message = new Message();

/** @param {...(Uint8Array | number)} parts bytes are written after their length, numbers as 8 bytes */
function written(...parts) {
  message.begin();
  for (const part of parts) {
    if (typeof part === "number") message.u64(part);
    else message.u64(part.length).bytes(part);
  }
  return message.end();
}

/**
 * Apply the function H of a seat's chains to a link `times` times, and return the result.
 * @type {(start: Uint8Array, seat: number, link: Uint8Array, times?: number) => Uint8Array}
 */
export function linkAfter(start, seat, link, times = 1) {
  const block = written(LINK, start, seat, link).slice();
  const place = block.subarray(block.length - 32);
  for (let time = 0; time < times; time += 1) place.set(sha256(block));
  return place.slice();
}

/**
 * Return the message that a seat signs to bind itself: with its new key and, for a renewal, with the previous key too.
 * @param {Uint8Array} start the hash of the event that started the game
 * @param {number} seat
 * @param {{ key: string, tip: string, length: number }} binding
 */
export const boundMessage = (start, seat, { key, tip, length }) =>
  written(BOUND, start, seat, fromHex(key), fromHex(tip), length).slice();

/**
 * Return the message that a seat signs to open its share; `head` is the hash of the round's `SharesAwaited`.
 * @param {Uint8Array} start
 * @param {number} seat
 * @param {{ round: number, share: string, head: string }} opened
 */
export const openedMessage = (start, seat, { round, share, head }) =>
  written(OPENED, start, round, seat, fromHex(share), fromHex(head)).slice();

/**
 * Return the seed of a round; shares are in hexadecimal, empty if missed.
 * @type {(secret: Uint8Array, start: Uint8Array, round: number, shares: [number, string][]) => Uint8Array}
 */
export function roundSeed(secret, start, round, shares) {
  const part = derive(secret, "deck", round);
  return hmac(sha256, part, written(TOGETHER, start, round, ...shares.flatMap(([seat, x]) => [seat, fromHex(x)])));
}
