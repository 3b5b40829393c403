/** The hash chain of a game's events, as docs/log.md defines it. Texts are hashed byte for byte, as they are stored. */

import { hmac } from "../vendor/noble-hashes/hmac.js";
import { sha256 } from "../vendor/noble-hashes/sha2.js";
import { fromHex, isHex, Message, toHex, utf8 } from "./bytes.js";
import { fits, hex, id, optional, parsed, text, whole } from "./form.js";
import { Problem } from "./problem.js";

export { hmac, sha256 };

export const GENESIS = "0".repeat(64);

const EVENT_DOMAIN = utf8("pokersvc/event/1\0");
const SECRET_DOMAIN = utf8("pokersvc/secret/1\0");
const NO_DIGEST = new Uint8Array(0);
/** The fields of a record, as an export has them; a stream leaves out the digest of a secret that it shows. */
const RECORD = {
  command_id: id,
  digest: optional(hex(32)),
  hash: hex(32),
  n: whole(1),
  payload: text(),
  recorded_at: text(),
  salt: optional(text()),
  secret: optional(text()),
  seq: whole(1),
  type: id,
  version: whole(1),
};
const LONGEST = 1 << 20;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const message = new Message();

/**
 * Return the commitment to a secret, 32 bytes.
 * @param {Uint8Array} salt
 * @param {string} secret
 */
export const secretDigest = (salt, secret) =>
  sha256(message.begin().bytes(SECRET_DOMAIN).bytes(salt).text(secret).end());

/**
 * @param {Uint8Array} previous the hash of the event before it
 * @param {string} game the game's id
 * @param {EventRecord} record
 * @param {Uint8Array} digest
 */
function eventHash(previous, game, record, digest) {
  message.begin().bytes(EVENT_DOMAIN).bytes(previous).u64(record.seq).u64(record.n);
  message.field(game).field(record.type).field(String(record.version)).field(record.recorded_at);
  message.field(record.command_id).field(record.payload).u64(digest.length).bytes(digest);
  return sha256(message.end());
}

/**
 * Return a record that came as its text, or as a value with its fields in any order.
 * @type {(value: unknown, expected: number) => EventRecord}
 */
export function asRecord(value, expected) {
  const isText = typeof value === "string";
  const record = isText ? parsed(value) : Object.fromEntries(Object.entries(value ?? {}).sort());
  if (fits(record, RECORD) && !(isText && value.length >= LONGEST)) return record;
  throw new Problem("not_a_record", expected, `What came as event ${expected} is not in the form of an event.`);
}

/**
 * Return the commitment of a record to its secret, 32 bytes, or none if it has no secret.
 * @param {EventRecord} record
 */
export function digestOf({ seq, secret, salt, digest }) {
  if (secret === undefined && salt === undefined) return digest === undefined ? NO_DIGEST : fromHex(digest);
  if (secret === undefined || !isHex(salt, 16)) {
    // Without this, bytes could move between salt and secret and leave the digest as it is.
    throw new Problem("salt", seq, `Event ${seq} must have a secret with a salt of 16 bytes, or neither.`);
  }
  const made = secretDigest(fromHex(salt), secret);
  if (digest !== undefined && toHex(made) !== digest) {
    throw new Problem("secret", seq, `The secret of event ${seq} is not the one that was committed to.`);
  }
  return made;
}

/** @param {string} text */
function isMoment(text) {
  const time = MOMENT.test(text) ? Date.parse(`${text.slice(0, 23)}Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 23) === text.slice(0, 23);
}

/** A game's events so far, from the first or from the one after a known hash: their number, and the last hash. */
export class Chain {
  #game;
  #before;
  /** @type {Uint8Array} */
  #previous;
  /** @type {EventRecord | null} */
  #last = null;
  /** @type {string[]} */
  #hashes = [];
  /** @type {Map<number, Uint8Array>} */
  #digests = new Map();

  /**
   * @param {string} game the game's id
   * @param {Head} before the last event that is not taken
   */
  constructor(game, before = { seq: 0, hash: GENESIS }) {
    this.#game = game;
    this.#before = before;
    this.#previous = fromHex(before.hash);
  }

  /** The number of the last event. */
  get count() {
    return this.#before.seq + this.#hashes.length;
  }

  get head() {
    return this.hashOf(this.count);
  }

  /**
   * Return the hash of an event that was taken, or of the event before the first one taken: zeros for event 0.
   * @param {number} seq
   */
  hashOf(seq) {
    return this.#hashes[seq - this.#before.seq - 1] ?? this.#before.hash;
  }

  /**
   * Return the commitment to the secret of an event that was taken, if it has one.
   * @param {number} seq
   */
  digestOf(seq) {
    return this.#digests.get(seq);
  }

  /**
   * Take the next record; throw a `Problem` if it is not the one that was recorded next.
   * @param {unknown} value
   */
  take(value) {
    const record = asRecord(value, this.count + 1);
    this.#checkOrder(record);
    this.#checkMoment(record);
    const digest = digestOf(record);
    const hash = eventHash(this.#previous, this.#game, record, digest);
    if (toHex(hash) !== record.hash) throw this.#otherHash(record);
    this.#previous = hash;
    this.#last = record;
    this.#hashes.push(record.hash);
    if (digest.length > 0) this.#digests.set(record.seq, digest);
    return record;
  }

  /**
   * Check a record of an event that was taken before; throw a `Problem` if it is not the same event.
   * @param {unknown} value
   */
  again(value) {
    const record = asRecord(value, this.count);
    if (record.seq > this.count) throw missing(this.count + 1, record.seq);
    const hash = eventHash(fromHex(this.hashOf(record.seq - 1)), this.#game, record, digestOf(record));
    if (record.hash !== this.hashOf(record.seq) || toHex(hash) !== record.hash) {
      throw new Problem("other_story", record.seq, `Event ${record.seq} came again with other content.`);
    }
    return record;
  }

  /** @param {EventRecord} record */
  #checkOrder({ seq, n, command_id }) {
    const next = this.count + 1;
    if (seq > next) throw missing(next, seq);
    if (seq < next) throw new Problem("repeated", seq, `Event ${seq} came where event ${next} should be.`);
    const expected = this.#last?.command_id === command_id ? this.#last.n + 1 : 1;
    const begins = this.#last === null && this.#before.seq > 0; // perhaps in the middle of a command
    if (n !== expected && !begins) {
      throw new Problem("command_order", seq, `Event ${seq} is number ${n} of its command; it should be ${expected}.`);
    }
  }

  /** @param {EventRecord} record */
  #checkMoment({ seq, command_id, recorded_at }) {
    if (this.#last?.recorded_at === recorded_at) return;
    if (!isMoment(recorded_at)) throw new Problem("moment", seq, `Event ${seq} has a time that does not exist.`);
    if (this.#last?.command_id === command_id) {
      throw new Problem("moment", seq, `Event ${seq} has another time than the rest of its command.`);
    }
  }

  /** @param {EventRecord} record */
  #otherHash({ seq }) {
    return seq === 1
      ? new Problem("other_game", 1, "The first event is not the first event of this game.")
      : new Problem(
          "hash",
          seq,
          `Event ${seq} is not what was recorded after event ${seq - 1}: its hash does not fit.`,
        );
  }
}

/** @type {(expected: number, found: number) => Problem} */
const missing = (expected, found) =>
  new Problem("missing", expected, `Event ${expected} is missing: event ${found} came in its place.`);
