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

const TWICE = (/** @type {any} */ hands) => hands[0].cards.splice(0, 2, hands[0].cards[1], hands[0].cards[1]);
const CHECKED = "events checked: nothing was changed, left out or moved";
const DEALT = "and the decks were dealt again from their seeds";
const SHARES = "The decks follow from the shares: shuffled together by Ann in rounds 1, 5 to 6;";
const BY_SEED = "6 rounds were checked by seed and commitment, 0 only by what was shown, and 0 not at all.";
const SEEDS = "The seeds of 6 rounds, from the shares and the dealer's part.";
const ORDER = "The hashes and the order of";

/** What each sentence rests on is taken away, and nothing else. @type {[string, string[], (told: Vector) => void][]} */
const SENTENCES = [
  ["an event is changed", [CHECKED, ORDER], (told) => say(told, "AntePosted", (payload) => (payload.amount += 1))],
  ["an event is left out", [CHECKED], (told) => told.records.splice(8, 1)],
  ["no seed is opened", [DEALT, SHARES, BY_SEED, "6 decks dealt again from the seeds"], none],
  ["the seed of a deck is not opened", [DEALT, BY_SEED, SEEDS], closed("DeckShuffled")],
  ["the dealer's secret is not opened", [SHARES], closed("GameStarted")],
  ["another's share is missed", ["missed: Ann's in rounds 2, 4;"], lie("ShareMissed", (payload) => (payload.seat = 3))],
  [
    "another's seat is replaced",
    ["Cy's key was replaced 1 time"],
    lie("SeatReplaced", (payload) => (payload.seat = 1)),
  ],
  [
    "another hand is shown to you",
    ["shown to you: what was committed to before"],
    (told) => (find(told, "HandDealt", isShown).secret = '{"cards":[]}'),
  ],
  [
    "a share is another",
    ["of its chain, signed, and before the deck"],
    lie("ShareOpened", (payload) => (payload.share = flip(payload.share))),
  ],
  ["an ante is another", ["movements of chips"], lie("AntePosted", (payload) => (payload.amount += 1))],
  ["another seat bets", ["choices, each in turn"], lie("Bet", (payload) => (payload.seat = (payload.seat % 3) + 1))],
  ["a hand has a card twice", ["hands in sight"], lie("HandsOpened", ({ hands }) => TWICE(hands))],
  ["a pot is less", ["Who won each pot"], lie("PotAwarded", ({ shares }) => (shares[0].amount -= 1))],
];

/** @param {EventRecord} record */
const isShown = ({ secret }) => secret !== undefined;

const GOOD = saidOf(vector("draw-together"));

for (const [lie, sentences, change] of SENTENCES) {
  test(`if ${lie}, it is not said: ${sentences.join(" / ")}`, () => {
    const told = vector("draw-together");
    change(told);
    const said = saidOf(told);
    for (const sentence of sentences) {
      assert.ok(GOOD.includes(sentence), GOOD);
      assert.ok(!said.includes(sentence), said);
    }
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
