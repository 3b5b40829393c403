import { move } from "../../problem.js";
import { has } from "./seats.js";

/** @type {(state: BettingState, seat: number, person?: number) => { least: number, most: number }} */
export function limits(state, seat, person = 0) {
  const { atCash, buyUpTo } = state.terms;
  const room = buyUpTo - state.stacks[seat];
  const took = state.cashSeats.left.get(person)?.taken ?? 0;
  return {
    least: Math.max(atCash.least, owedBack(state, person)),
    most: Math.max(atCash.most === null ? room : Math.min(room, atCash.most), took),
  };
}

/** @type {(state: BettingState, person: number) => number} */
function owedBack({ cashSeats, round, terms }, person) {
  const within = terms.atCash.returnRounds;
  const left = cashSeats.left.get(person);
  return left !== undefined && within !== null && round - left.round < within ? left.taken : 0;
}

/** @type {(state: BettingState, event: GameEvent, person?: number) => number} The amount, or the nearest that is
allowed. */
export function checkChips(state, event, person) {
  const { amount, seat } = event.payload;
  const { least, most } = limits(state, seat, person);
  if (least > most) throw move(event, "nothing may be bought there");
  return Math.max(least, Math.min(amount, most));
}

/** @type {(state: BettingState, event: GameEvent) => boolean} Whether it is the purchase that the host has admitted. */
export function isAdmitted({ cashSeats }, { type, payload }) {
  const asked = cashSeats.asked.get(cashSeats.admitted);
  if (asked === undefined || payload.seat !== cashSeats.admitted || payload.amount !== asked.amount) return false;
  if (asked.person === null) return type === "ChipsBought";
  return type === "SatDown" && payload.person === asked.person && payload.name === asked.name;
}

/** @type {(state: BettingState, event: GameEvent) => void} */
export function checkAsked({ cashSeats, terms }, event) {
  const { amount, name, person, seat } = event.payload;
  if (!terms.atCash.approval) throw move(event, "nobody's approval is needed");
  const asked = cashSeats.asked.get(seat);
  if (asked && asked.amount === amount && asked.name === name && asked.person === person) {
    throw move(event, "that was asked already");
  }
}

/** @type {DecidesCash<void>} */
export function decideAnswer(state, event, pausing) {
  const { by, seat } = event.payload;
  if (by !== null && !has(state.persons, by)) throw move(event, "a host is a person");
  if (!pausing || !state.cashSeats.asked.has(seat)) throw move(event, "nobody there asks for chips now");
}

/** @type {Changes} */
export function purchaseAsked(state, { payload: { amount, name, person, seat } }) {
  state.cashSeats.asked.set(seat, { amount, name, person });
}

/** @type {Changes} */
export function purchaseAdmitted(state, { payload: { seat } }) {
  state.cashSeats.admitted = seat;
}

/** @type {Changes} */
export function purchaseRefused(state, { payload: { seat } }) {
  state.cashSeats.asked.delete(seat);
}
