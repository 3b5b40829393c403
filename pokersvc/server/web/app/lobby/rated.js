/** Bots by their ratings on the server's ladders. */

import { amount } from "../html.js";

/**
 * Return the ratings of bots in a house, by their kinds: those of the ladder with the most deals.
 * @param {Ladder[]} ladders @param {string} kind of game @param {string} house
 * @returns {Record<string, number>}
 */
export function ratingsOf(ladders, kind, house) {
  const [most] = ladders
    .filter((ladder) => ladder.kind === kind && ladder.house === house)
    .sort((one, other) => other.deals - one.deals);
  const rated = most?.members.filter((member) => member.program) ?? [];
  return Object.fromEntries(rated.map((member) => [member.program, member.rating]));
}

/**
 * Return kinds of bots, the strongest first; those without a rating come last.
 * @param {string[]} programs @param {Record<string, number>} ratings
 * @returns {string[]}
 */
export function byRating(programs, ratings) {
  const of = (/** @type {string} */ program) => ratings[program] ?? Number.NEGATIVE_INFINITY;
  return [...programs].sort((one, other) => (of(one) === of(other) ? 0 : of(other) - of(one)));
}

/**
 * Return what a bot is called, with its rating if it has one.
 * @param {string} name @param {number | undefined} rating
 */
export const withRating = (name, rating) => (rating === undefined ? name : `${name} (${sayRating(rating)})`);

/** @param {number} rating */
export const sayRating = (rating) => amount(Math.round(rating));

/**
 * Return the address of the form for a table against a bot.
 * @param {Ladder} ladder @param {string} program
 */
export function against(ladder, program) {
  const parts = [ladder.kind, ladder.house ?? "", program, String(ladder.seats)];
  return `/#new=${parts.map(encodeURIComponent).join("/")}`;
}

/**
 * Return what the address of the form asks for; null if it asks for nothing.
 * @param {string} hash
 * @returns {Opponent | null}
 */
export function asked(hash) {
  const [kind, house, program, seats] = hash.startsWith("#new=")
    ? hash.slice(5).split("/").map(decodeURIComponent)
    : [];
  return kind && program ? { house: house ?? "", kind, program, seats: Number(seats) || 2 } : null;
}
