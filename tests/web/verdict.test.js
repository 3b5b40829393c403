/** From each sentence of the page's verdict a test takes away what it rests on: then it is not said of a good story. */

import assert from "node:assert/strict";
import test from "node:test";
import { MemoryHeads } from "../../pokersvc/server/web/verify/verifier.js";
import { find, rehash, say } from "./forge.js";
import { vector, verified } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */

/**
 * Return all that is said of a good story; nothing of one that is broken.
 * @param {Vector} told
 * @param {Heads} [heads]
 */
function saidOf(told, heads) {
  const verifier = verified(told, heads);
  const { state, sentence, checks } = told.opened.length > 0 ? verifier.openSeeds(told.opened) : verifier.verdict;
  return state === "good" ? [sentence, ...checks].join("\n") : "";
}

/** @type {(type: string, change: (payload: any) => unknown) => (told: Vector) => void} */
const lie = (type, change) => (told) => {
  say(told, type, change);
  rehash(told);
};

/** @type {(change: (payload: any) => unknown) => (told: Vector) => void} */
const handsOpened = (change) => lie("HandsOpened", ({ hands }) => change(hands));

/** @type {(type: string) => (told: Vector) => void} */
const closed = (type) => (told) => {
  const { seq } = find(told, type);
  told.opened = told.opened.filter((one) => one.seq !== seq);
};

/** @param {Vector} told */
const none = (told) => {
  told.opened = [];
};

/** @param {string} hex */
const flip = (hex) => (hex[0] === "0" ? "1" : "0") + hex.slice(1);

const BY_SEED = "6 rounds were checked by seed and commitment, 0 only by what was shown, and 0 not at all.";

/** @type {[string, (told: Vector) => void][]} */
const SENTENCES = [
  ["events checked: nothing was changed, left out or moved", (told) => say(told, "AntePosted", (p) => (p.amount += 1))],
  ["events checked: nothing was changed, left out or moved", (told) => told.records.splice(8, 1)],
  ["and the decks were dealt again from their seeds", none],
  ["and the decks were dealt again from their seeds", closed("DeckShuffled")],
  ["The decks follow from the shares: shuffled together by Ann in rounds 1, 5 to 6;", closed("GameStarted")],
  ["The decks follow from the shares: shuffled together by Ann in rounds 1, 5 to 6;", none],
  ["missed: Ann's in rounds 2, 4;", lie("ShareMissed", (payload) => (payload.seat = 3))],
  ["Cy's key was replaced 1 time", lie("SeatReplaced", (payload) => (payload.seat = 1))],
  [BY_SEED, closed("DeckShuffled")],
  [BY_SEED, none],
  ["The hashes and the order of", (told) => say(told, "AntePosted", (payload) => (payload.amount += 1))],
  ["shown to you: what was committed to before", (told) => (find(told, "HandDealt", isShown).secret = '{"cards":[]}')],
  ["of its chain, signed, and before the deck", lie("ShareOpened", (payload) => (payload.share = flip(payload.share)))],
  ["The seeds of 6 rounds, from the shares and the dealer's part.", closed("DeckShuffled")],
  ["movements of chips", lie("AntePosted", (payload) => (payload.amount += 1))],
  ["choices, each in turn", lie("Bet", (payload) => (payload.seat = (payload.seat % 3) + 1))],
  ["hands in sight", handsOpened((hands) => hands[0].cards.splice(0, 2, hands[0].cards[1], hands[0].cards[1]))],
  ["Who won each pot", lie("PotAwarded", ({ shares }) => (shares[0].amount -= 1))],
  ["6 decks dealt again from the seeds", none],
];

/** @param {EventRecord} record */
const isShown = ({ secret }) => secret !== undefined;

for (const [at, [sentence, change]] of SENTENCES.entries()) {
  test(`${at + 1}. ${sentence}`, () => {
    const told = vector("draw-together");
    assert.ok(saidOf(told).includes(sentence), saidOf(told));
    change(told);
    assert.ok(!saidOf(told).includes(sentence), saidOf(told));
  });
}

test("The same story as this device saw before", () => {
  const told = vector("draw-together");
  const heads = new MemoryHeads();
  const half = { seq: 20, hash: told.records[19]?.hash ?? "" };
  heads.write(told.game, half);
  assert.ok(saidOf(told, heads).includes("The same story as this device saw before, up to event 20."));
  heads.write(told.game, { ...half, hash: flip(half.hash) });
  assert.equal(saidOf(told, heads), "");
});
