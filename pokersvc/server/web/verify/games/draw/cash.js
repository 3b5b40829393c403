/** What people do between the rounds of a cash game: sit down, get up, buy chips, sit out and come back. */

import { move } from "../../problem.js";
import { folded, less } from "./seats.js";
import { pausing } from "./standing.js";

/**
 * @param {() => Table} at the table
 * @param {(event: GameEvent, amount: number) => void} moves takes an event that moves chips, if it moves so many
 * @returns {Record<string, (event: GameEvent) => void>}
 */
export const cashHandlers = (at, moves) => ({
  SatDown: (event) => brings(named(seat(at(), event, false), event), event, moves),
  ChipsBought: (event) => brings(seat(at(), event, true), event, moves),
  GotUp: (event) => {
    const table = seat(at(), event, true);
    moves(event, table.stack(event.payload.seat));
    table.getUp(event.payload.seat);
  },
  SatOut: (event) => sitsOut(seat(at(), event, true), event, true),
  SatIn: (event) => sitsOut(seat(at(), event, true), event, false),
});

/** @type {(table: Table, event: GameEvent, sits: boolean) => Table} */
function seat(table, event, sits) {
  const { cash, people, seated } = table;
  if (!cash || !people.includes(event.payload.seat)) throw move(event, "this is no cash game, or no person's seat");
  if (!pausing(table)) throw move(event, "nobody comes or goes now");
  if (seated.includes(event.payload.seat) !== sits) {
    throw move(event, sits ? "that seat is empty" : "that seat is taken");
  }
  return table;
}

/** @type {(table: Table, event: GameEvent, moves: (event: GameEvent, amount: number) => void) => void} */
function brings(table, event, moves) {
  const { amount, seat } = event.payload;
  const most = table.rules.stack - table.stack(seat);
  moves(event, Math.min(amount, most));
  table.sitDown(seat);
  table.bring(seat, amount);
}

/**
 * Take the name of who sits down: one that nobody has, where nobody sat before or somebody else comes.
 * @type {(table: Table, event: GameEvent) => Table}
 */
function named(table, event) {
  const { name = null, seat } = event.payload;
  if (name === null) {
    if (table.nameless.includes(seat)) throw move(event, "nobody has sat there, and who sits down says no name");
    return table;
  }
  const same = table.names.findIndex((other) => folded(other) === folded(name));
  if (same > 0) throw move(event, `seat ${same} is called that`);
  table.names[seat] = name;
  table.nameless = less(table.nameless, seat);
  table.startAfresh(seat);
  return table;
}

/** @type {(table: Table, event: GameEvent, out: boolean) => void} */
function sitsOut(table, event, out) {
  const { seat } = event.payload;
  if (table.out.includes(seat) === out) throw move(event, out ? "that seat sits out" : "that seat does not sit out");
  table.out = out ? [...table.out, seat] : less(table.out, seat);
}
