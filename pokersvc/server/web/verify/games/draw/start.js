/** How a round of draw poker begins: the button, antes and blinds, and the deal. */

import { Problem } from "../../problem.js";
import { openingOf, openRound, owing, postsSettled } from "./posts.js";
import { clockwise, less, next } from "./seats.js";
import { closeBetting, startBetting } from "./streets.js";
import { HAND } from "./table.js";

/**
 * @param {Table} table
 * @param {GameEvent} event
 */
export function startRound(table, { seq, payload }) {
  const { amount, increase } = table.rules.ante;
  const expected = { ante: amount + increase * table.round, button: nextButton(table), round: table.round + 1 };
  if (payload.round !== expected.round || payload.ante !== expected.ante || payload.button !== expected.button) {
    const button = expected.button === null ? "" : ` and the button at seat ${expected.button}`;
    throw new Problem("move", seq, `Round ${expected.round} should begin with an ante of ${expected.ante}${button}.`);
  }
  table.clearRound();
  table.button = payload.button ?? 0;
  const listed = table.own || table.rules.blinds?.straddle;
  if (listed) openRound(table);
  else table.live = table.seated;
  table.round = payload.round;
  table.ante = payload.ante;
  if (!listed && table.rules.blinds) placeBlinds(table);
  if (table.ante > 0 && table.rules.ante.when === "before_deal") table.await("antes");
  else antesDone(table);
}

/**
 * Return the seat that has the button in the next round; null where there is none.
 * @param {Table} table
 */
export function nextButton(table) {
  if (!table.rules.blinds && table.rules.betting.opener !== "button") return null;
  if (table.round === 0 && table.firstButton !== null) return table.firstButton;
  const playing = table.sitting;
  const owe = table.own ? owing(table, playing) : [];
  const steady = playing.filter((seat) => !owe.includes(seat));
  const forward = next(steady, table.button);
  if (table.bigBlind === 0) return forward;
  const dead = table.rules.button_rule === "dead";
  if (playing.length === 2) return headsUpButton(table, playing, forward);
  const button = dead ? table.smallBlind : forward;
  if (table.engine < 4) return button;
  const { live, small, big } = openingOf(table, button);
  if (steady.length === 2 && live.length === 2) return headsUpButton(table, steady, forward);
  const oneHasGone = table.two.length > 0 && (big === table.bigBlind || button === small || button === big);
  return oneHasGone ? Number(clockwise(less(playing, table.bigBlind), table.bigBlind).at(-1)) : button;
}

/**
 * Return which of two players has the button: the other one has the big blind.
 * @param {Table} table
 * @param {readonly number[]} playing
 * @param {number} forward where the button would go next
 */
function headsUpButton(table, playing, forward) {
  const dead = table.rules.button_rule === "dead";
  const big = next(playing, forward);
  const moved = dead || (table.engine >= 2 && big === table.bigBlind) ? next(playing, table.bigBlind) : big;
  return next(playing, moved);
}

/** @param {Table} table */
function placeBlinds(table) {
  const headsUp = table.live.length === 2;
  if (table.rules.button_rule === "dead" && table.bigBlind > 0 && !headsUp) table.smallBlind = table.bigBlind;
  else table.smallBlind = next(table.live, table.button - (headsUp ? 1 : 0));
  table.bigBlind = next(table.live, table.smallBlind);
}

/** @param {Table} table */
function antesDone(table) {
  if (table.rules.ante.when === "after_deal" && table.holds[next(table.live, 0)]) {
    startBetting(table, 1);
  } else if (table.own || table.posts.length > 0) {
    table.phase = "blinds";
    postsSettled(table);
  } else if (table.rules.blinds) {
    table.phase = "blinds";
    table.pending = table.live.filter((seat) => seat === table.smallBlind || seat === table.bigBlind);
  } else {
    table.phase = "shuffle";
  }
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function anteSettled(table, seat) {
  table.pending = less(table.pending, seat);
  table.cursor = seat;
  if (table.pending.length === 0) antesDone(table);
}

/**
 * Return which seat posts the next blind, and how much.
 * @param {Table} table
 */
export function nextBlind(table) {
  const { small, big } = table.rules.blinds;
  const isSmall = table.pending.includes(table.smallBlind);
  const seat = isSmall ? table.smallBlind : table.bigBlind;
  return { amount: Math.min(isSmall ? small : big, table.stack(seat)), blind: isSmall ? "small" : "big", seat };
}

/**
 * @param {Table} table
 * @param {{ amount: number, blind: string, seat: number }} blind
 */
export function postBlind(table, { amount, blind, seat }) {
  table.pay(seat, amount);
  table.put[seat] = amount;
  table.cursor = seat;
  table.pending = less(table.pending, seat);
  if (blind !== "big") return;
  table.price = table.rules.blinds.big;
  table.phase = "shuffle";
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function surrender(table, seat) {
  table.live = less(table.live, seat);
  if (table.onlyOneLeft && table.rules.ante.when === "after_deal") {
    table.cursor = seat;
    closeBetting(table);
  } else {
    anteSettled(table, seat);
  }
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function dealt(table, seat) {
  table.holds[seat] = HAND;
  table.deckLeft -= HAND;
  table.pending = less(table.pending, seat);
  if (table.pending.length > 0) return;
  if (table.ante > 0 && table.rules.ante.when === "after_deal") {
    table.await("antes");
    table.cursor = 0;
  } else {
    startBetting(table, 1);
  }
}
