/** The seeds of a game's decks, once they are opened. */

import { fromHex, isHex, toHex, utf8 } from "../bytes.js";
import { Problem } from "../problem.js";
import { derive } from "../shuffle.js";

/**
 * Return the seed of each deck; a `Problem` for one that is missing, used twice, or not what the game's text gives.
 * @param {ReadonlyMap<number, any>} opened the secrets by event
 * @param {ReadonlyMap<number, number>} shuffled by the event of each shuffle: which seed of the game it takes, from 1
 * @returns {Map<number, Uint8Array>} by the event of the shuffle
 */
export function seedsOf(opened, shuffled) {
  const text = opened.get(1)?.entropy?.text ?? null;
  const seeds = new Map();
  const met = new Set();
  for (const [seq, index] of shuffled) {
    const seed = opened.get(seq)?.seed;
    if (!isHex(seed, 32)) throw new Problem("seeds", seq, `The seed of the deck of event ${seq} was not opened.`);
    if (met.has(seed)) throw new Problem("seeds", seq, `The seed of the deck of event ${seq} was used before.`);
    if (text !== null && seed !== toHex(derive(utf8(text), "deck", index))) {
      throw new Problem("seeds", seq, `The seed of the deck of event ${seq} does not follow from the game's text.`);
    }
    met.add(seed);
    seeds.set(seq, fromHex(seed));
  }
  return seeds;
}
