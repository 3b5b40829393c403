/** The table that an address means, and those of its doors by which this device was let in. */

import { api, get, post, Unreachable } from "../api.js";
import { keep, kept } from "../device/store.js";
import { screenOf } from "../games/registry.js";
import { useLayoutEffect, useState } from "../html.js";

const RETRY = 2000;

/**
 * Ask for a table with the game that its address means, until the server answers.
 * @param {string} address the id of a table, which means its last game, or of a game
 * @returns {{info: TableInfo | null, lost: boolean, why: string | null, look: (game?: string) => void}} `lost`: there is none; `look` asks again, or for a game
 */
export function useTable(address) {
  const [info, setInfo] = useState(/** @type {TableInfo | null} */ (null));
  const [lost, lose] = useState(false);
  const [why, say] = useState(/** @type {string | null} */ (null));
  const look = (game = "") => {
    const found = (/** @type {TableInfo} */ table) => {
      void screenOf(table.kind); // so that it loads while the table is being drawn
      setInfo(table);
    };
    get(api(address, "", game)).then(found, (error) => {
      lose(!(error instanceof Unreachable));
      say(error instanceof Unreachable ? "The server cannot be reached. Trying again…" : error.message);
      if (error instanceof Unreachable) setTimeout(() => look(game), RETRY);
    });
  };
  useLayoutEffect(() => look(), []); // not only after the page is painted
  return { info, look, lost, why };
}

/**
 * Return the id under which this device was let in at a door of a table: the table's or, in an older link, the game's.
 * @param {TableInfo} info
 * @param {string} name of the door, such as "host" or "seat-2"
 */
export const placeOf = (info, name) => (kept("localStorage", `${name}:${info.table}`) ? info.table : info.game);

/** @type {(info: TableInfo, name: string) => boolean} */
export const isKnown = (info, name) => kept("localStorage", `${name}:${placeOf(info, name)}`) === true;

/**
 * Return whether a viewer is at the next game too: a person who left the game before has no seat there.
 * @param {Feed} feed
 * @param {string} next
 */
export async function goesOn(feed, next) {
  if (feed.seat === null) return true;
  /** @type {TableInfo} */
  const info = await get(api(feed.table, "", next));
  return info.seats[feed.seat - 1]?.kind === "human";
}

/**
 * Go to the seat to which the host has moved this device's person.
 * @param {Feed} feed
 */
export async function follow(feed) {
  goToSeat(feed, (await post(api(feed.address, `${feed.door}/follow`))).seat);
}

/** @type {(feed: Feed, seat: number) => void} Go to the seat that this device's person has now. */
export function goToSeat(feed, seat) {
  keep("localStorage", `seat-${feed.seat}:${feed.address}`, null);
  keep("localStorage", `seat-${seat}:${feed.address}`, true);
  location.replace(`/t/${encodeURIComponent(feed.address)}/seat/${seat}/`);
}

/**
 * Go from the address of a game to that of its table, and keep this device's seat and rights as host there.
 * @param {Feed} feed
 * @param {boolean} isHost
 */
export async function goToTable(feed, isHost) {
  const seated = feed.seat !== null && (await goesOn(feed, String(feed.info.next)));
  const doors = [seated && [feed.door, `seat-${feed.seat}`], isHost && ["host", "host"]];
  for (const found of doors) {
    if (!found) continue;
    const [door, name] = found;
    await post(feed.api(`${door}/session`));
    keep("localStorage", `${name}:${feed.table}`, true);
  }
  const where = seated ? `seat/${feed.seat}/` : isHost ? "host/" : "";
  location.assign(`/t/${encodeURIComponent(feed.table)}/${where}`);
}
