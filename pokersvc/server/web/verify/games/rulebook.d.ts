/**
 * What a game's module gives: a fold over the game's events that checks what their reader can see.
 *
 * `take` raises a `Problem` for an event that cannot be, and returns false for one of a type that it does not know.
 * `open` takes the secrets that were opened after the game, by the numbers of their events, each as its JSON says.
 */
export type Rulebook = {
  /** whether cards are dealt from decks that seeds shuffle */
  hasDecks: boolean;
  take: (event: GameEvent) => boolean;
  open: (opened: ReadonlyMap<number, any>) => void;
  /** another person holds a seat from here on */
  replaced: (seat: number) => void;
  /** all events that there are were taken */
  caughtUp: () => void;
  /** what was checked, a sentence each */
  checks: (checked: Readonly<Checked>) => string[];
  /** what cannot be seen, a sentence each */
  unseen: () => string[];
  /** where the game stands */
  standing: Standing;
  /** what a seat faces, in its turn or before it; null outside betting rounds and draws that it takes part in */
  facing?: (seat: number) => Facing | null;
};

/** What a seat faces in a betting round or a draw, by the checked log. */
export type Facing = {
  round: number;
  street: number;
  drawing: boolean;
  /** whether it is the seat's turn */
  turn: boolean;
  /** whether its turn comes without a raise by others */
  pending: boolean;
  check: boolean;
  fold: boolean;
  /** the chips of a call, 0 if there is nothing to call */
  call: number;
  /** the bet to match */
  price: number;
};

/** Where a game stands, for what may happen at its table. */
export type Standing = {
  /** the seats that are to choose */
  awaited: readonly number[];
  /** whether it is between two rounds, and people may come and go */
  pausing: boolean;
  /** the seats that are in the round */
  dealt: readonly number[];
  /** the seats that are dealt in, where a round begins next that needs a new shuffle; null elsewhere */
  dealsTo: readonly number[] | null;
  /** the seats that are in the game, where people may leave it */
  seated?: readonly number[];
  /** whether an event is somebody's choice, not the dealer's */
  chosen: (event: GameEvent) => boolean;
};

/** An event as a game reads it: of the form that its type has, as `shapes.js` says. */
export type GameEvent = {
  seq: number;
  type: string;
  version: number;
  /** when it was recorded */
  at: string;
  command: string;
  /** its number in the command, from 1 */
  n: number;
  hash: string;
  payload: any;
  /** null where there is none, or where it is withheld */
  secret: any;
  /** whether there is a secret that is not here */
  withheld: boolean;
};

export type Checked = import("../types.js").Checked;
