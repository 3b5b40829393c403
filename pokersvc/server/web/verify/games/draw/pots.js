/** Who plays for which chips, and how a pot is divided. */

import { clockwise } from "./seats.js";

/**
 * Return the main pot and the side pots, one for each level that a seat still in has staked.
 * @param {number} total what is in the pot, with chips carried from earlier rounds, which are the main pot's
 * @param {readonly number[]} staked what each seat has put in this round
 * @param {readonly number[]} live the seats still in
 * @returns {Pot[]}
 */
export function potsOf(total, staked, live) {
  const at = (/** @type {number} */ seat) => staked[seat] ?? 0;
  const pots = [];
  let below = 0;
  let rest = total - staked.reduce((sum, stake) => sum + stake, 0);
  for (const level of [...new Set(live.map(at))].sort((a, b) => a - b)) {
    const amount = staked.reduce((sum, stake) => sum + Math.min(stake, level) - Math.min(stake, below), rest);
    rest = 0;
    if (amount > 0) pots.push({ amount, eligible: live.filter((seat) => at(seat) >= level) });
    below = level;
  }
  const last = pots.at(-1);
  if (last === undefined) return [{ amount: total, eligible: [...live] }];
  last.amount += total - pots.reduce((sum, pot) => sum + pot.amount, 0); // above what anyone still in has
  return pots;
}

/**
 * Return what each winner gets of a pot: equal shares, and of what does not divide one chip each clockwise from the
 * seat left of the button, where the house pays odd chips.
 * @param {number} amount
 * @param {readonly number[]} winners
 * @param {{ oddChips: boolean, button: number }} by
 * @returns {Share[]}
 */
export function sharesOf(amount, winners, { oddChips, button }) {
  const odd = amount % winners.length;
  const share = (amount - odd) / winners.length;
  const lucky = oddChips ? clockwise(winners, button).slice(0, odd) : [];
  return winners.map((seat) => ({ amount: share + (lucky.includes(seat) ? 1 : 0), seat }));
}

/**
 * Return what the house keeps of a round whose betting is over: a share of all that is in the pots, rounded, at most a cap
 * by the number of players that were dealt in.
 * @param {Table} table
 */
export function rakeOf({ rules: { rake }, drew, holds, pot }) {
  if (!rake || (rake.no_draw_no_rake && !drew)) return 0;
  const { caps, rounding, share, unit } = rake;
  const whole = 10_000 * unit;
  const added = { down: 0, nearest: Math.floor(whole / 2), up: whole - 1 }[/** @type {"up"} */ (rounding)];
  const players = holds.filter((count) => count > 0).length;
  const cap = caps.length > 0 ? caps[Math.min(players - 2, caps.length - 1)] : pot;
  return Math.min(Math.floor((pot * share + added) / whole) * unit, cap, pot);
}
