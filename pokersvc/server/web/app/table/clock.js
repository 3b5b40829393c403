/** The time that a seat has left. */

import { classes, html, useEffect, useState } from "../html.js";

/** How far this device's clock is behind the server's, in milliseconds. */
let behind = 0;

/** @param {ClockNow | null | undefined} clock */
export function setTime(clock) {
  if (clock?.now) behind = Date.parse(clock.now) - Date.now();
}

/** @param {number} ms */
function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {string} deadline */
export const sayLeft = (deadline) => minutes(Date.parse(deadline) - (Date.now() + behind));

/** @param {{clock: ClockNow | null, seat: number, own?: boolean}} props */
export function Countdown({ clock, seat, own = false }) {
  const [now, tick] = useState(Date.now());
  const deadline = clock?.deadline?.[seat];
  useEffect(() => {
    if (!deadline) return undefined;
    const timer = setInterval(() => tick(Date.now()), 250);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!clock) return null;
  if (clock.paused) return html`<span class="clock">paused</span>`;
  if (!deadline) return null;
  const left = Date.parse(deadline) - (now + behind);
  const bank = clock.bank?.[seat] ?? 0;
  const whole = clock.seconds * 1000 + bank;
  const part = Math.max(0, Math.min(1, left / whole));
  return html`<span class=${classes("clock", left < 10_000 && "short")} role="timer" aria-label=${`${Math.max(0, Math.ceil(left / 1000))} seconds left`}>
    <span class="bar" aria-hidden="true"><span style=${{ width: `${100 * part}%` }}></span></span>${minutes(left)}
  ${own && html`<span class="hidden" role="status">${left < 10_000 ? "Less than 10 seconds left" : ""}</span>`}</span>`;
}
