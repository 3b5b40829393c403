/**
 * What the modules of betting hand to each other, and the fields of their state. The modules stand beside those of
 * `pokersvc/betting/`: what a function or a field means is said there.
 */

import "./state.js";

declare module "./state.js" {
  interface BettingState {
    terms: Terms;
    /** how many rounds had been played when its amounts came into force */
    stakesSince: number;
    streetTerms: StreetTerms;
    stated: FirstRound;
    /** who sits where; who has got up keeps the seat until somebody else sits down there */
    seats: Seat[];
    /** by seat; place 0 is not used */
    names: string[];
    /** the set of the seats of people; open ones are too */
    persons: number;
    /** how many the game was started for */
    rounds: number | null;
    stacks: BySeat;
    /** the chips that each seat began with */
    began: BySeat;
    cash: boolean;
    /** the seats that are in the game */
    seated: number;
    /** seats that sit out */
    out: number;
    /** the people of a cash game besides their chips */
    cashSeats: import("./cash_seats.js").CashSeats;
    /** seats that have missed a small blind */
    owesSmall: number;
    /** seats that have missed a big blind */
    owesBig: number;
    /** the chips that each seat has brought to the table since the game began */
    brought: BySeat;
    /** the chips that each seat has taken from it */
    taken: BySeat;
    /** what all those won or lost who held each seat before its holder */
    former: BySeat;
    /** the chips that the house has kept */
    raked: number;
    round: number;
    ante: number;
    /** the seat of the button; 0 where there is none */
    button: number;
    pot: number;
    /** the seats of the blinds, in this round or the last */
    smallBlind: number;
    bigBlind: number;
    /** who was dealt into this round or the last, where it was a round of two and others wait after one */
    two: number;
    closed: boolean;

    // Of the round:
    /** the seats that are in it */
    live: number;
    /** the seats whose turn is still to come */
    pending: number;
    allIn: number;
    /** the seat that must choose; 0 where the dealer acts */
    actor: number;
    /** the seat that acted last, or is served */
    cursor: number;
    /** what each seat put in */
    staked: BySeat;
    /** seats that had to fold, as their share of the shuffle was missed: they take nothing back */
    forgone: number;
    pots: Pot[];
    /** what is still to be posted, where that is settled as the round begins */
    posts: readonly PostDue[];
    rakeDue: number;

    // Of the betting round:
    /** what each seat put in */
    put: BySeat;
    /** what each seat has to have put in to stay in */
    price: number;
    /** the seat that bet or raised last */
    aggressor: number;
  }
}

declare global {
  /**
   * A number for each seat; place 0 is not used. A seat was checked before its number is asked for, so it is there:
   * `number[]` would say that it may be missing.
   */
  type BySeat = any[];
  type Seat = { kind: string; name: string };
  /** Chips, and the set of seats that may win them. */
  type Pot = { amount: number; eligible: number };
  type PostKind = "small" | "big" | "extra" | "dead" | "straddle";
  type PostDue = { seat: number; kind: PostKind; amount: number };
  type Share = { amount: number; seat: number };
  type BettingState = import("./state.js").BettingState;

  /** How people bet in a game, as far as the page holds them to it. */
  type Terms = {
    allIn: boolean;
    checkEnds: boolean;
    foldFree: boolean;
    priceSettles: boolean;
    smallBlind: number;
    bigBlind: number;
    straddle: number;
    deadButton: boolean;
    bigBlindAlternates: boolean;
    waitsAfterHeadsUp: boolean;
    rake: RakeTerms | null;
    atCash: CashTerms;
    buyUpTo: number;
    cash: boolean;
    keepsSeats: boolean;
    onlyWhoCanPay: boolean;
    peopleComeToPrograms: boolean;
    pausesForAll: boolean;
    winnersSit: boolean;
    stay: number;
    ante: number;
    anteIncrease: number;
  };
  type CashTerms = {
    approval: boolean;
    awayRounds: number | null;
    least: number;
    most: number | null;
    returnRounds: number | null;
    straddleByChoice: boolean;
    bombBlinds: number | null;
    bombEvery: number | null;
    /** whether people have numbers and standing wishes */
    wishes: boolean;
  };
  /** A purchase that waits for the host; `person` sits down by it, or is null for who sits there. */
  type Purchase = { amount: number; name: string | null; person: number | null };
  type Wishes = { inWithBlind: boolean; outAtBlind: boolean; straddles: boolean; topUpTo: number };
  /** What betting sees of a street. */
  type StreetTerms = { bets: boolean; least: number; mayCheck: boolean; openerSaid: boolean; postsOpen: boolean };
  type RakeTerms = { caps: number[]; rounding: "down" | "nearest" | "up"; share: number; unit: number };
  /** What a start states of the first round; null where it follows from the terms. */
  type FirstRound = { button: number | null; posts: readonly PostDue[] | null };
  type BettingStart = {
    terms: Terms;
    seats: Seat[];
    stacks: BySeat;
    persons: number;
    out: number;
    rounds: number | null;
    stated: FirstRound;
  };
  /** How a round opens: the seats that are dealt in, those that come in only after the button has passed, the blinds. */
  type RoundOpening = { live: number; waiting: number; small: number; big: number; posts: readonly PostDue[] };
  /** What comes next: a seat acts, or must fold; the game says who begins, by `openedBy`; the betting round is over. */
  type Follows = "act" | "opener" | "over";
  /** The least and the most. */
  type Limits = readonly [number, number];
  /** What a seat may choose. */
  type Choices = {
    check: boolean;
    fold: boolean;
    call: number;
    bet: Limits | null;
    raiseTo: Limits;
  };
  /** Takes an event that was checked. */
  type Changes = (state: BettingState, event: GameEvent) => void;
  /** Takes an event of a seat that was checked; returns whether the betting round is over. */
  type EndsBetting = (state: BettingState, event: GameEvent) => boolean;
  /** Refuses what cannot be; returns the chips that it should move, if any. */
  type DecidesCash<Chips = any> = (state: BettingState, event: GameEvent, pausing: boolean) => Chips;
}
