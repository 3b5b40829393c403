/** Small things kept on this device; a browser that keeps nothing is no error. */

/**
 * @param {"localStorage" | "sessionStorage"} where
 * @param {string} key
 * @returns {any}
 */
export function kept(where, key) {
  try {
    return JSON.parse(window[where].getItem(`pokersvc:${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {"localStorage" | "sessionStorage"} where
 * @param {string} key
 * @param {any} value
 */
export function keep(where, key, value) {
  try {
    if (value === null) window[where].removeItem(`pokersvc:${key}`);
    else window[where].setItem(`pokersvc:${key}`, JSON.stringify(value));
  } catch {
    // Full, or not allowed.
  }
}
