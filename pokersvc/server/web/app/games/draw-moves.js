/** Decides when something moves on the felt; the code that moves it is loaded at the first motion. */

import { calm, useEffect, useRef } from "../html.js";

/** If more events come at once, the page is catching up, and nothing moves. */
const MOST = 60;

/**
 * Show what has just happened. The page never waits for it: everything stands where it belongs from the start.
 * @param {GameProps} props
 * @param {import("../../vendor/preact.js").Ref<HTMLElement | null>} box
 */
export function useMotion({ happened, snapshot, still, view, me }, box) {
  const seen = useRef(/** @type {number | null} */ (null));
  const before = useRef(view);
  useEffect(() => {
    const last = seen.current;
    const old = before.current;
    seen.current = snapshot.count;
    before.current = view;
    if (last === null || still || calm() || document.hidden) return;
    const fresh = happened.filter(({ seq }) => seq > last && seq <= snapshot.count);
    if (fresh.length === 0 || fresh.length > MOST || !box.current) return;
    import("./draw-motion.js").then(
      ({ play }) => box.current && seen.current === snapshot.count && play(box.current, fresh, old, view, me),
      () => {}, // without it nothing moves
    );
  }, [snapshot.count]);
}
