/** What a device remembers of a game, and what the server says that the present is. */

import assert from "node:assert/strict";
import test from "node:test";
import { LocalHeads, MemoryHeads, Verifier } from "../../pokersvc/server/web/verify/verifier.js";
import { vector, verified } from "./vectors.js";

const GAME = vector("draw");
const HASHES = GAME.records.map(({ hash }) => hash);

/** @param {number} count */
const first = (count) => ({ ...GAME, records: GAME.records.slice(0, count) });

/** A past that is rewritten later: another game with the same id, every hash of which fits. */
const OTHER = { ...GAME, records: vector("draw-forked").records };

function storage() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  };
}

test("the last head of a game is kept on the device", () => {
  const { kept, ...local } = storage();
  verified(first(12), new LocalHeads(local));
  verified(first(8), new LocalHeads(local));
  assert.deepEqual([...kept], [["pokersvc/head/draw", `12 ${HASHES[11]}`]]);
});

test("a game is not good before it is where this device saw it", () => {
  const heads = new MemoryHeads();
  verified(first(12), heads);
  assert.equal(verified(first(11), heads).verdict.state, "unknown");
  assert.equal(verified(first(12), heads).verdict.state, "good");
});

test("a past that was rewritten is caught", () => {
  const heads = new MemoryHeads();
  verified(OTHER, heads);
  assert.equal(verified(GAME).verdict.state, "good");
  assert.equal(verified(GAME, heads).verdict.problem?.code, "other_story");
});

test("two tabs that are told two stories notice it", () => {
  const heads = new MemoryHeads();
  const [ahead, behind] = [new Verifier({ game: GAME.game, heads }), new Verifier({ game: GAME.game, heads })];
  for (const [at, record] of GAME.records.entries()) {
    ahead.take(record);
    if (at > 0) behind.take(OTHER.records[at - 1]);
  }
  assert.equal(behind.verdict.problem?.code, "other_story");
});

test("a shorter history than this device has seen is caught", () => {
  const heads = new MemoryHeads();
  verified(GAME, heads);
  const verifier = new Verifier({ game: GAME.game, heads });
  assert.equal(verifier.told(12, HASHES[11] ?? null).problem?.code, "shorter");
});

test("what the server says of the present must be what it streams", () => {
  const verifier = verified(first(12));
  assert.equal(verifier.told(12, HASHES[11] ?? null).state, "good");
  assert.equal(verifier.told(14, HASHES[0] ?? null).state, "good");
  verifier.take(GAME.records[12]);
  assert.equal(verifier.take(GAME.records[13]).problem?.code, "other_story");
  assert.equal(verified(first(12)).told(8, HASHES[0] ?? null).problem?.code, "other_story");
});

test("a browser that keeps nothing says so", () => {
  const full = { getItem: () => null, setItem: () => assert.fail("quota") };
  for (const heads of [new LocalHeads(), new LocalHeads(full)]) {
    const { state, unseen } = verified(GAME, heads).verdict;
    assert.equal(state, "good");
    assert.match(unseen.join("\n"), /keeps nothing/);
  }
});
