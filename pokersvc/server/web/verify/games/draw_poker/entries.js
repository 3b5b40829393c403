/** Re-entries and add-ons of a tournament, as `entries.py` has them. */

import { move } from "../../problem.js";
import { has, seatsIn } from "../betting/seats.js";

/** @type {(state: Situation) => boolean} Whether chips may still be bought after the last round. */
const isOpen = ({ entry, roundLevel }) => roundLevel > 0 && roundLevel <= entry.until;

/** @type {(state: Situation, seat: number) => boolean} */
function mayReenter(state, seat) {
  const { entry, exits, persons, reentries } = state;
  const gone = exits.get(seat);
  if (!entry?.reentries || gone === undefined || gone[1] || !has(persons, seat)) return false;
  return (reentries.get(seat) ?? 0) < entry.reentries && isOpen(state);
}

/** @type {(state: Situation) => boolean} Whether the game pauses for a person who is out and may enter again. */
export function waitsForEntries(state) {
  if (!state.entry?.reentries || state.ending()) return false;
  const price = state.priceToStay();
  if (seatsIn(state.seated).some((seat) => Number(state.stacks[seat]) < price)) return false;
  return [...state.exits.keys()].some((seat) => mayReenter(state, seat));
}

/** @type {Decides} */
export function decideReenter(state, event) {
  const { seat } = event.payload;
  if (!state.pausing || has(state.seated, seat) || !mayReenter(state, seat))
    throw move(event, "that seat cannot enter again now");
  return { amount: state.rules.stack, price: state.entry.price };
}

/** @type {Decides} */
export function decideAddOn(state, event) {
  const { seat } = event.payload;
  const { addedOn, entry, pausing, persons, seated } = state;
  const may = pausing && entry?.addon && has(persons & seated & ~addedOn, seat) && isOpen(state);
  if (!may) throw move(event, "that seat cannot take an add-on now");
  return { amount: entry.addon.chips, price: entry.addon.price };
}

/** @type {Handler} */
export function reentered(state, event) {
  const { seat } = event.payload;
  state.exits.delete(seat);
  state.seated |= 2 ** seat;
  state.reentries.set(seat, (state.reentries.get(seat) ?? 0) + 1);
  bought(state, event);
}

/** @type {Handler} */
export function addOnTaken(state, event) {
  state.addedOn |= 2 ** event.payload.seat;
  bought(state, event);
}

/** @type {Handler} */
function bought(state, { payload: { amount, price, seat } }) {
  state.stacks[seat] = Number(state.stacks[seat]) + amount;
  state.paid[seat - 1] = Number(state.paid[seat - 1]) + price;
}
