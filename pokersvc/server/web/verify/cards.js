/** Cards as events write them (`Td`), and the strength of five of them. */

const FACES = "23456789TJQKA";
const SUITS = "cdhs";

/** The 52 cards by number: the deck before every shuffle. */
export const FRESH_DECK = Object.freeze([...FACES].flatMap((face) => [...SUITS].map((suit) => face + suit)));

const NUMBERS = new Map(FRESH_DECK.map((card, number) => [card, number]));

/**
 * Return the number of a card, 0 to 51; -1 for anything else.
 * @param {unknown} card
 */
export const numberOf = (card) => NUMBERS.get(/** @type {string} */ (card)) ?? -1;

/**
 * @param {unknown} cards
 * @param {number} count
 * @returns {cards is string[]}
 */
export const areCards = (cards, count) =>
  Array.isArray(cards) &&
  cards.length === count &&
  new Set(cards).size === count &&
  cards.every((c) => numberOf(c) >= 0);

/** Counts of equal faces, largest first, by the rank of the hand; hands 4 and 5 have five different faces. */
const GROUPS = ["11111", "2111", "221", "311", "straight", "flush", "32", "41"];
const [STRAIGHT, FLUSH, STRAIGHT_FLUSH] = [4, 5, 8];

/**
 * Return the strength of five cards: the higher wins, equal ones tie. The ranking is the usual one, with the ace high,
 * and low only in A 2 3 4 5.
 * @param {readonly string[]} cards
 */
export function strength(cards) {
  const counts = new Array(13).fill(0);
  for (const card of cards) counts[FACES.indexOf(card.charAt(0))] += 1;
  const faces = [...counts.keys()].filter((face) => counts[face] > 0);
  faces.sort((a, b) => counts[b] - counts[a] || b - a);
  const isFlush = cards.every((card) => card.charAt(1) === cards[0]?.charAt(1));
  const isWheel = faces.join() === "12,3,2,1,0";
  const isStraight = faces.length === 5 && (Number(faces[0]) - Number(faces[4]) === 4 || isWheel);
  let kind = GROUPS.indexOf(faces.map((face) => counts[face]).join(""));
  if (isStraight) kind = isFlush ? STRAIGHT_FLUSH : STRAIGHT;
  else if (isFlush) kind = FLUSH;
  const ranked = isWheel && isStraight ? [3, 2, 1, 0, -1] : faces;
  return ranked.reduce((value, face) => value * 14 + face + 1, kind) * 14 ** (5 - faces.length);
}

/** @type {<T>(cards: readonly T[], others: readonly T[]) => T[]} */
export const without = (cards, others) => cards.filter((card) => !others.includes(card));

/**
 * Return whether two lists have the same cards in the same order.
 * @param {readonly string[]} one
 * @param {readonly string[]} other
 */
export const sameCards = (one, other) => one.length === other.length && one.every((card, at) => card === other[at]);
