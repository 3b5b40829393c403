/** The pots on the felt: who plays for each, and where it is drawn. */

/**
 * Return each pot with the seats that play for it, the main pot first.
 * @param {any} view
 * @returns {{amount: number, seats: number[]}[]}
 */
export function potsOf(view) {
  const live = view.seats.filter((/** @type {any} */ seat) => seat.standing === "in" && seat.staked > 0);
  const tops = live.filter((/** @type {any} */ seat) => seat.all_in).map((/** @type {any} */ seat) => seat.staked);
  const levels = [...new Set(tops)].sort((one, other) => one - other);
  return view.pots.map((/** @type {number} */ amount, /** @type {number} */ at) => ({
    amount,
    seats: live
      .filter((/** @type {any} */ seat) => at === 0 || seat.staked > levels[at - 1])
      .map((/** @type {any} */ seat) => seat.seat),
  }));
}

/** Where side pots may stand, in percent of the table; the main pot is in the middle. */
/** @type {[number, number][]} */
const SPOTS = [
  [33, 50],
  [67, 50],
  [35, 31],
  [65, 31],
  [35, 69],
  [65, 69],
];

/**
 * Return where each side pot is drawn: at the free spot nearest to the seats that play for it.
 * @param {{seats: number[]}[]} sides
 * @param {(seat: number) => {x: number, y: number}} at where a seat is
 * @returns {{x: number, y: number}[]}
 */
export function spotsOf(sides, at) {
  const free = [...SPOTS];
  return sides.map(({ seats }) => {
    const all = seats.map(at);
    const x = all.reduce((sum, one) => sum + one.x, 0) / (all.length || 1);
    const y = all.reduce((sum, one) => sum + one.y, 0) / (all.length || 1);
    const away = (/** @type {[number, number]} */ [left, top]) => (left - x) ** 2 + (top - y) ** 2;
    const [left, top] = free.sort((one, other) => away(one) - away(other)).shift() ?? [50, 31];
    return { x: left, y: top };
  });
}
