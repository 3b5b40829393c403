/** Problems in what the server told. */

/** Thrown only inside the verifier, which reports it as the problem of a verdict. */
export class Problem extends Error {
  /**
   * @param {Code} code
   * @param {number | null} seq
   * @param {string} sentence
   */
  constructor(code, seq, sentence) {
    super(sentence);
    this.code = code;
    this.seq = seq;
  }
}

/** @type {(event: { seq: number, type: string }, why: string) => Problem} For an event that is impossible. */
export const move = ({ seq, type }, why) => new Problem("move", seq, `Event ${seq}, ${type}, cannot be: ${why}.`);

/** @type {(event: { seq: number }, why: string) => Problem} */
export const result = ({ seq }, why) =>
  new Problem("result", seq, `The result of event ${seq} is not the one that follows: ${why}.`);

/** @type {(event: GameEvent, due: number | string) => Problem} For an event that moves chips. */
export const chips = ({ seq, payload }, due) =>
  new Problem("chips", seq, `Event ${seq} moves ${payload.amount} chips; it should move ${due}.`);

/** @type {(event: GameEvent, seat: number) => void} */
export function isFor(event, seat) {
  if (event.payload.seat !== seat) throw move(event, `it is for seat ${seat}`);
}
