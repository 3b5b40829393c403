/** The choices of a seat, decided as `decide` of `decisions.py` does, except for the limits of bets. */

import { isFor, move } from "../../problem.js";
import { decideBombPot } from "../betting/bomb_pots.js";
import * as cash from "../betting/cash.js";
import { checkAsked, decideAnswer, isAdmitted } from "../betting/purchases.js";
import { has, seatsIn } from "../betting/seats.js";
import * as turns from "../betting/turns.js";
import { decideWish } from "../betting/wishes.js";
import { mostToDiscard } from "../streets/draws.js";
import { decideAddOn, decideReenter } from "./entries.js";
import { isTimed } from "./levels.js";
import { refusedStakes } from "./stakes.js";

/** @type {(state: Situation, event: GameEvent) => Choices} */
function legal(state, event) {
  isFor(event, state.actor);
  return turns.choicesOf(state, state.actor);
}

/**
 * Return the required content of a seat's event; throw a `Problem` if the rules do not allow the event now.
 * @type {(state: Situation, event: GameEvent) => Due}
 */
export const decide = (state, event) => DECIDE[event.type]?.(state, event) ?? {};

/** @type {Decides} */
function discard(state, event) {
  legal(state, event);
  const most = mostToDiscard(state);
  if (event.payload.count > most) throw move(event, `${most} may be discarded`);
}

/** @type {Decides} */
function leave(state, event) {
  const mayLeave = !state.cash && has(state.persons & state.seated, event.payload.seat) && state.pausing;
  if (!mayLeave) throw move(event, "that seat cannot leave now");
  return { amount: 0 };
}

/** @type {Decides} */
function buy(state, event) {
  if (state.terms.atCash.approval) {
    if (!isAdmitted(state, event)) throw move(event, "the host has not admitted that");
    return {};
  }
  return { amount: bought(state, event, event.type === "SatDown", state.pausing) };
}

/** @type {(state: Situation, event: GameEvent, sits: boolean, pausing: boolean) => number} */
const bought = (state, event, sits, pausing) =>
  sits ? cash.decideSitDown(state, event, pausing) : cash.decideBuyChips(state, event, pausing);

/** @type {Decides} */
function askForChips(state, event) {
  checkAsked(state, event);
  return { amount: bought(state, event, event.payload.person !== null, state.pausing) };
}

/** @type {Decides} What was asked for must still be possible. */
function admit(state, event) {
  decideAnswer(state, event, state.pausing);
  const { seat } = event.payload;
  const asked = /** @type {Purchase} */ (state.cashSeats.asked.get(seat));
  const may = bought(state, { ...event, payload: { ...asked, seat } }, asked.person !== null, true);
  if (may !== asked.amount) throw move(event, "so many chips may not be bought any more");
}

/** @type {Decides} */
function show(state, event) {
  const { seat } = event.payload;
  const hasCards = state.hands[seat] > 0 && !(has(state.reused, seat) && !state.discarded[seat]);
  const mayShow = has(state.persons, seat) && state.pausing && hasCards && !has(state.shown, seat);
  if (!mayShow) throw move(event, "that seat cannot show cards now");
}

/** @type {Decides} */
function changeStakes(state, event) {
  const { by = null, stakes } = event.payload;
  if (!state.changeable) throw move(event, "the stakes of this game stay as they are");
  if (by !== null && !has(state.persons, by)) throw move(event, "a host is a person");
  if (!state.pausing) throw move(event, "the stakes change between two rounds");
  if (state.cash && stakes.stack < state.terms.atCash.least) throw move(event, "nobody could buy chips");
  const refused = refusedStakes(state.rules, stakes, state.cash);
  if (refused !== null) throw move(event, `no house has such a ${refused}`);
}

/** @type {Decides} An audit checks whether its time had come. */
function beginLevel(state, event) {
  const { levels, seated, stacks, stakesLevel } = state;
  const price = state.priceToStay();
  const isShort = seatsIn(seated).some((seat) => stacks[seat] < price); // who goes out first
  const may = levels !== null && isTimed(levels) && stakesLevel < levels.schedule.length && !state.ending();
  if (!may || isShort || state.chipToRace !== null) throw move(event, "no level begins now");
  return { level: stakesLevel + 1 };
}

/** @type {Decides} */
function close(state, event) {
  if ((state.ending() && !state.pausing) || state.cashSeats.admitted) throw move(event, "something else is due");
}

/** @type {Decides} */
function forgo(state, event) {
  const { seat } = event.payload;
  if (!state.actor) throw move(event, "no seat is to choose");
  if (!has(state.live, seat)) throw move(event, `seat ${seat} is not in the round`);
}

/** @type {Readonly<Record<string, Decides>>} */
const DECIDE = {
  Checked: (state, event) => turns.decideCheck(state, legal(state, event), event),
  Bet: (state, event) => ({ amount: turns.decideBet(state, legal(state, event), event) }),
  Called: (state, event) => ({ amount: turns.decideCall(state, legal(state, event)) }),
  Raised: (state, event) => ({ amount: turns.decideRaise(state, legal(state, event), event) }),
  Folded: (state, event) => turns.decideFold(state, legal(state, event), event),
  CardsDiscarded: discard,
  PlayerLeft: leave,
  GotUp: (state, event) => ({ amount: cash.decideGetUp(state, event, state.pausing) }),
  SatDown: buy,
  ChipsBought: buy,
  PurchaseAsked: askForChips,
  PurchaseAdmitted: admit,
  PurchaseRefused: (state, event) => decideAnswer(state, event, state.pausing),
  WishesSet: (state, event) => decideWish(state, event, state.pausing),
  SatOut: (state, event) => cash.decideSitOut(state, event, state.pausing),
  SatIn: (state, event) => cash.decideSitIn(state, event, state.pausing),
  BombPotAnnounced: (state, event) => decideBombPot(state, event, state.pausing),
  CardsShown: show,
  StakesChanged: changeStakes,
  LevelBegan: beginLevel,
  Reentered: decideReenter,
  AddOnTaken: decideAddOn,
  GameClosed: close,
  Forfeited: (state, event) => void legal(state, event),
  RoundForgone: forgo,
};

/** @type {(event: GameEvent) => boolean} Whether it is somebody's choice, not the dealer's. */
export const isChosen = ({ type, payload: { by_rule, reason } }) =>
  type in DECIDE && !by_rule && !(reason === "short" && (type === "Folded" || type === "PlayerLeft"));
