/** What a host decides at the table itself: who comes in, who gets chips, and the stakes of the next rounds. */

import { post } from "../api.js";
import { amount, counted, html, useState } from "../html.js";

/**
 * Return the stakes that have a button: twice as high and, if that is a whole number, half as high.
 * @param {any} rules
 * @returns {{label: string, stakes: {blinds: string} | {bet: string}}[]}
 */
export function steps({ betting, blinds }) {
  const now = blinds ? [blinds.small, blinds.big] : [betting.minimum];
  const offered = [now.map((chips) => 2 * chips)];
  if (now.every((chips) => chips % 2 === 0)) offered.push(now.map((chips) => chips / 2));
  return offered.map((chips, at) => {
    const say = chips.map(amount).join("/");
    return {
      label: `${at ? "Lower" : "Raise"} ${blinds ? "blinds" : "bets"} to ${say}`,
      stakes: blinds ? { blinds: chips.join("/") } : { bet: chips.join("") },
    };
  });
}

/** @param {{feed: Feed, offersStakes: boolean}} props */
export function HostAsks({ feed, offersStakes }) {
  const [busy, work] = useState(false);
  const { info, snapshot } = feed;
  const view = snapshot?.view;
  const ask = (/** @type {string} */ what, /** @type {object} */ body = {}) => {
    work(true);
    post(feed.api(`host/${what}`), body)
      .then(
        () => feed.refresh(),
        (error) => feed.fail(error.message),
      )
      .finally(() => work(false));
  };
  const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => void} */ press, kind = "") =>
    html`<button type="button" class=${kind} disabled=${busy} data-testid=${id} onClick=${press}>${label}</button>`;
  const asks = info.seats.filter((seat) => !seat.admitted);
  const buys = snapshot?.pausing
    ? (view?.seats ?? []).filter((/** @type {any} */ seat) => seat.at_cash?.asks_for > 0)
    : [];
  return html`<div class="host-asks" role="group" aria-label="For the host" data-testid="host-asks">
    ${asks.map(
      ({ name, seat }) => html`<p key=${seat}><b>${name}</b> asks to be let in.</p>
      ${button(`let-in-${seat}`, "Let in", () => ask(`seats/${seat}/admit`), "primary")}`,
    )}
    ${buys.map(
      (
        /** @type {any} */ { name, seat, at_cash: at },
      ) => html`<p key=${`buys-${seat}`}><b>${name}</b> asks for ${counted(at.asks_for, "chip")}.</p>
      ${button(`grant-${seat}`, `Sell ${amount(at.asks_for)}`, () => ask(`seats/${seat}/purchase`, { admits: true }), "primary")}
      ${button(`deny-${seat}`, "Refuse", () => ask(`seats/${seat}/purchase`, { admits: false }))}`,
    )}
    ${offersStakes && steps(view.rules).map(({ label, stakes }, at) => button(at ? "lower-stakes" : "raise-stakes", label, () => ask("stakes", { stakes })))}
  </div>`;
}
