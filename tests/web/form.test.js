/** What is stored is written in one way: everything else is refused, whatever it says. */

import assert from "node:assert/strict";
import test from "node:test";
import { canonical, fits, id, name } from "../../pokersvc/server/web/verify/form.js";
import { Verifier } from "../../pokersvc/server/web/verify/verifier.js";
import { find, rechain, rehash, say } from "./forge.js";
import { vector, verified } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */

/** @type {(change: (payload: string) => string) => (told: Vector) => void} */
const rewritten = (change) => (told) => {
  const record = find(told, "AntePosted");
  record.payload = change(record.payload);
};

/** @type {[string, (told: Vector) => void][]} */
const FORMS = [
  ["a field too many", rewritten((payload) => `${payload.slice(0, -1)},"zebra":1}`)],
  ["a number with a point", rewritten((payload) => payload.replace(/}$/, ".0}"))],
  ["a seat as a text", (told) => say(told, "AntePosted", (ante) => (ante.seat = `${ante.seat}`))],
  ["a field twice", rewritten((payload) => payload.replace("{", '{"amount":1,'))],
  ["white space", rewritten((payload) => payload.replace(",", ", "))],
  ["an escape", rewritten((payload) => payload.replace("seat", "se\\u0061t"))],
  ["another order of fields", rewritten((payload) => payload.replace(/{(.*),(.*)}/, "{$2,$1}"))],
  ["another version", (told) => (find(told, "AntePosted").version = 2)],
  ["a secret", (told) => Object.assign(find(told, "AntePosted"), { secret: "{}", salt: "00".repeat(16) })],
  ["no secret", (told) => delete find(told, "DeckShuffled").digest],
];

for (const [what, change] of FORMS) {
  test(`an event with ${what} is refused`, () => {
    const told = vector("draw");
    change(told);
    assert.equal(verified(rehash(told)).verdict.problem?.code, "not_a_record");
  });
}

/** The text of the first record, as a stream has it. */
const [FIRST] = vector("draw").records;
const LINE = canonical(Object.fromEntries(Object.entries(FIRST ?? {}).sort()));

test("a record that came as a text is taken", () => {
  assert.equal(new Verifier({ game: "draw" }).take(LINE).state, "good");
});

for (const text of [` ${LINE}`, LINE.replace(",", ", "), LINE.replace("{", '{"n":1,'), `${LINE}\n`, canonical(FIRST)]) {
  test(`a record is refused that is written so: ${text.slice(0, 30)}`, () => {
    assert.equal(new Verifier({ game: "draw" }).take(text).problem?.code, "not_a_record");
  });
}

for (const type of ["TableResumed", "ClockRestarted"]) {
  test(`${type} is refused where it cannot be`, () => {
    const told = vector("draw");
    const at = told.records.findIndex(({ type }) => type === "Bet");
    const put = { ...told.records[at], type, payload: "{}", command_id: "put in" };
    told.records.splice(at, 0, /** @type {any} */ (put));
    assert.equal(verified(rechain(told)).verdict.problem?.code, "move");
  });
}

test("letters that are newer than the browser may be in a name", () => {
  for (const letter of ["\u0378", "\u{1fae1}", "\u{3fffd}"]) {
    assert.ok(fits(letter, id) && fits(`${letter} Ann`, name(5)), letter);
  }
});

for (const [what, letter] of [
  ["a control character", "\x7f"],
  ["an invisible letter", "\u200b"],
  ["another space", "\xa0"],
  ["a line separator", "\u2028"],
  ["half of a pair", "\ud800"],
  ["a letter for private use", "\ue000"],
  ["what never is a letter", "\u{1ffff}"],
]) {
  test(`no name has ${what}`, () => {
    assert.ok(!fits(`Ann${letter}Lee`, name(20)) && !fits(`Ann${letter}Lee`, id));
  });
}

test("a name is of so many letters and has no space around it", () => {
  assert.ok(fits("\u{1f600} Ann", name(5)) && !fits("Ann Lee", name(6)));
  for (const wrong of ["", " ", " Ann", "Ann "]) assert.ok(!fits(wrong, name(20)), wrong);
});
