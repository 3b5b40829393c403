/** The places of a tournament and its prizes, as `ranking.py` has them; places and prizes are by seat, from seat 1. */

import { has } from "./seats.js";

/** @type {(one: readonly number[], other: readonly number[]) => boolean} */
const isBetter = (one, other) => {
  const at = one.findIndex((value, at) => value !== other[at]);
  return at >= 0 && Number(one[at]) > Number(other[at]);
};

/** @type {(state: BettingState, exits: ReadonlyMap<number, number[]>) => number[]} Players who are out rank by how they
went out. */
export function placesOf({ seated, stacks }, exits) {
  const order = stacks.map((stack, seat) => (has(seated, seat) ? [1, stack, 0, 0] : [0, ...(exits.get(seat) ?? [])]));
  const seats = order.slice(1);
  return seats.map((own) => 1 + seats.filter((other) => isBetter(other, own)).length);
}

/** @type {(pool: number, shares: readonly number[], places: readonly number[]) => number[]} */
export function prizesOf(pool, shares, places) {
  const amounts = places.map((_, at) => Math.floor((pool * (shares[at] ?? 0)) / 100));
  const sum = (/** @type {number[]} */ some) => some.reduce((one, other) => one + other, 0);
  amounts[0] = Number(amounts[0]) + pool - sum(amounts);
  const prizes = places.map(() => 0);
  for (const place of [...new Set(places)].sort((one, other) => other - one)) {
    const tied = [...places.keys()].filter((at) => places[at] === place);
    const paid = sum(amounts.slice(place - 1, place - 1 + tied.length));
    const odd = paid % tied.length;
    for (const at of tied) prizes[at] = (paid - odd) / tied.length;
    if (place > 1) amounts[0] = Number(amounts[0]) + odd;
    else for (const at of tied.slice(0, odd)) prizes[at] = Number(prizes[at]) + 1;
  }
  return prizes;
}
