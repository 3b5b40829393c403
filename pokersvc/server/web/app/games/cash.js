/** What the page shows of a cash game, in which people bring chips and take them home. */

/** @param {any} view */
export const isCash = (view) => view?.table?.cash === true;

/**
 * Return whether somebody sits at a cash table without chips, and so is dealt nothing until they buy.
 * @param {any} view @param {number} seat
 */
export function isBroke(view, seat) {
  const own = view?.seats?.[seat - 1];
  return Boolean(isCash(view) && own?.at_cash && own.standing !== "out" && own.stack === 0 && !own.all_in);
}
