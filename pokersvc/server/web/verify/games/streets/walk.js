import { makePots, rakeDue } from "../betting/pots.js";
import { nextSeat } from "../betting/seats.js";
import * as turns from "../betting/turns.js";

// The deals

/** @type {ChangesCards} */
export const deckShuffled = (state) => beginStreet(state);

/** @type {(state: StreetsState) => void} */
export function beginStreet(state) {
  state.deals = /** @type {Street} */ (state.streets[state.street]).deals;
  state.street += 1;
  if (state.deals.length > 0) beginDeal(state);
  else afterDeals(state);
}

/** @type {(state: StreetsState) => void} */
export function beginDeal(state) {
  state.phase = "deal";
  state.pending = state.live;
}

/** @type {ChangesCards} */
export function cardsDealt(state, { payload: { count, seat } }) {
  state.hands[seat] += count;
  state.deckLeft -= count;
  state.pending &= ~(2 ** seat);
  if (state.pending) return;
  state.handSize += count;
  dealt(state);
}

/** @type {(state: StreetsState) => void} */
function dealt(state) {
  state.deals = state.deals.slice(1);
  if (state.deals.length > 0) beginDeal(state);
  else if (state.street === 1 && state.ante > 0 && state.cardTerms.anteAfterDeal) {
    state.phase = "antes";
    state.pending = state.live;
    state.cursor = 0;
  } else afterDeals(state);
}

// After the deals

/** @type {(state: StreetsState) => void} */
export function afterDeals(state) {
  const street = /** @type {Street} */ (state.streets[state.street - 1]);
  if (street.draw !== null) {
    state.phase = "draw";
    state.pending = state.live;
    state.cursor = state.button;
    state.actor = nextSeat(state.live, state.cursor);
  } else if (street.opensHands) state.phase = "open";
  else startBetting(state);
}

/** @type {(state: StreetsState) => void} */
export function afterDraw(state) {
  if (state.streets[state.street - 1]?.opensHands) state.phase = "open";
  else startBetting(state);
}

/** @type {(state: StreetsState) => void} */
export function startBetting(state) {
  state.bettingRound = state.street;
  state.phase = "betting";
  const follows = turns.startBetting(state, /** @type {Street} */ (state.streets[state.street - 1]));
  if (follows === "opener") state.phase = "opener";
  else if (follows === "over") bettingOver(state);
}

/** @type {(state: StreetsState, event: GameEvent) => boolean} */
export function openerChosen(state, event) {
  state.phase = "betting";
  return turns.openedBy(state, event.payload.seat);
}

/** @type {(state: StreetsState) => void} */
export function bettingOver(state) {
  if (state.uncalled()) state.phase = "return";
  else afterBetting(state);
}

/** @type {ChangesCards} */
export function uncalledBetReturned(state, event) {
  turns.uncalledBetReturned(state, event);
  afterBetting(state);
}

/** @type {(state: StreetsState) => void} */
function afterBetting(state) {
  if (state.onlyOneLeft) toAward(state);
  else if (state.street < state.streets.length) beginStreet(state);
  else if (state.cardTerms.shows === "in_order") state.phase = "showdown";
  else if (state.shown) toAward(state);
  else state.phase = "open";
}

/** @type {(state: StreetsState) => void} */
export function toAward(state) {
  makePots(state);
  state.rakeDue = rakeDue(state, state.dealtIn(), state.street < state.cardTerms.rakedFrom);
  state.phase = state.rakeDue > 0 ? "rake" : "award";
}
