/** One viewer's knowledge of each hand. */

import { areCards, sameCards, strength, without } from "../../cards.js";
import { Problem } from "../../problem.js";
import { seedsOf } from "../../shuffle.js";
import { Commitments } from "../streets/commitments.js";
import { HAND } from "./betting_terms.js";
import { Redeal } from "./redeal.js";

/** @type {(seq: number, sentence: string) => Problem} */
const wrong = (seq, sentence) => new Problem("cards", seq, sentence);

/** @type {(shuffled: number) => Round} */
const newRound = (shuffled) => ({
  shuffled,
  steps: [],
  again: [],
  known: new Map(),
  shown: new Map(),
  committed: new Commitments(),
});

export class Cards {
  #seat;
  #checked;
  /** @type {Map<number, number>} Rounds by the event of their shuffle. */
  #shuffled = new Map();
  /** @type {Map<number, Round>} */
  #rounds = new Map();
  /** @type {Round} */
  #round = newRound(0);
  /** @type {number[]} Events of the viewer's own seat that came without their cards. */
  #withheld = [];

  /**
   * @param {number | null} seat the viewer's
   * @param {Checked} checked
   */
  constructor(seat, checked) {
    this.#seat = seat;
    this.#checked = checked;
  }

  /**
   * @param {GameEvent} event
   * @param {number} round
   */
  shuffle(event, round) {
    this.#shuffled.set(event.seq, round);
    this.#round = newRound(event.seq);
    this.#rounds.set(round, this.#round);
  }

  /** @param {GameEvent} event */
  deal(event) {
    const { seat } = event.payload;
    const cards = this.#step("dealt", event);
    if (cards === null) return;
    this.#round.known.set(seat, cards);
    this.#checked.hands += 1;
  }

  /** @param {GameEvent} event */
  discard(event) {
    const { seat, count } = event.payload;
    const cards = this.#step("discarded", event);
    if (count > 0) this.#round.committed.discard(seat, HAND - count);
    const hand = this.#round.known.get(seat);
    if (hand === undefined) return;
    if (cards === null) {
      this.#round.known.delete(seat);
      return;
    }
    const kept = without(hand, cards);
    if (kept.length + count !== hand.length) throw wrong(event.seq, `Event ${event.seq} discards cards not held.`);
    this.#round.known.set(seat, kept);
  }

  /** @param {GameEvent} event */
  draw(event) {
    const { seat } = event.payload;
    const cards = this.#step("drawn", event);
    const hand = this.#round.known.get(seat);
    if (hand === undefined) return;
    if (cards === null) this.#round.known.delete(seat);
    else {
      const { steps } = this.#round;
      const gone = steps.some(({ what }) => what === "reshuffled")
        ? []
        : steps.flatMap((step) => (step.what === "discarded" && step.seat === seat && step.cards) || []);
      if ([...hand, ...gone].some((card) => cards.includes(card))) {
        throw wrong(event.seq, `Event ${event.seq} draws cards that seat ${seat} has had.`);
      }
      this.#round.known.set(seat, [...hand, ...cards]);
    }
  }

  /**
   * Record an event's cards and return them, or null if they are hidden.
   * @param {"dealt" | "discarded" | "drawn"} what
   * @param {GameEvent} event
   */
  #step(what, event) {
    const { seat, count } = event.payload;
    const cards = event.secret?.cards ?? null;
    if (cards !== null && !areCards(cards, count)) {
      throw wrong(event.seq, `Event ${event.seq} must have ${count} different cards.`);
    }
    if (cards === null && seat === this.#seat) this.#withheld.push(event.seq);
    const { digests = null } = event.payload;
    if (digests !== null) this.#round.committed.deal(event);
    this.#round.steps.push({ what, seq: event.seq, seat, count, cards, digests, from: [] });
    return cards;
  }

  /**
   * @param {GameEvent} event
   * @param {number[]} from the seats whose cards make the deck
   */
  reshuffle({ seq, payload }, from) {
    const { steps, again } = this.#round;
    const discarded = steps.filter(({ what, count }) => what === "discarded" && count > 0).map(({ seat }) => seat);
    again.push(...without(from, discarded));
    const count = payload.number;
    steps.push({ what: "reshuffled", seq, seat: 0, count, cards: null, digests: null, from });
  }

  /**
   * @param {GameEvent} event
   * @param {number[]} from the seats that may open
   */
  chooseOpener({ seq, payload }, from) {
    const { seat, betting } = payload;
    this.#round.steps.push({ what: "opener", seq, seat, count: betting, cards: null, digests: null, from });
  }

  /**
   * Compare a shown hand with what is known of it, and with the other known hands.
   * @type {(seq: number, seat: number, cards: string[]) => void}
   */
  show(seq, seat, cards) {
    this.#see(this.#round, seq, seat, cards);
  }

  /** @param {GameEvent} event in which a seat shows cards by its own choice */
  showByChoice(event) {
    const { seat, cards } = event.payload;
    this.#round.committed.show(event);
    const held = this.#round.known.get(seat);
    if (held !== undefined && without(cards, held).length > 0) {
      throw wrong(event.seq, `Event ${event.seq} shows cards that seat ${seat} does not hold.`);
    }
    this.#checked.showed += cards.length;
  }

  /** @param {GameEvent} event */
  reveal({ seq, payload }) {
    const round = this.#rounds.get(payload.round);
    if (round === undefined) throw wrong(seq, `Event ${seq} reveals a round that was not dealt.`);
    for (const { seat, cards } of payload.hands) {
      if (without(round.committed.showedBy(seat), cards).length > 0) {
        throw wrong(seq, `Event ${seq} reveals a hand of seat ${seat} without the cards that it has shown.`);
      }
      this.#see(round, seq, seat, cards);
    }
  }

  /** @type {(round: Round, seq: number, seat: number, cards: string[]) => void} */
  #see(round, seq, seat, cards) {
    if (!areCards(cards, 5)) throw wrong(seq, `Event ${seq} must show five different cards.`);
    const held = round.known.get(seat);
    if (held !== undefined && (held.length === 5 ? !sameCards(held, cards) : without(held, cards).length > 0)) {
      throw wrong(seq, `Event ${seq} shows other cards of seat ${seat} than it was dealt: it held ${held.join(" ")}.`);
    }
    for (const [other, hand] of round.known) {
      const twice = other === seat || [seat, other].some((one) => round.again.includes(one)) ? [] : hand;
      const card = cards.find((one) => twice.includes(one));
      if (card) throw wrong(seq, `Event ${seq} shows ${card} in seat ${seat}'s hand, but seat ${other} holds it.`);
    }
    round.known.set(seat, cards);
    round.shown.set(seat, { seq, cards });
    this.#checked.hands += 1;
  }

  /** @param {number} seat whose hand is judged; any hand beats one that is not known */
  worth(seat) {
    const hand = this.#round.known.get(seat);
    return hand === undefined ? 0 : strength(hand);
  }

  /** @param {number} seat now held by another person, who may not see the hands of the first */
  replaced(seat) {
    if (seat === this.#seat) this.#withheld = [];
  }

  caughtUp() {
    const [first] = this.#withheld;
    if (first !== undefined) {
      throw new Problem("own_cards", first, `The cards of event ${first} are yours, and were kept from you.`);
    }
  }

  /**
   * Deal every deck again.
   * @param {ReadonlyMap<number, any>} opened
   */
  open(opened) {
    const seeds = seedsOf(opened, this.#shuffled);
    for (const round of this.#rounds.values()) {
      const seed = seeds.get(round.shuffled);
      if (seed !== undefined) new Redeal(round, seed, opened, this.#checked).run();
    }
  }
}
