/** The Poker Market: everybody sees all hands. Once the seeds are open, every deal is compared with its deck. */

import { areCards, FRESH_DECK, sameCards, strength, without } from "../cards.js";
import { move, Problem, result } from "../problem.js";
import { seedsOf, shuffle } from "../shuffle.js";
import { counted } from "../verdict.js";

const HAND = 5;
const CHOICES = [
  "SwapProposed",
  "TurnPassed",
  "SwapAccepted",
  "SwapDeclined",
  "Forfeited",
  "RoundForgone",
  "GameClosed",
];

/** @implements {Rulebook} */
export class PokerMarket {
  hasDecks = true;
  #checked;
  #rules;
  #players;
  /** @type {Map<number, number>} Markets by the event of their shuffle. */
  #shuffled = new Map();
  /** @type {Map<number, { seq: number, cards: string[] }>} The cards that were dealt, by the event of the shuffle. */
  #dealt = new Map();
  #shuffle = 0;
  #market = 0;
  #round = 0;
  /** @type {number[]} The seats in the order of turns, without those that are out of the market. */
  #order = [];
  /** The number of seats that have had their turn in this round. */
  #turns = 0;
  /** @type {string[][]} By seat; place 0 is not used. */
  #hands = [];
  /** @type {any} The proposal that waits for an answer. */
  #proposal = null;
  /** @type {number[]} */
  #points;
  /** @type {"shuffle" | "deal" | "turns" | "over"} */
  #phase = "shuffle";
  #closed = false;

  /** @type {Readonly<Record<string, (event: GameEvent) => void>>} */
  #handlers = {
    DeckShuffled: (event) => this.#deckShuffled(event),
    HandsDealt: (event) => this.#handsDealt(event),
    SwapProposed: (event) => this.#proposed(event),
    SwapAccepted: (event) => this.#answered(event),
    SwapDeclined: (event) => this.#answered(event),
    TurnPassed: (event) => this.#passed(event),
    Forfeited: (event) => (this.#proposal === null ? this.#passed(event) : this.#answered(event)),
    RoundForgone: (event) => this.#forgo(event),
    RoundEnded: (event) => this.#roundEnded(event),
    GameClosed: (event) => this.#close(event),
    HandsRanked: (event) => this.#ranked(event),
    GameEnded: (event) => this.#end(event),
  };

  /**
   * @param {GameEvent} started
   * @param {number | null} _seat
   * @param {Checked} checked
   */
  constructor({ payload }, _seat, checked) {
    this.#checked = checked;
    this.#rules = payload.rules;
    this.#players = payload.seats.length;
    this.#points = new Array(this.#players).fill(0);
  }

  get standing() {
    const seat = this.#proposal === null ? this.#order[this.#turns] : this.#proposal.partner;
    const chooses = this.#phase === "turns" && !this.#closed && seat !== undefined;
    return {
      awaited: chooses ? [seat] : [],
      chosen: (/** @type {GameEvent} */ { type }) => CHOICES.includes(type),
      dealt: this.#order,
      pausing: false,
      dealsTo: this.#phase === "shuffle" ? Array.from({ length: this.#players }, (_, seat) => seat + 1) : null,
    };
  }

  /** @param {GameEvent} event */
  take(event) {
    const handler = this.#handlers[event.type];
    if (handler === undefined) return false;
    handler(event);
    return true;
  }

  replaced() {}
  caughtUp() {}

  /**
   * Deal every deck again.
   * @param {ReadonlyMap<number, any>} opened
   */
  open(opened) {
    for (const [seq, seed] of seedsOf(opened, this.#shuffled)) {
      const dealt = this.#dealt.get(seq);
      if (dealt !== undefined && !sameCards(shuffle(FRESH_DECK, seed).slice(0, dealt.cards.length), dealt.cards)) {
        throw new Problem("deck", dealt.seq, `Other cards were dealt in event ${dealt.seq} than its deck had.`);
      }
      this.#checked.decks += 1;
      this.#checked.cards += dealt?.cards.length ?? 0;
    }
  }

  /** @param {Readonly<Checked>} checked */
  checks(checked) {
    const { moves, results, decks, cards } = checked;
    const checks = moves > 0 ? [`${counted(moves, "turn")} and every swap, on hands of the verifier's own.`] : [];
    if (results > 0) checks.push("Rankings, points and winners, from the hands.");
    if (decks > 0) checks.push(`${counted(decks, "deck")} dealt again from the seeds: ${counted(cards, "card")}.`);
    return checks;
  }

  unseen() {
    return [];
  }

  /** @param {GameEvent} event */
  #deckShuffled({ seq, type, payload }) {
    if (this.#phase !== "shuffle" || payload.market !== this.#market + 1) {
      throw new Problem("move", seq, `Event ${seq}, ${type}, cannot be: market ${this.#market} is not over.`);
    }
    this.#market = payload.market;
    this.#shuffle = seq;
    this.#shuffled.set(seq, this.#market);
    const first = (this.#market - 1) % this.#players;
    this.#order = Array.from({ length: this.#players }, (_, turn) => ((first + turn) % this.#players) + 1);
    this.#phase = "deal";
  }

  /** @param {GameEvent} event */
  #handsDealt(event) {
    /** @type {Hand[]} */
    const hands = event.payload.hands;
    const cards = hands.flatMap((hand) => hand.cards);
    const seats = hands.map((hand) => hand.seat);
    const right =
      this.#phase === "deal" && event.payload.market === this.#market && seats.join() === this.#order.join();
    if (!right || !hands.every((hand) => areCards(hand.cards, HAND)) || !areCards(cards, HAND * this.#players)) {
      throw new Problem(
        "cards",
        event.seq,
        `Event ${event.seq} does not deal five different cards to each seat in turn.`,
      );
    }
    this.#hands = [];
    for (const hand of hands) this.#hands[hand.seat] = [...hand.cards];
    this.#dealt.set(this.#shuffle, { seq: event.seq, cards });
    this.#checked.hands += hands.length;
    this.#round = (this.#market - 1) * this.#rules.rounds + 1;
    this.#turns = 0;
    this.#phase = "turns";
  }

  /** @param {GameEvent} event */
  #inTurn(event) {
    const seat = this.#proposal === null ? this.#order[this.#turns] : this.#proposal.partner;
    if (this.#phase !== "turns" || this.#over || seat !== event.payload.seat) {
      throw move(event, `seat ${seat ?? 0} is to act`);
    }
  }

  /** @param {GameEvent} event */
  #proposed(event) {
    if (this.#proposal !== null) throw move(event, "a proposal waits for its answer");
    this.#inTurn(event);
    const { seat, gives, partner, gets } = event.payload;
    const held = this.#hands[seat]?.includes(gives) && this.#hands[partner]?.includes(gets);
    const here = this.#order.includes(partner);
    if (!held || !here || partner === seat) throw move(event, `${gives} and ${gets} are not in these hands`);
    this.#proposal = event.payload;
  }

  /** @param {GameEvent} event */
  #answered(event) {
    if (this.#proposal === null) throw move(event, "nothing was proposed");
    this.#inTurn(event);
    if (event.type === "SwapAccepted") {
      const { seat, gives, partner, gets } = this.#proposal;
      this.#replace(seat, gives, gets);
      this.#replace(partner, gets, gives);
    }
    this.#endTurn();
  }

  /** @type {(seat: number, gone: string, come: string) => void} */
  #replace(seat, gone, come) {
    this.#hands[seat] = (this.#hands[seat] ?? []).map((card) => (card === gone ? come : card));
  }

  /** @param {GameEvent} event */
  #passed(event) {
    if (this.#proposal !== null) throw move(event, "a proposal waits for its answer");
    this.#inTurn(event);
    this.#endTurn();
  }

  /**
   * Take a seat out of the market: a proposal by it or to it is void, and nobody trades if only one seat is left.
   * @param {GameEvent} event
   */
  #forgo(event) {
    const { seat } = event.payload;
    const place = this.#order.indexOf(seat);
    if (this.#phase !== "turns" || this.#over) throw move(event, "no seat is to choose");
    if (place < 0) throw move(event, `seat ${seat} is not in the market`);
    const answers = this.#proposal?.partner === seat;
    this.#order = without(this.#order, [seat]);
    if (place === this.#turns || this.#order.length < 2) this.#proposal = null;
    if (place < this.#turns) this.#turns -= 1;
    if (answers && this.#order.length > 1) this.#endTurn();
  }

  #endTurn() {
    this.#proposal = null;
    this.#turns += 1;
    this.#checked.moves += 1;
  }

  /** Whether no seat has a choice left in this round. */
  get #over() {
    return this.#closed || this.#order.length < 2 || this.#turns === this.#order.length;
  }

  get #roundsOver() {
    const last = this.#round === this.#market * this.#rules.rounds && this.#turns === this.#order.length;
    return last || this.#order.length < 2;
  }

  /** @param {GameEvent} event */
  #roundEnded(event) {
    const { market, round } = event.payload;
    const over = this.#phase === "turns" && this.#order.length > 1 && this.#turns === this.#order.length;
    if (!over || market !== this.#market || round !== this.#round) throw move(event, "the round is not over");
    if (this.#roundsOver) return;
    this.#round += 1;
    this.#turns = 0;
  }

  /** @param {GameEvent} event */
  #close(event) {
    if (this.#phase === "shuffle") {
      this.#phase = "over"; // before a deck, while shares are awaited
      return;
    }
    if (this.#phase !== "turns" || this.#over || this.#turns > 0 || this.#proposal !== null) {
      throw move(event, "a round is on");
    }
    this.#closed = true;
  }

  /** @param {GameEvent} event */
  #ranked(event) {
    if (this.#phase !== "turns" || !(this.#closed || this.#roundsOver)) throw move(event, "the market is not over");
    const turn = (/** @type {number} */ seat) => this.#order.indexOf(seat);
    const worth = (/** @type {number} */ seat) => strength(this.#hands[seat] ?? []);
    const best = [...this.#order].sort((a, b) => worth(b) - worth(a) || turn(b) - turn(a));
    /** @type {Hand[]} */
    const hands = event.payload.hands;
    const right = hands.every(
      (hand, above) =>
        hand.seat === best[above] &&
        hand.points === best.length - above &&
        sameCards(hand.cards, this.#hands[hand.seat] ?? []),
    );
    if (!right || hands.length !== best.length || event.payload.market !== this.#market) {
      throw result(event, `the hands are, from the best, those of the seats ${best.join(", ")}`);
    }
    for (const [above, seat] of best.entries()) {
      this.#points[seat - 1] = Number(this.#points[seat - 1]) + best.length - above;
    }
    this.#checked.results += 1;
    this.#phase = this.#closed || this.#market === this.#rules.markets ? "over" : "shuffle";
  }

  /** @param {GameEvent} event */
  #end(event) {
    const { scores, winners } = event.payload;
    const most = Math.max(...this.#points);
    const best = this.#points.flatMap((points, at) => (points === most ? [at + 1] : []));
    if (this.#phase !== "over" || scores.join() !== this.#points.join() || winners.join() !== best.join()) {
      throw result(event, `the points are ${this.#points.join(", ")}`);
    }
    this.#checked.results += 1;
  }
}
