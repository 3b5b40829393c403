/** What the server sends, and what the parts of the page hand to each other. */

/** How a table is kept. */
export type Settings = {
  /** for a choice; 0: no clock */
  seconds: number;
  /** seconds in reserve for each seat */
  bank: number;
  /** whether exact advice is given */
  advice: boolean;
  /** whether every deck is opened after the game */
  opens_seeds: boolean;
  /** who shuffles */
  dealing?: "dealer" | "together";
  /** how long shares of a common shuffle are waited for */
  share_seconds?: number;
};

export type SeatInfo = {
  /** from 1 */
  seat: number;
  name: string | null;
  /** "human", "empty", or the name of a program */
  kind: string;
  /** whether somebody has taken the seat, by its link or otherwise, or a bot sits there */
  came: boolean;
  /** when its player came to the device that they have */
  came_at: string | null;
  /** whether the host has let them in */
  admitted: boolean;
  /** whether they go once the round is over */
  removed: boolean;
};

/** What everybody may know of a table. */
export type TableInfo = {
  /** its id */
  table: string;
  /** the id of the game */
  game: string;
  /** the number of the game among those of the table */
  number: number;
  /** the id of the table's next game */
  next: string | null;
  /** whether no other game begins at the table */
  closed: boolean;
  /** the table's own, or "" */
  name: string;
  /** the name, or a short title */
  title: string;
  /** of the game, in words */
  terms: string[];
  /** the game's own */
  options: Record<string, any>;
  rounds: number | null;
  kind: string;
  status: "waiting" | "playing" | "over";
  public: boolean;
  created_at: string;
  /** when the host's rights came to their device by a move */
  host_came_at: string | null;
  settings: Settings;
  /** what the host has decided about people */
  access: { admits: "all" | "each"; delay: number; chat: "all" | "folded" | "off"; watchers_read: boolean };
  seats: SeatInfo[];
};

/** What is added up: results of one kind of game, in one unit. */
export type CountedIn = { kind: string; unit: string; currency: string; exponent: number };

export type GameOfEvening = CountedIn & {
  game: string;
  number: number;
  over: boolean;
  title: string;
  result: string | null;
  rounds: number;
  nets: { name: string; net: number }[];
};

export type SumOf = CountedIn & {
  people: { name: string; seat: number | null; games: number; net: number; rank: number }[];
};

export type BestOf = CountedIn & {
  /** the heading */
  name: string;
  rounds: { game: string; number: number; round: number; size: number; names: string[]; line: string }[];
};

export type OwnFigures = CountedIn & {
  name: string;
  games: number;
  won: number;
  highest: number;
  lowest: number;
  hands: { figures: Record<string, number>; rates: Record<"vpip" | "pfr" | "wtsd" | "wsd", number | null> } | null;
};

export type ReviewedChoice = {
  round: number;
  number: number;
  when: string;
  had: string;
  situation: string;
  chose: string;
  by: string;
  would: { action: string; chance: number }[];
  improvised: boolean;
  /** whether another player had done what the program hardly ever does */
  doubted: boolean;
  points: number | null;
  cost: string;
};

/** What one's choices cost in a finished game. */
export type Review = {
  game: string;
  programs: string[];
  choices: number;
  cost: string;
  unit: string;
  /** what a round is called; null if the game is one round, as in Kalah */
  called: string | null;
  dearest: ReviewedChoice[];
  /** all choices, in the order of play */
  judged: ReviewedChoice[];
  rounds: { round: number; had: string; choices: number; net: string; cost: string }[];
};

/** All games of a table together. */
export type EveningResults = {
  table: string;
  /** the number of the first game that is counted */
  first: number;
  games: GameOfEvening[];
  sums: SumOf[];
  best: BestOf[];
  /** what each person brought and took over the table's life, where people have numbers */
  persons: PersonTotals[];
  own: OwnFigures[];
};

export type PersonTotals = {
  person: number;
  name: string;
  seat: number | null;
  brought: number;
  taken: number;
  has: number;
  net: number;
};

/** One event, for one viewer, as it is stored. */
export type StoredRecord = {
  seq: number;
  type: string;
  version: number;
  recorded_at: string;
  command_id: string;
  n: number;
  payload: string;
  secret?: string;
  salt?: string;
  digest?: string;
  hash: string;
};

/** A hand that this seat shares. */
export type OwnSharedHand = {
  id: string;
  /** of its game among those of the table */
  number: number;
  round: number;
  cards: boolean;
  created_at: string;
  /** whether its link shows it now */
  shown: boolean;
};

/** A hand as its link shows it. */
export type SharedHand = {
  /** the id of the game, with which events are hashed */
  game: string;
  kind: string;
  title: string;
  /** null: the whole game */
  round: number | null;
  /** who shares it */
  seat: number;
  cards: boolean;
  names: string[];
  first: number;
  last: number;
  before: string;
  head: string;
  steps: { record: StoredRecord; text: string; view: any }[];
};

/** An event as the page's games read it. */
export type Happening = {
  seq: number;
  type: string;
  fields: any;
};

export type ClockNow = {
  paused: boolean;
  seconds: number;
  /** milliseconds left in reserve, by seat */
  bank: Record<string, number>;
  /** moments, by seat */
  deadline: Record<string, string>;
  now: string;
};

/** When the next level begins, and a break is over. */
export type LevelNow = { ends: string | null; rests_until: string | null; now: string };

/** Where a game stands, for one viewer. */
export type Snapshot = {
  count: number;
  head: string | null;
  kind: string;
  status: string;
  pausing: boolean;
  /** whether too few can be dealt in for a next round */
  ends_next?: boolean;
  /** whether the host may close the game now */
  closable: boolean;
  awaited: number[];
  your_turn: boolean;
  legal: any;
  view: any;
  ask?: string | null;
  show?: string[];
  clock: ClockNow | null;
  /** where levels end by time */
  level?: LevelNow | null;
  /** how the table shuffles together */
  shares?: {
    deadline: string | null;
    waiting: number[];
    due: boolean;
  } | null;
  /** for all */
  paused?: boolean;
  sitting_out: number[];
  lines: Line[];
  /** what a seat should know before the next round */
  beforehand?: string[];
  /** what a seat may type then */
  between?: string[];
  outcome: {
    scores: number[];
    ranks: number[];
  } | null;
};

export type Line = {
  seq: number;
  text: string;
  /** of its event, where that is known */
  type?: string | undefined;
};

/** What happened in one hand. */
export type HandLines = {
  /** 0: before the first */
  round: number;
  /** its first event */
  start: number;
  lines: Line[];
  /** of the common shuffle: keys and shares */
  shares: Line[];
  over: boolean;
  /** in words, once it is over */
  result: string;
};

export type GameAction = {
  type: string;
  [field: string]: any;
};

/** A choice on its way; it has not happened until its event comes. */
export type Sent = {
  id: string;
  label: string;
};

export type Advice = {
  text: string[];
  best: GameAction | null;
  /** of the best */
  worth?: string;
};

/** What the screen of a game is given. */
export type GameProps = {
  view: any;
  snapshot: Snapshot;
  /** the seat at which one sits */
  me: number | null;
  /** null where one has nothing to choose */
  legal: any;
  /** what one faces, by the checked log; none in a replay */
  facing?: Facing | null;
  /** whether all that is shown was checked, to its last event */
  checked?: boolean;
  sent: Sent | null;
  /** who plays at each seat, where the view does not say it */
  kinds?: string[];
  /** whether this device has lost the connection */
  lost?: boolean | undefined;
  /** the seats whose people have lost the connection; none in a replay */
  missing?: number[] | undefined;
  /** what a free seat shows to whoever has got up from theirs, in a cash game */
  sitAt?: ((to: number) => any) | undefined;
  act: (action: GameAction, label: string) => void;
  /** what happened, oldest first */
  happened: Happening[];
  /** nothing moves: a replay that jumps */
  still: boolean;
  advice: Advice | null;
  /** whether advice was asked for and has not come */
  asking: boolean;
  /** asks for advice; null where the table gives none */
  ask: (() => void) | null;
};

export type GameScreen = {
  Board: (props: GameProps) => import("../vendor/preact.js").VNode;
  /** what a typed text is for the server, where the screen shows things in another order */
  typed?: (text: string, props: {
    view: any;
    legal: any;
    me: number | null;
  }) => string;
  /** what may be typed now */
  examples?: (legal: any) => string;
  /** whether a seat has to heed what it is told before a round */
  pressing?: (view: any, me: number) => boolean;
};

/** One key and its chain, as a device keeps them. */
export type Kept = {
  /** the hash of the event that started the game */
  start: string;
  secret: CryptoKey | Uint8Array;
  /** the public one */
  key: string;
  root: Uint8Array;
  tip: string;
  length: number;
  /** by round */
  signed: Record<number, { head: string; share: string; signature: string }>;
};

export type Binding = { key: string; tip: string; length: number; signature: string; renewal: string | null };

/** A line of chat. */
export type Said = {
  /** of the table's lines, from 1 */
  number: number;
  /** 0: a host without a seat */
  seat: number;
  name: string;
  said_at: string;
  text: string;
};

/** What was said since the last message of a stream, and which lines were deleted. */
export type SaidNow = { lines: Said[]; deleted: number[] };

/** What takes what a stream brings. */
export type Handlers = {
  /** `text` is the record as it came */
  record: (record: StoredRecord, text: string) => void;
  /** where the game stands, after its events */
  snapshot?: (found: Snapshot) => void;
  lobby: (info: TableInfo) => void;
  table: (info: TableInfo) => void;
  chat: (said: SaidNow) => void;
  /** the seats whose people have lost the connection */
  missing: (seats: number[]) => void;
  opened: (opened: any[]) => void;
  gone: (code: string) => void;
  connection: (connected: boolean) => void;
};

export type OptionInfo = {
  name: string;
  help: string;
  type: string;
  /** whether the form shows it at once */
  first: boolean;
  /** what one may write in a field of its own for single players, if the option has one */
  each: string | null;
};

/** A table that the form offers ready-made. */
export type ReadyTable = {
  kind: string;
  title: string;
  seats: number;
  /** seats for people, the first ones */
  people: number;
  options: Record<string, any>;
  rounds: number | null;
  settings: Partial<Settings>;
  /** of the last table of this device */
  chairs?: Pick<Chair, "who" | "program">[];
  public?: boolean;
};

/** What the form for a new table holds. */
export type Wanted = {
  kind: string;
  house: string;
  options: Record<string, any>;
  chairs: Chair[];
  rounds: number | null;
  title: string;
  seconds: number;
  bank: number;
  advice: boolean;
  opens: boolean;
  together: boolean;
  open: boolean;
};

export type LadderMember = {
  name: string;
  /** the kind by which it can sit at a table of this server */
  program: string | null;
  rating: number;
  /** half the width of the interval */
  rating_within: number | null;
  /** what it wins from all others, in the ladder's unit */
  gain: number;
  gain_within: number | null;
  /** its share of the points, from 0 to 1 */
  points: number;
  better_from: number | null;
  forfeits: number;
};

/** Bots that were rated on the same deals, the best first. */
export type Ladder = {
  name: string;
  kind: string;
  title: string;
  /** the built-in house, "" in a game without houses; null for other rules */
  house: string | null;
  deals: number;
  seats: number;
  missing_games: number;
  unit: string;
  by_rating: boolean;
  members: LadderMember[];
  unranked: string[];
};

/** A bot that somebody wants to play against. */
export type Opponent = { kind: string; house: string; program: string; seats: number };

export type GameInfo = {
  kind: string;
  seats: { least: number; most: number };
  default_seats: number;
  houses: { name: string; summary: string; usual: boolean; values: Record<string, string> }[];
  /** whether rounds can be chosen */
  rounds: boolean;
  advises: boolean;
  /** whether all can shuffle together */
  shuffles: boolean;
  ready_tables: Omit<ReadyTable, "kind">[];
  options: OptionInfo[];
  programs: string[];
  /** kind → how it plays, in a few words; not every kind has some */
  programs_said: Record<string, string>;
  program_levels: string[];
  default_program: string;
};
