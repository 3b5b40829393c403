/** Rounds in which everybody antes and nobody bets before the draw; the blinds stay as they were. */

import { move } from "../../problem.js";
import { has } from "./seats.js";

/** @type {(state: BettingState) => number} */
export const bombAnte = ({ terms }) => (terms.atCash.bombBlinds ?? 0) * terms.bigBlind;

/** @type {DecidesCash<{ round: number }>} */
export function decideBombPot(state, event, pausing) {
  const { by = null } = event.payload;
  const round = state.round + 2;
  const isPlayed = state.rounds === null || round <= state.rounds;
  const may = state.terms.atCash.bombBlinds && pausing && !state.bombPots.includes(round) && isPlayed;
  if (!may || (by !== null && !has(state.persons, by))) throw move(event, "no bomb pot can be announced now");
  return { round };
}

/** @type {Changes} */
export function announced(state, { payload }) {
  state.bombPots.push(payload.round);
}

/** @type {(state: BettingState) => void} Forget the bomb pots of rounds that are over. */
export function roundBegun(state) {
  state.bombPots = state.bombPots.filter((round) => round >= state.round);
}
