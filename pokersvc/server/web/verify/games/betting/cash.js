import { folded } from "../../form.js";
import { move } from "../../problem.js";
import { checkChips } from "./purchases.js";
import { has, seatsIn } from "./seats.js";

/** @type {(state: BettingState, event: GameEvent, pausing: boolean) => number} */
function checkPerson(state, event, pausing) {
  const { seat } = event.payload;
  if (!state.cash || !has(state.persons, seat)) throw move(event, "this is no cash game, or no person's seat");
  if (!pausing) throw move(event, "nobody comes or goes now");
  return seat;
}

/** @type {(state: BettingState, event: GameEvent, pausing: boolean) => number} */
export function checkSeated(state, event, pausing) {
  const seat = checkPerson(state, event, pausing);
  if (!has(state.seated, seat)) throw move(event, "that seat is empty");
  return seat;
}

/** @type {DecidesCash} */
export function decideSitDown(state, event, pausing) {
  const seat = checkPerson(state, event, pausing);
  if (has(state.seated, seat)) throw move(event, "that seat is taken");
  newName(state, event);
  return checkChips(state, event, checkNumber(state, event));
}

/** @type {(state: BettingState, event: GameEvent) => number} The number of the person who sits down. */
function checkNumber({ cashSeats, seated, terms }, event) {
  const { person = null } = event.payload;
  if (!terms.atCash.wishes) {
    if (person !== null) throw move(event, "people have no numbers here");
    return 0;
  }
  const sits = seatsIn(seated).some((seat) => cashSeats.persons[seat] === person);
  const isKnown = cashSeats.knows(person);
  if (person === null || sits || (!isKnown && person < cashSeats.nextPerson))
    throw move(event, "that is nobody's number");
  return person;
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

/** @type {(state: BettingState, people: any) => void} `people`: those of the table's earlier games, or null. */
export function numberPersons({ cashSeats, out, persons, seated, seats, terms }, people) {
  if (!terms.atCash.wishes) return;
  cashSeats.firstNew = people?.next ?? 1;
  for (const { last_taken, left_ago, number } of people?.known ?? []) {
    cashSeats.left.set(number, { taken: left_ago === null ? 0 : last_taken, round: -(left_ago ?? 0) });
  }
  for (const [at, { kind }] of seats.entries()) {
    const seat = at + 1;
    if (!has(persons, seat) || kind === "open") continue;
    cashSeats.persons[seat] = people?.seats[at] ?? seat;
    if (has(out & seated, seat)) cashSeats.outSince.set(seat, 0);
  }
}

/** @type {Changes} */
export function satDown(state, event) {
  const { name = null, seat } = event.payload;
  if (name !== null) seatSomebodyElse(state, seat, name);
  state.seated |= 2 ** seat;
  if (state.bigBlind) state.owesBig |= 2 ** seat;
  if (event.payload.person) state.cashSeats.persons[seat] = event.payload.person;
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
  state.cashSeats.asked.delete(seat);
  state.cashSeats.admitted = 0;
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
  state.cashSeats.gone(seat);
  state.cashSeats.left.set(state.cashSeats.persons[seat], { taken: amount, round: state.round });
}

/** @type {Changes} */
export function satOut(state, { payload: { seat } }) {
  state.out |= 2 ** seat;
  if (state.terms.atCash.wishes) state.cashSeats.outSince.set(seat, state.round);
  state.cashSeats.wishFulfilled(seat);
}

/** @type {Changes} */
export function satIn(state, { payload: { seat } }) {
  state.out &= ~(2 ** seat);
  state.cashSeats.outSince.delete(seat);
  state.cashSeats.wishFulfilled(seat);
}
