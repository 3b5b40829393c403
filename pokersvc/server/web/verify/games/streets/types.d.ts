/**
 * What the modules of streets hand to each other, and the fields of their state, beside those of betting. The modules
 * stand beside those of `pokersvc/streets/`. Cards are counted here: which they are, is in `draw_poker/cards.js`.
 */

import "./state.js";

declare module "./state.js" {
  interface StreetsState {
    streets: Streets;
    cardTerms: CardTerms;
    phase: Phase;
    /** the number of the street to which the round has come, from 1; 0 before the deal */
    street: number;
    /** the number of the street whose betting began last; 0 before the first */
    bettingRound: number;
    /** how many cards each seat holds */
    hands: BySeat;
    /** how many cards the deals so far make a hand */
    handSize: number;
    /** what is still to be dealt on this street, the present deal first */
    deals: readonly Deal[];
    /** how many cards each seat discarded */
    discarded: BySeat;
    /** seats whose cards were shuffled into a new deck */
    reused: number;
    /** seats whose hands everybody has seen */
    shown: number;
    /** seats that have shown or mucked in the showdown */
    settled: number;
    /** how many cards the seat that is served still gets */
    need: number;
    reshuffles: number;
    /** seats that have discarded, and draw when all have */
    unserved: number;
    deckLeft: number;
  }
}

declare global {
  type StreetsState = import("./state.js").StreetsState;
  /** How many cards each seat is dealt. */
  type Deal = { cards: number };
  /** The most cards that a seat may discard, and whether all do before anybody is dealt new ones. */
  type DrawTerms = { most: number; together: boolean };
  /** What is dealt, drawn and shown before a betting round, and what betting sees of it. */
  type Street = StreetTerms & {
    /** what is dealt, in this order; then comes the draw */
    deals: readonly Deal[];
    draw: DrawTerms | null;
    /** whether all hands still in are shown before the betting */
    opensHands: boolean;
  };
  type Streets = readonly [Street, ...Street[]];
  /** What holds for the cards on all streets, as `pokersvc/streets/street.py` says. */
  type CardTerms = {
    reshuffle: "others" | "all";
    anteAfterDeal: boolean;
    shows: "at_once" | "in_order";
    showsFirst: "aggressor" | "left_of_button";
    muckAllIn: boolean;
    rakedFrom: number;
  };
  type StreetsStart = BettingStart & { streets: Streets; cardTerms: CardTerms };
  /** Takes an event that was checked. */
  type ChangesCards = (state: StreetsState, event: GameEvent) => void;
  /** Returns how strong the hand of a seat is. */
  type WorthOf = (seat: number) => number;
}
