/** Requests to the server. */

/** A refused request: `code` is stable, the message is a sentence for people. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {any} body
   */
  constructor(status, body) {
    super(body?.message || `The server answered ${status}.`);
    this.status = status;
    /** @type {string} */
    this.code = body?.code || "http";
    /** @type {any} */
    this.body = body;
  }

  /** Whether the same request may succeed a little later: the server is too busy now. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/** Milliseconds to wait for an answer, because a network that is down reports no error. */
const PATIENCE = 20_000;

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {number} [patience]
 * @returns {Promise<any>}
 */
async function request(path, init, patience = PATIENCE) {
  const signal = AbortSignal.timeout(patience);
  let response;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "same-origin", signal, ...init });
  } catch {
    throw new Unreachable();
  }
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch {
    // A proxy's error page: the status says enough.
  }
  if (response.ok) return body;
  if (body === null && response.status >= 502) throw new Unreachable();
  throw new Refused(response.status, body);
}

/**
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {number} [patience] milliseconds; more for an answer that takes a busy server long
 */
export function get(path, headers = {}, patience = PATIENCE) {
  return request(path, { headers }, patience);
}

/**
 * @param {string} path
 * @param {any} [body]
 */
export function post(path, body = {}) {
  return request(path, {
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
    method: "POST",
  });
}

/** Return a new id for a command; over plain http, browsers offer no randomUUID. */
export function commandId() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const versioned = [...bytes].map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte));
  const hex = versioned.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Return only the path of a server's link, so that it leads to this page's own site, where the link's cookie belongs.
 * @param {string} link
 */
export function pathOf(link) {
  const { pathname, hash } = new URL(link, location.origin);
  return pathname + hash;
}

/**
 * @param {string} table its id, or that of one of its games
 * @param {string} [door] such as "watch" or "seats/2"
 * @param {string} [game] the game of the table that is meant; if none is named, the last one
 */
export function api(table, door = "", game = "") {
  const named = game && `${door.includes("?") ? "&" : "?"}game=${encodeURIComponent(game)}`;
  return `/api/tables/${encodeURIComponent(table)}${door && `/${door}`}${named}`;
}
