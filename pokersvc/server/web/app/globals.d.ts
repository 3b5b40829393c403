/** Names that every module of the page knows, so that none of them has to say where each type stands. */

import type * as feed from "./feed.js";
import type * as types from "./types.js";

declare global {
  type Feed = feed.Feed;
  type Advice = types.Advice;
  type ClockNow = types.ClockNow;
  type GameAction = types.GameAction;
  type GameInfo = types.GameInfo;
  type GameProps = types.GameProps;
  type GameScreen = types.GameScreen;
  type Happening = types.Happening;
  type Line = types.Line;
  type OptionInfo = types.OptionInfo;
  type SeatInfo = types.SeatInfo;
  type Sent = types.Sent;
  type Snapshot = types.Snapshot;
  type TableInfo = types.TableInfo;
}
