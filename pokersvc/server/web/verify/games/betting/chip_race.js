/** The chip race of a tournament, as `chip_race.py` has it: small chips leave play. */

import { has, seatsIn } from "./seats.js";

/** @type {(state: BettingState, chip: number) => boolean} */
export function isDue({ seated, stacks }, chip) {
  const holding = seatsIn(seated).filter((seat) => stacks[seat]);
  return holding.length >= 2 && holding.some((seat) => Number(stacks[seat]) % chip > 0);
}

/** @type {(state: BettingState, chip: number) => number[]} All stacks after the race, from seat 1. */
export function racedOff({ seated, stacks }, chip) {
  const odd = stacks.map((stack, seat) => (has(seated, seat) ? stack % chip : 0));
  const kept = stacks.map((stack, seat) => stack - Number(odd[seat]));
  const racing = seatsIn(seated).filter((seat) => odd[seat]);
  const isOut = (/** @type {number} */ seat) => Number(kept[seat] === 0);
  racing.sort((one, other) => isOut(other) - isOut(one) || Number(odd[other]) - Number(odd[one]) || one - other);
  const won = Math.floor(odd.reduce((sum, chips) => sum + chips, 0) / chip);
  const saved = racing.filter(isOut).length;
  for (const seat of racing.slice(0, Math.max(won, saved))) kept[seat] = Number(kept[seat]) + chip;
  return kept.slice(1);
}
