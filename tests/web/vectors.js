/** The vectors that Python makes (`python -m tests.web.vectors`), and records changed on the way. */

import { readFileSync } from "node:fs";
import { Verifier } from "../../pokersvc/server/web/verify/verifier.js";

/**
 * @typedef {object} Vector
 * @property {string} name
 * @property {string} game
 * @property {number | null} seat
 * @property {EventRecord[]} records
 * @property {Opened[]} opened
 * @property {string} head
 * @property {string} spoken
 */

/** Games of today's engines, and those of before, which stay as they are. @type {Vector[]} */
export const VECTORS = ["vectors.json", "earlier_vectors.json"].flatMap((name) =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")),
);

/**
 * Return a game of the vectors, a copy that may be changed.
 * @param {string} name
 */
export function vector(name) {
  const found = VECTORS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no vector ${name}.`);
  return structuredClone(found);
}

/**
 * Take all records of a game, and return the verifier.
 * @param {Pick<Vector, "game" | "seat" | "records">} told
 * @param {Heads} [heads]
 */
export function verified({ game, seat, records }, heads) {
  const verifier = new Verifier({ game, seat, ...(heads && { heads }) });
  for (const record of records) verifier.take(record);
  return verifier;
}
