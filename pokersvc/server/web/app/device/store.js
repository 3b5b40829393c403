/** Small values stored on this device; it is no error if the browser stores nothing. */

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
 * Return the keys of all stored values.
 * @param {"localStorage" | "sessionStorage"} where
 * @returns {string[]}
 */
export function keys(where) {
  try {
    return Object.keys(window[where]).flatMap((key) => (key.startsWith("pokersvc:") ? key.slice(9) : []));
  } catch {
    return [];
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
