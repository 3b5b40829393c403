/** A delayed table as it is now, for a host without a seat, whose stream is as late as that of watchers. */

import { get } from "../api.js";

/** Milliseconds between two requests. */
const EVERY = 3000;

/**
 * Request a table now and then while watchers see it with a delay, until the returned function is called.
 * @param {{api: (door: string) => string, tells: string, info: TableInfo}} feed
 * @param {(info: TableInfo) => void} told
 */
export function followLive(feed, told) {
  const timer = setInterval(() => {
    if (feed.info.access.delay) get(feed.api(feed.tells)).then(told, () => {}); // the stream says what is wrong
  }, EVERY);
  return () => clearInterval(timer);
}
