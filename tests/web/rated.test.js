/** Bots by their ratings: which ladder counts, in which order they are offered, and the way to a table. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { against, asked, byRating, ratingsOf, withRating } from "../../pokersvc/server/web/app/lobby/rated.js";
import { opposite } from "../../pokersvc/server/web/app/lobby/wanted.js";

/** @type {(changed: Partial<Ladder>, ratings: Record<string, number>) => Ladder} */
const ladder = (changed, ratings) => ({
  by_rating: false,
  deals: 100,
  house: "limitless",
  kind: "cards",
  members: Object.entries(ratings).map(([program, rating]) => ({
    better_from: null,
    forfeits: 0,
    gain: 0,
    gain_within: null,
    name: program,
    points: 0.5,
    program: program === "Mine" ? null : program,
    rating,
    rating_within: null,
  })),
  missing_games: 0,
  name: "",
  seats: 2,
  title: "",
  unit: "chips",
  unranked: [],
  ...changed,
});
const LADDERS = [
  ladder({ deals: 20 }, { random: 1900 }),
  ladder({}, { Mine: 1700, random: 1200, steady: 1599.6 }),
  ladder({ house: "rising" }, { random: 1400 }),
  ladder({ house: null }, { random: 1 }),
  ladder({ house: "", kind: "board" }, { smart: 1600 }),
];

test("ratings are those of the game's house, from the ladder with the most deals", () => {
  assert.deepEqual(ratingsOf(LADDERS, "cards", "limitless"), { random: 1200, steady: 1599.6 });
  assert.deepEqual(ratingsOf(LADDERS, "cards", "rising"), { random: 1400 });
  assert.deepEqual(ratingsOf(LADDERS, "board", ""), { smart: 1600 });
  assert.deepEqual(ratingsOf(LADDERS, "cards", "unknown"), {});
});

test("the strongest bots are offered first, and those without a rating last, as they were", () => {
  const choices = byRating(["house", "random", "steady", "table"], { random: 1200, steady: 1599.6 });
  assert.deepEqual(choices, ["steady", "random", "house", "table"]);
  assert.deepEqual(byRating(["b", "a"], {}), ["b", "a"]);
});

test("a bot is named with its rating, if it has one", () => {
  assert.equal(withRating("Steady", 1599.6), "Steady (1,600)");
  assert.equal(withRating("House", undefined), "House");
});

test("an address leads to a table against a bot", () => {
  const address = against(ladder({ house: "my/house" }, {}), "smart/4");
  const wish = asked(address.slice(1));
  assert.deepEqual(wish, { house: "my/house", kind: "cards", program: "smart/4", seats: 2 });
  assert.equal(asked("#new"), null);
  assert.equal(asked("#new=cards"), null);
  assert.equal(asked(""), null);
});

test("the form begins against that bot, where the game has it", () => {
  /** @type {any} */
  const game = {
    default_program: "steady",
    default_seats: 6,
    houses: [{ name: "rising" }, { name: "limitless", usual: true }],
    kind: "cards",
    programs: ["steady", "random"],
    seats: { least: 2, most: 4 },
  };
  const of = (/** @type {Partial<Opponent>} */ changed) =>
    opposite(game, { house: "rising", kind: "cards", program: "random", seats: 2, ...changed }, "Ann");
  const { chairs, house } = of({});
  assert.equal(house, "rising");
  assert.deepEqual(chairs, [
    { name: "Ann", program: "random", who: "me" },
    { name: "", program: "random", who: "program" },
  ]);
  assert.equal(of({ seats: 9 }).chairs.length, 4);
  assert.equal(of({ house: "unknown" }).house, "limitless");
  assert.equal(of({ program: "unknown" }).chairs[1]?.program, "steady");
});
