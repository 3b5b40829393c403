/** Streams, numbers, decks and derived keys, against the test vectors of docs/shuffle.md. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fromHex, toHex, utf8 } from "../../pokersvc/server/web/verify/bytes.js";
import { FRESH_DECK, numberOf, strength } from "../../pokersvc/server/web/verify/cards.js";
import { derive, Stream, shuffle } from "../../pokersvc/server/web/verify/shuffle.js";

const PAGE = readFileSync(new URL("../../docs/shuffle.md", import.meta.url), "utf8");
const LINES = [...PAGE.matchAll(/```vectors\n(.*?)```/gs)].flatMap(([, block]) => block?.trim().split("\n") ?? []);
/** @type {Map<string, Uint8Array>} */
const KEYS = new Map();
/** @type {[string, string[], string][]} */
const VECTORS = [];
for (const line of LINES) {
  const [left = "", right = ""] = line.split(" = ");
  const call = /^(\w+)\((.*)\)$/.exec(left);
  if (call !== null) VECTORS.push([call[1] ?? "", (call[2] ?? "").split(", "), right]);
  else KEYS.set(left, right.startsWith("text ") ? utf8(JSON.parse(right.slice(5))) : fromHex(right));
}

/** @type {Record<string, (key: Uint8Array, label: any, n: any, right: string, rest: any[]) => string>} */
const COMPUTED = {
  take: (key, label, n) => toHex(Uint8Array.from({ length: n }, bytesOf(key, label))),
  below: (key, label, n, right) => numbers(key, label, n, right.split(" ").length),
  shuffle: (key, label) => shuffle(FRESH_DECK, key, label).map(numberOf).join(" "),
  derive: (key, _label, _n, _right, labels) => toHex(derive(key, ...labels)),
};

/** @type {(key: Uint8Array, label: string) => () => number} */
function bytesOf(key, label) {
  const stream = new Stream(key, label);
  return () => stream.byte();
}

/** @type {(key: Uint8Array, label: string, n: number, count: number) => string} */
function numbers(key, label, n, count) {
  const stream = new Stream(key, label);
  return Array.from({ length: count }, () => stream.below(n)).join(" ");
}

for (const [name, [key = "", ...texts], right] of VECTORS) {
  const compute = COMPUTED[name];
  const given = texts.map((text) => JSON.parse(text));
  if (compute === undefined || given[1] > 2 ** 48) continue; // `below` here is for decks: numbers up to 2^48
  test(`${name}(${[key, ...texts].join(", ")})`, () => {
    const bytes = /** @type {Uint8Array} */ (KEYS.get(key));
    assert.equal(compute(bytes, given[0], given[1], right, given), right);
  });
}

test("hands are as strong as the usual ranking says", () => {
  const hands = [
    "7c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "Ac Ad Kh Ks Qc",
    "2c 2d 2h 4s 3c",
    "Ac 2d 3h 4s 5c",
    "Ac Kd Qh Js Tc",
    "7c 5c 4c 3c 2c",
    "2c 2d 2h 3s 3c",
    "2c 2d 2h 2s 3c",
    "Ac 2c 3c 4c 5c",
    "As Ks Qs Js Ts",
  ].map((hand) => strength(hand.split(" ")));
  assert.deepEqual(
    hands,
    [...new Set(hands)].sort((a, b) => a - b),
  );
  assert.equal(strength("Ac Kd Qh Js 9c".split(" ")), strength("Ad Kc Qs Jh 9d".split(" ")));
});
