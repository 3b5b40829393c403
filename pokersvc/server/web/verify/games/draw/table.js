/**
 * The table of a game of draw poker: chips, seats, and whose turn it is.
 *
 * With `start.js`, `streets.js` and `draws.js` it is the service's own fold, written again: phases, order, antes and
 * blinds, calls, pots and payouts. Whether a bet keeps to the limits of its house is not looked at.
 */

import { potsOf } from "./pots.js";
import { clockwise, less, next } from "./seats.js";

/** @typedef {import("../rulebook.js").GameEvent} GameEvent */
/** @typedef {import("./pots.js").Pot} Pot */

/**
 * @typedef {"between" | "antes" | "blinds" | "shuffle" | "deal" | "opener" | "betting" | "return" | "draw" | "serve"
 *   | "open" | "showdown" | "award" | "carry" | "round_end" | "over"} Phase
 */

export const HAND = 5;
const DECK = 52;

export class Table {
  /** @type {Phase} */
  phase = "between";
  round = 0;
  ante = 0;
  button = 0;
  smallBlind = 0;
  bigBlind = 0;
  pot = 0;
  closed = false;

  // Of the round:
  /** @type {number[]} The seats that are in it. */
  live = [];
  /** @type {number[]} The seats whose turn is still to come. */
  pending = [];
  /** @type {number[]} */
  allIn = [];
  /** @type {number[]} The seats whose share of the shuffle was missed: they folded, and take nothing back. */
  forgone = [];
  /** The seat that must choose; 0 where the dealer acts. */
  actor = 0;
  /** The seat that acted last, or is served. */
  cursor = 0;
  /** @type {number[]} What each seat put in. */
  staked = [];
  /** @type {number[]} How many cards each seat holds. */
  holds = [];
  /** @type {number[]} How many cards each seat discarded. */
  discarded = [];
  /** @type {number[]} Seats whose cards were shuffled into a new deck. */
  reused = [];
  /** @type {number[]} Seats whose hands everybody has seen. */
  shown = [];
  /** @type {number[]} Seats that have shown or mucked in the showdown. */
  settled = [];
  /** @type {Pot[]} */
  pots = [];
  /** How many cards the seat that is served still gets. */
  need = 0;
  deckLeft = DECK;
  reshuffles = 0;

  // Of the betting round, the first or (street 2) the one after the draw:
  street = 0;
  /** @type {number[]} What each seat put in. */
  put = [];
  /** What each seat has to have put in to stay in. */
  price = 0;
  aggressor = 0;

  /** @param {GameEvent} started */
  constructor({ payload }) {
    this.rules = payload.rules;
    this.engine = payload.engine ?? 1;
    /** @type {number[]} All seats. */
    this.seats = payload.seats.map((/** @type {unknown} */ _, /** @type {number} */ at) => at + 1);
    /** The seats that are in the game. */
    this.seated = this.seats;
    /** @type {number[]} By seat; place 0 is not used. */
    this.stacks = [0, ...(payload.table?.stacks ?? this.seats.map(() => payload.rules.stack))];
    this.firstButton = seatWithButton(payload.table);
    this.clearRound();
  }

  clearRound() {
    const none = () => this.stacks.map(() => 0);
    Object.assign(this, { live: [], pending: [], allIn: [], reused: [], shown: [], settled: [], pots: [] });
    Object.assign(this, { actor: 0, cursor: 0, need: 0, deckLeft: DECK, reshuffles: 0, street: 0 });
    Object.assign(this, { forgone: [], staked: none(), holds: none(), discarded: none() });
    this.clearBetting();
  }

  clearBetting() {
    this.put = this.stacks.map(() => 0);
    this.price = 0;
    this.aggressor = 0;
  }

  get able() {
    return this.live.filter((seat) => !this.allIn.includes(seat));
  }

  get onlyOneLeft() {
    return this.live.length < 2;
  }

  get minimum() {
    const { minimum, final_minimum } = this.rules.betting;
    return this.street === 2 ? (final_minimum ?? minimum) : minimum;
  }

  get maySidePots() {
    return this.rules.betting.short === "all_in";
  }

  /** The seats with the largest stacks, of those who still sit. */
  get leaders() {
    const among = this.engine > 1 && this.seated.length > 0 ? this.seated : this.seats;
    const most = Math.max(...among.map((seat) => this.stack(seat)));
    return among.filter((seat) => this.stack(seat) === most);
  }

  /** @param {number} seat */
  stack(seat) {
    return Number(this.stacks[seat]);
  }

  /** @param {Phase} phase */
  await(phase) {
    this.phase = phase;
    this.pending = this.live;
  }

  /** @type {(seat: number, amount: number) => void} */
  pay(seat, amount) {
    this.stacks[seat] = this.stack(seat) - amount;
    this.staked[seat] = Number(this.staked[seat]) + amount;
    this.pot += amount;
    if (this.stacks[seat] === 0 && this.maySidePots) this.allIn = [...this.allIn, seat];
  }

  /** @type {(seat: number, amount: number) => void} */
  leave(seat, amount) {
    this.seated = less(this.seated, seat);
    this.stacks[seat] = this.stack(seat) - amount;
    this.pot += amount;
  }

  shuffled() {
    this.await("deal");
  }

  /** The seat that the dealer folds, which can do nothing else. */
  get short() {
    return next(this.pending, this.cursor);
  }

  /** @param {number} seat */
  owes(seat) {
    return this.price - Number(this.put[seat]);
  }

  /** Return the seat that put in more than anyone could call, and how much more; null where there is none. */
  uncalled() {
    if (!this.maySidePots) return null;
    const [most = 0, second = 0] = [...this.staked].sort((a, b) => b - a);
    const seat = this.staked.indexOf(most);
    return most > second && !this.forgone.includes(seat) ? { amount: most - second, seat } : null;
  }

  /** @param {number} seat one that folds, whoever's turn it is */
  forgo(seat) {
    this.forgone = [...this.forgone, seat];
    this.live = less(this.live, seat);
    this.pending = less(this.pending, seat);
    this.allIn = less(this.allIn, seat);
  }

  toAward() {
    this.pots = this.maySidePots
      ? potsOf(this.pot, this.staked, this.live)
      : [{ amount: this.pot, eligible: this.live }];
    this.phase = "award";
  }

  /** The seat that is next to show its hand, or to muck it. */
  get toShow() {
    const first = this.aggressor || next(this.live, this.button);
    return Number(clockwise(this.live, first - 1).find((seat) => !this.settled.includes(seat)));
  }

  /** @param {number} seat */
  settles(seat) {
    this.settled = [...this.settled, seat];
    if (this.settled.length === this.live.length) this.toAward();
  }

  /** @param {readonly import("./pots.js").Share[]} shares */
  payOut(shares) {
    for (const { amount, seat } of shares) {
      this.pot -= amount;
      this.stacks[seat] = this.stack(seat) + amount;
    }
  }

  awarded() {
    this.pots.pop();
    if (this.pots.length === 0) this.phase = this.pot > 0 ? "carry" : "round_end";
  }
}

/** @type {(table: any) => number | null} The seat at the button's place, or the last before it. */
const seatWithButton = (table) =>
  table?.button == null
    ? null
    : table.numbers.filter((/** @type {number} */ at) => at <= table.button).length || table.numbers.length;
