/** Chips as they lie on the felt, in piles of a few colours; every sum is drawn by the same code. */

import { html } from "../html.js";

const VALUES = [100_000, 25_000, 5000, 1000, 500, 100, 25, 5, 1];
const MOST_PILES = 3;
const MOST_HIGH = 5;
/** The size of a chip, and the part of it that stays visible under another chip. */
const WIDTH = 22;
const DEPTH = 9;
const RISE = 4;

/**
 * Return the piles of a sum, the highest value first: the colour of each, from 0 for the lowest, and its number of
 * chips.
 * @param {number} sum
 * @returns {[number, number][]}
 */
export function piles(sum) {
  let left = sum;
  /** @type {[number, number][]} */
  const found = [];
  VALUES.forEach((value, at) => {
    const count = Math.floor(left / value);
    left -= count * value;
    if (count > 0 && found.length < MOST_PILES) found.push([VALUES.length - 1 - at, Math.min(count, MOST_HIGH)]);
  });
  return found;
}

/** @param {{sum: number}} props */
export function Chips({ sum }) {
  const all = piles(sum);
  const high = Math.max(1, ...all.map(([, count]) => count));
  const height = DEPTH + RISE * high + 2;
  return html`<svg class="chips" viewBox=${`0 0 ${all.length * (WIDTH + 2)} ${height}`} style=${{ "--piles": all.length, "--tall": height }} aria-hidden="true">
    ${all.map(([colour, count], pile) =>
      Array.from({ length: count }, (_, at) => {
        const [x, y] = [pile * (WIDTH + 2) + 1, height - DEPTH - RISE - 1 - at * RISE];
        return html`<g class=${`c${colour}`} transform=${`translate(${x} ${y})`}>
          <path d="M0 4.500v4a10 4.500 0 0 0 20 0v-4z" /><path class="dash" d="M.5 6.500a9.500 4.300 0 0 0 19 0" /><ellipse cx="10" cy="4.500" rx="10" ry="4.500" />${at === count - 1 && html`<ellipse class="ring" cx="10" cy="4.500" rx="6.300" ry="2.700" />`}</g>`;
      }),
    )}</svg>`;
}
