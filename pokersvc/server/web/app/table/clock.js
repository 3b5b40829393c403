/** The time that a seat has left. */

import { classes, html, useEffect, useState } from "../html.js";

/** How far this device's clock is behind the server's, in milliseconds. */
let behind = 0;

/** @param {{now: string} | null | undefined} clock */
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

/**
 * Return the milliseconds that a seat has left, with its time bank; Infinity if no clock runs for it.
 * @param {ClockNow | null | undefined} clock
 * @param {number | null} seat
 */
export function msLeft(clock, seat) {
  const deadline = clock?.deadline?.[String(seat)];
  return deadline && !clock?.paused ? Date.parse(deadline) - (Date.now() + behind) : Number.POSITIVE_INFINITY;
}

/** The time until a moment, as it runs down. @param {{until: string}} props */
export function Left({ until }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return html`<span role="timer">${sayLeft(until)}</span>`;
}

/** The time bank of the seat whose turn it is: how much is left, and a note that it starts by itself. @param {{clock:
ClockNow | null, seat: number}} props */
export function TimeBank({ clock, seat }) {
  const [, tick] = useState(0);
  const bank = clock?.bank?.[seat] ?? 0;
  useEffect(() => {
    if (!bank) return undefined;
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, [bank]);
  const left = msLeft(clock, seat);
  if (!bank || !Number.isFinite(left)) return null;
  const text =
    left > bank
      ? `Then your time bank of ${minutes(bank)} runs by itself.`
      : `Your time bank runs: ${minutes(left)} left.`;
  return html`<p class="hint time-bank" data-testid="time-bank">${text}</p>`;
}

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
