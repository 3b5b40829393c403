import { makePots, rakeDue } from "../betting/pots.js";
import { nextSeat } from "../betting/seats.js";
import * as turns from "../betting/turns.js";

/** @type {(state: Situation, street: number) => void} */
export function startBetting(state, street) {
  state.street = street;
  state.phase = "betting";
  const follows = turns.startBetting(state, /** @type {Street} */ (state.streets[street - 1]));
  if (follows === "opener") state.phase = "opener";
  else if (follows === "over") bettingOver(state);
}

/** @type {Handler} */
export function openerChosen(state, event) {
  state.phase = "betting";
  return turns.openedBy(state, event.payload.seat);
}

/** @type {(state: Situation) => void} */
export function bettingOver(state) {
  state.phase = state.uncalled() ? "return" : afterBetting(state);
}

/** @type {Handler} */
export function uncalledBetReturned(state, event) {
  turns.uncalledBetReturned(state, event);
  state.phase = afterBetting(state);
}

/** @type {(state: Situation) => Phase} */
function afterBetting(state) {
  const next = state.streets[state.street];
  if (state.onlyOneLeft) return toAward(state);
  if (next !== undefined) {
    state.drew = true;
    if (next.draw === null) return afterDraw(state);
    state.pending = state.live;
    state.cursor = state.button;
    state.actor = nextSeat(state.live, state.cursor);
    return "draw";
  }
  if (state.rules.open_hands === "in_order") return "showdown";
  return state.shown ? toAward(state) : "open";
}

/** @type {(state: Situation) => Phase} */
export function toAward(state) {
  makePots(state);
  state.rakeDue = rakeDue(state, state.dealtIn(), state.rules.rake?.no_draw_no_rake && !state.drew);
  return state.rakeDue > 0 ? "rake" : "award";
}

/** @type {Handler} */
export function forgoneInDraw(state, event) {
  const { seat } = event.payload;
  turns.forgo(state, event);
  state.unserved &= ~(2 ** seat);
  if (state.onlyOneLeft) {
    state.actor = state.pending = 0;
    state.phase = toAward(state);
  } else if (seat === state.actor) nextToDraw(state, seat);
}

/** @type {(state: Situation, after: number) => void} */
export function nextToDraw(state, after) {
  state.actor = 0;
  if (state.pending) {
    state.phase = "draw";
    state.actor = nextSeat(state.pending, after);
  } else if (state.unserved) {
    state.cursor = nextSeat(state.unserved, after);
    state.phase = "serve";
    state.need = state.discarded[state.cursor];
  } else state.phase = afterDraw(state);
}

/** @type {(state: Situation) => Phase} */
export function afterDraw(state) {
  if (state.streets[state.street]?.opensHands) return "open";
  startBetting(state, state.street + 1);
  return state.phase;
}
