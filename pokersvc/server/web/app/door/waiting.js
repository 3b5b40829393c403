/** The room in which people wait for a game to start. */

import { post } from "../api.js";
import { onlyHere, Reach } from "../device/reach.js";
import { kept } from "../device/store.js";
import { html } from "../html.js";
import { saySeat, sayTerms } from "../table/table-parts.js";
import { titleOf } from "../titles.js";

/**
 * Return whether a game can start as it is: a cash game with free seats too, if two seats are taken.
 * @param {TableInfo} info
 */
function mayStart({ options: { cash }, seats }) {
  const free = seats.filter((seat) => seat.kind === "empty").length;
  if (seats.some((seat) => !seat.admitted)) return false;
  return free === 0 || (cash === true && seats.length - free >= 2);
}

/**
 * Return a sentence about whom a table waits for before its game starts.
 * @param {TableInfo} info
 */
export function sayMissing(info) {
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  const asking = info.seats.filter((seat) => !seat.admitted).map((seat) => seat.name);
  if (asking.length) return `${asking.join(", ")} ${asking.length === 1 ? "asks" : "ask"} to be let in by the host.`;
  if (free && mayStart(info)) return "The game may start: others can sit down at the free seats later.";
  const invited = info.seats.filter((seat) => !seat.came && seat.kind !== "empty").map((seat) => seat.name);
  const opened = invited.length === 1 ? "has not opened their link" : "have not opened their links";
  const others = `${invited.join(", ")} ${opened} yet.`;
  if (free) {
    const waits =
      free === 1
        ? "One seat is free: waiting for one more player"
        : `${free} seats are free: waiting for ${free} more players`;
    return invited.length ? `${waits}; ${others}` : `${waits}.`;
  }
  return invited.length ? `Every seat is taken; ${others}` : "Everybody is here.";
}

/** @param {{info: TableInfo, feed: Feed, isHost: boolean, invite: () => void}} props */
export function Waiting({ info, feed, isHost, invite }) {
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  const missing = info.seats.some((seat) => !seat.came);
  const sends = missing && (free > 0 || Object.keys(kept("sessionStorage", `links:${feed.table}`) ?? {}).length > 0);
  const delayed = info.status === "playing" && info.access.delay > 0;
  const start = () => void post(feed.api("host/start")).catch((error) => feed.fail(error.message));
  return html`<section class="waiting-room" aria-labelledby="waiting-title">
    <h2 id="waiting-title">${titleOf(info)}</h2>
    <ul class="facts">${sayTerms(info).map((fact) => html`<li>${fact}</li>`)}</ul>
    <ol class="chairs">${info.seats.map(
      (seat) => html`<li class=${`chair ${seat.came ? "" : "free"}`} data-testid=${`chair-${seat.seat}`}>
      <b>${seat.seat}</b> ${saySeat(seat)}${feed.seat === seat.seat ? " (you)" : ""}</li>`,
    )}</ol>
    <p role="status">${delayed ? `The game has begun. You see it ${info.access.delay} seconds later.` : sayMissing(info)}
      ${delayed ? "" : isHost ? (sends ? " Send the others a link, and start when all are here." : "") : " The host starts the game."}</p>
    ${info.host_came_at && html`<p data-testid="host-came">The host's rights moved to another device: ${new Date(info.host_came_at).toLocaleString()}.</p>`}
    <div class="row">${isHost && !delayed && html`<button type="button" class=${missing ? "" : "primary"} disabled=${!mayStart(info)} data-testid="start-now" onClick=${start}>Start the game</button>`}
      <button type="button" class=${missing ? "primary" : ""} onClick=${invite}>Invite</button></div>
    ${(isHost || !onlyHere) && html`<${Reach} />`}
  </section>`;
}
