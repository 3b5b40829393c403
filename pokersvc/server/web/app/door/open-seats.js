/** Sitting down: at a public table, and with chips in a cash game, where people come and go. */

import { api, post } from "../api.js";
import { keep, kept } from "../device/store.js";
import { isCash } from "../games/cash.js";
import { html, useEffect, useRef, useState } from "../html.js";

/** The codes of refusals of requests that will be accepted in the next pause. */
const LATER = ["not_between_rounds", "shares_awaited"];
/** The names of seats that nobody has named. */
const NOBODYS = /^(Player|Seat)\d+$/;

/** @param {{table: string, title: string}} props */
export function SitDown({ table, title }) {
  const [name, setName] = useState(kept("localStorage", "name") ?? "");
  const [error, fail] = useState("");
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      keep("localStorage", "name", name);
      const { seat } = await post(api(table, "sit"), { name: name.trim() });
      keep("localStorage", `seat-${seat}:${table}`, true);
      location.assign(`/t/${encodeURIComponent(table)}/seat/${seat}/`);
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
    }
  };
  return html`<form class="sit row" onSubmit=${sit}>
    <label class="hidden" for=${`name-${table}`}>Your name at ${title}</label>
    <input id=${`name-${table}`} required maxlength="20" placeholder="Your name" autocomplete="nickname" value=${name}
      onInput=${(/** @type {any} */ event) => setName(event.target.value)} data-testid="sit-name" />
    <button type="submit" class="primary" data-testid="sit">Sit down</button>
    <p class="form-error" role="alert">${error}</p>
  </form>`;
}

/**
 * The form for a person who holds a seat of a cash game and does not sit there.
 * @param {{feed: Feed, act: (action: GameAction, label: string) => Promise<string>}} props
 */
export function BringChips({ feed, act }) {
  const { info, seat, snapshot, sent } = feed;
  const view = snapshot?.view;
  const atCash = view?.seats?.[(seat ?? 0) - 1]?.at_cash;
  const took = kept("sessionStorage", `took-to-${seat}:${feed.address}`);
  const [least, most] = took?.buys ?? atCash?.buys ?? [1, view?.rules?.stack ?? 0];
  const known = seat === null ? "" : (info?.seats[seat - 1]?.name ?? "");
  // The limits are not taken when the form is first shown: before getting up, a person may buy less, or nothing.
  const [brought, bring] = useState(took && String(took.chips));
  const chips = brought ?? String(Math.max(least, Math.min(view?.rules?.stack ?? most, most)));
  const [name, setName] = useState(kept("localStorage", "name") ?? "");
  const [waits, wait] = useState(false);
  const sentAt = useRef(-1);
  const nameless = NOBODYS.test(known);
  const pausing = snapshot?.pausing && !snapshot.shares?.waiting.length;
  const sit = async () => {
    sentAt.current = snapshot?.count ?? -1;
    const sitting = { type: "SitDown", chips: Number(chips), ...(nameless && { name: name.trim() }) };
    const later = LATER.includes(await act(sitting, "Sit down")); // a round began before the action arrived
    if (later) feed.fail(null);
    wait(later);
  };
  useEffect(() => {
    if (waits && pausing && sent === null && sentAt.current !== snapshot?.count) void sit();
  }, [waits, pausing, sent === null, snapshot?.count]);
  if (seat === null || !isCash(view) || view.seats[seat - 1]?.standing !== "out" || snapshot?.outcome) return null;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (nameless) keep("localStorage", "name", name.trim());
    if (pausing) void sit();
    else wait(true);
  };
  if (waits)
    return html`<div class="between" data-testid="sits-soon"><p role="status">You sit down with ${chips} when this round is over.</p>
      <button type="button" onClick=${() => wait(false)}>Do not sit down</button></div>`;
  return html`<form class="between sit" onSubmit=${submit} data-testid="bring-chips">
    ${
      nameless &&
      html`<label for="sits-as">Your name</label><input id="sits-as" required maxlength="20" autocomplete="nickname" value=${name}
      onInput=${(/** @type {any} */ event) => setName(event.target.value)} data-testid="sits-as" />`
    }
    ${atCash?.asks_for > 0 && html`<p role="status">The host has been asked for ${atCash.asks_for}.</p>`}
    <label for="chips">Chips, ${least} to ${most}</label>
    <input id="chips" type="number" required min=${least} max=${most} value=${chips} data-testid="chips"
      onInput=${(/** @type {any} */ event) => bring(event.target.value)} />
    <button type="submit" class="primary" disabled=${sent !== null} data-testid="sit-down">Sit down</button>
  </form>`;
}
