/** What is wrong with what the server told. */

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

/** @type {(event: { seq: number, type: string }, why: string) => Problem} Of an event that cannot be. */
export const move = ({ seq, type }, why) => new Problem("move", seq, `Event ${seq}, ${type}, cannot be: ${why}.`);

/** @type {(event: { seq: number }, why: string) => Problem} */
export const result = ({ seq }, why) =>
  new Problem("result", seq, `The result of event ${seq} is not the one that follows: ${why}.`);
