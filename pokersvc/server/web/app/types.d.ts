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
  /** whether somebody has opened the link of the seat, or a bot sits there */
  came: boolean;
};

/** What everybody may know of a table. */
export type TableInfo = {
  /** its id */
  table: string;
  /** the table's own, or "" */
  name: string;
  /** the game's own */
  options: Record<string, any>;
  rounds: number | null;
  kind: string;
  status: "waiting" | "playing" | "over";
  public: boolean;
  settings: Settings;
  seats: SeatInfo[];
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
  sent: Sent | null;
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

/** What takes what a stream brings. */
export type Handlers = {
  /** `text` is the record as it came */
  record: (record: StoredRecord, text: string) => void;
  lobby: (info: TableInfo) => void;
  opened: (opened: any[]) => void;
  gone: (code: string) => void;
  connection: (connected: boolean) => void;
};

export type OptionInfo = { name: string; help: string; type: string };

export type GameInfo = {
  kind: string;
  seats: { least: number; most: number };
  default_seats: number;
  houses: { name: string; summary: string }[];
  options: OptionInfo[];
  programs: string[];
  default_program: string;
};
