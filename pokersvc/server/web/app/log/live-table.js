/** A delayed table as it is now, for a host without a seat: the stream tells them of it as late as it tells watchers. */

import { get } from "../api.js";

/** Milliseconds between two requests. */
const EVERY = 3000;

/**
 * Ask for a table now and then while its host has a delay for watchers, until the returned function is called.
 * @param {{api: (door: string) => string, tells: string, info: TableInfo}} feed
 * @param {(info: TableInfo) => void} told
 */
export function followLive(feed, told) {
  const timer = setInterval(() => {
    if (feed.info.access.delay) get(feed.api(feed.tells)).then(told, () => {}); // the stream says what is wrong
  }, EVERY);
  return () => clearInterval(timer);
}
