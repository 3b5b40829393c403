/** Ed25519 signatures, checked as docs/verifier.md says, because the checks of libraries and browsers differ. */

import { hashes, Point } from "../vendor/noble-ed25519/index.js";
import { sha512 } from "../vendor/noble-hashes/sha2.js";
import { Message, toHex } from "./bytes.js";

hashes.sha512 = sha512; // for callers that sign with the library

const ORDER = Point.CURVE().n;
const message = new Message();

/** @param {Uint8Array} bytes */
function number(bytes) {
  let value = 0n;
  for (const byte of Uint8Array.from(bytes).reverse()) value = (value << 8n) | BigInt(byte);
  return value;
}

/** @type {Map<string, Point | null>} A cache of keys: a game has few, and signs with them often. */
const looked = new Map();
const MOST_KEYS = 100;

/**
 * Return the point of a public key; null for one that is not canonical, or of small order.
 * @param {Uint8Array} key
 */
function pointOf(key) {
  const place = toHex(key);
  let point = looked.get(place);
  if (point !== undefined) return point;
  try {
    point = Point.fromBytes(key);
    if (point.isSmallOrder()) point = null;
  } catch {
    point = null;
  }
  if (looked.size >= MOST_KEYS) looked.clear();
  looked.set(place, point);
  return point;
}

/**
 * Return whether signatures by a public key prove anything: it is a canonical point, and not of small order.
 * @param {Uint8Array} key
 */
export const isKey = (key) => pointOf(key) !== null;

/**
 * Return whether a signature of a message was made with the private key to a public one.
 * @type {(signed: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean}
 */
export function isSigned(signed, signature, key) {
  const point = pointOf(key);
  if (signature.length !== 64 || point === null) return false;
  const first = signature.subarray(0, 32);
  const second = number(signature.subarray(32));
  if (second >= ORDER) return false;
  const hashed = sha512(message.begin().bytes(first).bytes(key).bytes(signed).end());
  const times = point.multiply(number(hashed) % ORDER, false);
  const made = Point.BASE.multiply(second, false).subtract(times).toBytes();
  return made.every((byte, at) => byte === first[at]);
}
