/** What a choice in advance becomes, by the checked log alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actionOf,
  DELAY,
  drawnDelay,
  dropped,
  inAdvance,
  isOffered,
  offeredInAdvance,
} from "../../pokersvc/server/web/app/games/draw-advance.js";

/** @type {Facing} */
const BLIND = {
  call: 0,
  check: true,
  drawing: false,
  fold: false,
  pending: true,
  price: 2,
  round: 1,
  street: 1,
  turn: false,
};
/** @type {Facing} */
const BET = { ...BLIND, call: 8, check: false, fold: true, price: 10 };
/** @type {Facing} */
const DRAW = { ...BLIND, check: false, drawing: true, price: 0, street: 2 };

test("what is offered goes with what one faces, and nothing in one's own turn", () => {
  assert.deepEqual(offeredInAdvance(BLIND), ["check_fold", "check", "call_any"]);
  assert.deepEqual(offeredInAdvance(BET), ["check_fold", "call", "call_any"]);
  assert.deepEqual(offeredInAdvance({ ...BLIND, pending: false }), ["check_fold", "call_any"]);
  assert.deepEqual(offeredInAdvance(DRAW), ["pat"]);
  assert.deepEqual(offeredInAdvance({ ...DRAW, pending: false }), []);
  assert.deepEqual(offeredInAdvance({ ...BLIND, turn: true }), []);
  assert.deepEqual(offeredInAdvance(null), []);
});

test("call this is dropped with its price, check with a bet, and all with the round of betting, the draw or the hand", () => {
  const raised = { ...BET, call: 28, price: 30 };
  const kinds = /** @type {const} */ (["check_fold", "check", "call", "call_any"]);
  for (const kind of kinds) {
    assert.equal(dropped(inAdvance(kind, BLIND), BLIND), null);
    assert.equal(dropped(inAdvance(kind, BLIND), { ...BLIND, street: 2 }), "");
    assert.equal(dropped(inAdvance(kind, BLIND), { ...BLIND, round: 2 }), "");
    assert.equal(dropped(inAdvance(kind, BLIND), { ...DRAW, street: 1 }), "");
    assert.equal(dropped(inAdvance(kind, BLIND), null), "");
  }
  assert.match(String(dropped(inAdvance("check", BLIND), BET)), /There is a bet/);
  assert.match(String(dropped(inAdvance("call", BET), raised)), /The price has changed/);
  assert.equal(dropped(inAdvance("check_fold", BLIND), BET), null);
  assert.equal(dropped(inAdvance("call_any", BET), raised), null);
  assert.equal(dropped(inAdvance("pat", DRAW), { ...BLIND, street: 2 }), "");
});

test("in one's turn it becomes an action that the rules allow, or none", () => {
  /** @param {import("../../pokersvc/server/web/app/games/draw-advance.js").AdvanceKind} kind @param {Facing} facing */
  const of = (kind, facing) => actionOf(inAdvance(kind, facing), facing)?.type ?? null;
  assert.deepEqual([of("check_fold", BLIND), of("check_fold", BET)], ["Check", "Fold"]);
  assert.deepEqual([of("check", BLIND), of("check", BET)], ["Check", null]);
  assert.deepEqual([of("call", BET), of("call", BLIND)], ["Call", null]);
  assert.deepEqual([of("call_any", BET), of("call_any", BLIND)], ["Call", "Check"]);
  assert.deepEqual([of("pat", DRAW), of("pat", BET), of("call_any", DRAW)], ["Discard", null, null]);
  const mustBet = { ...BLIND, check: false };
  assert.equal(of("check_fold", mustBet), null, "who must bet decides alone");
});

test("nothing is sent that the server does not offer as the checked log does", () => {
  const legal = { call: 8, check: false, discard: null, fold: true };
  assert.equal(isOffered({ type: "Call" }, legal, BET), true);
  assert.equal(isOffered({ type: "Call" }, { ...legal, call: 80 }, BET), false);
  assert.equal(isOffered({ type: "Fold" }, legal, BET), true);
  assert.equal(isOffered({ type: "Check" }, legal, BLIND), false);
  assert.equal(isOffered({ type: "Discard" }, legal, DRAW), false);
  assert.equal(isOffered({ type: "Discard" }, { ...legal, discard: 5 }, DRAW), true);
});

test("the delay is even over its range, which no choice is told", () => {
  const [least = 0, most = 0] = DELAY;
  assert.equal(drawnDelay.length, 0);
  const drawn = Array.from({ length: 20_000 }, drawnDelay);
  assert.ok(drawn.every((delay) => delay >= least && delay < most));
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const delay of drawn) {
    const tenth = Math.floor((10 * (delay - least)) / (most - least));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  const chi = tenths.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
  assert.ok(chi < 40, `χ² ${chi} with 9 degrees of freedom: by chance once in 100,000 runs`);
});
