/** The tables at which this device sits or hosts. */

import { api, get, Refused } from "../api.js";
import { keep, keys } from "../device/store.js";
import { html, useEffect, useState } from "../html.js";
import { nameOfTable } from "../titles.js";

const MOST = 12;
const DOOR = /^(host|seat-(\d+)):(.+)$/;

/** @typedef {{info: TableInfo, path: string, as: string}} Own */

/** Ask for each table that this device knows; one that is gone is forgotten. @returns {Promise<Own[]>} */
async function find() {
  const doors = keys("localStorage").flatMap((key) => DOOR.exec(key) ?? []);
  /** @type {Own[]} */
  const found = [];
  for (let at = 0; at < doors.length && found.length < MOST; at += 4) {
    const [key, , seat, id] = doors.slice(at, at + 4);
    try {
      /** @type {TableInfo} */
      const info = await get(api(String(id)));
      const as = seat ? `Seat ${seat}` : "Host";
      const mine = !seat || info.seats[Number(seat) - 1]?.kind === "human";
      const path = `/t/${encodeURIComponent(String(id))}/${seat ? `seat/${seat}` : "host"}/`;
      if (!info.closed && mine) found.push({ as, info, path });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) keep("localStorage", String(key), null);
    }
  }
  return found.sort((one, other) => (one.info.created_at < other.info.created_at ? 1 : -1));
}

export function YourTables() {
  const [own, set] = useState(/** @type {Own[]} */ ([]));
  useEffect(() => void find().then(set), []);
  if (own.length === 0) return null;
  return html`<section aria-labelledby="own-title" data-testid="your-tables">
    <h2 id="own-title">Your tables</h2>
    <ul class="past">${own.map(
      ({ info, path, as }) => html`<li key=${path}><a href=${path}>${nameOfTable(info)}</a>
      <span>${as}${info.status === "waiting" ? ", not started" : info.status === "over" ? ", between two games" : ""}</span></li>`,
    )}</ul>
  </section>`;
}
