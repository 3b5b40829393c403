/** How a feed handles a failed request for its game. */

import { Refused, Unreachable } from "../api.js";

/** Milliseconds until the next try. */
export const RETRY = 2000;

/** @param {Feed} feed @param {unknown} error */
export function failed(feed, error) {
  if (error instanceof Unreachable) {
    feed.connected = false;
    setTimeout(() => void feed.refresh(), RETRY);
  } else if (error instanceof Refused && error.code === "not_started") {
    feed.snapshot = null;
  } else if (error instanceof Refused && [401, 403, 404].includes(error.status)) {
    const unknown = error.status === 401;
    feed.gone ??= !unknown ? error.code : feed.verifier.count > 0 ? "link_replaced" : "no_token";
    feed.error = unknown ? null : error.message;
    setTimeout(() => feed.stream?.close(), unknown ? RETRY : 0); // the stream may still give the reason
  } else {
    feed.error = error instanceof Error ? error.message : String(error);
  }
}
