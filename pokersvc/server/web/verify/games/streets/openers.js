import { Stream } from "../../shuffle.js";

/** @type {(seed: Uint8Array, street: number, candidates: readonly number[]) => number | undefined} */
export const byChance = (seed, street, candidates) =>
  candidates[new Stream(seed, `opener/${street}`).below(candidates.length)];
