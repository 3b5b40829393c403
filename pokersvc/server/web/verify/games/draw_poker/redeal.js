import { FRESH_DECK, numberOf, sameCards, without } from "../../cards.js";
import { Problem } from "../../problem.js";
import { saltsOf, shuffle } from "../../shuffle.js";
import { cardDigest } from "../streets/commitments.js";
import { byChance } from "../streets/openers.js";
import { HAND } from "./betting_terms.js";

/** One round, dealt again from its seed and compared with every card that was seen of it. */
export class Redeal {
  #round;
  #seed;
  #opened;
  #checked;
  /** @type {string[] | null} The rest of the deck; null if it was made of hidden cards. */
  #deck;
  /** @type {string[]} The salts of the rest of the deck, card by card. */
  #salts;
  /** Whether a card that was seen is compared with this deck; only then does the deck count as checked. */
  #compared = false;
  /** @type {string[]} The cards that the deck may contain, if it is not known. */
  #possible = [];
  /** @type {Map<number, Redealt>} */
  #hands = new Map();

  /**
   * @param {Round} round
   * @param {Uint8Array} seed
   * @param {ReadonlyMap<number, any>} opened
   * @param {Checked} checked
   */
  constructor(round, seed, opened, checked) {
    this.#round = round;
    this.#seed = seed;
    this.#opened = opened;
    this.#checked = checked;
    this.#deck = shuffle(FRESH_DECK, seed);
    this.#salts = saltsOf(seed, "deck", FRESH_DECK.length);
  }

  run() {
    for (const step of this.#round.steps) {
      if (step.what === "opener") this.#opener(step);
      else if (step.what === "reshuffled") this.#reshuffle(step);
      else if (step.what === "discarded") this.#discard(step);
      else if (step.what === "drawn") this.#draw(step);
      else {
        const dealt = this.#take(step).filter(isCard);
        this.#hands.set(step.seat, { dealt, out: [], discarded: 0, drawn: [], again: false });
      }
    }
    for (const [seat, { seq, cards }] of this.#round.shown) this.#compareShown(seat, seq, cards);
  }

  /** @param {number} seat */
  #hand(seat) {
    const hand = this.#hands.get(seat);
    if (hand === undefined) throw new Problem("deck", this.#round.shuffled, `Seat ${seat} was dealt no hand.`);
    return hand;
  }

  /**
   * Return an event's cards from the deck, null for those that cannot be known; compare them with those that were seen.
   * @param {Step} step
   * @returns {(string | null)[]}
   */
  #take({ seq, cards, count, digests }) {
    const seen = cards ?? this.#opened.get(seq)?.cards ?? null;
    const given = this.#deck?.splice(0, count) ?? null;
    const salts = this.#salts.splice(0, count);
    if (
      given !== null &&
      digests !== null &&
      given.some((card, at) => cardDigest(salts[at] ?? "", card) !== digests[at])
    ) {
      throw new Problem("deck", seq, `Event ${seq} has other digests than those of the cards of its deck.`);
    }
    const fits =
      given === null ? (seen ?? []).every((/** @type {string} */ card) => this.#possible.includes(card)) : true;
    if (!fits || (given !== null && seen !== null && !sameCards(given, seen))) {
      const had = given === null ? "its deck cannot have had them" : `its deck had ${given.join(" ")}`;
      throw new Problem("deck", seq, `Event ${seq} dealt ${(seen ?? []).join(" ")}, but ${had}.`);
    }
    if (seen !== null) this.#count(seen.length);
    return given ?? seen ?? new Array(count).fill(null);
  }

  /** @param {Step} step */
  #opener({ seq, seat, count, from }) {
    const chosen = byChance(this.#seed, count, from);
    if (chosen !== seat) {
      throw new Problem("deck", seq, `Event ${seq} lets seat ${seat} open, but the seed chose seat ${chosen}.`);
    }
  }

  /** @param {Step} step */
  #discard({ seq, seat, count, cards }) {
    const hand = this.#hand(seat);
    const shown = this.#round.shown.get(seat)?.cards;
    const gone = shown && without(hand.dealt, shown);
    const known = cards ?? this.#opened.get(seq)?.cards ?? (gone?.length === count ? gone : null); // may be drawn again
    hand.discarded = count;
    hand.out = count === hand.dealt.length ? hand.dealt : known;
  }

  /** @param {Step} step */
  #draw(step) {
    this.#hand(step.seat).drawn.push(...this.#take(step));
  }

  /** @param {Step} step */
  #reshuffle({ count, from }) {
    const parts = from.map((seat) => {
      const hand = this.#hand(seat);
      const { dealt, out, discarded } = hand;
      hand.again = hand.drawn.length < discarded;
      return { known: discarded > 0 ? out : dealt, dealt };
    });
    this.#possible = parts.flatMap(({ known, dealt }) => known ?? dealt);
    if (parts.some(({ known }) => known === null)) {
      this.#deck = null;
      this.#compared = false;
      return;
    }
    const cards = this.#possible.sort((a, b) => numberOf(a) - numberOf(b));
    this.#deck = shuffle(cards, this.#seed, `reshuffle/${count}`);
    this.#salts = saltsOf(this.#seed, `reshuffle/${count}`, cards.length);
    this.#compared = false;
  }

  /** @type {(seat: number, seq: number, cards: string[]) => void} */
  #compareShown(seat, seq, cards) {
    const { dealt, discarded, drawn, again } = this.#hand(seat);
    const known = drawn.filter(isCard);
    const kept = dealt.filter((card) => cards.slice(0, HAND - discarded).includes(card));
    const inOrder = [...kept, ...drawn].every((card, at) => card === null || card === cards[at]);
    const came = without(cards, dealt).length + known.filter((card) => dealt.includes(card)).length;
    const hidden = again ? drawn.length - known.length : 0; // they may be the seat's own discards
    if (came > discarded || came < discarded - hidden || without(known, cards).length > 0 || !inOrder) {
      const had = [...dealt, ...known].join(" ");
      throw new Problem("deck", seq, `Seat ${seat} showed ${cards.join(" ")}, but its deck gave it ${had}.`);
    }
    this.#count(cards.length);
  }

  /** @param {number} cards that were compared with the deck */
  #count(cards) {
    this.#checked.cards += cards;
    if (this.#compared || cards === 0) return;
    this.#checked[this.#deck === null ? "decksInPart" : "decks"] += 1;
    this.#compared = true;
  }
}

/** @type {(card: string | null) => card is string} */
const isCard = (card) => card !== null;
