/** Lines of chat: taken as they come, muted and counted on this device. */

const MOST = 300;

/**
 * Return lines with those that came and without those that were deleted, in order and each once.
 * @param {Said[]} before
 * @param {SaidNow} now
 */
export function withSaid(before, { lines, deleted }) {
  const all = new Map([...before, ...lines].map((line) => [line.number, line]));
  for (const number of deleted) all.delete(number);
  return [...all.values()].sort((one, other) => one.number - other.number).slice(-MOST);
}

/**
 * Return how many lines of others came after one, but not those of muted seats.
 * @param {Said[]} lines
 * @param {number} seen
 * @param {number | null} me
 * @param {number[]} muted
 */
export const unread = (lines, seen, me, muted) =>
  lines.filter((line) => line.number > seen && line.seat !== me && !muted.includes(line.seat)).length;

/** Return who said a line; the seat is always named. @param {Said} line */
export const sayer = ({ seat, name }) => (seat === 0 ? "Host" : `Seat ${seat}, ${name}`);
