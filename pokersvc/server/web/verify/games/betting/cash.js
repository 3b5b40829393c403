import { folded } from "../../form.js";
import { move } from "../../problem.js";
import { has } from "./seats.js";

/** @type {(state: BettingState, event: GameEvent, pausing: boolean) => number} */
function checkPerson(state, event, pausing) {
  const { seat } = event.payload;
  if (!state.cash || !has(state.persons, seat)) throw move(event, "this is no cash game, or no person's seat");
  if (!pausing) throw move(event, "nobody comes or goes now");
  return seat;
}

/** @type {(state: BettingState, event: GameEvent, pausing: boolean) => number} */
function checkSeated(state, event, pausing) {
  const seat = checkPerson(state, event, pausing);
  if (!has(state.seated, seat)) throw move(event, "that seat is empty");
  return seat;
}

/** @type {(state: BettingState, event: GameEvent) => number} */
const checkChips = (state, { payload: { amount, seat } }) => Math.min(amount, state.terms.buyUpTo - state.stacks[seat]);

/** @type {DecidesCash} */
export function decideSitDown(state, event, pausing) {
  const seat = checkPerson(state, event, pausing);
  if (has(state.seated, seat)) throw move(event, "that seat is taken");
  newName(state, event);
  return checkChips(state, event);
}

/** @type {(state: BettingState, event: GameEvent) => void} */
function newName(state, event) {
  const { name = null, seat } = event.payload;
  if (name === null) {
    if (hasNoName(state, seat)) throw move(event, "nobody has sat there, and who sits down says no name");
    return;
  }
  const same = state.names.findIndex((other) => folded(other) === folded(name));
  if (same > 0) throw move(event, `seat ${same} is called that`);
}

/** @type {(state: BettingState, seat: number) => boolean} */
export const hasNoName = (state, seat) => state.seats[seat - 1]?.kind === "open";

/** @type {DecidesCash} */
export const decideGetUp = (state, event, pausing) => state.stacks[checkSeated(state, event, pausing)];

/** @type {DecidesCash} */
export function decideBuyChips(state, event, pausing) {
  checkSeated(state, event, pausing);
  return checkChips(state, event);
}

/** @type {DecidesCash} */
export function decideSitOut(state, event, pausing) {
  if (has(state.out, checkSeated(state, event, pausing))) throw move(event, "that seat sits out");
}

/** @type {DecidesCash} */
export function decideSitIn(state, event, pausing) {
  if (!has(state.out, checkSeated(state, event, pausing))) throw move(event, "that seat does not sit out");
}

/** @type {Changes} */
export function satDown(state, event) {
  const { name = null, seat } = event.payload;
  if (name !== null) seatSomebodyElse(state, seat, name);
  state.seated |= 2 ** seat;
  if (state.bigBlind) state.owesBig |= 2 ** seat;
  chipsBought(state, event);
}

/** @type {(state: BettingState, seat: number, name: string) => void} */
function seatSomebodyElse(state, seat, name) {
  state.former[seat] += state.net()[seat];
  state.seats[seat - 1] = { kind: "human", name };
  state.names[seat] = name;
}

/** @type {Changes} */
export function chipsBought(state, { payload: { amount, seat } }) {
  state.stacks[seat] += amount;
  state.brought[seat] += amount;
}

/** @type {Changes} */
export function gotUp(state, { payload: { amount, seat } }) {
  const gone = ~(2 ** seat);
  state.seated &= gone;
  state.out &= gone;
  state.owesSmall &= gone;
  state.owesBig &= gone;
  state.stacks[seat] -= amount;
  state.taken[seat] += amount;
}

/** @type {Changes} */
export function satOut(state, { payload: { seat } }) {
  state.out |= 2 ** seat;
}

/** @type {Changes} */
export function satIn(state, { payload: { seat } }) {
  state.out &= ~(2 ** seat);
}
