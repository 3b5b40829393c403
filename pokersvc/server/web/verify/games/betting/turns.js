/** The page checks no limits of bets: a bet or a raise may be any amount that the stack can pay. */

import { chips, move } from "../../problem.js";
import { nextSeat } from "./seats.js";

/** @type {(state: BettingState, street: StreetTerms) => Follows} */
export function startBetting(state, street) {
  if (!street.postsOpen) {
    state.clearBetting();
    state.cursor = state.button;
  }
  state.streetTerms = street;
  state.pending = street.bets && !state.onlyOneLeft ? state.able() : 0;
  if (street.openerSaid && state.pending && !(state.allIn && state.nobodyLeft())) return "opener";
  return nextToAct(state) ? "over" : "act";
}

/** @type {(state: BettingState, seat: number) => boolean} */
export function openedBy(state, seat) {
  state.cursor = seat - 1;
  return nextToAct(state);
}

// The legal choices

/** @type {(state: BettingState, seat: number) => Choices} */
export function choicesOf(state, seat) {
  const { price, put, stacks, terms } = state;
  const owed = price - put[seat];
  const raiseTo = /** @type {Limits} */ ([price + 1, put[seat] + stacks[seat]]);
  if (owed > 0) return { check: false, fold: true, call: Math.min(owed, stacks[seat]), bet: null, raiseTo };
  const fold = terms.foldFree;
  if (price) return { check: true, fold, call: 0, bet: null, raiseTo };
  return { check: state.streetTerms.mayCheck, fold, call: 0, bet: [1, stacks[seat]], raiseTo };
}

// The chips that a choice puts in

/** @type {(state: BettingState, choices: Choices, event: GameEvent) => void} */
export function decideCheck(_state, choices, event) {
  if (!choices.check) throw move(event, "that seat cannot check now");
}

/** @type {(state: BettingState, choices: Choices, event: GameEvent) => number} */
export function decideBet(_state, choices, event) {
  if (choices.bet === null) throw move(event, "there is a bet already");
  const [least, most] = choices.bet;
  const { amount } = event.payload;
  if (amount < least || amount > most) throw chips(event, `1 to ${most}`);
  return amount;
}

/** @type {(state: BettingState, choices: Choices) => number} */
export const decideCall = (_state, choices) => choices.call;

/** @type {(state: BettingState, choices: Choices, event: GameEvent) => number} */
export function decideRaise(state, choices, event) {
  const [least, most] = choices.raiseTo;
  const put = state.put[state.actor];
  const { to } = event.payload;
  if (to < least) throw move(event, `a raise must be above ${state.price}`);
  if (to > most) throw chips(event, `${most - put} at most`);
  return to - put;
}

/** @type {(state: BettingState, choices: Choices, event: GameEvent) => void} */
export function decideFold(_state, choices, event) {
  if (!choices.fold) throw move(event, "there is no bet to fold to");
}

/** @type {(state: BettingState) => number} */
export const foldedUnasked = (state) => nextSeat(state.pending, state.cursor);

// The changes that a choice makes

/** @type {Changes} */
export function pay(state, { payload: { amount, seat } }) {
  state.stacks[seat] -= amount;
  state.staked[seat] += amount;
  state.pot += amount;
  if (state.stacks[seat] === 0 && state.terms.allIn) state.allIn |= 2 ** seat;
}

/** @type {(state: BettingState) => { seat: number, amount: number }} */
export function anteDue(state) {
  const seat = nextSeat(state.pending, state.button);
  return { seat, amount: Math.min(state.stacks[seat], state.ante) };
}

/** @type {Changes} */
export function antePosted(state, event) {
  pay(state, event);
  anteSettled(state, event.payload.seat);
}

/** @type {(state: BettingState, seat: number) => void} */
export function anteSettled(state, seat) {
  state.pending &= ~(2 ** seat);
  state.cursor = seat;
}

/** @type {EndsBetting} */
export function checked(state, event) {
  acts(state, event.payload.seat);
  if (state.terms.checkEnds) state.pending = 0;
  return nextToAct(state);
}

/** @type {EndsBetting} */
export function called(state, event) {
  const { amount, seat } = event.payload;
  pay(state, event);
  state.put[seat] += amount;
  acts(state, seat);
  return nextToAct(state);
}

/** @type {EndsBetting} */
export const opened = (state, event) => raisePrice(state, event, event.payload.amount);

/** @type {EndsBetting} */
export const raised = (state, event) => raisePrice(state, event, event.payload.to);

/** @type {(state: BettingState, event: GameEvent, price: number) => boolean} */
function raisePrice(state, event, price) {
  const { amount, seat } = event.payload;
  pay(state, event);
  state.put[seat] += amount;
  state.price = price;
  state.aggressor = seat;
  acts(state, seat);
  state.pending = state.able() & ~(2 ** seat);
  return nextToAct(state);
}

/** @type {EndsBetting} */
export function folded(state, event) {
  const { seat } = event.payload;
  state.live &= ~(2 ** seat);
  acts(state, seat);
  if (state.onlyOneLeft) state.pending = 0;
  return nextToAct(state);
}

export const forfeited = folded;

/** @type {EndsBetting} */
export function forgone(state, event) {
  forgo(state, event);
  if (state.onlyOneLeft) state.pending = 0;
  return nextToAct(state);
}

/** @type {Changes} */
export function forgo(state, { payload: { seat } }) {
  state.forgone |= 2 ** seat;
  state.live &= ~(2 ** seat);
  state.pending &= ~(2 ** seat);
  state.allIn &= ~(2 ** seat);
}

/** @type {Changes} */
export function uncalledBetReturned(state, { payload: { amount, seat } }) {
  state.stacks[seat] += amount;
  state.staked[seat] -= amount;
  state.pot -= amount;
  state.allIn &= ~(2 ** seat);
}

// The next turn

/** @type {(state: BettingState, seat: number) => void} */
function acts(state, seat) {
  state.cursor = seat;
  state.pending &= ~(2 ** seat);
}

/** @type {(state: BettingState) => boolean} */
function nextToAct(state) {
  if (state.allIn) state.settlePrice();
  if (!state.pending || (state.allIn && state.nobodyLeft())) {
    state.actor = state.pending = 0;
    return true;
  }
  const seat = nextSeat(state.pending, state.cursor);
  state.actor = state.mustFold(seat) ? 0 : seat;
  return false;
}
