/** Names that every module of the verifier knows, so that none of them has to say where each type stands. */

import "./games/betting/types.js";
import "./games/draw_poker/types.js";
import "./games/streets/types.js";
import type * as rulebook from "./games/rulebook.js";
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
  type Facing = rulebook.Facing;
  /** Of a game's events: the public fields and the secret ones, by type and version. */
  type Forms = Record<string, Form[]>;
  type GameEvent = rulebook.GameEvent;
  /** A hand of the Poker Market. */
  type Hand = { cards: string[]; seat: number; points?: number };
  type Head = types.Head;
  type Heads = types.Heads;
  type Opened = types.Opened;
  type Phase = types.Phase;
  type Problem = problem.Problem;
  type Round = types.Round;
  type Rulebook = rulebook.Rulebook;
  type Standing = rulebook.Standing;
  type Step = types.Step;
  type Together = together.Together;
}
