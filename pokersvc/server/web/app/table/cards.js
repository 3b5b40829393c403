/** Playing cards as SVG: large indices, four colours, readable at thumbnail size. */

import { classes, html } from "../html.js";

const FACES = "23456789TJQKA";
export const FACE_NAMES = [
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
  "ace",
];
/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** The path of each suit, in a square of 24. @type {Record<string, string>} */
const SUITS = {
  c: "M12 1.500a5 5 0 0 1 4.300 7.600 5.200 5.200 0 1 1-2.900 8.300c.3 2.100 1.200 3.800 2.900 5.100H7.700c1.700-1.300 2.600-3 2.900-5.100a5.200 5.200 0 1 1-2.900-8.300A5 5 0 0 1 12 1.500z",
  d: "M12 .8c2 4.300 4.600 8 8 11.200-3.400 3.200-6 6.900-8 11.200-2-4.300-4.600-8-8-11.200 3.400-3.200 6-6.900 8-11.200z",
  h: "M12 22.500C6.500 17.300 1.500 13 1.500 8a5.600 5.600 0 0 1 5.700-5.700c2.100 0 3.900 1.200 4.800 3.100.9-1.900 2.700-3.100 4.800-3.100A5.600 5.600 0 0 1 22.500 8c0 5-5 9.300-10.500 14.500z",
  s: "M12 1.200c4 5.300 10 8.500 10 13.700 0 3-2.300 5-4.900 5-1.600 0-2.900-.7-3.800-1.900.3 1.900 1.200 3.400 2.800 4.600H7.900c1.600-1.200 2.500-2.700 2.800-4.600-.9 1.200-2.200 1.900-3.800 1.900-2.600 0-4.900-2-4.900-5C2 9.700 8 6.500 12 1.200z",
};

/** The signs that tell court cards apart, in a square of 24. @type {Record<string, string>} */
const CROWNS = {
  J: "M4 19h16v2.500H4zM5 17l1-9 6 4 6-4 1 9z",
  K: "M4 19h16v2.500H4zM4 17 3 7l4.500 3.500L11 5V3.500H9.500v-1.500H11V.5h2V2h1.500v1.500H13V5l3.500 5.500L21 7l-1 10z",
  Q: "M4 19h16v2.500H4zM5 17 2.500 8l4.500 3 2-6.500 3 5.500 3-5.500 2 6.500 4.500-3L19 17z",
};

/** @param {string} card such as "Td" */
export function faceOf(card) {
  return card.charAt(0) === "T" ? "10" : card.charAt(0);
}

/** @type {Record<string, string>} */
const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** @param {string} suit */
export function symbolOf(suit) {
  return SYMBOLS[suit] ?? suit;
}

/** @param {string} card */
export function short(card) {
  return faceOf(card) + symbolOf(card.charAt(1));
}

/**
 * Return a card's face as a number, 0 (two) to 12 (ace).
 * @param {string} card
 */
export function faceNumber(card) {
  return FACES.indexOf(card.charAt(0));
}

/**
 * Return a card's suit as a number, 0 (clubs) to 3 (spades).
 * @param {string} card
 */
export function suitNumber(card) {
  return "cdhs".indexOf(card.charAt(1));
}

/** @param {string | null} card */
export function nameOf(card) {
  if (card === null) return "hidden card";
  return `${FACE_NAMES[faceNumber(card)]} of ${SUIT_NAMES[card.charAt(1)]}`;
}

/** @param {{card: string | null, small?: boolean, hush?: boolean, lit?: boolean}} props `hush`: an element around it says its name; `lit`: the card is part of a winning hand */
export function Card({ card, small = false, hush = false, lit = false }) {
  const label = hush ? { "aria-hidden": "true" } : { "aria-label": nameOf(card), role: "img" };
  if (card === null) {
    return html`<svg class="card back" viewBox="0 0 60 84" ...${label}>
      <rect class="edge" x=".5" y=".5" width="59" height="83" rx="6" />
      <rect class="cloth" x="4" y="4" width="52" height="76" rx="4" />
      <path class="weave" d="M4 18 42 80M4 42 27 80M4 66 12.500 80M15 4 56 71M32 4 56 43M49 4 56 15M56 18 18 80M56 42 33 80M56 66 47.500 80M45 4 4 71M28 4 4 43M11 4 4 15" />
    </svg>`;
  }
  const [face = "", suit = ""] = card;
  const pip = SUITS[suit];
  const court = CROWNS[face];
  return html`<svg class=${classes("card", `suit-${suit}`, small && "small", lit && "lit")} viewBox="0 0 60 84" data-card=${card} ...${label}>
    <rect class="edge" x=".5" y=".5" width="59" height="83" rx="6" />
    <text class="face" x=${face === "T" ? 21 : 18} y="31" text-anchor="middle" textLength=${face === "T" ? 34 : undefined} lengthAdjust="spacingAndGlyphs">${faceOf(card)}</text>
    <path class="pip" d=${pip} transform="translate(9.500 37) scale(.72)" />
    ${court && html`<path class="court" d=${court} transform="translate(35 12) scale(.78)" />`}
    <path class="pip" d=${pip} transform="translate(25 46) scale(1.300)" />
  </svg>`;
}

/** A row of cards that cannot be touched. @param {{cards: (string | null)[], label?: string, lit?: readonly string[]}} props */
export function Cards({ cards, label, lit = [] }) {
  const said = label ?? sayCards(cards);
  return html`<span class="cards" role="img" aria-label=${said}>
    ${cards.map((card, at) => html`<${Card} key=${card ?? `hidden-${at}`} card=${card} lit=${card !== null && lit.includes(card)} hush small />`)}
  </span>`;
}

/** @param {(string | null)[]} cards */
export function sayCards(cards) {
  const seen = cards.filter((card) => card !== null);
  if (seen.length === 0) return cards.length ? `${cards.length} hidden cards` : "no cards";
  return seen.map(nameOf).join(", ");
}
