/** The short form of a hash, for players to compare by voice: 80 bits in four groups of four letters and digits. */

import { fromHex } from "./bytes.js";

/** Crockford's base 32: no I, L, O or U, which are heard or read as something else. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHARACTERS = 16;

/**
 * Return the first 80 bits of a hash, as `7K2M QX4T 0ZAB 91CD`.
 * @param {string} head in hexadecimal
 */
export function spoken(head) {
  let bits = 0n;
  for (const byte of fromHex(head.slice(0, 20))) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let at = CHARACTERS - 1; at >= 0; at -= 1) text += ALPHABET[Number((bits >> BigInt(5 * at)) & 31n)];
  return text.replace(/.{4}(?=.)/g, "$& ");
}
