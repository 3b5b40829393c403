/** What the parts of the verifier hand to each other. */

import type { Rulebook } from "./games/rulebook.js";
import type { Problem } from "./problem.js";
import type { Together } from "./together.js";

export type EventRecord = {
  /** its number in the game, from 1 without gaps */
  seq: number;
  type: string;
  version: number;
  recorded_at: string;
  command_id: string;
  /** its number in the command, from 1 */
  n: number;
  /** what everyone may know, as stored */
  payload: string;
  /** what the viewer may know besides */
  secret?: string;
  /** 16 bytes, with a secret */
  salt?: string;
  /** 32 bytes: stands for a secret that is withheld */
  digest?: string;
  /** 32 bytes */
  hash: string;
};

export type Opened = { seq: number; secret: string; salt: string };

/**
 * Where a device keeps the last head that it saw of each game, so that it notices when it is told another story. Any
 * object with these two methods can keep them. A method may throw where nothing can be kept; the verdict says so.
 */
export type Heads = {
  read: (game: string) => Head | null;
  write: (game: string, head: Head) => void;
};

export type Head = { seq: number; hash: string };

export type Code =
  | "not_a_record"
  | "other_game"
  | "missing"
  | "repeated"
  | "command_order"
  | "moment"
  | "salt"
  | "secret"
  | "hash"
  | "other_story"
  | "shorter"
  | "own_cards"
  | "cards"
  | "chips"
  | "move"
  | "result"
  | "seeds"
  | "deck"
  | "shares"
  | "clock";

/** How much was checked. */
export type Checked = {
  /** whose hashes and order are right */
  events: number;
  /** that came open and are those that were committed to */
  secrets: number;
  /** secrets of which only the digest is here */
  withheld: number;
  /** that were dealt, and are compared with what is shown of them */
  hands: number;
  /** that were compared with a deck that was dealt again */
  cards: number;
  /** how often chips moved, and the stacks and the pot were counted */
  chips: number;
  /** that the rules allow */
  moves: number;
  /** awards, rankings and ends that follow from what was seen */
  results: number;
  /** that were dealt again from their seeds, and cards compared */
  decks: number;
  /** decks whose cards after a reshuffle could not all be followed */
  decksInPart: number;
  /** cards that people showed by their own choice */
  showed: number;
};

/** What a verdict is made of. */
export type Facts = {
  checked: Checked;
  problem: Problem | null;
  /** how many events this device had seen of the game */
  seenBefore: number;
  /** whether this device keeps heads */
  keeps: boolean;
  /** whether the seeds were opened */
  opened: boolean;
  /** whether the table opens them; null where it did not say */
  opensSeeds: boolean | null;
  rulebook: Rulebook | null;
  together: Together | null;
};

/** What a seat is bound to. */
export type Binding = {
  key: string;
  tip: string;
  /** of the chain: how many shares it has */
  length: number;
  /** the first round that it counts for */
  first: number;
  /** the last round whose link is known; the one before the first where that is the tip */
  known: number;
  /** the link of that round */
  link: string;
};

/** A round whose shares are awaited, or complete and on their way into the shuffle. */
export type AwaitedShares = {
  round: number;
  seats: number[];
  /** the seats that sit out when it is opened: they give no share, and forgo the round too */
  away: number[];
  /** the hash of its `SharesAwaited` */
  head: string;
  /** by seat, empty where it was missed */
  shares: Map<number, string>;
};

/** What tells a value, or the fields of an object */
export type Form = ((value: any) => boolean) | { readonly [field: string]: Form };

/**
 * What the deck gave or took: `cards` are null where they are hidden from this viewer, `from` are the seats whose
 * cards make the next deck, or among whom the opener was drawn.
 */
export type Step = {
  what: "dealt" | "discarded" | "drawn" | "reshuffled" | "opener";
  seq: number;
  seat: number;
  /** of cards; the number of a reshuffle or of a betting round */
  count: number;
  cards: string[] | null;
  /** the digests of cards that are dealt; null where there are none */
  digests: string[] | null;
  from: number[];
};

export type Round = {
  /** the event of its shuffle */
  shuffled: number;
  steps: Step[];
  /** the seats whose folded hands made a new deck, so that others may hold the same cards */
  again: number[];
  /** the hands that are known, as they are held now */
  known: Map<number, string[]>;
  /** the hands that everybody has seen */
  shown: Map<number, { seq: number; cards: string[] }>;
  /** the digests of the cards that each seat was dealt */
  committed: import("./games/streets/commitments.js").Commitments;
};

export type Phase =
  | "between"
  | "antes"
  | "blinds"
  | "shuffle"
  | "deal"
  | "opener"
  | "betting"
  | "return"
  | "draw"
  | "serve"
  | "open"
  | "showdown"
  | "rake"
  | "award"
  | "carry"
  | "round_end"
  | "over";
