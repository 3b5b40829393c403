/** @type {CashTerms} */
export const NO_CASH_TERMS = {
  approval: false,
  awayRounds: null,
  bombBlinds: null,
  bombEvery: null,
  least: 1,
  most: null,
  returnRounds: null,
  straddleByChoice: false,
  wishes: false,
};

/** @type {Wishes} */
export const NO_WISHES = { inWithBlind: false, outAtBlind: false, straddles: false, topUpTo: 0 };

/** @type {(some: Wishes, others: Wishes) => boolean} */
export const isSame = (some, others) =>
  some.inWithBlind === others.inWithBlind &&
  some.outAtBlind === others.outAtBlind &&
  some.straddles === others.straddles &&
  some.topUpTo === others.topUpTo;

export class CashSeats {
  /** @param {number} places */
  constructor(places) {
    this.persons = /** @type {BySeat} */ (Array(places).fill(0));
    this.left = /** @type {Map<number, { taken: number, round: number }>} */ (new Map());
    this.asked = /** @type {Map<number, Purchase>} */ (new Map());
    this.admitted = 0;
    this.firstNew = 1;
    this.outSince = /** @type {Map<number, number>} */ (new Map());
    this.wishes = /** @type {Map<number, Wishes>} */ (new Map());
  }

  get nextPerson() {
    return Math.max(this.firstNew - 1, ...this.persons, ...this.left.keys()) + 1;
  }

  /** @type {(person: number) => boolean} */
  knows(person) {
    return this.persons.includes(person) || this.left.has(person);
  }

  /** @param {number} seat */
  gone(seat) {
    this.asked.delete(seat);
    this.outSince.delete(seat);
    this.wishes.delete(seat);
  }

  /** @type {(seat: number, wishes: Wishes) => void} */
  wish(seat, wishes) {
    if (isSame(wishes, NO_WISHES)) this.wishes.delete(seat);
    else this.wishes.set(seat, wishes);
  }

  /** @param {number} seat whose person now sits out or is dealt in */
  wishFulfilled(seat) {
    const { straddles, topUpTo } = this.wishes.get(seat) ?? NO_WISHES;
    this.wish(seat, { ...NO_WISHES, straddles, topUpTo });
  }
}
