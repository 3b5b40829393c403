/** Where a game of draw poker stands, for a table that shuffles together: to whom the next deck is dealt, and who chooses. */

import { openingOf } from "./posts.js";
import { clockwise, less } from "./seats.js";
import { nextButton } from "./start.js";

const CHOICES = ["Checked", "Bet", "Called", "Raised", "CardsDiscarded", "Forfeited", "RoundForgone", "GameClosed"];
const LAST = ["PotAwarded", "HandsRevealed", "GameEnded"];

/** @type {(table: Table) => Standing} */
export const standingOf = (table) => ({
  awaited: table.actor > 0 ? [table.actor] : [],
  chosen,
  dealt: table.live,
  pausing: pausing(table),
  seated: table.seated,
  get dealsTo() {
    return dealsTo(table);
  },
});

/**
 * Tell whether an event may come between two rounds: of the dealer's one is due, and what people do has its conditions.
 * @type {(table: Table, event: GameEvent) => boolean}
 */
export function mayCome(table, { type, payload: { reason, seat } }) {
  const { cash, past, people, pot, seated } = table;
  const isPlayed = roundsPlayed(table);
  const short = isPlayed || cash ? 0 : (seated.find((one) => table.stack(one) < table.priceToStay) ?? 0);
  const ends = isPlayed || able(table).length < 2;
  if (reason === "withdrew") return !cash && people.includes(seat) && pausing(table);
  if (type === "PlayerLeft") return seat === short;
  if (type === "GameClosed") return !ends || pausing(table);
  if (type === "RoundStarted") return short === 0 && !ends;
  if (type === "GameEnded" && reason !== (isPlayed ? "rounds" : "last_player")) return false;
  const last = pot > 0 ? "PotAwarded" : past.length > 0 ? "HandsRevealed" : "GameEnded";
  return !LAST.includes(type) || (type === last && short === 0 && ends);
}

/** @param {GameEvent} event */
function chosen({ type, payload }) {
  if (type === "Folded") return payload.reason === "chosen";
  return type === "PlayerLeft" ? payload.reason === "withdrew" : CHOICES.includes(type);
}

/** @type {(table: Table) => boolean} */
const roundsPlayed = ({ closed, round, rounds }) => closed || (rounds !== null && round >= rounds);

/** @type {(table: Table) => number[]} */
const able = (table) =>
  table.seated.filter((seat) => !table.out.includes(seat) && table.stack(seat) >= Math.max(table.priceToStay, 1));

/** @type {(table: Table) => boolean} Whether people may come and go. */
export function pausing(table) {
  const { cash, engine, people, phase, round, seated } = table;
  if (phase !== "between" || round === 0 || roundsPlayed(table)) return false;
  const here = people.filter((seat) => seated.includes(seat));
  const ends = able(table).length < 2;
  if (cash) return here.length > 0 || (people.length > 0 && engine >= 4 && !ends);
  if (here.length === 0 || ends) return false;
  const stays = (/** @type {number} */ seat) => table.stack(seat) >= table.priceToStay;
  return engine === 1 || (seated.every(stays) && here.some((seat) => table.stack(seat) > 0));
}

/** @type {(table: Table) => number[] | null} */
function dealsTo(table) {
  if (table.phase !== "between" || roundsPlayed(table)) return null;
  const { ante } = table.rules;
  const price = table.priceToStay;
  const due = ante.amount + ante.increase * table.round;
  const staying = table.cash ? table.sitting : table.seated;
  if (staying.some((seat) => table.stack(seat) < price) || able(table).length < 2) return null;
  let dealt = table.own ? openingOf(table, nextButton(table) ?? 0).live : table.seated;
  if (ante.short !== "surrender") return dealt;
  for (const seat of clockwise(dealt, nextButton(table) ?? 0)) {
    if (table.stack(seat) < due && dealt.length > 1) dealt = less(dealt, seat); // who is left alone wins
  }
  return dealt;
}
