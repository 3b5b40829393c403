/** Names that every module of the page knows, so that none of them has to say where each type stands. */

import type * as feed from "./log/feed.js";
import type * as types from "./types.js";

declare global {
  type Feed = feed.Feed;
  type BestOf = types.BestOf;
  type CountedIn = types.CountedIn;
  type EveningResults = types.EveningResults;
  type Review = types.Review;
  type ReviewedChoice = types.ReviewedChoice;
  type PersonTotals = types.PersonTotals;
  type GameOfEvening = types.GameOfEvening;
  type OwnFigures = types.OwnFigures;
  type SumOf = types.SumOf;
  type Advice = types.Advice;
  type ClockNow = types.ClockNow;
  type LevelNow = types.LevelNow;
  type GameAction = types.GameAction;
  type GameInfo = types.GameInfo;
  type Ladder = types.Ladder;
  type LadderMember = types.LadderMember;
  type Opponent = types.Opponent;
  type GameProps = types.GameProps;
  type GameScreen = types.GameScreen;
  type Happening = types.Happening;
  type Line = types.Line;
  type HandLines = types.HandLines;
  type OptionInfo = types.OptionInfo;
  type ReadyTable = types.ReadyTable;
  type SeatInfo = types.SeatInfo;
  type OwnSharedHand = types.OwnSharedHand;
  type SharedHand = types.SharedHand;
  type Said = types.Said;
  type SaidNow = types.SaidNow;
  type Sent = types.Sent;
  type Snapshot = types.Snapshot;
  type TableInfo = types.TableInfo;
  type TableSettings = types.Settings;
  type WantedTable = types.Wanted;

  // Of single parts of the page:
  /** A binding that this device made, as it is sent. */
  type OwnBinding = types.Binding;
  type Kept = types.Kept;
  type StreamHandlers = types.Handlers;
  /**
   * Where this tab stands in the shuffle: another tab of this device takes part; nothing is bound yet; this one does;
   * a device that is not this one does; it did, and another key is bound to the seat; a share was opened that it did
   * not sign; it was asked to sign a second history; the browser keeps nothing.
   */
  type TakingPart =
    | "other_tab"
    | "starting"
    | "taking_part"
    | "other_device"
    | "replaced"
    | "not_mine"
    | "two_stories"
    | "cannot_keep";
  /** Why a table was refused: the field that is meant, or "". */
  type Refusal = { field: string; message: string };
  /** A seat of a table that is being made. */
  type Chair = { who: "me" | "person" | "open" | "program"; name: string; program: string };
  /** A seat that one held; all hands, once the decks are open; what everyone saw. */
  type ReplayViewer = number | "opened" | null;
  type ReplayStep = { seq: number; type: string; text: string; view: any };
  type BettingProps = GameProps & {
    picked: string[];
    hand: string[];
    pick: (cards: string[]) => void;
    toggle: (card: string) => void;
    /** says an amount in the device's unit */
    say: (chips: number) => string;
    settings: import("./games/draw-settings.js").BettingSettings;
    /** opens what explains keys and changes amounts */
    help: () => void;
  };
  type RoundSoFar = {
    acts: Record<number, string>;
    net: Record<number, number>;
    won: Record<number, number>;
    mucked: Set<number>;
    over: boolean;
  };
  type KalahBoard = { south: number[]; north: number[]; pots: number[] };
  /** Hole 0 is the side's pot. */
  type KalahPlace = { side: number; hole: number };
  type SowingStep = { board: KalahBoard; from: KalahPlace; to: KalahPlace };
  /** A card that is touched in the market. */
  type Spot = { seat: number; card: string };
  /** What a swap would make of a hand. */
  type AfterSwap = { hand: string[]; place: number };
}
