/** The rank of five cards, only for the page's words about hands. The log says who wins. */

import { FACE_NAMES, faceNumber, suitNumber } from "./cards.js";

/** @param {number} face */
const name = (face) => FACE_NAMES[face] ?? "";
/** @param {number} face */
const plural = (face) => (name(face) === "six" ? "sixes" : `${name(face)}s`);
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Return the faces of a hand, those of the largest group first, then the highest.
 * @param {readonly string[]} cards
 * @returns {{faces: number[], sizes: number[]}}
 */
function grouped(cards) {
  const counts = new Map();
  for (const card of cards) {
    const face = faceNumber(card);
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  const groups = [...counts].sort(([face, count], [other, others]) => others - count || other - face);
  return { faces: groups.map(([face]) => face), sizes: groups.map(([, count]) => count) };
}

/**
 * Return the category of five cards, 0 to 9, and the tie-breakers, best first.
 * @param {readonly string[]} cards
 * @returns {number[]}
 */
export function worth(cards) {
  let { faces, sizes } = grouped(cards);
  const flush = new Set(cards.map(suitNumber)).size === 1;
  const wheel = sizes.length === 5 && faces.join() === "12,3,2,1,0";
  if (wheel) faces = [3, 2, 1, 0, -1];
  const [highest = 0] = faces;
  const straight = sizes.length === 5 && highest - (faces[4] ?? 0) === 4;
  return [category(sizes, flush, straight, highest), ...faces];
}

/**
 * @param {number[]} sizes
 * @param {boolean} flush
 * @param {boolean} straight
 * @param {number} highest
 */
function category([most, more], flush, straight, highest) {
  if (straight && flush) return highest === 12 ? 9 : 8;
  if (most === 4) return 7;
  if (most === 3 && more === 2) return 6;
  if (flush) return 5;
  if (straight) return 4;
  if (most === 3) return 3;
  if (most === 2) return more === 2 ? 2 : 1;
  return 0;
}

/**
 * Compare two hands: above 0 if the first is better, 0 for a tie.
 * @param {readonly string[]} cards
 * @param {readonly string[]} others
 */
export function compare(cards, others) {
  const own = worth(cards);
  const their = worth(others);
  const at = own.findIndex((value, index) => value !== their[index]);
  return at === -1 ? 0 : (own[at] ?? 0) - (their[at] ?? 0);
}

/**
 * Return five cards in words, as the server says them: full house, sixes over kings.
 * @param {readonly string[]} cards
 */
export function describe(cards) {
  const [kind = 0, first = 0, second = 0] = worth(cards);
  const said = [
    () => `${name(first)} high`,
    () => `pair of ${plural(first)}`,
    () => `two pair, ${plural(first)} and ${plural(second)}`,
    () => `three of a kind, ${plural(first)}`,
    () => `${name(first)}-high straight`,
    () => `${name(first)}-high flush`,
    () => `full house, ${plural(first)} over ${plural(second)}`,
    () => `four of a kind, ${plural(first)}`,
    () => `${name(first)}-high straight flush`,
    () => "royal flush",
  ];
  return capital(said[kind]?.() ?? "");
}

/**
 * Return the cards that make a hand what it is: both of a pair, all of a straight, the highest if there is no more.
 * @param {readonly string[]} cards
 */
export function making(cards) {
  const [kind = 0, highest] = worth(cards);
  if ([4, 5, 6, 8, 9].includes(kind)) return [...cards];
  const { faces, sizes } = grouped(cards);
  const makes = kind === 0 ? [highest] : faces.filter((_, at) => (sizes[at] ?? 0) > 1);
  return cards.filter((card) => makes.includes(faceNumber(card)));
}

/**
 * Return a hand sorted for display: groups first, then from the highest; a wheel's ace last.
 * @param {readonly string[]} cards
 * @returns {string[]}
 */
export function sorted(cards) {
  const { faces } = grouped(cards);
  const order = faces.join() === "12,3,2,1,0" ? [3, 2, 1, 0, 12] : faces;
  return [...cards].sort((card, other) => {
    const by = order.indexOf(faceNumber(card)) - order.indexOf(faceNumber(other));
    return by || suitNumber(other) - suitNumber(card);
  });
}
