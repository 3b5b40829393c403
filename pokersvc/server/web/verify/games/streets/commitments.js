/** The salted digests of single cards, which commit the dealer to each card of a hand so that one can be shown alone. */

import { fromHex, Message, toHex } from "../../bytes.js";
import { sha256 } from "../../chain.js";
import { Problem } from "../../problem.js";

const CARD = "pokersvc/card/1\0";
const message = new Message();

/** @type {(salt: string, card: string) => string} The digest that commits to a card, both in hexadecimal. */
export const cardDigest = (salt, card) =>
  toHex(sha256(message.begin().text(CARD).bytes(fromHex(salt)).text(card).end()));

/** @type {(seq: number, sentence: string) => Problem} */
const wrong = (seq, sentence) => new Problem("cards", seq, sentence);

/** What each seat was dealt in a round, by its digests, and the cards that it has shown by its own choice. */
export class Commitments {
  /** @type {Map<number, { digests: string[], held: number }[]>} Of each deal, how many of its cards are still held. */
  #dealt = new Map();
  /** @type {Map<number, Map<string, string>>} */
  #showed = new Map();

  /** @param {GameEvent} event that deals cards to a seat */
  deal({ seq, payload: { seat, count, digests }, secret }) {
    if (digests.length !== count)
      throw wrong(seq, `Event ${seq} deals ${count} cards and has ${digests.length} digests.`);
    if (secret !== null) {
      const { cards, salts } = secret;
      const fits =
        salts.length === count &&
        digests.every(
          (/** @type {string} */ one, /** @type {number} */ at) => one === cardDigest(salts[at], cards[at]),
        );
      if (!fits) throw wrong(seq, `Event ${seq} has digests of other cards than it deals.`);
    }
    this.#dealt.set(seat, [...(this.#dealt.get(seat) ?? []), { digests, held: count }]);
  }

  /** @type {(seat: number, held: number) => void} After a discard it is not known which of the cards are held. */
  discard(seat, held) {
    const digests = (this.#dealt.get(seat) ?? []).flatMap((one) => one.digests);
    this.#dealt.set(seat, [{ digests, held }]);
  }

  /**
   * Check cards that a seat shows, and return all that it has shown.
   * @param {GameEvent} event
   */
  show({ seq, payload: { seat, cards, salts } }) {
    const before = this.#showed.get(seat) ?? new Map();
    if (cards.length === 0 || salts.length !== cards.length || new Set(cards).size !== cards.length) {
      throw wrong(seq, `Event ${seq} must show different cards, with a salt for each.`);
    }
    const showed = new Map(before);
    for (const [at, card] of cards.entries()) {
      if ([...before.values()].includes(card)) throw wrong(seq, `Event ${seq} shows ${card}, which was shown before.`);
      showed.set(cardDigest(salts[at], card), card);
    }
    const dealt = this.#dealt.get(seat) ?? [];
    const all = new Set(dealt.flatMap(({ digests }) => digests));
    const known = [...showed.keys()].every((digest) => all.has(digest));
    const held = dealt.every((one) => one.digests.filter((digest) => showed.has(digest)).length <= one.held);
    if (!known) throw wrong(seq, `Event ${seq} shows a card that seat ${seat} was not dealt.`);
    if (!held) throw wrong(seq, `Event ${seq} shows more cards of a deal than seat ${seat} has kept.`);
    this.#showed.set(seat, showed);
  }

  /** @type {(seat: number) => string[]} The cards that a seat has shown by its own choice. */
  showedBy = (seat) => [...(this.#showed.get(seat)?.values() ?? [])];
}
