/** Buttons to show one's cards after a round: all of them, or one. */

import { html } from "../html.js";
import { nameOf, short } from "./cards.js";
import { sorted } from "./hands.js";

/** @param {{cards: string[], busy: boolean, act: (action: any, label: string) => void}} props */
export function ShowCards({ cards, busy, act }) {
  const show = (/** @type {string[]} */ shown, /** @type {string} */ label) => () =>
    act({ type: "Show", cards: shown }, label);
  return html`<div class="row" role="group" aria-label="Show your cards" data-testid="show-cards">
    <button type="button" disabled=${busy} data-testid="show-all" onClick=${show([], "Show your cards")}>Show your cards</button>
    <span class="one-of" aria-hidden="true">or one:</span>
    ${sorted(cards).map(
      (card) => html`<button key=${card} type="button" disabled=${busy} data-testid=${`show-${card}`}
        aria-label=${`Show the ${nameOf(card)}`} onClick=${show([card], `Show ${short(card)}`)}>${short(card)}</button>`,
    )}
  </div>`;
}
