import { FRESH_DECK } from "../../cards.js";
import { has, seatsIn, setOf } from "../betting/seats.js";
import { BettingState } from "../betting/state.js";

export class StreetsState extends BettingState {
  /** @param {StreetsStart} start */
  constructor({ streets, cardTerms, ...start }) {
    super(start);
    this.streets = streets;
    this.cardTerms = cardTerms;
    this.phase = "between";
    this.clearRound(streets[0]);
  }

  /**
   * @override
   * @param {StreetTerms} street
   */
  clearRound(street) {
    super.clearRound(street);
    this.clearCards();
  }

  clearCards() {
    this.street = this.bettingRound = 0;
    this.hands = this.stacks.map(() => 0);
    this.handSize = 0;
    this.deals = [];
    this.discarded = this.stacks.map(() => 0);
    this.reused = this.shown = this.settled = 0;
    this.need = this.reshuffles = 0;
    this.unserved = 0;
    this.deckLeft = FRESH_DECK.length;
  }

  dealtIn() {
    return this.hands.filter((count) => count > 0).length;
  }
}

/** @type {(state: StreetsState) => number} */
export function outOfPlaySeats(state) {
  const { cardTerms, cursor, discarded, hands, live, phase, reused, seats } = state;
  const found = seats.flatMap((_, at) => {
    const seat = at + 1;
    return discarded[seat] || (hands[seat] && !has(live, seat)) ? [seat] : [];
  });
  const own = phase === "serve" && cardTerms.reshuffle !== "all" ? 2 ** cursor : 0; // nobody is ever dealt their own discard
  return setOf(found) & ~own & ~reused;
}

/** @type {(state: StreetsState) => number} */
export const outOfPlay = (state) =>
  seatsIn(outOfPlaySeats(state)).reduce((sum, seat) => sum + (state.discarded[seat] || state.hands[seat]), 0);
