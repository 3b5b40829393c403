/** The draw: cards discarded and drawn, and new decks of the cards that are out of play. */

import { less, next } from "./seats.js";
import { afterDraw } from "./streets.js";
import { DECK, HAND } from "./table.js";

/** @type {(table: Table, seat: number, count: number) => void} */
export function discards(table, seat, count) {
  table.holds[seat] = Number(table.holds[seat]) - count;
  table.discarded[seat] = count;
  if (count > 0 && table.rules.draw === "together") {
    table.unserved = [...table.unserved, seat];
    standsPat(table, seat);
  } else if (count > 0) {
    serves(table, seat, count);
  } else {
    standsPat(table, seat);
  }
}

/** @type {(table: Table, seat: number, count: number) => void} */
function serves(table, seat, count) {
  table.need = count;
  table.cursor = seat;
  table.actor = 0;
  table.phase = "serve";
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function standsPat(table, seat) {
  table.pending = less(table.pending, seat);
  table.actor = 0;
  if (table.pending.length > 0) {
    table.phase = "draw";
    table.actor = next(table.pending, seat);
  } else if (table.unserved.length > 0) {
    const served = next(table.unserved, seat);
    serves(table, served, Number(table.discarded[served]));
  } else {
    afterDraw(table);
  }
}

/**
 * @param {Table} table
 * @param {number} seat one that folds before or after its own draw
 */
export function forgoesDraw(table, seat) {
  table.forgo(seat);
  if (table.onlyOneLeft) {
    table.actor = 0;
    table.pending = [];
    table.toAward();
  } else if (seat === table.actor) {
    standsPat(table, seat);
  }
}

/** @type {(table: Table, seat: number, count: number) => void} */
export function draws(table, seat, count) {
  table.holds[seat] = Number(table.holds[seat]) + count;
  table.deckLeft -= count;
  table.need -= count;
  if (table.need > 0) return;
  table.unserved = less(table.unserved, seat);
  standsPat(table, seat);
}

/**
 * Return the seats whose folded hands or discards make the next deck, not those of the seat that is served, unless the
 * house says so.
 * @param {Table} table
 * @param {number} [served]
 */
export function outOfPlay(table, served = table.cursor) {
  return table.seats.filter((seat) => {
    const out = Number(table.discarded[seat]) > 0 || (Number(table.holds[seat]) > 0 && !table.live.includes(seat));
    const own = seat === served && table.rules.reshuffle !== "all";
    return out && !own && !table.reused.includes(seat);
  });
}

/** @type {(table: Table, seats: readonly number[]) => number} */
const cardsOf = ({ discarded, holds }, seats) =>
  seats.reduce((sum, seat) => sum + (Number(discarded[seat]) || Number(holds[seat])), 0);

/**
 * Return how many cards the seat whose turn it is may discard: as many as it can be dealt again.
 * @param {Table} table
 */
export function mostDiscards(table) {
  const { deckLeft, live, rules } = table;
  if (rules.reshuffle === "all") return rules.discards;
  const left = rules.draw === "together" ? DECK - HAND * live.length : deckLeft + cardsOf(table, outOfPlay(table, 0));
  return Math.min(rules.discards, left);
}

/**
 * @param {Table} table
 * @param {readonly number[]} seats
 */
export function reshuffled(table, seats) {
  table.deckLeft = cardsOf(table, seats);
  table.reused = [...table.reused, ...seats];
  table.reshuffles += 1;
}
