/** What lies on the felt: marks, chips, pots, the cards that win, and what a hand needs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sayNeeds } from "../../pokersvc/server/web/app/games/draw-needs.js";
import { bombPots, stakes } from "../../pokersvc/server/web/app/games/draw-pot.js";
import { potsOf, spotsOf } from "../../pokersvc/server/web/app/games/draw-pots.js";
import { waitsForBlind, winning } from "../../pokersvc/server/web/app/games/draw-seat.js";
import { place } from "../../pokersvc/server/web/app/games/places.js";
import { piles } from "../../pokersvc/server/web/app/table/chips.js";
import { making } from "../../pokersvc/server/web/app/table/hands.js";
import { steps } from "../../pokersvc/server/web/app/table/host-asks.js";
import { initials, isBot } from "../../pokersvc/server/web/app/table/mark.js";
import { isMissing, sayMissing } from "../../pokersvc/server/web/app/table/missing.js";

/** @param {string} text */
const cards = (text) => text.split(" ");

test("each person has an initial of their own, and bots have none", () => {
  const names = ["Ann", "Anton", "bo", "Cy", "Al"];
  const seats = names.map((name, at) => ({ kind: name === "Cy" ? "steady" : "human", name, seat: at + 1 }));
  const marks = initials(seats);
  assert.deepEqual(Object.keys(marks), ["1", "2", "3", "5"]);
  assert.equal(new Set(Object.values(marks)).size, 4);
  assert.equal(marks[3], "B");
  const same = initials([1, 2].map((seat) => ({ kind: null, name: "Ann", seat })));
  assert.deepEqual(same, { 1: "A1", 2: "A2" });
  assert.deepEqual([null, "human", "open", "shark"].map(isBot), [false, false, false, true], "null: kinds are hidden");
});

test("who has lost the connection is said, but not of whoever sits out or has left", () => {
  const seats = ["in", "folded", "out", "in"].map((standing, at) => ({ name: `P${at + 1}`, seat: at + 1, standing }));
  const now = /** @type {any} */ ({ outcome: null, sitting_out: [] });
  const props = /** @type {any} */ ({ lost: false, me: 1, missing: [1, 2, 3, 4], snapshot: now, view: { seats } });
  assert.deepEqual(
    [1, 2, 3, 4].map((seat) => isMissing(seat, props)),
    [false, true, false, true],
  );
  assert.equal(sayMissing(props), "No connection: P2, P4.");
  assert.ok(isMissing(1, { ...props, lost: true }));
  assert.equal(sayMissing({ ...props, missing: [] }), "");
  assert.equal(sayMissing({ ...props, snapshot: { ...now, sitting_out: [4] } }), "No connection: P2.");
  assert.equal(sayMissing({ ...props, snapshot: { ...now, outcome: { ranks: [], scores: [] } } }), "");
});

test("a sum lies in at most three piles, the dearest first", () => {
  assert.deepEqual(piles(0), []);
  assert.deepEqual(piles(7), [
    [1, 1],
    [0, 2],
  ]);
  assert.deepEqual(
    piles(1631).map(([colour]) => colour),
    [5, 4, 3],
  );
  assert.ok(piles(10 ** 9).every(([, count]) => count <= 5));
});

/** @param {[number, boolean, string?][]} seats */
const table = (...seats) => ({
  pots: [240, 120, 200],
  seats: seats.map(([staked, allIn, standing = "in"], at) => ({ all_in: allIn, seat: at + 1, staked, standing })),
});

test("a side pot is for those who put in more than whoever is all in below it", () => {
  const pots = potsOf(table([60, true], [100, true], [200, true], [200, false], [2, false, "folded"]));
  assert.deepEqual(
    pots.map(({ seats }) => seats),
    [
      [1, 2, 3, 4],
      [2, 3, 4],
      [3, 4],
    ],
  );
});

test("a side pot stands where its players sit, and no two stand on one spot", () => {
  const at = (/** @type {number} */ seat) => place(seat, 6, 1);
  const [left, right] = spotsOf([{ seats: [2, 3] }, { seats: [5, 6] }], at);
  assert.ok(left && left.x < 50 && right && right.x > 50);
  const spots = spotsOf([{ seats: [2, 3] }, { seats: [2, 3] }, { seats: [2, 3] }], at);
  assert.equal(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size, 3);
});

test("the cards that make a hand are those that its name is about", () => {
  for (const [hand, makes] of [
    ["Ts Th 9s 6h 3c", "Ts Th"],
    ["Ks Kh 9s 9h 3c", "Ks Kh 9s 9h"],
    ["As Jh 9s 6h 3c", "As"],
    ["7s 6h 5s 4h 3c", "7s 6h 5s 4h 3c"],
    ["Qs Qh Qd Qc 3c", "Qs Qh Qd Qc"],
  ])
    assert.deepEqual(making(cards(hand ?? "")), cards(makes ?? ""));
});

test("only a hand that was shown and won is lit", () => {
  const seat = { cards: cards("Ts Th 9s 6h 3c"), seat: 2 };
  /** @type {RoundSoFar} */
  const round = { acts: { 2: "shows" }, mucked: new Set(), net: {}, over: true, won: { 2: 40 } };
  assert.deepEqual(winning(seat, round), cards("Ts Th"));
  assert.deepEqual(winning(seat, { ...round, won: { 1: 40 } }), []);
  assert.deepEqual(winning(seat, { ...round, acts: { 2: "bets 4" } }), []);
  assert.deepEqual(winning({ cards: [null, null, null, null, null], seat: 2 }, round), []);
});

test("what one new card can make is counted from the deck", () => {
  assert.equal(
    sayNeeds(cards("9h 8h 7h 6h 2c")),
    "One new card can make a straight flush (2 cards) or a flush (7 cards).",
  );
  assert.equal(
    sayNeeds(cards("Ts Th 9s 6h 3c")),
    "One new card can make three of a kind (2 cards) or two pair (6 cards).",
  );
  assert.equal(sayNeeds(cards("As Ad Kh Kc 2s")), "One new card can make a full house (4 cards).");
  assert.equal(sayNeeds(cards("As Ks Qs Js Ts")), "");
});

test("who plays in a cash game and was dealt no hand waits for the blind", () => {
  const seat = { cards: [], seat: 2, sitting_out: false, stack: 50, standing: "in" };
  const view = { seats: [{ cards: [null] }, seat], table: { cash: true } };
  assert.equal(waitsForBlind(view, seat), true);
  assert.equal(waitsForBlind({ ...view, seats: [{ cards: [] }, seat] }, seat), false);
  assert.equal(waitsForBlind(view, { ...seat, stack: 0 }), false);
  assert.equal(waitsForBlind({ ...view, table: null }, seat), false);
});

test("the table says how long the level lasts", () => {
  const schedule = [
    { ante: 0, big: 2, hands: 5, minutes: null, small: 1 },
    { ante: 0, big: 4, hands: 5, minutes: null, small: 2 },
  ];
  const view = { level: 1, levels: { schedule }, next_ante: 0, rules: { betting: {}, blinds: { big: 2, small: 1 } } };
  const next = (/** @type {number} */ round, stage = "draw") => stakes({ ...view, round, stage }).next;
  assert.equal(next(1), "2/4 in 5 rounds");
  assert.equal(next(4), "2/4 in 2 rounds");
  assert.equal(next(5), "2/4 next round");
  assert.equal(next(4, "between rounds"), "2/4 in 1 round");
  assert.equal(stakes({ ...view, level: 2, round: 6, stage: "draw" }).next, "");
  const timed = { ...view, levels: { schedule: schedule.map((level) => ({ ...level, hands: null, minutes: 8 })) } };
  assert.equal(stakes({ ...timed, round: 9, stage: "draw" }).next, "2/4", "a clock beside it says when");
});

test("the table says which round is a bomb pot", () => {
  const said = (/** @type {number[]} */ bomb_pots, stage = "draw") => bombPots({ bomb_pots, round: 3, stage });
  assert.equal(said([3]), "bomb pot");
  assert.equal(said([4]), "bomb pot next round");
  assert.equal(said([3, 4], "between rounds"), "bomb pot next round");
  assert.equal(said([5], "between rounds"), "bomb pot in round 5");
  assert.equal(said([3], "between rounds"), "");
});

test("the host's stakes are a button each", () => {
  const labels = (/** @type {any} */ rules) => steps(rules).map(({ label, stakes: asked }) => [label, asked]);
  assert.deepEqual(labels({ betting: {}, blinds: { big: 2, small: 1 } }), [["Raise blinds to 2/4", { blinds: "2/4" }]]);
  assert.deepEqual(labels({ betting: { minimum: 50 }, blinds: null }), [
    ["Raise bets to 100", { bet: "100" }],
    ["Lower bets to 25", { bet: "25" }],
  ]);
});
