/** The form for a new table: what it begins with, takes over and sends. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bodyOf,
  firstOptions,
  inHouse,
  readyMade,
  remembered,
  resized,
  usual,
  withBots,
} from "../../pokersvc/server/web/app/lobby/wanted.js";

const option = { each: null, first: false, help: "", type: "string" };
/** @type {any} */
const GAME = {
  default_program: "steady",
  default_seats: 3,
  houses: [
    { name: "rising", usual: false, values: { ante: "5", stack: "1000" } },
    { name: "limitless", usual: true, values: { blinds: "1/2", stack: "200" } },
  ],
  kind: "cards",
  options: [
    { ...option, first: true, each: "", name: "stack" },
    { ...option, first: true, name: "blinds" },
    { ...option, first: true, name: "ante", type: "integer" },
    { ...option, first: true, name: "cash", type: "boolean" },
    { ...option, name: "rake" },
  ],
  programs: ["steady", "random"],
  rounds: true,
  seats: { least: 2, most: 10 },
  shuffles: true,
};
const who = (/** @type {Chair[]} */ chairs) => chairs.map((chair) => chair.who).join(" ");

test("a form begins with oneself against bots in the usual house", () => {
  const wanted = usual(GAME, "Ann");
  assert.deepEqual(
    [wanted.house, who(wanted.chairs), wanted.chairs[0]?.name],
    ["limitless", "me program program", "Ann"],
  );
  assert.deepEqual(bodyOf(GAME, wanted), {
    kind: "cards",
    name: "",
    options: { rules: "limitless" },
    public: false,
    rounds: null,
    seats: [{ name: "Ann" }, { program: "steady" }, { program: "steady" }],
    settings: { advice: true, bank: 0, opens_seeds: false, seconds: 0 },
  });
});

test("everybody's stack and single ones are one option", () => {
  const wanted = usual(GAME, "Ann");
  const stack = (/** @type {any} */ options) => bodyOf(GAME, { ...wanted, options }).options.stack;
  assert.equal(stack({ stack: "100" }), "100");
  assert.equal(stack({ stack: "100", "stack.each": "Bo=50" }), "100, Bo=50");
  assert.equal(stack({ "stack.each": "Bo=50" }), "Bo=50");
  assert.equal(stack({ stack: undefined }), undefined);
});

test("a house shows the options it has values for, and keeps no value of another house", () => {
  const names = (/** @type {string} */ house) => firstOptions(GAME, house).map((one) => one.name);
  assert.deepEqual(
    [names("limitless"), names("rising")],
    [
      ["stack", "blinds", "cash"],
      ["stack", "ante", "cash"],
    ],
  );
  assert.deepEqual(inHouse(GAME, { blinds: "5/10", cash: true, stack: "100" }, "rising"), { cash: true, stack: "100" });
});

test("more seats are for whom the last one is, and bots take the last seats that are not one's own", () => {
  const { chairs } = usual(GAME, "Ann");
  assert.equal(who(resized(chairs, 5)), "me program program program program");
  assert.equal(who(resized(chairs, 2)), "me program");
  assert.equal(who(withBots(chairs, 1)), "me open program");
  assert.equal(who(withBots(chairs, 0)), "me open open");
  assert.equal(who(resized(withBots(chairs, 0), 4)), "me open open open");
  assert.equal(who(withBots(resized(withBots(chairs, 0), 4), 3)), "me program program program");
});

test("a ready-made table fills the form", () => {
  /** @type {any} */
  const ready = {
    kind: "cards",
    options: { blinds: "5/10", rules: "limitless", stack: "1000" },
    people: 3,
    rounds: null,
    seats: 4,
    settings: { bank: 120, seconds: 30 },
  };
  const wanted = readyMade(GAME, ready, "Ann");
  assert.equal(who(wanted.chairs), "me open open program");
  const body = bodyOf(GAME, wanted);
  assert.deepEqual(body.options, { blinds: "5/10", rules: "limitless", stack: "1000" });
  assert.deepEqual([body.settings.seconds, body.settings.bank], [30, 120]);
});

test("the last table comes again, and nobody's name is kept with it", () => {
  /** @type {Chair[]} */
  const chairs = [
    { name: "Ann", program: "", who: "me" },
    { name: "Bo", program: "", who: "person" },
    { name: "", program: "random", who: "program" },
  ];
  const options = { blinds: "5/10", stack: "300", "stack.each": "Bo=50" };
  const wanted = {
    ...usual(GAME, "Ann"),
    bank: 60,
    chairs,
    open: true,
    options,
    rounds: 9,
    seconds: 15,
    title: "Bo's",
  };
  const kept = JSON.parse(JSON.stringify(remembered(GAME, { ...wanted, together: true })));
  assert.doesNotMatch(JSON.stringify(kept), /Ann|Bo/);
  const again = readyMade(GAME, kept, "Ann");
  assert.equal(who(again.chairs), "me open program");
  assert.deepEqual([again.chairs[0]?.name, again.chairs[2]?.program], ["Ann", "random"]);
  const { chairs: _, options: had, title: __, ...others } = again;
  assert.deepEqual(had, { blinds: "5/10", stack: "300" });
  assert.deepEqual(others, {
    advice: true,
    bank: 60,
    house: "limitless",
    kind: "cards",
    open: true,
    opens: false,
    rounds: 9,
    seconds: 15,
    together: true,
  });
});
