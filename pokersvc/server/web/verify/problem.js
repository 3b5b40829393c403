/** What is wrong with what the server told. */

/**
 * @typedef {"not_a_record" | "other_game" | "missing" | "repeated" | "command_order" | "moment" | "salt" | "secret"
 *   | "hash" | "other_story" | "shorter" | "own_cards" | "cards" | "chips" | "move" | "result" | "seeds" | "deck" | "shares"
 *   | "clock"} Code
 */

/** Raised inside the verifier, and told by it as the problem of a verdict: it never leaves it. */
export class Problem extends Error {
  /**
   * @param {Code} code
   * @param {number | null} seq of the event, if it is about one
   * @param {string} sentence what was found, and what would be right
   */
  constructor(code, seq, sentence) {
    super(sentence);
    this.code = code;
    this.seq = seq;
  }
}
