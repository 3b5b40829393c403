/** Buttons do nothing right after their meaning has changed under a finger. */

import { useEffect, useLayoutEffect, useState } from "../html.js";

/** Milliseconds after a change in which a finger that was already moving may come down. */
const UNSETTLED = 400;

/** Whether this page has drawn a table or its waiting room, or was touched, because a tap may lead it to a table. */
let drawn = false;

for (const kind of ["pointerdown", "keydown"])
  globalThis.addEventListener?.(kind, () => (drawn = true), { capture: true, once: true });

/** Note that the table is drawn. @param {boolean} now */
export function useDrawn(now) {
  useLayoutEffect(() => {
    drawn ||= now;
  }, [now]);
}

/**
 * Return whether the buttons have had their meaning for long enough to be pressed, or are the first on this page.
 * @param {string} meaning
 */
export function useSettled(meaning) {
  const [settled, settle] = useState(() => (drawn ? null : meaning));
  useEffect(() => {
    const timer = setTimeout(() => settle(meaning), UNSETTLED);
    return () => clearTimeout(timer);
  }, [meaning]);
  return settled === meaning;
}
