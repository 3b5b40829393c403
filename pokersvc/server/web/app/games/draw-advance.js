/**
 * Choices in advance, which are kept only in the memory of this page until the person's turn comes.
 *
 * Each choice is decided on the log as this page has checked it, never on what the server says about the game.
 */

/** @typedef {"check_fold" | "check" | "call" | "call_any" | "pat"} AdvanceKind */
/** @typedef {{kind: AdvanceKind, at: string, price: number}} Advance */

/**
 * Milliseconds between the turn and sending the choice: the same range for every choice. A quick person takes as long,
 * even to fold: 400 ms until buttons can be pressed, and a second in which the fold can be taken back.
 */
export const DELAY = [1400, 2600];

/** @type {() => number} A delay that does not depend on the choice, from a generator that cannot be predicted. */
export function drawnDelay() {
  const [least = 0, most = 0] = DELAY;
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return least + ((most - least) * drawn) / 2 ** 32;
}

/** The betting round or the draw in which a choice is made. @param {Facing} facing */
const momentOf = ({ round, street, drawing }) => `${round}.${street}.${drawing}`;

/**
 * Return what can be chosen in advance by a seat that waits for its turn.
 * @param {Facing | null} facing
 * @returns {AdvanceKind[]}
 */
export function offeredInAdvance(facing) {
  if (facing === null || facing.turn) return [];
  if (facing.drawing) return facing.pending ? ["pat"] : [];
  if (!facing.pending) return ["check_fold", "call_any"]; // the turn comes back only after a raise
  return ["check_fold", facing.call > 0 ? "call" : "check", "call_any"];
}

/** @type {(kind: AdvanceKind, facing: Facing) => Advance} */
export const inAdvance = (kind, facing) => ({ at: momentOf(facing), kind, price: facing.price });

/**
 * Return why a choice in advance is no longer valid: "" if its betting round, its draw or the hand is over, a sentence
 * if it is dropped, null if it is still valid.
 * @param {Advance} choice
 * @param {Facing | null} facing
 */
export function dropped({ kind, at, price }, facing) {
  if (facing === null || momentOf(facing) !== at) return "";
  if (kind === "check" && facing.call > 0) return "There is a bet: your check in advance was dropped.";
  if (kind === "call" && facing.price !== price) return "The price has changed: your call in advance was dropped.";
  return null;
}

/**
 * Return the action that a choice in advance means now, in the seat's turn; null if the rules do not allow it.
 * @param {Advance} choice
 * @param {Facing} facing
 * @returns {GameAction | null}
 */
export function actionOf({ kind }, facing) {
  const { call, check, drawing, fold } = facing;
  if (kind === "pat") return drawing ? { cards: [], type: "Discard" } : null;
  if (drawing) return null;
  const calls = call > 0 ? { type: "Call" } : null;
  if (kind === "call") return calls;
  if (kind === "check_fold" && !check) return fold ? { type: "Fold" } : null;
  return kind === "call_any" && calls ? calls : check ? { type: "Check" } : null;
}

/**
 * Return whether the server offers an action that the checked log allows: if the two differ, the person decides.
 * @param {GameAction} action
 * @param {any} legal
 * @param {Facing} facing
 */
export function isOffered({ type }, legal, facing) {
  if (type === "Discard") return legal.discard !== null;
  if (type === "Call") return legal.call === facing.call;
  return legal[type.toLowerCase()] === true;
}
