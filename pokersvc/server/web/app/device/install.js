/** The page as an app of the device, with an offline page for when there is no connection. */

import { useEffect, useReducer } from "../html.js";

/** @type {any} What the browser offers to install; not all browsers do. */
let offered = null;
/** @type {Set<() => void>} */
const readers = new Set();

/** @param {any} offer */
function offer(offer) {
  offered = offer;
  for (const reader of readers) reader();
}

addEventListener("beforeinstallprompt", offer);
addEventListener("appinstalled", () => offer(null));

/** Without https there are no service workers; if one cannot be registered, only the offline page is missing. */
if (isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});

/** Return a function that asks whether to install the page; null if it is installed or this browser cannot. */
export function useInstall() {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const reader = () => redraw(undefined);
    readers.add(reader);
    return () => void readers.delete(reader);
  }, []);
  if (offered === null) return null;
  return () => {
    offered.prompt();
    offer(null); // the browser asks only once
  };
}
