/**
 * The table of a game of draw poker: chips, seats, and whose turn it is.
 *
 * With `start.js`, `streets.js` and `draws.js` it is the service's own fold, written again: phases, order, antes and
 * blinds, calls, pots and payouts. Whether a bet keeps to the limits of its house is not looked at.
 */

import { potsOf, rakeOf } from "./pots.js";
import { clockwise, less, next } from "./seats.js";

export const HAND = 5;
export const DECK = 52;

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
  /** @type {number[]} Seats that sit out. */
  out = [];
  /** @type {number[]} Seats that have missed a small blind. */
  owesSmall = [];
  /** @type {number[]} Seats that have missed a big blind. */
  owesBig = [];
  /** @type {number[]} Who was dealt into this round or the last, where it was a round of two by engine 4. */
  two = [];

  /** @type {{ round: number, seats: number[] }[]} Hands that are revealed after the game. */
  past = [];

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
  /** @type {Post[]} What is still to be posted, at a table of its own or in a house with a straddle. */
  posts = [];
  /** @type {number[]} Seats that have discarded, and draw when all have. */
  unserved = [];
  /** Whether the round has come to the draw. */
  drew = false;
  rakeDue = 0;

  // Of the betting round, the first or (street 2) the one after the draw:
  street = 0;
  /** @type {number[]} What each seat put in. */
  put = [];
  /** What each seat has to have put in to stay in. */
  price = 0;
  aggressor = 0;

  /** @param {GameEvent} started */
  constructor({ payload, version }) {
    this.rules = payload.rules;
    this.engine = payload.engine ?? 1;
    /** @type {number | null} How many the game was started for. */
    this.rounds = payload.rounds ?? null;
    /** @type {number[]} All seats. */
    this.seats = payload.seats.map((/** @type {unknown} */ _, /** @type {number} */ at) => at + 1);
    /** The seats of people. */
    this.people = this.seats.filter((seat) => payload.seats[seat - 1].kind === "human");
    /** The seats that are in the game. */
    this.seated = this.seats;
    /** What was said of the table, where seats differ; null elsewhere. */
    this.own = payload.table ?? null;
    this.cash = this.own?.cash === true;
    /** @type {number[]} By seat; place 0 is not used. */
    this.stacks = [0, ...(this.own?.stacks ?? this.seats.map(() => payload.rules.stack))];
    /** @type {number[]} What each seat brought to the table, less what it took from it. */
    this.brought = [...this.stacks];
    if (this.cash) this.seated = this.seats.filter((seat) => this.stack(seat) > 0); // others are open
    /** @type {string[]} By seat; place 0 is not used. */
    this.names = ["", ...payload.seats.map((/** @type {{ name: string }} */ seat) => seat.name)];
    /** @type {number[]} The seats at which nobody has sat yet: before version 4 there were none. */
    this.nameless = this.seats.filter((seat) => {
      const { kind } = payload.seats[seat - 1];
      return (
        version >= 4 && this.cash && kind === "human" && this.stack(seat) === 0 && this.names[seat] === `Seat${seat}`
      );
    });
    this.out = this.own?.out ?? [];
    this.firstButton = seatWithButton(payload.table);
    this.clearRound();
  }

  clearRound() {
    const none = () => this.stacks.map(() => 0);
    Object.assign(this, { live: [], pending: [], allIn: [], reused: [], shown: [], settled: [], pots: [] });
    Object.assign(this, { actor: 0, cursor: 0, need: 0, deckLeft: DECK, reshuffles: 0, street: 0 });
    Object.assign(this, { posts: [], unserved: [], drew: false, rakeDue: 0 });
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

  get mayCheck() {
    return this.street === 2 || this.rules.betting.check === "always";
  }

  get minimum() {
    const { minimum, final_minimum } = this.rules.betting;
    return this.street === 2 ? (final_minimum ?? minimum) : minimum;
  }

  get maySidePots() {
    return this.rules.betting.short === "all_in";
  }

  /** The least stack that is dealt another round. */
  get priceToStay() {
    const { ante, stay } = this.rules;
    return Math.max(stay, ante.short === "sit_out" ? ante.amount + ante.increase * this.round : 0);
  }

  /** The seats that can be dealt a round: at a table of its own, those with chips that do not sit out. */
  get sitting() {
    if (this.own === null) return this.seated;
    const price = Math.max(this.priceToStay, 1);
    return this.seated.filter((seat) => !this.out.includes(seat) && this.stack(seat) >= price);
  }

  /** The seats with the largest stacks, of those who still sit; in a cash game those that won most. */
  get leaders() {
    if (this.cash) {
      const won = this.seats.map((seat) => this.stack(seat) - Number(this.brought[seat]));
      const held = this.seats.filter((seat) => !this.nameless.includes(seat));
      const most = Math.max(...held.map((seat) => Number(won[seat - 1])));
      return held.filter((seat) => won[seat - 1] === most);
    }
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

  /** @type {(seat: number, amount: number) => void} */
  bring(seat, amount) {
    this.stacks[seat] = this.stack(seat) + amount;
    this.brought[seat] = Number(this.brought[seat]) + amount;
  }

  /** @param {number} seat one that comes to the table, if it is not there; after the first round it owes a big blind */
  sitDown(seat) {
    if (this.seated.includes(seat)) return;
    this.seated = [...this.seated, seat].sort((a, b) => a - b);
    if (this.bigBlind > 0) this.owesBig = [...this.owesBig, seat];
  }

  /** @param {number} seat one at which somebody else sits down, who has won and lost nothing yet */
  startAfresh(seat) {
    this.brought[seat] = this.stack(seat);
  }

  /** @param {number} seat one that takes all its chips; what it owed is forgotten */
  getUp(seat) {
    this.bring(seat, -this.stack(seat));
    this.seated = less(this.seated, seat);
    this.out = less(this.out, seat);
    this.owesSmall = less(this.owesSmall, seat);
    this.owesBig = less(this.owesBig, seat);
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
    this.unserved = less(this.unserved, seat);
  }

  toAward() {
    this.pots = this.maySidePots
      ? potsOf(this.pot, this.staked, this.live)
      : [{ amount: this.pot, eligible: this.live }];
    this.rakeDue = rakeOf(this);
    this.phase = this.rakeDue > 0 ? "rake" : "award";
  }

  /** @param {number} amount the house takes of the first pot that has something */
  rake(amount) {
    const pot = this.rakedPot;
    if (pot !== undefined) pot.amount -= amount;
    this.pot -= amount;
    this.rakeDue -= amount;
    if (this.rakeDue === 0) this.phase = "award";
  }

  get rakedPot() {
    return this.pots.find(({ amount }) => amount > 0);
  }

  /** The seat that is next to show its hand, or to muck it. */
  get toShow() {
    const aggressor = this.rules.shows_first === "left_of_button" ? 0 : this.aggressor;
    const first = aggressor || next(this.live, this.button);
    return Number(clockwise(this.live, first - 1).find((seat) => !this.settled.includes(seat)));
  }

  /** @param {number} seat */
  settles(seat) {
    this.settled = [...this.settled, seat];
    if (this.settled.length === this.live.length) this.toAward();
  }

  /** @param {readonly Share[]} shares */
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
