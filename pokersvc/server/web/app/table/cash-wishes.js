/** What a person at a cash table may do between rounds, by buttons: buy chips, sit out or in, and standing wishes. */

import { amount, html, useState } from "../html.js";

/** Return the amounts that can be bought with one tap: the full stack, the maximum and half of it. @param {any} view
@param {number} seat */
function amounts(view, seat) {
  const [least, most] = view.seats[seat - 1].at_cash.buys ?? [1, 0];
  const offered = [Math.min(view.rules.stack, most), most, Math.floor(most / 2)];
  return [...new Set(offered)].filter((chips) => chips >= least && chips <= most);
}

/**
 * The first thing shown to a person who has no chips left.
 * @param {{view: any, seat: number, busy: boolean, act: (action: GameAction, label: string) => void}} props
 */
export function BuyIn({ view, seat, busy, act }) {
  const { asks_for: asked } = view.seats[seat - 1].at_cash;
  const what = view.cash?.approval ? "Ask for" : "Buy";
  return html`<div class="buy-in" data-testid="buy-in">
    <p role="status">${asked > 0 ? `You have no chips. The host has been asked for ${amount(asked)}.` : "You have no chips left."}</p>
    ${amounts(view, seat).map(
      (chips, at) =>
        html`<button type="button" class=${at === 0 && asked === 0 ? "primary" : ""} disabled=${busy} data-testid=${`buy-${chips}`}
          onClick=${() => act({ type: "BuyChips", chips }, "Buy chips")}>${what} ${amount(chips)}</button>`,
    )}
  </div>`;
}

/** @param {{view: any, seat: number, busy: boolean, broke: boolean, act: (action: GameAction, label: string) => void}} props */
export function CashWishes({ view, seat, busy, broke, act }) {
  const { at_cash: at, sitting_out: out } = view.seats[seat - 1];
  const [chips, bring] = useState("");
  if (!at) return null;
  const { buys } = at;
  const button = (/** @type {string} */ label, /** @type {GameAction} */ action) =>
    html`<button type="button" class="quiet" disabled=${busy} onClick=${() => act(action, label)}>${label}</button>`;
  const wish = (/** @type {string} */ label, /** @type {object} */ wishes) =>
    button(label, { type: "Wish", ...wishes });
  const buy = (/** @type {Event} */ event) => {
    event.preventDefault();
    act({ type: "BuyChips", chips: Number(chips) }, "Buy chips");
  };
  const up = view.rules.stack;
  return html`<div class="row wishes" data-testid="cash-wishes">
    ${
      buys &&
      html`<form class="buys" onSubmit=${buy}><label class="hidden" for="buys">Chips to buy, ${buys[0]} to ${buys[1]}</label>
      <input id="buys" type="number" required min=${buys[0]} max=${buys[1]} value=${chips} placeholder=${`${buys[0]} to ${buys[1]}`}
        data-testid="buy-chips" onInput=${(/** @type {any} */ event) => bring(event.target.value)} />
      <button type="submit" class="quiet" disabled=${busy} data-testid="buy">Buy chips</button></form>`
    }
    ${at.asks_for > 0 && !broke && html`<p role="status">The host has been asked for ${at.asks_for}.</p>`}
    ${out ? broke && button("Sit in now", { type: "SitIn" }) : button("Sit out", { type: "SitOut" })}
    ${at.person && out && wish(at.in_with_blind ? "Stay out" : "Sit in with the blind", { in_with_blind: !at.in_with_blind })}
    ${at.person && !out && view.rules.blinds && wish(at.out_at_blind ? "Stay in" : "Sit out at the blind", { out_at_blind: !at.out_at_blind })}
    ${at.person && !view.cash?.approval && wish(at.top_up_to ? "Stop topping up" : `Top up to ${up} each round`, { top_up_to: at.top_up_to ? 0 : up })}
    ${at.person && (at.straddles || (view.cash?.straddle_by_choice && view.rules.blinds.straddle > 0)) && wish(at.straddles ? "Straddle no more" : `Straddle ${view.rules.blinds.straddle} in my turn`, { straddles: !at.straddles })}
    ${at.rounds_left !== null && html`<p role="status">You keep the seat for ${at.rounds_left} more ${at.rounds_left === 1 ? "round" : "rounds"}.</p>`}
  </div>`;
}
