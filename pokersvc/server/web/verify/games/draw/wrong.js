/** What is said of an event that cannot be. */

import { Problem } from "../../problem.js";

/** @typedef {import("../rulebook.js").GameEvent} GameEvent */

/** @type {(event: GameEvent, why: string) => Problem} */
export const move = ({ seq, type }, why) => new Problem("move", seq, `Event ${seq}, ${type}, cannot be: ${why}.`);
/** @type {(event: GameEvent, why: string) => Problem} */
export const result = ({ seq }, why) =>
  new Problem("result", seq, `The result of event ${seq} is not the one that follows: ${why}.`);
