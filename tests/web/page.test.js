/** What the page says of hands, of a round and of a board; the log says what is true. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { hasFreeSeat } from "../../pokersvc/server/web/app/door/entry.js";
import { sayMissing } from "../../pokersvc/server/web/app/door/waiting.js";
import { roundSoFar, signed, tone } from "../../pokersvc/server/web/app/games/draw-fold.js";
import { amountsOffered, readPreset, sayer, withUnit } from "../../pokersvc/server/web/app/games/draw-settings.js";
import { outline } from "../../pokersvc/server/web/app/games/generic.js";
import { typed as typedSwap } from "../../pokersvc/server/web/app/games/market.js";
import { place } from "../../pokersvc/server/web/app/games/places.js";
import { capture, FLIGHT, lastOf, sow, starts } from "../../pokersvc/server/web/app/games/sowing.js";
import { does, whose } from "../../pokersvc/server/web/app/html.js";
import { byHands, typed } from "../../pokersvc/server/web/app/log/by-hands.js";
import { wentOn } from "../../pokersvc/server/web/app/log/went-on.js";
import { asked, sayDoubts, sentences, withSign } from "../../pokersvc/server/web/app/review/review.js";
import { told } from "../../pokersvc/server/web/app/said.js";
import { readAdvice } from "../../pokersvc/server/web/app/table/advice.js";
import { compare, describe, sorted } from "../../pokersvc/server/web/app/table/hands.js";
import { result, sayScore } from "../../pokersvc/server/web/app/table/over.js";
import { saySeat, sayTerms } from "../../pokersvc/server/web/app/table/table-parts.js";
import { nameOfTable, titleOf } from "../../pokersvc/server/web/app/titles.js";

/** @param {string} text */
const cards = (text) => text.split(" ");

/** The weakest first. */
const HANDS = [
  ["7d 5c 4c 3c 2c", "Seven high"],
  ["2d 2c Ac Kc Qd", "Pair of twos"],
  ["6s 6h Kd Ks 2c", "Two pair, kings and sixes"],
  ["8s 8h 8d Ks 2c", "Three of a kind, eights"],
  ["Ah 2c 3d 4s 5h", "Five-high straight"],
  ["2c 3d 4s 5h 6h", "Six-high straight"],
  ["Ac 9c 4c 3c 2c", "Ace-high flush"],
  ["6s 6h Kd 6c Kh", "Full house, sixes over kings"],
  ["Qs Qh Qd Qc Kh", "Four of a kind, queens"],
  ["5d Ad 2d 3d 4d", "Five-high straight flush"],
  ["Th Jh Qh Kh Ah", "Royal flush"],
];

test("hands are told and compared as the server does", () => {
  HANDS.forEach(([hand = "", said], at) => {
    assert.equal(describe(cards(hand)), said);
    HANDS.forEach(([other = ""], index) => {
      assert.equal(Math.sign(compare(cards(hand), cards(other))), Math.sign(at - index));
    });
  });
});

test("equal faces tie, whatever the suits", () => {
  assert.equal(compare(cards("As Kd 9h 4c 2s"), cards("Ah Kc 9s 4d 2h")), 0);
});

test("a hand is sorted for the eye: groups first, and the low ace of a wheel last", () => {
  assert.deepEqual(sorted(cards("Ah 9c 2d 9s Kh")), cards("9s 9c Ah Kh 2d"));
  assert.deepEqual(sorted(cards("Ah 2c 3d 5s 4h")), cards("5s 4h 3d 2c Ah"));
});

test("a round's net counts what went in, what came back and what was won", () => {
  const happened = [
    ["RoundStarted", { ante: 0, round: 1 }],
    ["BlindPosted", { amount: 1, blind: "small", seat: 1 }],
    ["BlindPosted", { amount: 2, blind: "big", seat: 2 }],
    ["Raised", { amount: 9, seat: 1, to: 10 }],
    ["Called", { amount: 3, seat: 2 }],
    ["UncalledBetReturned", { amount: 5, seat: 1 }],
    ["PotAwarded", { pot: 1, reason: "showdown", shares: [{ amount: 10, seat: 2 }] }],
    ["RoundEnded", { round: 1 }],
  ].map(([type, fields], at) => ({ fields, seq: at + 1, type: String(type) }));
  const round = roundSoFar(happened);
  assert.deepEqual([round.net[1], round.net[2], round.over], [-5, 5, true]);
  assert.deepEqual([signed(-5), signed(1200), signed(0)], ["−5", "+1,200", "±0"]);
});

test("a fold stays in sight when the draw begins, a call does not", () => {
  const happened = [
    { fields: { round: 1 }, seq: 1, type: "RoundStarted" },
    { fields: { amount: 2, seat: 1 }, seq: 2, type: "Called" },
    { fields: { reason: "chosen", seat: 2 }, seq: 3, type: "Folded" },
    { fields: { count: 0, seat: 3 }, seq: 4, type: "CardsDiscarded" },
  ];
  assert.deepEqual(roundSoFar(happened).acts, { 2: "folds", 3: "stands pat" });
});

test("a straddle and a newcomer's blind are part of what a round brings", () => {
  const happened = [
    { fields: { round: 2 }, seq: 1, type: "RoundStarted" },
    { fields: { amount: 2, kind: "extra", seat: 1 }, seq: 2, type: "Posted" },
    { fields: { amount: 4, kind: "straddle", seat: 2 }, seq: 3, type: "Posted" },
  ];
  const round = roundSoFar(happened);
  assert.deepEqual(
    [round.net, round.acts],
    [
      { 1: -2, 2: -4 },
      { 1: "extra blind 2", 2: "straddle 4" },
    ],
  );
});

test("what a round brought to a seat is not what it brought to who sits down there after it", () => {
  const happened = [
    { fields: { round: 2 }, seq: 1, type: "RoundStarted" },
    { fields: { amount: 2, seat: 1 }, seq: 2, type: "Called" },
    { fields: { amount: 3, seat: 2 }, seq: 3, type: "Called" },
    { fields: { seat: 1 }, seq: 4, type: "HandMucked" },
    { fields: { round: 2 }, seq: 5, type: "RoundEnded" },
    { fields: { amount: 98, seat: 1 }, seq: 6, type: "GotUp" },
    { fields: { amount: 97, seat: 2 }, seq: 7, type: "GotUp" },
    { fields: { amount: 50, name: "Carl", seat: 1 }, seq: 8, type: "SatDown" },
    { fields: { amount: 50, name: null, seat: 2 }, seq: 9, type: "SatDown" },
  ];
  const round = roundSoFar(happened);
  assert.deepEqual([round.net, round.mucked.size, round.acts[1]], [{ 2: -3 }, 0, undefined]);
});

test("beans are sown past the other side's pot, and captured", () => {
  const board = { north: [4, 4, 4, 4, 4, 4], pots: [0, 0], south: [4, 4, 4, 4, 4, 4] };
  assert.deepEqual(lastOf(board, 1, 3), { hole: 0, side: 1 });
  assert.deepEqual(lastOf(board, 2, 4), { hole: 0, side: 2 });
  const round = { north: [0, 0, 1], pots: [0, 0], south: [0, 0, 5] };
  assert.deepEqual(sow(round, 1, 3).at(-1)?.board, { north: [1, 1, 2], pots: [1, 0], south: [1, 0, 0] });
  const taken = capture({ north: [5, 0], pots: [2, 0], south: [1, 3] }, 1, 1).at(-1);
  assert.deepEqual(taken?.board, { north: [0, 0], pots: [8, 0], south: [0, 3] });
});

test("all beans of a move have moved after 600 ms, however many they are", () => {
  for (const beans of [1, 2, 5, 13, 48, 120]) {
    const at = starts(beans);
    assert.equal(at.length, beans);
    assert.equal(at[0], 0);
    assert.ok((at.at(-1) ?? 0) + FLIGHT < 600, `${beans}`);
    assert.deepEqual(
      at,
      at.toSorted((one, other) => one - other),
    );
  }
  assert.deepEqual(starts(0), []);
});

test("one's own seat is at the bottom of the table", () => {
  assert.equal(place(4, 6, 4).side, "bottom");
  assert.equal(place(1, 6, 4).side, "top");
});

test("advice is the first row of the table of discards", () => {
  const view = { seats: [{ cards: cards("8s Td 2d 7s 8d") }] };
  const heading = "discard          win high pair  2pr   3k strt flsh full   4k   sf   rf";
  const found = readAdvice(
    [heading, "2D 10D 7S      69.32    - 71.3 16.0", "2D             60.00    - 70.0 10.0"],
    view,
    1,
  );
  assert.deepEqual([found.best?.cards, found.worth], [cards("2d Td 7s"), "wins 69.32 %"]);
  const keep = readAdvice(["discard    linear high", "none        43.91    -"], view, 1);
  assert.deepEqual([keep.best?.cards, keep.worth], [[], "linear 43.91"]);
  assert.equal(readAdvice([], view, 1).best, null);
});

test("a typed swap has the numbers of the screen, where hands are sorted", () => {
  const view = { seats: [{ cards: cards("8s Td 2d 7s 8d") }, { cards: cards("Kc 3c 3h As 9d") }] };
  assert.equal(typedSwap("1 for 2.3", { me: 1, view }), "8s for As");
  assert.equal(typedSwap("pass", { me: 1, view }), "pass");
});

test("a game that the page does not know is told by its view", () => {
  const view = { seats: [{ card: "K", name: "Ann" }], to_act: 1 };
  assert.deepEqual(outline(view), ["seats:", "  1.", "    card: K", "    name: Ann", "to act: 1"]);
});

test("cards in the account have the signs of their suits, and names stay as they are", () => {
  assert.equal(told("Bo shows [KS, 10H] king high"), "Bo shows [K♠, 10♥] king high");
  assert.equal(told("Round 2 -- Ann won 6"), "Round 2: Ann won 6");
  assert.equal(told("2C is dealt KS 10H", ["2C", null]), "2C is dealt KS 10H");
  assert.equal(told("JACK 10 discards 1 card", ["JACK 10", "Bo"]), "JACK 10 discards 1 card");
});

test("a seat named You is spoken to", () => {
  assert.deepEqual([does("You", "wins"), does("You", "is"), whose("You")], ["You win", "You are", "your"]);
  assert.deepEqual([does("Ann", "wins"), does("Ann", "is"), whose("Ann")], ["Ann wins", "Ann is", "Ann's"]);
});

test("a net of nothing is neither won nor lost", () => {
  assert.deepEqual(
    [3, 0, -3].map((net) => signed(net)),
    ["+3", "±0", "−3"],
  );
  assert.deepEqual([3, 0, -3].map(tone), ["gain", "", "loss"]);
});

test("a table is called by what is played", () => {
  /** @type {any} */
  const table = { kind: "draw", options: { rules: "no-limit" }, rounds: 20 };
  assert.equal(titleOf(table), "Five-card draw, no-limit, 20 rounds");
  assert.equal(nameOfTable({ ...table, title: "Draw poker 1/2" }), "Draw poker 1/2");
  assert.equal(titleOf({ ...table, kind: "kuhn", options: {}, rounds: null }), "kuhn");
});

test("a free seat of a table by link is called free", () => {
  /** @type {any} */
  const ann = { admitted: true, seat: 1, name: "Ann", kind: "human", came: true };
  const free = { ...ann, came: false, kind: "empty", name: null, seat: 2 };
  const bo = { ...ann, came: false, name: "Bo", seat: 3 };
  /** @param {any[]} seats @returns {any} */
  const table = (...seats) => ({ options: {}, seats });
  assert.deepEqual([ann, free, bo].map(saySeat), ["Ann", "free seat", "Bo (invited)"]);
  assert.equal(saySeat({ ...ann, admitted: false }), "Ann (asks to be let in)");
  assert.equal(sayMissing(table(ann, { ...bo, admitted: false })), "Bo asks to be let in by the host.");
  assert.equal(sayMissing(table(ann, free)), "One seat is free: waiting for one more player.");
  const both = "One seat is free: waiting for one more player; Bo has not opened their link yet.";
  assert.equal(sayMissing(table(ann, free, bo)), both);
  assert.equal(sayMissing(table(ann, bo)), "Every seat is taken; Bo has not opened their link yet.");
  assert.equal(sayMissing(table(ann, free, free)), "2 seats are free: waiting for 2 more players.");
});

test("what a table says of itself begins with its blinds and stacks", () => {
  /** @type {any} */
  const table = {
    kind: "draw",
    settings: { advice: true, bank: 0, seconds: 0 },
    terms: ["blinds 5/10", "100 chips each"],
  };
  assert.deepEqual(sayTerms(table).slice(0, 3), ["blinds 5/10", "100 chips each", "no clock"]);
});

test("a move to another device is told while no game runs", () => {
  const [early, late] = ["2026-01-01T12:00:00Z", "2026-01-01T12:05:00Z"];
  const ann = { came: true, came_at: early, name: "Ann" };
  /** @param {string} status @param {any[]} seats @returns {any} */
  const table = (status, ...seats) => ({ seats, status });
  const [before, moved] = [table("waiting", ann), table("waiting", { ...ann, came_at: late })];
  assert.equal(wentOn(before, moved), "Ann");
  assert.equal(wentOn(before, before), "");
  assert.equal(wentOn(table("over", ann), table("over", { ...ann, came_at: late })), "Ann");
  assert.equal(wentOn(before, table("playing", { ...ann, came_at: late })), "", "the event says it");
  assert.equal(wentOn(table("waiting", { ...ann, came: false, came_at: null }), before), "", "the first exchange");
  assert.equal(wentOn(before, table("waiting", { ...ann, came_at: late, name: "Bo" })), "", "somebody else came");
  assert.equal(wentOn(before, { ...moved, host_came_at: late }), "The host, Ann");
  const playing = { ...table("playing", ann), host_came_at: late };
  assert.equal(wentOn(table("playing", ann), playing), "The host", "no event says it");
  assert.equal(wentOn(playing, playing), "");
});

test("a seat that somebody took and has not sat down at is not free", () => {
  const here = { admitted: true, came: true, came_at: null, kind: "human", removed: false };
  const [ann, held] = ["Ann", "Carl"].map((name, at) => ({ ...here, seat: at + 1, name }));
  assert(ann && held);
  assert.equal(hasFreeSeat({ seats: [ann, held] }), false);
  assert.equal(hasFreeSeat({ seats: [ann, held, { ...here, seat: 3, name: null, kind: "empty", came: false }] }), true);
});

test("the result says who stayed where somebody left with as much", () => {
  /** @param {[string, number, number][]} seats */
  const order = (...seats) => seats.map(([name, rank, score]) => ({ name, rank, score }));
  const two = order(["Bob", 1, 863], ["Ann", 2, 1137]);
  assert.equal(result("draw", two), "Bob stayed to the end");
  assert.equal(result("kalah", two), "Bob wins");
  assert.equal(result("draw", order(["Bob", 1, 800], ["Cy", 1, 800], ["Ann", 3, 800])), "Bob and Cy stayed to the end");
  const three = order(["Bob", 1, 863], ["Ann", 2, 1137], ["Cy", 3, 0]);
  assert.equal(result("draw", three), "Bob did best of those who stayed");
  assert.equal(result("draw", order(["You", 1, 9], ["Ann", 2, 1])), "You win");
  assert.equal(result("draw", order(["Bob", 1, 5], ["Cy", 1, 5])), "Bob and Cy tie");
  assert.equal(result("draw", order(["Bob", 1, 5], ["Cy", 1, 5], ["Ann", 3, 0])), "Bob and Cy win");
  assert.deepEqual(
    [1200, 0, -1200].map((score) => sayScore(score, true)),
    ["+1,200", "0", "−1,200"],
  );
  assert.deepEqual(
    [200, -3].map((score) => sayScore(score, false)),
    ["200", "−3"],
  );
});

test("presets are parts of the pot, big blinds or chips, between the least and the most", () => {
  assert.deepEqual(readPreset("1/2 pot"), { of: "pot", times: 0.5 });
  assert.deepEqual(readPreset("75%"), { of: "pot", times: 0.75 });
  assert.deepEqual(readPreset("pot"), { of: "pot", times: 1 });
  assert.deepEqual(readPreset("2.5 BB"), { of: "bb", times: 2.5 });
  assert.deepEqual(readPreset("40"), { of: "chips", times: 40 });
  for (const wrong of ["", "many", "0", "1/0 pot", "-3", "bet"]) assert.equal(readPreset(wrong), null, wrong);
  const view = { pot: 3, rules: { betting: { minimum: 2 }, blinds: { big: 2 } } };
  const seat = { put: 1, stack: 199 };
  const presets = ["pot", "3 bb", "1/2 pot", "1/2 pot", "500"];
  const offered = amountsOffered({ legal: { bet: null, call: 1, raise_to: [4, 200] }, presets, seat, view });
  assert.deepEqual(
    offered.map(({ label, value }) => `${label} ${value}`),
    ["Least 4", "Pot 6", "Most 200"],
  );
  const without = { ...view, rules: { betting: { minimum: 50 }, blinds: null }, pot: 400 };
  assert.deepEqual(
    amountsOffered({ legal: { bet: [50, 900], call: 0, raise_to: null }, presets, seat, view: without }).map(
      ({ value }) => value,
    ),
    [50, 200, 400, 500, 900],
  );
});

test("amounts are said in blinds where the device wants that and there are blinds", () => {
  const view = { rules: { betting: { minimum: 2 }, blinds: { big: 20 } } };
  assert.deepEqual([1990, 30].map(sayer(view, "blinds")), ["99.5 bb", "1.5 bb"]);
  assert.equal(sayer(view, "chips")(1990), "1,990");
  assert.equal(sayer({ rules: { blinds: null } }, "blinds")(1990), "1,990");
  assert.deepEqual(
    [signed(-30, sayer(view, "blinds")), withUnit("99.5 bb"), withUnit("7")],
    ["−1.5 bb", "99.5 bb", "7 chips"],
  );
});

test("the account goes by hands, with results, and the shuffle that comes goes with its hand", () => {
  const events = [
    ["GameStarted", "Five-card draw"],
    ["SeatBound", "Ann is bound to 10 shares"],
    ["RoundStarted", "Round 1 starts, Ann has the button"],
    ["Checked", "Ann checks"],
    ["RoundEnded", "Round 1 -- Ann won 6"],
    ["CardsShown", "Ann shows KS"],
    ["SharesAwaited", "Shuffle 2 waits for shares of Ann"],
    ["RoundStarted", "Round 2 starts, Bo has the button"],
    ["ShareOpened", "Ann opens a share"],
  ];
  const lines = events.map(([, text = ""], at) => ({ seq: at + 1, text }));
  const happened = events.map(([type = ""], at) => ({ fields: {}, seq: at + 1, type }));
  const hands = byHands(typed(lines, happened));
  assert.deepEqual(
    hands.map(({ round, result, over, start }) => [round, result, over, start]),
    [
      [0, "", false, 1],
      [1, "Ann won 6", true, 3],
      [2, "", false, 8],
    ],
  );
  assert.deepEqual(
    hands.map((hand) => [hand.lines.map(({ seq }) => seq), hand.shares.map(({ seq }) => seq)]),
    [
      [[1], []],
      [[3, 4, 6], [2]],
      [[8], [7, 9]],
    ],
  );
  assert.equal(byHands(typed(lines.slice(0, 7), happened))[1]?.shares.length, 2, "until its hand begins");
  assert.equal(byHands(lines).length, 1, "a line does not begin a hand by its words alone");
  assert.deepEqual(byHands([]), []);
});

test("a review writes cards with symbols, results with signs, and how many more hands the best discard wins", () => {
  const draw = {
    round: 6,
    number: 2,
    when: "the draw",
    had: "[KD, 5S, QH, JH, 8H]",
    situation: "pot 12",
    chose: "keep all",
  };
  const said = {
    would: [{ action: "keep KD QH, draw three", chance: 1 }],
    by: "shark",
    improvised: false,
    doubted: false,
  };
  const { made, better } = sentences({ ...draw, ...said, cost: "2.4", points: 20.2 });
  assert.equal(made, "Hand 6, the draw: you had [K♦, 5♠, Q♥, J♥, 8♥] (pot 12) and chose to keep all.");
  const fewer = "Of 100 such hands, yours wins 20.2 fewer than the best.";
  assert.equal(better, `The program shark: keep K♦ Q♥, draw three (100 %). ${fewer}`);
  const absent = { ...draw, ...said, cost: "2.4", improvised: true, points: null };
  assert.equal(
    sentences(absent).better,
    "Best: keep K♦ Q♥, draw three. (The program shark would not be here with this hand.)",
  );
  assert.equal(sentences({ ...absent, doubted: true }).better, "Best: keep K♦ Q♥, draw three.");
  assert.deepEqual(["4", "-2", "0"].map(withSign), ["+4", "-2", "0"]);
  const judged = [false, true].map((doubted, at) => ({
    ...draw,
    ...said,
    round: at + 6,
    doubted,
    cost: "1",
    points: 0,
  }));
  const never =
    "another player did what the program hardly ever does: from there on they are taken to play like the bot steady.";
  assert.deepEqual(
    [0, 6, 7].map((round) => sayDoubts({ judged }, round)),
    [`In some hands ${never}`, false, `In this hand ${never}`],
  );
});

test("a review may take a busy server minutes", async (t) => {
  const waited = t.mock.method(AbortSignal, "timeout");
  t.mock.method(globalThis, "fetch", async () => new Response("{}"));
  await asked({ api: (path = "") => `/api/${path}`, door: "seats/1" });
  assert.deepEqual(waited.mock.calls[0]?.arguments, [180_000]);
});
