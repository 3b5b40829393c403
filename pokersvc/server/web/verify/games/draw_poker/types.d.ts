/** What the modules of draw poker hand to each other, and the fields of its situation, beside those of streets. */

import "./situation.js";

declare module "./situation.js" {
  interface Situation {
    /** the number of the engine that deals the game */
    engine: number;
    /** whether the dealer commits to each card */
    commits: boolean;
    /** the rules of a cash game besides those of the house, if any */
    cashRules: any;
    /** with the amounts now in force */
    rules: any;
    /** those of the start */
    rulesAtStart: any;
    /** the schedule of blinds and antes, if any */
    levels: any;
    stakesLevel: number;
    /** the last level with which no chips are to be raced off any more */
    raced: number;
    /** whether the host may change the stakes */
    changeable: boolean;
    /** what the start says of the table, where seats differ */
    table: any;
    /** rounds with hands that are revealed after the game */
    past: { round: number; seats: number[] }[];
    /** how many of them were */
    revealed: number;
  }
}

declare global {
  type Situation = import("./situation.js").Situation;
  type Cards = import("./cards.js").Cards;
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
