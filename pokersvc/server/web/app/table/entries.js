/** The button to buy chips in a tournament between rounds: to enter again, or to take the add-on. */

import { amount, counted, html } from "../html.js";

/** @param {{view: any, seat: number, busy: boolean, act: (action: any, label: string) => void}} props */
export function Entries({ view, seat, busy, act }) {
  const own = view?.seats?.[seat - 1];
  if (!own?.may_reenter && !own?.may_add_on) return null;
  const { addon, price } = view.entry;
  const [type, label, chips, costs] = own.may_reenter
    ? ["ReEnter", "Enter again", view.rules.stack, price]
    : ["TakeAddOn", "Take the add-on", addon.chips, addon.price];
  return html`<div class="between"><button type="button" class=${own.may_reenter ? "primary" : ""} disabled=${busy}
    data-testid=${type} onClick=${() => act({ type }, label)}>${label}: ${amount(chips)} chips for ${counted(costs, "unit")}</button></div>`;
}
