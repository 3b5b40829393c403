/** Chance as docs/shuffle.md defines it: streams of bytes from a key, numbers from a stream, shuffled decks, the seeds of a game. */

import { fromHex, Message, toHex, utf8 } from "./bytes.js";
import { hmac, sha256 } from "./chain.js";
import { Problem } from "./problem.js";

const STREAM = "pokersvc/stream/1\0";
const DERIVE = "pokersvc/derive/1\0";
const message = new Message();

/** An endless stream of bytes that follows from a key and a label, read once from front to back. */
export class Stream {
  #key;
  #prefix;
  #block = 0;
  /** @type {number[]} */
  #unread = [];

  /**
   * @param {Uint8Array} key
   * @param {string} label
   */
  constructor(key, label) {
    this.#key = key;
    this.#prefix = `${STREAM}${label}\0`;
  }

  byte() {
    if (this.#unread.length === 0) {
      const block = message.begin().text(this.#prefix).u64(this.#block).end();
      this.#unread = [...hmac(sha256, this.#key, block)].reverse();
      this.#block += 1;
    }
    return /** @type {number} */ (this.#unread.pop());
  }

  /**
   * Return a number from 0 to n - 1, each equally likely; `below(1)` reads no byte.
   * @param {number} n 1 to 2^48, which is enough for any deck
   */
  below(n) {
    if (n === 1) return 0;
    let size = 1;
    while (256 ** size < n) size += 1;
    const limit = 256 ** size - (256 ** size % n);
    for (;;) {
      let value = 0;
      for (let read = 0; read < size; read += 1) value = value * 256 + this.byte();
      if (value < limit) return value % n;
    }
  }
}

/**
 * Derive a key of 32 bytes from another, for the purpose that labels name.
 * @param {Uint8Array} key
 * @param {...(string | number)} labels
 */
export function derive(key, ...labels) {
  message.begin().text(DERIVE);
  for (const label of labels) message.field(String(label));
  return hmac(sha256, key, message.end());
}

/**
 * Return cards in the order that a seed of 32 bytes and a label give: Fisher-Yates, from the back.
 * @param {readonly string[]} cards
 * @param {Uint8Array} seed
 * @param {string} [label]
 */
export function shuffle(cards, seed, label = "deck") {
  const order = [...cards];
  const stream = new Stream(seed, label);
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = stream.below(i + 1);
    const card = /** @type {string} */ (order[i]);
    order[i] = /** @type {string} */ (order[j]);
    order[j] = card;
  }
  return order;
}

/** @type {(seed: Uint8Array, label: string, cards: number) => string[]} The salt of each card of a deck, in hexadecimal. */
export function saltsOf(seed, label, cards) {
  const stream = new Stream(seed, `salts/${label}`);
  return Array.from({ length: cards }, () => toHex(Uint8Array.from({ length: 16 }, () => stream.byte())));
}

/**
 * Check the dealer's secret against the start of its game. A game with a bot that has a time limit is not reproducible.
 * @type {(started: GameEvent, entropy: { secret: string, text: string | null } | null) => void}
 */
export function checkSource({ payload }, entropy) {
  const timed = (/** @type {any} */ { kind }) => /^smart(\/.*s)?$/.test(kind) && kind !== "smart/0s";
  const mayDiffer = payload.game === "kalah" && payload.seats.some(timed);
  const isSaid = entropy
    ? payload.reproducible === (entropy.text !== null && !mayDiffer)
    : !(payload.reproducible && mayDiffer);
  const text = entropy?.text ?? null;
  if (isSaid && (text === null || entropy?.secret === toHex(derive(utf8(text), "game")))) return;
  throw new Problem("seeds", 1, "The dealer's secret is not the one that the start of its game says.");
}

/**
 * Return the seed of each deck by the event of its shuffle; `shuffled` maps the event to the seed's number, from 1.
 * @type {(opened: ReadonlyMap<number, any>, shuffled: ReadonlyMap<number, number>) => Map<number, Uint8Array>}
 */
export function seedsOf(opened, shuffled) {
  const text = opened.get(1)?.entropy.text ?? null;
  const seeds = new Map();
  const met = new Set();
  for (const [seq, index] of shuffled) {
    const seed = opened.get(seq)?.seed;
    if (seed === undefined) throw new Problem("seeds", seq, `The seed of the deck of event ${seq} was not opened.`);
    if (met.has(seed)) throw new Problem("seeds", seq, `The seed of the deck of event ${seq} was used before.`);
    if (text !== null && seed !== toHex(derive(utf8(text), "deck", index))) {
      throw new Problem("seeds", seq, `The seed of the deck of event ${seq} does not follow from the game's text.`);
    }
    met.add(seed);
    seeds.set(seq, fromHex(seed));
  }
  return seeds;
}
