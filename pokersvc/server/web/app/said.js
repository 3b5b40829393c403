/** Sentences of the server and the verifier, as the page writes them. */

import { html } from "./html.js";
import { symbolOf } from "./table/cards.js";

/** A card as the server writes it in plain text: 10D. */
const CARD = /\b(10|[2-9JQKA])([CDHS])\b/g;

/**
 * Return a line with suit symbols, except in names: Ann is dealt 10♦.
 * @param {string} line
 * @param {readonly (string | null)[]} [names]
 */
export function told(line, names = []) {
  const text = line.replace(/^(Round \d+) -- /, "$1: ");
  if (names.some((name) => name !== null && name.search(CARD) >= 0)) return text;
  return text.replaceAll(CARD, (_, face, suit) => face + symbolOf(suit.toLowerCase()));
}

/** Show text in backticks as code, to be typed. @param {{text: string}} props */
export function Said({ text }) {
  return html`${text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part))}`;
}
