/** Where a game of draw poker stands, for a table that shuffles together: to whom the next deck is dealt, and who chooses. */

import { openingOf } from "./posts.js";
import { clockwise, less } from "./seats.js";
import { nextButton } from "./start.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../rulebook.js").GameEvent} GameEvent */

const CHOICES = ["Checked", "Bet", "Called", "Raised", "CardsDiscarded", "Forfeited", "RoundForgone", "GameClosed"];

/**
 * @param {Table} table
 * @param {number | null} rounds how many the game was started for
 * @returns {import("../rulebook.js").Standing}
 */
export const standingOf = (table, rounds) => ({
  awaited: table.actor > 0 ? [table.actor] : [],
  chosen,
  dealt: table.live,
  seated: table.seated,
  get dealsTo() {
    return dealsTo(table, rounds);
  },
});

/** @param {GameEvent} event */
function chosen({ type, payload }) {
  if (type === "Folded") return payload.reason === "chosen";
  return type === "PlayerLeft" ? payload.reason === "withdrew" : CHOICES.includes(type);
}

/** @type {(table: Table, rounds: number | null) => number[] | null} */
function dealsTo(table, rounds) {
  if (table.phase !== "between" || table.closed || (rounds !== null && table.round >= rounds)) return null;
  const { ante } = table.rules;
  const price = table.priceToStay;
  const due = ante.amount + ante.increase * table.round;
  const staying = table.cash ? table.sitting : table.seated;
  const able = table.seated.filter((seat) => !table.out.includes(seat) && table.stack(seat) >= Math.max(price, 1));
  if (staying.some((seat) => table.stack(seat) < price) || able.length < 2) return null;
  let dealt = table.own ? openingOf(table, nextButton(table) ?? 0).live : table.seated;
  if (ante.short !== "surrender") return dealt;
  for (const seat of clockwise(dealt, nextButton(table) ?? 0)) {
    if (table.stack(seat) < due && dealt.length > 1) dealt = less(dealt, seat); // who is left alone wins
  }
  return dealt;
}
