/** A server that lies well: it changes what it records and makes every hash anew, with Node's own SHA-256. */

import { createHash } from "node:crypto";
import { canonical } from "../../pokersvc/server/web/verify/form.js";

/** @typedef {import("./vectors.js").Vector} Vector */

/** @param {(string | Uint8Array)[]} parts */
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** @param {number} number */
function u64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/**
 * Return the commitment to a secret, in hexadecimal.
 * @type {(salt: string, secret: string) => string}
 */
export const digestOf = (salt, secret) =>
  sha256("pokersvc/secret/1\0", Buffer.from(salt, "hex"), secret).toString("hex");

/**
 * Make the numbers and hashes of a game's records fit what they say; commands stay as they are.
 * @param {Vector} told
 */
export function rechain(told) {
  let [command, n] = ["", 0];
  for (const [at, record] of told.records.entries()) {
    n = record.command_id === command ? n + 1 : 1;
    command = record.command_id;
    Object.assign(record, { seq: at + 1, n });
  }
  return rehash(told);
}

/**
 * Make the hashes of a game's records fit what they say.
 * @param {Vector} told
 */
export function rehash(told) {
  let previous = Buffer.alloc(32);
  for (const record of told.records) {
    const { salt, secret, digest = "" } = record;
    const made = secret === undefined || salt === undefined ? digest : digestOf(salt, secret);
    const texts = [
      told.game,
      record.type,
      String(record.version),
      record.recorded_at,
      record.command_id,
      record.payload,
    ];
    const fields = [...texts.map((text) => Buffer.from(text)), Buffer.from(made, "hex")];
    const parts = fields.flatMap((field) => [u64(field.length), field]);
    previous = sha256("pokersvc/event/1\0", previous, u64(record.seq), u64(record.n), ...parts);
    record.hash = previous.toString("hex");
  }
  told.head = previous.toString("hex");
  return told;
}

/**
 * Change what the first event of a type says for which `choose` is true, and return it.
 * @template T
 * @param {Vector} told
 * @param {string} type
 * @param {(payload: any) => T} change
 * @param {(record: EventRecord) => boolean} [choose]
 */
export function say(told, type, change, choose = () => true) {
  const record = find(told, type, choose);
  const payload = JSON.parse(record.payload);
  change(payload);
  record.payload = canonical(payload);
  return record;
}

/**
 * Return the first event of a type for which `choose` is true.
 * @type {(told: Vector, type: string, choose?: (record: EventRecord) => boolean) => EventRecord}
 */
export function find(told, type, choose = () => true) {
  const record = told.records.find((one) => one.type === type && choose(one));
  if (record === undefined) throw new Error(`There is no ${type}.`);
  return record;
}
