/** The chain, the digests and the order of events, against docs/log.md and real games. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { toHex } from "../../pokersvc/server/web/verify/bytes.js";
import { Chain, digestOf } from "../../pokersvc/server/web/verify/chain.js";
import { Verifier } from "../../pokersvc/server/web/verify/verifier.js";
import { vector, verified } from "./vectors.js";

const LOG = readFileSync(new URL("../../docs/log.md", import.meta.url), "utf8");

test("the test vectors of docs/log.md hold", () => {
  const page = JSON.parse(/```json\n(.*?)```/s.exec(LOG)?.[1] ?? "");
  const chain = new Chain("example-game");
  for (const { digest, ...row } of page) {
    const record = /** @type {any} */ (Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
    assert.equal(toHex(digestOf(record)), digest);
    chain.take(record);
  }
  assert.equal(chain.head, page.at(-1).hash);
});

test("a chain goes on from any hash of the game, and from no other", () => {
  const game = vector("draw");
  for (const from of [0, 1, 7, game.records.length - 2]) {
    const before = { seq: from, hash: from === 0 ? "0".repeat(64) : at(game.records, from - 1).hash };
    const chain = new Chain(game.game, before);
    assert.deepEqual([chain.count, chain.head], [from, before.hash]);
    for (const record of game.records.slice(from)) chain.take(record);
    assert.deepEqual([chain.count, chain.head], [game.records.length, game.head]);
    const other = new Chain(game.game, { seq: from, hash: "1".repeat(64) });
    assert.throws(() => other.take(at(game.records, from)), { code: from === 0 ? "other_game" : "hash" });
    assert.throws(() => new Chain(game.game, before).take(at(game.records, from + 1)), { code: "missing" });
  }
});

test("nothing is good before the first event", () => {
  const { state, sentence } = new Verifier({ game: "draw" }).verdict;
  assert.deepEqual([state, sentence], ["unknown", "Nothing has been checked yet."]);
});

const WRONG = { digest: "0".repeat(64), salt: "00".repeat(16), secret: "{}" };

/** @type {[string, string, (told: import("./vectors.js").Vector) => void][]} */
const LIES = [
  ["an event is changed", "hash", ({ records }) => change(records, 10, { payload: '{"amount":9,"seat":1}' })],
  ["a time is changed", "moment", ({ records }) => change(records, 10, { recorded_at: "2026-01-31T13:00:00.000000Z" })],
  ["a time is none", "moment", ({ records }) => change(records, 1, { recorded_at: "2026-02-30T12:00:00.000000Z" })],
  ["an event is withheld in the middle", "missing", ({ records }) => records.splice(9, 1)],
  ["two events are told in another order", "missing", ({ records }) => records.splice(9, 2, ...pair(records, 9))],
  ["an event is told twice", "repeated", ({ records }) => records.splice(9, 0, at(records, 8))],
  ["the first events are withheld", "missing", ({ records }) => records.splice(0, 3)],
  ["it is another game", "other_game", (told) => Object.assign(told, { game: "market" })],
  ["an event is moved to another command", "command_order", ({ records }) => change(records, 5, { command_id: "x" })],
  ["a secret is another one", "hash", ({ records }) => change(records, ownSecret(records), { secret: "{}" })],
  ["a salt is cut off", "salt", ({ records }) => change(records, ownSecret(records), { salt: "00" })],
  ["a byte moves from the secret to the salt", "salt", ({ records }) => moveByte(at(records, ownSecret(records)))],
  ["a secret does not fit its digest", "secret", ({ records }) => change(records, 5, WRONG)],
  ["a name has half a character", "not_a_record", ({ records }) => change(records, 5, { command_id: "\ud800" })],
  ["an event is no object", "not_a_record", ({ records }) => records.splice(3, 1, /** @type {any} */ (null))],
];

for (const [lie, code, tell] of LIES) {
  test(`it is caught that ${lie}`, () => {
    const told = vector("draw");
    tell(told);
    const { state, problem } = verified(told).verdict;
    assert.deepEqual([state, problem?.code], ["broken", code]);
  });
}

test("what is broken stays broken", () => {
  const { game, records } = vector("draw");
  const verifier = new Verifier({ game });
  verifier.take(records[1]);
  const broken = verifier.verdict;
  assert.equal(verifier.take(records[0]), broken);
  assert.equal(verifier.count, 0);
});

test("an event may come again, and must be the same then", () => {
  const { game, records } = vector("draw");
  const verifier = verified({ game, seat: 2, records: records.slice(0, 12) });
  assert.equal(verifier.again(records[7]).state, "good");
  assert.equal(verifier.again({ ...records[7], payload: "{}" }).problem?.code, "other_story");
});

/** @type {<T>(items: T[], index: number) => T} */
const at = (items, index) => /** @type {any} */ (items[index]);

/** @type {<T>(items: T[], index: number) => [T, T]} */
const pair = (items, index) => [at(items, index + 1), at(items, index)];

/** @param {EventRecord[]} records */
const ownSecret = (records) => records.findIndex(({ secret }) => secret !== undefined);

/** @type {(records: EventRecord[], index: number, change: object) => void} */
function change(records, index, changed) {
  Object.assign(at(records, index), changed);
}

/** @param {EventRecord} record */
function moveByte(record) {
  record.salt += "7b"; // the brace that every secret begins with
  record.secret = record.secret?.slice(1) ?? "";
}
