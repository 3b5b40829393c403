/** The ways in to a table: the link to sit down, and a seat's own link, which works for the first device to open it. */

import { api, get, post, Refused } from "../api.js";
import { keep, kept } from "../device/store.js";
import { Header, Notice } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { isKnown } from "../log/found-table.js";
import { saySeat, sayTerms } from "../table/table-parts.js";
import { nameOfTable, titleOf } from "../titles.js";

/** Return the token that this device requests: with the same token, it may repeat the request if no answer came. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) =>
    sign === "+" ? "-" : sign === "/" ? "_" : "",
  );
}

/** Return the token in the page's address, and remove it from the address bar. */
export function takeToken() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

/**
 * Return whether a visitor may take a seat.
 * @param {Pick<TableInfo, "seats">} info
 */
export const hasFreeSeat = ({ seats }) => seats.some((seat) => seat.kind === "empty");

/**
 * Return the seats at which this device sits, as far as it knows.
 * @param {TableInfo} info
 */
export const ownSeats = (info) =>
  info.seats.filter(({ seat }) => isKnown(info, `seat-${seat}`)).map(({ seat }) => seat);

/** @param {string} address @param {number} seat */
const holds = (address, seat) =>
  get(api(address, `seats/${seat}/session`)).then(
    () => true,
    () => false,
  );

/** @param {{info: TableInfo, children?: any}} props */
function Facts({ info, children }) {
  return html`<${Header} title=${nameOfTable(info)} />
    <main class="plain entry"><h2>${titleOf(info)}</h2>
    <ul class="facts">${sayTerms(info).map((fact) => html`<li>${fact}</li>`)}</ul>
    ${children}
    <p class="row"><a class="as-button quiet" href=${`/t/${encodeURIComponent(info.table)}/`}>Only watch</a></p></main>`;
}

/** @param {{name: string, write: (name: string) => void}} props */
function YourName({ name, write }) {
  return html`<label for="entry-name">Your name</label><input id="entry-name" required maxlength="20" autocomplete="nickname" value=${name}
    data-testid="entry-name" onInput=${(/** @type {any} */ event) => write(event.target.value)} />`;
}

/**
 * The link to sit down: pick a free seat, and say a name.
 * @param {{info: TableInfo, look: () => void}} props `look`: ask for the table again
 */
export function ChooseSeat({ info, look }) {
  const [token] = useState(takeToken);
  const [fresh] = useState(newToken);
  const [name, write] = useState(kept("localStorage", "name") ?? "");
  const [error, fail] = useState("");
  const [busy, wait] = useState(false);
  const free = info.seats.filter((seat) => seat.kind === "empty");
  const go = (/** @type {number} */ seat) => location.replace(`/t/${encodeURIComponent(info.table)}/seat/${seat}/`);
  useEffect(() => {
    const [own] = ownSeats(info);
    if (own) void holds(info.table, own).then((found) => found && go(own));
  }, []);
  const sit = async (/** @type {any} */ event) => {
    event.preventDefault();
    wait(true);
    keep("localStorage", "name", name.trim());
    const seat = Number(event.submitter?.value) || undefined;
    try {
      const taken = await post(api(info.table, "sit"), { fresh, name: name.trim(), seat, ...(token && { token }) });
      keep("localStorage", `seat-${taken.seat}:${info.table}`, true);
      go(taken.seat);
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
      wait(false);
      look();
    }
  };
  return html`<${Facts} info=${info}>
    <form onSubmit=${sit}>
      ${free.length > 0 && html`<${YourName} name=${name} write=${write} />`}
      <ol class="chairs">${info.seats.map(
        (seat) => html`<li class=${`chair ${seat.kind === "empty" ? "free" : ""}`} value=${seat.seat}>
        ${
          seat.kind === "empty"
            ? html`<button type="submit" class="primary" value=${seat.seat} disabled=${busy} data-testid=${`sit-${seat.seat}`}>Sit at seat ${seat.seat}</button>`
            : html`<b>${seat.seat}</b> ${saySeat(seat)}`
        }</li>`,
      )}</ol>
      ${free.length === 0 && html`<p role="status">No seat is free; you can watch.</p>`}
      ${free.length > 0 && info.access.admits === "each" && html`<p class="hint">The host lets people in one by one.</p>`}
      <${Notice} text=${error} />
    </form><//>`;
}

/**
 * A seat's own link: it is exchanged only after a tap, so that no preview of the link takes the seat.
 * @param {{info: TableInfo, address: string, seat: number, done: () => void}} props
 */
export function TakeSeat({ info, address, seat, done }) {
  const [token] = useState(takeToken);
  const [fresh] = useState(newToken);
  const [asks, ask] = useState(false);
  const waiting = info.status === "waiting";
  const called = info.seats[seat - 1]?.name ?? "";
  const [name, write] = useState(called);
  const [error, fail] = useState("");
  const come = async (/** @type {any} */ body) => {
    try {
      await post(api(address, `seats/${seat}/session`), { token, ...body });
      keep("localStorage", `seat-${seat}:${address}`, true);
      done();
    } catch (refused) {
      fail(sayRefused(refused));
    }
  };
  useEffect(() => {
    const look = async () => {
      if (isKnown(info, `seat-${seat}`) && (await holds(address, seat))) return done();
      try {
        await get(api(address, `seats/${seat}/session`), { Authorization: `Bearer ${token}` });
        await come({}); // the token is this device's own
      } catch (refused) {
        const used = refused instanceof Refused && refused.code === "wrong_token";
        if (used)
          await come({}); // to learn whether another device came by this link
        else ask(true);
      }
    };
    void look();
  }, []);
  const sit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (waiting) keep("localStorage", "name", name.trim());
    void come({ fresh, ...(waiting && { name: name.trim() }) });
  };
  return html`<${Facts} info=${info}>
    ${!asks && !error && html`<p role="status">Looking at your link…</p>`}
    ${
      asks &&
      html`<form onSubmit=${sit}>
      <p>This link is for seat ${seat}${called && `, kept for ${called}`}. It works for the first device that sits down by it.</p>
      ${waiting && html`<${YourName} name=${name} write=${write} />`}
      <button type="submit" class="primary big" data-testid="take-seat">Sit down at seat ${seat}</button></form>`
    }
    <${Notice} text=${error} /><//>`;
}

const WRONG_LINK =
  "This link does not lead to this seat: part of it is missing, or the host has replaced it. Copy it again, or ask for a new one.";

/** @param {unknown} refused */
export function sayRefused(refused) {
  if (refused instanceof Refused && refused.code === "link_used") {
    const since = refused.body.since && new Date(refused.body.since).toLocaleString();
    return `Another device has had this seat${since ? ` since ${since}` : ""}. If it is not yours, ask the host for a new link: the seat is then closed to that device.`;
  }
  if (refused instanceof Refused && ["wrong_token", "invalid_request"].includes(refused.code)) return WRONG_LINK;
  return refused instanceof Error ? refused.message : String(refused);
}
