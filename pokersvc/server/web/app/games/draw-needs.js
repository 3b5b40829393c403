/** What one new card could make of a hand, for tables that allow advice. */

import { counted, html } from "../html.js";
import { worth } from "../table/hands.js";

const KINDS = [
  "nothing",
  "a pair",
  "two pair",
  "three of a kind",
  "a straight",
  "a flush",
  "a full house",
  "four of a kind",
  "a straight flush",
  "a royal flush",
];
const DECK = [..."23456789TJQKA"].flatMap((face) => [..."cdhs"].map((suit) => face + suit));
const MOST_TOLD = 2;

/**
 * Return the better kinds of hands that one new card could make, the best first, each with the number of cards that
 * make it after the best discard.
 *
 * A card counts only for the best hand that it can make: an ace that makes two pair a full house does not count for
 * three aces too.
 * @param {readonly string[]} cards
 * @returns {{kind: number, cards: number}[]}
 */
export function chances(cards) {
  const [now = 0] = worth(cards);
  const rest = DECK.filter((card) => !cards.includes(card));
  const made = cards.map((_, at) => rest.map((card) => worth(cards.with(at, card))[0] ?? 0));
  const most = rest.map((_, card) => Math.max(...made.map((kinds) => kinds[card] ?? 0)));
  /** @type {Map<number, number>} */
  const best = new Map();
  for (const kinds of made) {
    /** @type {Map<number, number>} */
    const counts = new Map();
    kinds.forEach((kind, card) => {
      if (kind > now && kind === most[card]) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    });
    for (const [kind, count] of counts) best.set(kind, Math.max(count, best.get(kind) ?? 0));
  }
  return [...best].map(([kind, count]) => ({ cards: count, kind })).sort((one, other) => other.kind - one.kind);
}

/** @param {readonly string[]} cards */
export function sayNeeds(cards) {
  const told = chances(cards)
    .slice(0, MOST_TOLD)
    .map(({ kind, cards: count }) => `${KINDS[kind]} (${counted(count, "card")})`);
  return told.length ? `One new card can make ${told.join(" or ")}.` : "";
}

/** @param {{cards: string[]}} props */
export function Needs({ cards }) {
  return html`<p class="hint needs" data-testid="needs">${sayNeeds(cards)}</p>`;
}
