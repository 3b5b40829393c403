/** The changes that each event makes, after it was checked. */

import { allPosted, blindPosted, blindSeats, blindsDue, openRound, posted } from "../betting/blinds.js";
import * as bombPots from "../betting/bomb_pots.js";
import { chipsBought, gotUp, satDown, satIn, satOut } from "../betting/cash.js";
import { left, payOut } from "../betting/pots.js";
import * as purchases from "../betting/purchases.js";
import { has } from "../betting/seats.js";
import * as stakes from "../betting/stakes.js";
import * as turns from "../betting/turns.js";
import { wishesSet } from "../betting/wishes.js";
import * as draws from "../streets/draws.js";
import * as showdown from "../streets/showdown.js";
import * as walk from "../streets/walk.js";
import { streetsOf, termsOf } from "./betting_terms.js";
import { addOnTaken, reentered } from "./entries.js";
import { isTimed, levelAt, stakesAt } from "./levels.js";
import { withStakes } from "./stakes.js";

/** @type {Handler} */
function roundStarted(state, { payload }) {
  if (state.terms.atCash.bombBlinds) state.streets = streetsOf(state.rules, state.bombPotNext);
  state.clearRound(state.streets[0]);
  state.button = payload.button ?? 0;
  if (state.table !== null || state.terms.straddle) openRound(state);
  else {
    state.live = state.seated;
    if (state.rules.blinds) {
      const { small, big } = blindSeats(state);
      state.smallBlind = small;
      state.bigBlind = big;
    }
  }
  state.round = payload.round;
  state.ante = payload.ante;
  bombPots.roundBegun(state);
  if (state.isTournament) {
    state.roundStacks = [...state.stacks];
    state.roundLevel = state.raced = state.stakesLevel;
  }
  if (state.ante > 0 && state.rules.ante.when === "before_deal") {
    state.phase = "antes";
    state.pending = state.live;
  } else antesDone(state);
}

/** @type {(state: Situation) => void} */
function antesDone(state) {
  if (state.street > 0) walk.afterDeals(state);
  else if (state.table !== null || state.posts.length > 0) state.phase = allPosted(state) ? "shuffle" : "blinds";
  else if (state.rules.blinds) {
    state.phase = "blinds";
    state.pending = blindsDue(state);
  } else state.phase = "shuffle";
}

/** @type {Handler} */
function antePosted(state, event) {
  turns.antePosted(state, event);
  if (!state.pending) antesDone(state);
}

/** @type {Handler} */
function surrendered(state, event) {
  const { seat } = event.payload;
  playerLeft(state, event);
  state.live &= ~(2 ** seat);
  if (state.onlyOneLeft && state.rules.ante.when === "after_deal") {
    state.cursor = seat;
    state.actor = state.pending = 0;
    return true;
  }
  turns.anteSettled(state, seat);
  if (!state.pending) antesDone(state);
  return false;
}

/** @type {Handler} */
function blindOrPost(state, event) {
  if ((state.posts.length > 0 ? posted : blindPosted)(state, event)) state.phase = "shuffle";
}

/** @type {Handler} */
function roundEnded(state) {
  const { hands, past, round, rules, shown } = state;
  const hidden = [...hands.keys()].filter((seat) => hands[seat] > 0 && !has(shown, seat));
  if (rules.history === "all" && hidden.length > 0) past.push({ round, seats: hidden });
  state.phase = "between";
  if (state.levels === null || isTimed(state.levels)) return;
  const level = levelAt(state.levels, round + 1);
  if (level !== state.stakesLevel) beginLevel(state, level);
}

/** @type {(state: Situation, level: number) => void} */
function beginLevel(state, level) {
  state.stakesLevel = level;
  playFor(state, stakesAt(state.rulesAtStart, state.levels, level));
}

/** @type {Handler} */
function levelBegan(state, { payload }) {
  beginLevel(state, payload.level);
}

/** @type {Handler} */
function chipsRacedOff(state, { payload }) {
  state.stacks.splice(1, state.stacks.length, ...payload.stacks);
  state.raced = state.stakesLevel;
}

/** @type {Handler} */
function playerLeft(state, event) {
  const { seat } = event.payload;
  left(state, event);
  if (state.isTournament) {
    state.exits.set(seat, [state.round, Number(state.stacks[seat]), state.roundStacks[seat] ?? 0]);
  }
}

/** @type {Handler} */
function prizesAwarded(state) {
  state.prizesAwarded = true;
}

/** @type {Handler} The last hand of a seat is nobody's any more once somebody else sits there. */
function sitsDown(state, event) {
  const { name = null, seat } = event.payload;
  if (name !== null) state.hands[seat] = 0;
  satDown(state, event);
}

/** @type {Handler} */
function handsRevealed(state) {
  state.revealed += 1;
}

/** @type {Handler} */
function stakesChanged(state, { payload }) {
  playFor(state, payload.stakes);
}

/** @type {(state: Situation, stakes: any) => void} */
function playFor(state, stakesNow) {
  state.rules = withStakes(state.rules, stakesNow);
  state.streets = streetsOf(state.rules);
  stakes.stakesChanged(state, termsOf(state.rules, state.engine, state.table, state.cashRules));
}

/** @type {Handler} */
function gameClosed(state) {
  state.closed = true;
}

/** @type {Handler} */
function gameEnded(state) {
  state.phase = "over";
}

/** @type {Readonly<Record<Phase, Readonly<Record<string, Handler>>>>} The events that each phase can take. */
export const HANDLERS = {
  between: {
    RoundStarted: roundStarted,
    PlayerLeft: playerLeft,
    PotAwarded: payOut,
    HandsRevealed: handsRevealed,
    SatDown: sitsDown,
    GotUp: gotUp,
    ChipsBought: chipsBought,
    SatOut: satOut,
    SatIn: satIn,
    PurchaseAsked: purchases.purchaseAsked,
    PurchaseAdmitted: purchases.purchaseAdmitted,
    PurchaseRefused: purchases.purchaseRefused,
    WishesSet: wishesSet,
    ToppedUp: chipsBought,
    SatOutAtBlind: satOut,
    SatInWithBlind: satIn,
    SeatFreed: gotUp,
    BombPotAnnounced: bombPots.announced,
    CardsShown: () => {},
    StakesChanged: stakesChanged,
    LevelBegan: levelBegan,
    ChipsRacedOff: chipsRacedOff,
    GameClosed: gameClosed,
    Reentered: reentered,
    AddOnTaken: addOnTaken,
    PrizesAwarded: prizesAwarded,
    GameEnded: gameEnded,
  },
  antes: { AntePosted: antePosted, PlayerLeft: surrendered },
  blinds: { BlindPosted: blindOrPost, Posted: blindOrPost },
  shuffle: { DeckShuffled: walk.deckShuffled },
  deal: { HandDealt: walk.cardsDealt },
  opener: { OpenerChosen: walk.openerChosen },
  betting: {
    Checked: turns.checked,
    Bet: turns.opened,
    Called: turns.called,
    Raised: turns.raised,
    Folded: turns.folded,
    Forfeited: turns.forfeited,
    RoundForgone: turns.forgone,
  },
  return: { UncalledBetReturned: walk.uncalledBetReturned },
  draw: { CardsDiscarded: draws.cardsDiscarded, Forfeited: draws.stoodPat, RoundForgone: draws.forgoneInDraw },
  serve: { CardsDrawn: draws.cardsDrawn, DeckReshuffled: draws.deckReshuffled },
  open: { HandsOpened: showdown.handsOpened },
  showdown: { HandShown: showdown.handShown, HandMucked: showdown.handMucked },
  rake: { RakeTaken: showdown.rakeTaken },
  award: { PotAwarded: showdown.potAwarded },
  carry: { RemainderCarried: showdown.remainderCarried },
  round_end: { RoundEnded: roundEnded },
  over: {},
};
