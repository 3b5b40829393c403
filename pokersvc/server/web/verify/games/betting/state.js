import { CashSeats } from "./cash_seats.js";
import { bitCount, fewerThanTwo, has, seatsIn, setOf } from "./seats.js";

/** @type {(total: number, staked: BySeat, live: number) => Pot[]} */
export function potsOf(total, staked, live) {
  const pots = [];
  let below = 0;
  let rest = total - staked.reduce((sum, stake) => sum + stake, 0);
  for (const level of new Set(
    seatsIn(live)
      .map((seat) => staked[seat])
      .sort((a, b) => a - b),
  )) {
    const amount = staked.reduce((sum, stake) => sum + Math.min(stake, level) - Math.min(stake, below), rest);
    rest = 0;
    const eligible = setOf(seatsIn(live).filter((seat) => staked[seat] >= level));
    if (amount > 0) pots.push({ amount, eligible });
    below = level;
  }
  const last = pots.at(-1);
  if (last === undefined) return [{ amount: total, eligible: live }];
  last.amount += total - pots.reduce((sum, pot) => sum + pot.amount, 0); // above the stake of anyone still in
  return pots;
}

export class BettingState {
  /** @param {BettingStart} start */
  constructor({ terms, seats, stacks, persons, out, rounds, stated }) {
    this.terms = terms;
    this.stated = stated;
    this.seats = seats;
    this.names = ["", ...seats.map((seat) => seat.name)];
    this.persons = persons;
    this.rounds = rounds;
    this.stacks = stacks;
    this.began = [...stacks];
    this.cash = terms.cash;
    this.seated = 2 ** (seats.length + 1) - 2;
    if (this.cash) this.seated = setOf(seatsIn(this.seated).filter((seat) => stacks[seat] > 0));
    this.out = out;
    this.cashSeats = new CashSeats(stacks.length);
    this.owesSmall = this.owesBig = 0;
    this.brought = this.#none();
    this.taken = this.#none();
    this.former = this.#none();
    this.raked = 0;
    this.round = this.ante = this.button = this.pot = 0;
    this.stakesSince = 0;
    this.smallBlind = this.bigBlind = 0;
    this.two = 0;
    this.closed = false;
    this.bombPots = /** @type {number[]} the rounds that are announced as bomb pots, from the current one on */ ([]);
  }

  #none() {
    return this.stacks.map(() => 0);
  }

  /** @param {StreetTerms} street */
  clearRound(street) {
    this.live = this.pending = this.allIn = this.actor = this.cursor = 0;
    this.staked = this.#none();
    this.forgone = 0;
    this.pots = [];
    this.posts = [];
    this.rakeDue = 0;
    this.streetTerms = street;
    this.clearBetting();
  }

  clearBetting() {
    this.put = this.#none();
    this.price = this.aggressor = 0;
  }

  // Between rounds

  priceToStay() {
    const { ante, anteIncrease, stay } = this.terms;
    return Math.max(stay, ante + anteIncrease * (this.round - this.stakesSince));
  }

  sitting() {
    if (!this.terms.onlyWhoCanPay) return this.seated;
    return setOf(this.#whoHave(Math.max(this.priceToStay(), 1)));
  }

  /** @param {number} least */
  #whoHave(least) {
    return seatsIn(this.seated & ~this.out).filter((seat) => this.stacks[seat] >= least);
  }

  /** @param {number} sitting */
  owing(sitting) {
    const owing = sitting & (this.owesSmall | this.owesBig | (this.two ? ~this.two : 0));
    return bitCount(sitting) === 2 || fewerThanTwo(sitting & ~owing) ? 0 : owing;
  }

  pauses() {
    const { cash, persons, round, seated, stacks, terms } = this;
    if (cash) {
      if (!round || !persons || this.roundsPlayed() || this.cashSeats.admitted) return false;
      if (this.bombPotDue !== null) return false;
      return (persons & seated) > 0 || (terms.peopleComeToPrograms && !this.ending());
    }
    if (!round || !(persons & seated) || this.ending()) return false;
    if (terms.pausesForAll) return true;
    const price = this.priceToStay();
    return (
      seatsIn(seated).every((seat) => stacks[seat] >= price) && seatsIn(persons & seated).some((seat) => stacks[seat])
    );
  }

  ending() {
    return this.roundsPlayed() || !this.twoAble(this.priceToStay());
  }

  roundsPlayed() {
    return this.closed || (this.rounds !== null && this.round >= this.rounds);
  }

  /** @param {number} price */
  twoAble(price) {
    return this.#whoHave(Math.max(price, 1)).length >= 2;
  }

  /** @returns {BySeat} */
  net() {
    const { began, brought, former, taken } = this;
    return this.stacks.map((stack, seat) => stack + taken[seat] - brought[seat] - began[seat] - former[seat]);
  }

  get stillOpen() {
    return this.seats.flatMap(({ kind }, at) => (kind === "open" ? [at + 1] : []));
  }

  leaders() {
    const everybody = this.seats.map((_, at) => at + 1);
    const nobodys = this.stillOpen;
    const sitting = this.terms.winnersSit && this.seated ? seatsIn(this.seated) : everybody;
    const among = this.cash ? everybody.filter((seat) => !nobodys.includes(seat)) : sitting;
    const chips = this.cash ? this.net() : this.stacks;
    const most = Math.max(...among.map((seat) => chips[seat]));
    return among.filter((seat) => chips[seat] === most);
  }

  get bombPotNext() {
    return this.bombPots.includes(this.round + 1);
  }

  /** The round after the next, if the dealer announces it as a bomb pot now; else null. */
  get bombPotDue() {
    const { bombEvery } = this.terms.atCash;
    const round = this.round + 2;
    const isDue = bombEvery !== null && round % bombEvery === 0 && !this.bombPots.includes(round);
    return isDue && (this.rounds === null || round <= this.rounds) ? round : null;
  }

  // In a round

  /** @param {number} seat */
  mustFold(seat) {
    if (this.terms.allIn) return false;
    const owed = this.price - this.put[seat];
    if (owed > 0) return this.stacks[seat] < owed;
    const { least, mayCheck } = this.streetTerms;
    return !mayCheck && this.stacks[seat] < least;
  }

  able() {
    return this.live & ~this.allIn;
  }

  get onlyOneLeft() {
    return fewerThanTwo(this.live);
  }

  settlePrice() {
    if (!this.terms.priceSettles || !fewerThanTwo(this.able())) return;
    this.price = Math.max(0, ...seatsIn(this.live).map((seat) => this.put[seat]));
  }

  nobodyLeft() {
    const able = this.able();
    return fewerThanTwo(able) && seatsIn(able).every((seat) => this.put[seat] >= this.price);
  }

  /** @returns {{ seat: number, amount: number } | null} */
  uncalled() {
    if (!this.terms.allIn) return null;
    const [second, most] = [...this.staked].sort((a, b) => a - b).slice(-2);
    const seat = this.staked.indexOf(most);
    return most > second && !has(this.forgone, seat) ? { seat, amount: most - second } : null;
  }
}
