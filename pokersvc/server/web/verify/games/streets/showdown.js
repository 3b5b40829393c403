import * as pots from "../betting/pots.js";
import { clockwise, has, nextSeat, seatsIn } from "../betting/seats.js";
import { potsOf } from "../betting/state.js";
import { startBetting, toAward } from "./walk.js";

// Hands shown

/** @type {ChangesCards} */
export function handsOpened(state) {
  state.shown = state.live;
  if (state.bettingRound < state.street) startBetting(state);
  else toAward(state);
}

/** @type {ChangesCards} */
export function handShown(state, { payload: { seat } }) {
  state.shown |= 2 ** seat;
  settled(state, seat);
}

/** @type {ChangesCards} */
export const handMucked = (state, { payload: { seat } }) => settled(state, seat);

/** @type {(state: StreetsState, seat: number) => void} */
function settled(state, seat) {
  state.settled |= 2 ** seat;
  if (state.settled === state.live) toAward(state);
}

// The order of showing, and the winners

/** @type {(state: StreetsState) => number} */
export function showsNext(state) {
  const aggressor = state.cardTerms.showsFirst === "left_of_button" ? 0 : state.aggressor;
  const first = aggressor || nextSeat(state.live, state.button);
  return Number(clockwise(state.live, first - 1).find((seat) => !has(state.settled, seat)));
}

/** @type {(state: StreetsState) => boolean} */
export const showsAll = (state) => state.allIn !== 0 && !state.cardTerms.muckAllIn;

/** @type {(state: StreetsState, seat: number, worth: number, worthOf: WorthOf) => boolean} */
export function unbeaten({ allIn, live, pot, shown, staked }, seat, worth, worthOf) {
  return (allIn ? potsOf(pot, staked, live) : [{ eligible: live }]).some(
    ({ eligible }) => has(eligible, seat) && seatsIn(eligible & shown).every((other) => worthOf(other) <= worth),
  );
}

/** @type {(compared: number, worthOf: WorthOf) => number} */
export function winnersOf(compared, worthOf) {
  let best = 0;
  let winners = 0;
  for (const seat of seatsIn(compared)) {
    const worth = worthOf(seat);
    if (worth > best) {
      best = worth;
      winners = 2 ** seat;
    } else if (worth === best) winners |= 2 ** seat;
  }
  return winners;
}

// Pots

/** @type {ChangesCards} */
export function rakeTaken(state, event) {
  pots.rakeTaken(state, event);
  if (state.rakeDue === 0) state.phase = "award";
}

/** @type {ChangesCards} */
export function potAwarded(state, event) {
  if (pots.potAwarded(state, event)) state.phase = state.pot > 0 ? "carry" : "round_end";
}

/** @type {ChangesCards} */
export function remainderCarried(state) {
  state.phase = "round_end";
}
