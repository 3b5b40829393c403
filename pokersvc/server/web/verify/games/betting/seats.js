/** Sets of seats as bit masks: seat `s` is the bit `2 ** s`; a number too high for any table is in no set. */

/** @type {(seats: number, seat: number) => boolean} */
export const has = (seats, seat) => (seats & (2 ** seat)) !== 0;

/** @type {(seats: number) => boolean} */
export const fewerThanTwo = (seats) => (seats & (seats - 1)) === 0;

/** @type {(seats: number) => number} */
export const bitCount = (seats) => seatsIn(seats).length;

/** @type {(seats: readonly number[]) => number} */
export const setOf = (seats) => seats.reduce((set, seat) => set | (2 ** seat), 0);

/** @type {(seats: number) => number[]} */
export function seatsIn(seats) {
  const found = [];
  for (let seat = 0; seats >> seat > 0; seat += 1) if (has(seats, seat)) found.push(seat);
  return found;
}

/** @type {(seats: number, after: number) => number} */
export const nextSeat = (seats, after) => Number(clockwise(seats, after)[0]);

/** @type {(first: number, last: number) => number} */
export function passed(first, last) {
  const below = 2 ** last - 1;
  return first < last ? below & ~(2 ** (first + 1) - 1) : first === last ? 0 : below | -(2 ** (first + 1));
}

/** @type {(seats: number, after: number) => number[]} */
export function clockwise(seats, after) {
  const low = seats & (2 ** (after + 1) - 1);
  return [...seatsIn(seats ^ low), ...seatsIn(low)];
}
