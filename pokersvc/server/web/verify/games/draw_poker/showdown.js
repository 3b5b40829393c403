import * as pots from "../betting/pots.js";
import { has } from "../betting/seats.js";
import { startBetting, toAward } from "./streets.js";

/** @type {Handler} */
export function handsOpened(state) {
  state.shown = state.live;
  if (state.streets[state.street] !== undefined) startBetting(state, state.street + 1);
  else state.phase = toAward(state);
}

/** @type {Handler} */
export function handShown(state, event) {
  state.shown |= 2 ** event.payload.seat;
  handMucked(state, event);
}

/** @type {Handler} */
export function handMucked(state, { payload: { seat } }) {
  state.settled |= 2 ** seat;
  if (state.settled === state.live) state.phase = toAward(state);
}

/** @type {Handler} */
export function potAwarded(state, event) {
  if (pots.potAwarded(state, event)) state.phase = state.pot > 0 ? "carry" : "round_end";
}

/** @type {Handler} */
export function rakeTaken(state, event) {
  pots.rakeTaken(state, event);
  if (state.rakeDue === 0) state.phase = "award";
}

/** @type {Handler} */
export function remainderCarried(state) {
  state.phase = "round_end";
}

/** @type {Handler} */
export function roundEnded(state) {
  const { hands, past, round, rules, shown } = state;
  const hidden = [...hands.keys()].filter((seat) => hands[seat] > 0 && !has(shown, seat));
  if (rules.history === "all" && hidden.length > 0) past.push({ round, seats: hidden });
  state.phase = "between";
}
