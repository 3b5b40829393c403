/** What the modules of draw poker hand to each other, and the fields of its situation, beside those of betting. */

import "./situation.js";

declare module "./situation.js" {
  interface Situation {
    /** those of the start */
    rules: any;
    /** what the start says of the table, where seats differ */
    table: any;
    streets: readonly Street[];
    phase: Phase;
    /** rounds with hands that are revealed after the game */
    past: { round: number; seats: number[] }[];
    /** how many of them were */
    revealed: number;
    /** how many cards each seat holds */
    hands: BySeat;
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
    /** whether the round has come to the draw */
    drew: boolean;
    deckLeft: number;
    /** the number of the street, from 1; 0 before the deal */
    street: number;
  }
}

declare global {
  type Situation = import("./situation.js").Situation;
  type Cards = import("./cards.js").Cards;
  /** What is dealt, drawn and shown before a betting round, and what betting sees of it. */
  type Street = StreetTerms & {
    /** how many cards each seat is dealt; then comes the draw */
    deals: readonly { cards: number }[];
    /** the most cards that a seat may discard, and whether all do before anybody is dealt new ones */
    draw: { most: number; together: boolean } | null;
    /** whether all hands still in are shown before the betting */
    opensHands: boolean;
  };
  /** A hand that is dealt again; `again` says that its own discards were in the deck that it drew from. */
  type Redealt = {
    dealt: string[];
    out: string[] | null;
    discarded: number;
    drawn: (string | null)[];
    again: boolean;
  };
  /** Takes an event that was checked; returns true where that ends a betting round. */
  type Handler = (state: Situation, event: GameEvent) => boolean | void;
  /** What an event must say: its type, and fields of its payload; `seats` are those of its hands. */
  type Due = { type?: string; [field: string]: any } | void;
  /** Returns what an event of a seat must say, if anything; a `Problem` for one that the rules do not allow. */
  type Decides = (state: Situation, event: GameEvent) => Due;
  /** Returns what the dealer's next event must say. */
  type Deals = (state: Situation, event: GameEvent, cards: Cards) => Due;
}
