import { FRESH_DECK } from "../../cards.js";
import { bitCount, nextSeat } from "../betting/seats.js";
import * as turns from "../betting/turns.js";
import { outOfPlay, outOfPlaySeats } from "./state.js";
import { afterDraw, toAward } from "./walk.js";

/** @type {(state: StreetsState) => number} */
export function mostToDiscard(state) {
  const { cardTerms, deckLeft, handSize, live, street, streets } = state;
  const { draw } = /** @type {Street} */ (streets[street - 1]);
  const { most, together } = /** @type {DrawTerms} */ (draw);
  if (cardTerms.reshuffle === "all") return most;
  const left = together ? FRESH_DECK.length - handSize * bitCount(live) : deckLeft + outOfPlay(state);
  return Math.min(most, left);
}

/** @type {ChangesCards} */
export function cardsDiscarded(state, { payload: { count, seat } }) {
  state.hands[seat] -= count;
  state.discarded[seat] = count;
  if (count > 0 && state.streets[state.street - 1]?.draw?.together) {
    state.unserved |= 2 ** seat;
    drawn(state, seat);
  } else if (count > 0) {
    state.need = count;
    state.cursor = seat;
    state.actor = 0;
    state.phase = "serve";
  } else drawn(state, seat);
}

/** @type {ChangesCards} */
export const stoodPat = (state, { payload: { seat } }) => drawn(state, seat);

/** @type {ChangesCards} */
export function cardsDrawn(state, { payload: { count, seat } }) {
  state.hands[seat] += count;
  state.deckLeft -= count;
  state.need -= count;
  if (state.need > 0) return;
  state.unserved &= ~(2 ** seat);
  drawn(state, seat);
}

/** @type {(state: StreetsState, seat: number) => void} */
function drawn(state, seat) {
  state.pending &= ~(2 ** seat);
  state.actor = 0;
  if (state.pending) {
    state.phase = "draw";
    state.actor = nextSeat(state.pending, seat);
  } else if (state.unserved) {
    state.cursor = nextSeat(state.unserved, seat);
    state.phase = "serve";
    state.need = state.discarded[state.cursor];
  } else afterDraw(state);
}

/** @type {ChangesCards} */
export function forgoneInDraw(state, event) {
  const { seat } = event.payload;
  turns.forgo(state, event);
  state.unserved &= ~(2 ** seat);
  if (state.onlyOneLeft) {
    state.actor = state.pending = 0;
    toAward(state);
  } else if (seat === state.actor) drawn(state, seat);
}

/** @type {ChangesCards} */
export function deckReshuffled(state, { payload: { count, number } }) {
  state.reused |= outOfPlaySeats(state);
  state.deckLeft = count;
  state.reshuffles = number;
}
