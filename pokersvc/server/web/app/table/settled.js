/** Buttons do nothing right after their meaning has changed under a finger. */

import { useEffect, useState } from "../html.js";

/** Milliseconds in which a finger that was on its way comes down. */
const UNSETTLED = 400;

/**
 * Return whether buttons have meant the same for long enough to be pressed.
 * @param {string} meaning
 */
export function useSettled(meaning) {
  const [settled, settle] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const timer = setTimeout(() => settle(meaning), UNSETTLED);
    return () => clearTimeout(timer);
  }, [meaning]);
  return settled === meaning;
}
