/** Draw poker: the rules of `pokersvc/` `games/draw_poker/`, `streets/` and `betting/`, written a second time on purpose. */

import { chips, isFor, move, result } from "../../problem.js";
import { counted } from "../../verdict.js";
import { seatsIn } from "../betting/seats.js";
import { outOfPlaySeats } from "../streets/state.js";
import { bettingOver } from "../streets/walk.js";
import { HANDLERS } from "./apply.js";
import { Cards } from "./cards.js";
import { DEALER, dealsTo } from "./dealer.js";
import { decide, isChosen } from "./decisions.js";
import { facing } from "./facing.js";
import { Situation } from "./situation.js";

const TYPES = new Set(Object.values(HANDLERS).flatMap(Object.keys));
/** Choices of a seat in its turn. */
const MOVES = ["Checked", "Bet", "Called", "Raised", "Folded", "Forfeited", "CardsDiscarded"];
/** Fields that only the result of a round or of the game has. */
const RESULTS = ["shares", "stacks", "winners", "places", "prices", "prizes"];

/** @implements {Rulebook} */
export class DrawPoker {
  hasDecks = true;
  #checked;
  #state;
  #cards;

  /**
   * @param {GameEvent} started
   * @param {number | null} seat
   * @param {Checked} checked
   */
  constructor(started, seat, checked) {
    this.#checked = checked;
    this.#state = new Situation(started);
    this.#cards = new Cards(seat, checked);
  }

  get standing() {
    const state = this.#state;
    return {
      awaited: state.actor ? [state.actor] : [],
      chosen: isChosen,
      dealt: seatsIn(state.live),
      pausing: state.pausing,
      seated: seatsIn(state.seated),
      get dealsTo() {
        return dealsTo(state);
      },
    };
  }

  /** @param {number} seat */
  facing(seat) {
    return facing(this.#state, seat);
  }

  /** @param {GameEvent} event */
  take(event) {
    const { type, payload } = event;
    if (!TYPES.has(type)) return false;
    const state = this.#state;
    const handler = HANDLERS[state.phase][type];
    if (handler === undefined || isDealtOtherwise(event, state)) throw move(event, "something else is due");
    const isChoice = isChosen(event);
    expect(event, isChoice ? decide(state, event) : DEALER[state.phase]?.(state, event, this.#cards));
    this.#see(event);
    if (handler(state, event)) bettingOver(state);
    if (isChoice && MOVES.includes(type)) this.#checked.moves += 1;
    if (payload.shares || type === "GameEnded") this.#checked.results += 1;
    this.#checked.chips += payload.shares?.length ?? (payload.amount === undefined ? 0 : 1);
    return true;
  }

  /** @param {GameEvent} event whose cards are checked, and kept */
  #see(event) {
    const { seq, type, payload } = event;
    const state = this.#state;
    const cards = this.#cards;
    if (type === "DeckShuffled") cards.shuffle(event, state.round);
    else if (type === "HandDealt") cards.deal(event);
    else if (type === "OpenerChosen") cards.chooseOpener(event, seatsIn(state.pending));
    else if (type === "CardsDiscarded") cards.discard(event);
    else if (type === "CardsDrawn") cards.draw(event);
    else if (type === "DeckReshuffled") cards.reshuffle(event, seatsIn(outOfPlaySeats(state)));
    else if (type === "HandsOpened") for (const hand of payload.hands) cards.show(seq, hand.seat, hand.cards);
    else if (type === "HandsRevealed") cards.reveal(event);
    else if (type === "CardsShown") cards.showByChoice(event);
  }

  /** @param {ReadonlyMap<number, any>} opened */
  open(opened) {
    this.#cards.open(opened);
  }

  /** @param {number} seat */
  replaced(seat) {
    this.#cards.replaced(seat);
  }

  caughtUp() {
    this.#cards.caughtUp();
  }

  /** @param {Readonly<Checked>} checked */
  checks(checked) {
    const { chips, moves, results, hands, showed, decks, decksInPart, cards } = checked;
    const checks = [];
    if (chips > 0)
      checks.push(
        `${counted(chips, "movement")} of chips: antes, blinds, bets and payouts, on stacks of the verifier's own.`,
      );
    if (moves > 0) checks.push(`${counted(moves, "choice")}, each in turn.`);
    if (hands > 0)
      checks.push(`${counted(hands, "hand")} in sight: five different cards, and the same whenever shown.`);
    if (showed > 0)
      checks.push(`${counted(showed, "card")} that people showed: dealt to them, by the digests in the log.`);
    if (results > 0) checks.push("Who won each pot, and how much, from the hands that were shown.");
    if (decks > 0)
      checks.push(`${counted(decks, "deck")} dealt again from the seeds: ${counted(cards, "card")} compared.`);
    if (decksInPart > 0) checks.push(`${counted(decksInPart, "deck")} of hidden discards, as far as they were shown.`);
    return checks;
  }

  unseen() {
    const unseen = ["Whether each bet kept to the limits of its house: `pokersvc verify` checks that."];
    if (this.#checked.showed > 0) unseen.push("Whether a card that somebody showed had been thrown away before.");
    return unseen;
  }
}

/** @type {(event: GameEvent, state: Situation) => boolean} Whether cards are dealt or shown as in other games. */
function isDealtOtherwise({ type, version }, { commits }) {
  if (type === "HandDealt" || type === "CardsDrawn") return version > 1 !== commits;
  return type === "CardsShown" && !commits;
}

/**
 * Compare an event with the one that is due, field by field.
 * @type {(event: GameEvent, due: Due) => void}
 */
function expect(event, { seat = event.payload.seat, type = event.type, ...fields } = {}) {
  isFor(event, seat);
  if (event.type !== type) throw move(event, "something else is due");
  for (const [field, value] of Object.entries(fields)) {
    const { payload } = event;
    const said = field === "seats" ? payload.hands.map((/** @type {Hand} */ hand) => hand.seat) : payload[field];
    if (written(said) === written(value)) continue;
    if (field === "amount") throw chips(event, value);
    const wrong = type === "PotAwarded" || RESULTS.includes(field) ? result : move;
    throw wrong(event, `its ${field} should be ${written(value)}`);
  }
}

/** @type {(value: any) => string} */
const written = (value) =>
  Array.isArray(value)
    ? value.map(written).join(", ")
    : value?.seat === undefined
      ? `${value ?? "none"}`
      : `${value.amount} to seat ${value.seat}`;
