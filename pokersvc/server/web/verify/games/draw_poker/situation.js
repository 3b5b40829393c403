import { setOf } from "../betting/seats.js";
import { BettingState } from "../betting/state.js";
import { statedOf, streetsOf, termsOf } from "./terms.js";

export const DECK = 52;

export class Situation extends BettingState {
  /** @param {GameEvent} started */
  constructor({ payload, version }) {
    const { engine = 1, rounds = null, rules, table = null } = payload;
    const seats = seatsAtStart(payload.seats, table, version);
    super({
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
    this.streets = streetsOf(rules);
    this.phase = "between";
    this.past = [];
    this.revealed = 0;
    this.clearRound();
  }

  /** @override */
  clearRound(street = /** @type {StreetTerms} */ (this.streets[0])) {
    super.clearRound(street);
    this.hands = this.stacks.map(() => 0);
    this.discarded = this.stacks.map(() => 0);
    this.reused = this.shown = this.settled = 0;
    this.need = this.reshuffles = 0;
    this.unserved = 0;
    this.drew = false;
    this.deckLeft = DECK;
    this.street = 0;
  }

  get pausing() {
    return this.phase === "between" && this.pauses();
  }

  dealtIn() {
    return this.hands.filter((count) => count > 0).length;
  }
}

/** @type {(seats: Seat[], table: any, version: number) => Seat[]} Open seats are stored since version 4 of the start. */
function seatsAtStart(seats, table, version) {
  return seats.map(({ kind, name }, at) => {
    const isOpen = version >= 4 && table?.cash && kind === "human" && !table.stacks[at] && name === `Seat${at + 1}`;
    return { kind: isOpen ? "open" : kind, name };
  });
}
