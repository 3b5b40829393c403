import { has } from "../betting/seats.js";
import { choicesOf } from "../betting/turns.js";

/**
 * Return what a seat faces, in its turn or before it: in a betting round or a draw that it takes part in, else null.
 * @type {(state: Situation, seat: number) => Facing | null}
 */
export function facing(state, seat) {
  const { actor, allIn, live, pending, phase, price, round, street } = state;
  const drawing = phase === "draw" || phase === "serve";
  if (!has(live, seat) || (!drawing && (phase !== "betting" || has(allIn, seat)))) return null;
  const { check, fold, call } = drawing ? NOTHING : choicesOf(state, seat);
  return { call, check, drawing, fold, pending: has(pending, seat), price, round, street, turn: actor === seat };
}

const NOTHING = { call: 0, check: false, fold: false };
