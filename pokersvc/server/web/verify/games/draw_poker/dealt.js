import { has, seatsIn, setOf } from "../betting/seats.js";
import { nextToDraw, startBetting } from "./streets.js";

/** @type {(state: Situation) => number} */
export function outOfPlaySeats(state) {
  const { cursor, discarded, hands, live, phase, reused, rules, seats } = state;
  const found = seats.flatMap((_, at) => {
    const seat = at + 1;
    return discarded[seat] || (hands[seat] && !has(live, seat)) ? [seat] : [];
  });
  const own = phase === "serve" && rules.reshuffle !== "all" ? 2 ** cursor : 0; // nobody is ever dealt their own discard
  return setOf(found) & ~own & ~reused;
}

/** @type {(state: Situation) => number} */
export const outOfPlay = (state) =>
  seatsIn(outOfPlaySeats(state)).reduce((sum, seat) => sum + (state.discarded[seat] || state.hands[seat]), 0);

/** @type {Handler} */
export function deckShuffled(state) {
  state.phase = "deal";
  state.pending = state.live;
}

/** @type {Handler} */
export function handDealt(state, { payload: { count, seat } }) {
  state.hands[seat] = count;
  state.deckLeft -= count;
  state.pending &= ~(2 ** seat);
  if (state.pending) return;
  if (state.ante > 0 && state.rules.ante.when === "after_deal") {
    state.phase = "antes";
    state.pending = state.live;
    state.cursor = 0;
  } else startBetting(state, 1);
}

/** @type {Handler} */
export function cardsDiscarded(state, { payload: { count, seat } }) {
  state.hands[seat] -= count;
  state.discarded[seat] = count;
  if (count > 0 && state.streets[state.street]?.draw?.together) {
    state.unserved |= 2 ** seat;
    drawn(state, seat);
  } else if (count > 0) {
    state.need = count;
    state.cursor = seat;
    state.actor = 0;
    state.phase = "serve";
  } else drawn(state, seat);
}

/** @type {Handler} */
export const stoodPat = (state, { payload: { seat } }) => drawn(state, seat);

/** @type {Handler} */
export function cardsDrawn(state, { payload: { count, seat } }) {
  state.hands[seat] += count;
  state.deckLeft -= count;
  state.need -= count;
  if (state.need > 0) return;
  state.unserved &= ~(2 ** seat);
  drawn(state, seat);
}

/** @type {(state: Situation, seat: number) => void} */
function drawn(state, seat) {
  state.pending &= ~(2 ** seat);
  nextToDraw(state, seat);
}

/** @type {Handler} */
export function deckReshuffled(state, { payload: { count, number } }) {
  state.reused |= outOfPlaySeats(state);
  state.deckLeft = count;
  state.reshuffles = number;
}
