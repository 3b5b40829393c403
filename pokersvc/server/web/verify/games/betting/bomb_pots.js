/** Rounds in which everybody antes and nobody bets before the draw; the blinds stay as they were. */

import { move } from "../../problem.js";
import { has } from "./seats.js";

/** @type {(state: BettingState) => number} */
export const bombAnte = ({ terms }) => (terms.atCash.bombBlinds ?? 0) * terms.bigBlind;

/** @type {DecidesCash<{ round: number }>} */
export function decideBombPot(state, event, pausing) {
  const { by = null } = event.payload;
  const round = state.round + 2;
  const may = state.terms.atCash.bombBlinds && pausing && !state.bombPots.includes(round) && isPlayed(state, round);
  if (!may || (by !== null && !has(state.persons, by))) throw move(event, "no bomb pot can be announced now");
  return { round };
}

/** @type {(state: BettingState, round: number) => boolean} */
const isPlayed = ({ rounds }, round) => rounds === null || round <= rounds;

/** @type {(state: BettingState) => number | null} The round that the dealer announces before the next one begins. */
export function bombPotDue(state) {
  const { bombEvery } = state.terms.atCash;
  const round = state.round + 2;
  const isDue = bombEvery !== null && round % bombEvery === 0 && !state.bombPots.includes(round);
  return isDue && isPlayed(state, round) ? round : null;
}

/** @type {Changes} */
export function announced(state, { payload }) {
  state.bombPots.push(payload.round);
}

/** @type {(state: BettingState) => void} Forget the bomb pots of rounds that are over. */
export function roundBegun(state) {
  state.bombPots = state.bombPots.filter((round) => round >= state.round);
}
