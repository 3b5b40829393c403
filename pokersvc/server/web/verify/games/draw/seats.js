/** Lists of seats, lowest first. */

/**
 * Return the first seat of a list that is clockwise after a seat; the list is not empty.
 * @param {readonly number[]} seats
 * @param {number} after
 */
export const next = (seats, after) => Number(seats.find((seat) => seat > after) ?? seats[0]);

/**
 * Return a list of seats clockwise, beginning after a seat.
 * @param {readonly number[]} seats
 * @param {number} after
 */
export const clockwise = (seats, after) => [
  ...seats.filter((seat) => seat > after),
  ...seats.filter((seat) => seat <= after),
];

/**
 * Return a list without a seat.
 * @param {readonly number[]} seats
 * @param {number} gone
 */
export const less = (seats, gone) => seats.filter((seat) => seat !== gone);

/**
 * Return the seats of a list that are passed on the way from one seat clockwise to another.
 * @param {readonly number[]} seats
 * @param {number} first
 * @param {number} last
 */
export const passed = (seats, first, last) =>
  seats.filter((seat) =>
    first < last ? first < seat && seat < last : first !== last && (seat > first || seat < last),
  );

/** @type {(name: string) => string} A name as it is compared with others. */
export const folded = (name) => name.toUpperCase().toLowerCase();
