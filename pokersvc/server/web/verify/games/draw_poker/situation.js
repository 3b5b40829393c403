import { setOf } from "../betting/seats.js";
import { StreetsState } from "../streets/state.js";
import { cardTermsOf, statedOf, streetsOf, termsOf } from "./betting_terms.js";

export class Situation extends StreetsState {
  /** @param {GameEvent} started */
  constructor({ payload, version }) {
    const { engine = 1, rounds = null, rules, table = null } = payload;
    const seats = seatsAtStart(payload.seats, table, version);
    super({
      streets: streetsOf(rules),
      cardTerms: cardTermsOf(rules),
      terms: termsOf(rules, engine, table),
      seats,
      stacks: [0, ...(table?.stacks ?? seats.map(() => rules.stack))],
      persons: setOf(seats.flatMap(({ kind }, at) => (kind === "human" || kind === "open" ? [at + 1] : []))),
      out: setOf(table?.out ?? []),
      rounds,
      stated: statedOf(table),
    });
    this.rules = rules;
    this.table = table;
    this.past = [];
    this.revealed = 0;
  }

  get pausing() {
    return this.phase === "between" && this.pauses();
  }
}

/** @type {(seats: Seat[], table: any, version: number) => Seat[]} Open seats are stored since version 4 of the start. */
function seatsAtStart(seats, table, version) {
  return seats.map(({ kind, name }, at) => {
    const isOpen = version >= 4 && table?.cash && kind === "human" && !table.stacks[at] && name === `Seat${at + 1}`;
    return { kind: isOpen ? "open" : kind, name };
  });
}
