/** What betting changes: who acts next, what a bet costs, and what comes after a betting round. */

import { less, next } from "./seats.js";

/**
 * @param {Table} table
 * @param {number} street
 */
export function startBetting(table, street) {
  table.street = street;
  if (street === 2 || !table.rules.blinds) {
    table.clearBetting();
    table.cursor = table.button;
  }
  table.pending = table.onlyOneLeft ? [] : table.able;
  table.phase = "betting";
  if (table.rules.betting.opener === "random" && !bettingOver(table)) table.phase = "opener";
  else nextToAct(table);
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function openerChosen(table, seat) {
  table.phase = "betting";
  table.cursor = seat - 1;
  nextToAct(table);
}

/** @param {Table} table */
function bettingOver(table) {
  if (table.pending.length === 0) return true;
  const able = table.able;
  const nobodyLeft = able.length < 2 && able.every((seat) => Number(table.put[seat]) >= table.price);
  return table.allIn.length > 0 && nobodyLeft;
}

/** @param {Table} table */
function nextToAct(table) {
  if (table.allIn.length > 0 && table.engine >= 2 && table.able.length < 2) {
    table.price = Math.max(0, ...table.live.map((seat) => Number(table.put[seat])));
  }
  if (bettingOver(table)) {
    closeBetting(table);
    return;
  }
  const seat = next(table.pending, table.cursor);
  table.actor = mustFold(table, seat) ? 0 : seat;
}

/**
 * @param {Table} table
 * @param {number} seat
 */
function mustFold(table, seat) {
  const owed = table.owes(seat);
  const short = owed > 0 ? table.stack(seat) < owed : !table.mayCheck && table.stack(seat) < table.minimum;
  return short && !table.maySidePots;
}

/** @param {Table} table */
export function closeBetting(table) {
  table.actor = 0;
  table.pending = [];
  if (table.uncalled() === null) afterBetting(table);
  else table.phase = "return";
}

/**
 * @param {Table} table
 * @param {{ amount: number, seat: number }} uncalled
 */
export function returned(table, { amount, seat }) {
  table.stacks[seat] = table.stack(seat) + amount;
  table.staked[seat] = Number(table.staked[seat]) - amount;
  table.pot -= amount;
  table.allIn = less(table.allIn, seat);
  afterBetting(table);
}

/** @param {Table} table */
function afterBetting(table) {
  table.drew = table.drew || !table.onlyOneLeft;
  if (table.onlyOneLeft) {
    table.toAward();
  } else if (table.street === 1 && table.rules.discards > 0) {
    table.await("draw");
    table.cursor = table.button;
    table.actor = next(table.live, table.cursor);
  } else if (table.street === 1) {
    afterDraw(table);
  } else if (table.rules.open_hands === "in_order") {
    table.phase = "showdown";
  } else if (table.shown.length > 0) {
    table.toAward();
  } else {
    table.phase = "open";
  }
}

/** @param {Table} table */
export function afterDraw(table) {
  if (table.rules.open_hands === "after_draw") table.phase = "open";
  else startBetting(table, 2);
}

/**
 * @param {Table} table
 * @param {number} seat
 */
function acts(table, seat) {
  table.cursor = seat;
  table.pending = less(table.pending, seat);
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function checks(table, seat) {
  acts(table, seat);
  if (table.rules.betting.check_ends) table.pending = [];
  nextToAct(table);
}

/** @type {(table: Table, seat: number, amount: number) => void} */
export function calls(table, seat, amount) {
  table.pay(seat, amount);
  table.put[seat] = Number(table.put[seat]) + amount;
  acts(table, seat);
  nextToAct(table);
}

/** @type {(table: Table, seat: number, amount: number, price: number) => void} */
export function raises(table, seat, amount, price) {
  table.pay(seat, amount);
  table.put[seat] = Number(table.put[seat]) + amount;
  table.price = price;
  table.aggressor = seat;
  acts(table, seat);
  table.pending = less(table.able, seat);
  nextToAct(table);
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function folds(table, seat) {
  table.live = less(table.live, seat);
  acts(table, seat);
  if (table.onlyOneLeft) table.pending = [];
  nextToAct(table);
}

/**
 * @param {Table} table
 * @param {number} seat one that folds, whoever's turn it is
 */
export function forgoes(table, seat) {
  table.forgo(seat);
  if (table.onlyOneLeft) table.pending = [];
  nextToAct(table);
}

/** @param {Table} table */
export function opened(table) {
  if (table.street === 1) startBetting(table, 2);
  else table.toAward();
}
