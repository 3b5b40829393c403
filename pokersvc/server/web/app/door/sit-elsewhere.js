/** Sitting down at another seat of a cash game, for a person who has got up. */

import { post } from "../api.js";
import { keep } from "../device/store.js";
import { html } from "../html.js";
import { goToSeat } from "../log/found-table.js";

/**
 * A button at a free seat, for a person who has got up from their own.
 * @param {{feed: Feed, to: number}} props
 */
export function SitHere({ feed, to }) {
  const { info, seat, snapshot, sent } = feed;
  const own = seat === null ? null : snapshot?.view?.seats?.[seat - 1];
  if (own?.standing !== "out" || snapshot?.outcome || to === seat || info.seats[to - 1]?.kind !== "empty") return null;
  return html`<button type="button" class="sit-here" disabled=${sent !== null} data-testid=${`sit-here-${to}`} onClick=${() => void sitAt(feed, to, own)}>Sit here</button>`;
}

/**
 * Take another seat under a new name; the person may bring the chips that they took.
 * @param {Feed} feed
 * @param {number} to
 * @param {any} own the former seat
 */
async function sitAt(feed, to, own) {
  const called = feed.info.seats[own.seat - 1]?.name ?? "";
  const stays = called && ` ${called} stays the name of seat ${own.seat} until somebody else sits there.`;
  const name = prompt(`What are you called at seat ${to}?${stays}`, `${called.slice(0, 17)} ${to}`.trim())?.trim();
  if (!name) return;
  const left = feed.happened.findLast(({ type, fields }) => type === "GotUp" && fields.seat === own.seat);
  keep("sessionStorage", `took-to-${to}:${feed.address}`, { buys: own.at_cash?.buys, chips: left?.fields.amount });
  feed.changesSeat = true;
  try {
    goToSeat(feed, (await post(feed.api(`${feed.door}/elsewhere`), { name, to })).seat);
  } catch (refused) {
    feed.changesSeat = false;
    feed.fail(refused instanceof Error ? refused.message : String(refused));
  }
}
