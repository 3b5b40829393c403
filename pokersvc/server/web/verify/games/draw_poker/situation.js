import { numberPersons } from "../betting/cash.js";
import { isDue } from "../betting/chip_race.js";
import { placesOf } from "../betting/ranking.js";
import { setOf } from "../betting/seats.js";
import { StreetsState } from "../streets/state.js";
import { cardTermsOf, statedOf, streetsOf, termsOf } from "./betting_terms.js";
import { waitsForEntries } from "./entries.js";

/** The first engine whose dealer commits to each card where people play, so that they may show cards. */
const COMMITTING = 5;

export class Situation extends StreetsState {
  /** @param {GameEvent} started */
  constructor({ payload, version }) {
    const { cash = null, changeable = false, engine = 1, entry = null, levels = null, rounds = null } = payload;
    const { rules, table = null } = payload;
    const seats = seatsAtStart(payload.seats, table, version);
    super({
      streets: streetsOf(rules),
      cardTerms: cardTermsOf(rules),
      terms: termsOf(rules, engine, table, cash),
      seats,
      stacks: [0, ...(table?.stacks ?? seats.map(() => rules.stack))],
      persons: setOf(seats.flatMap(({ kind }, at) => (kind === "human" || kind === "open" ? [at + 1] : []))),
      out: setOf(table?.out ?? []),
      rounds,
      stated: statedOf(table),
    });
    numberPersons(this, payload.people ?? null);
    this.cashRules = cash;
    this.engine = engine;
    this.commits = engine >= COMMITTING && (this.persons > 0 || payload.hidden_kinds === true);
    this.rules = this.rulesAtStart = rules;
    this.levels = levels;
    this.stakesLevel = 1;
    this.raced = 1;
    this.entry = entry;
    /** @type {number[]} the prices that each seat has paid, from seat 1 */
    this.paid = seats.map(() => entry?.price ?? 0);
    /** @type {Map<number, number[]>} in a tournament, how each seat that is out went out */
    this.exits = new Map();
    /** @type {number[]} in a tournament, the stacks as the round began */
    this.roundStacks = [];
    this.roundLevel = 0;
    /** @type {Map<number, number>} how often each seat has entered again */
    this.reentries = new Map();
    this.addedOn = 0;
    this.prizesAwarded = false;
    this.changeable = changeable;
    this.table = table;
    this.past = [];
    this.revealed = 0;
  }

  get nextAnte() {
    const { ante } = this.rules;
    return ante.amount + ante.increase * (this.round - this.stakesSince);
  }

  /** The smallest chip of the level that now begins, if smaller ones must be raced off first; else null. */
  get chipToRace() {
    if (this.levels === null || this.raced === this.stakesLevel || this.roundsPlayed()) return null;
    const chip = this.levels.schedule[this.stakesLevel - 1].chip ?? null;
    return chip !== null && isDue(this, chip) ? chip : null;
  }

  get isTournament() {
    return this.levels !== null || this.entry !== null;
  }

  get ranking() {
    return placesOf(this, this.exits);
  }

  get pausing() {
    return this.phase === "between" && (this.pauses() || waitsForEntries(this)) && this.chipToRace === null;
  }
}

/** @type {(seats: Seat[], table: any, version: number) => Seat[]} Open seats are stored since version 4 of the start. */
function seatsAtStart(seats, table, version) {
  return seats.map(({ kind, name }, at) => {
    const isOpen = version >= 4 && table?.cash && kind === "human" && !table.stacks[at] && name === `Seat${at + 1}`;
    return { kind: isOpen ? "open" : kind, name };
  });
}
