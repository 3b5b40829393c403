/** Admits one tab of a device at a time: by the browser's locks or, over plain http, which has none, by a lease. */

const LEASE = 5000;
const BEAT = 1000;

/**
 * Wait until no other tab holds a name; return the function that releases it. A tab that slept for long may lose it.
 * @type {(name: string, got: () => void, lost: () => void) => () => void}
 */
export function alone(name, got, lost) {
  return navigator.locks === undefined ? leased(name, got, lost) : locked(name, got);
}

/** @type {(name: string, got: () => void) => () => void} */
function locked(name, got) {
  const waiting = new AbortController();
  /** @type {() => void} */
  let release = () => waiting.abort();
  const held = () =>
    new Promise((resolve) => {
      release = () => resolve(undefined);
      got();
    });
  navigator.locks.request(name, { signal: waiting.signal }, held).catch(() => {}); // no longer waited for
  return () => release();
}

/** @type {(name: string, got: () => void, lost: () => void) => () => void} */
function leased(name, got, lost) {
  const place = `pokersvc/lease/${name}`;
  const own = String(crypto.getRandomValues(new Uint32Array(2)));
  let mine = false;
  let claimed = false;
  const beat = () => {
    const [holder = "", until = "0"] = (localStorage.getItem(place) ?? "").split(" ");
    if (holder !== own && Number(until) > Date.now()) {
      if (mine) lost();
      mine = claimed = false;
      return;
    }
    // Two tabs may write at once: the last writer finds its own name there a beat later.
    if (claimed && holder === own && !mine) {
      mine = true;
      got();
    }
    claimed = true;
    localStorage.setItem(place, `${own} ${Date.now() + LEASE}`);
  };
  const release = () => {
    clearInterval(timer);
    if (localStorage.getItem(place)?.startsWith(`${own} `)) localStorage.removeItem(place);
  };
  const timer = setInterval(beat, BEAT);
  beat();
  window.addEventListener("pagehide", release);
  return release;
}
