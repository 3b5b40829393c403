/** Names that every module of the verifier knows, so that none of them has to say where each type stands. */

import type * as rulebook from "./games/rulebook.js";
import type * as table from "./games/draw/table.js";
import type * as problem from "./problem.js";
import type * as together from "./together.js";
import type * as types from "./types.js";

declare global {
  type AwaitedShares = types.AwaitedShares;
  type Binding = types.Binding;
  type Checked = types.Checked;
  type Code = types.Code;
  type EventRecord = types.EventRecord;
  type Facts = types.Facts;
  type Form = types.Form;
  /** Of a game's events: the public fields and the secret ones, by type and version. */
  type Forms = Record<string, Form[]>;
  type GameEvent = rulebook.GameEvent;
  /** A hand of the Poker Market. */
  type Hand = { cards: string[]; seat: number; points?: number };
  type Handlers = Partial<Record<string, (event: GameEvent) => void>>;
  type Head = types.Head;
  type Heads = types.Heads;
  type Opened = types.Opened;
  type Phase = types.Phase;
  type Post = { amount: number; kind: "small" | "big" | "extra" | "dead" | "straddle"; seat: number };
  type Pot = { amount: number; eligible: number[] };
  type Problem = problem.Problem;
  type Round = types.Round;
  type Rulebook = rulebook.Rulebook;
  type Share = { amount: number; seat: number };
  type Standing = rulebook.Standing;
  type Step = types.Step;
  type Table = table.Table;
  type Together = together.Together;
}
