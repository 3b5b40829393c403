/** Bytes as docs/log.md defines them: texts in UTF-8, numbers of 8 bytes, hexadecimal in lower case. */

const encoder = new TextEncoder();

/**
 * Return a text in UTF-8. It must be well formed: an encoder replaces half a surrogate pair by another character.
 * @param {string} text
 */
export const utf8 = (text) => encoder.encode(text);

/** A message that is written piece by piece, into a buffer that is reused for the next message. */
export class Message {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  begin() {
    this.#length = 0;
    return this;
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /**
   * Write a whole number up to 2^53 as 8 bytes, big-endian.
   * @param {number} number
   */
  u64(number) {
    this.#reserve(8);
    this.#view.setUint32(this.#length, Math.floor(number / 2 ** 32));
    this.#view.setUint32(this.#length + 4, number >>> 0);
    this.#length += 8;
    return this;
  }

  /** @param {string} text */
  text(text) {
    this.#reserve(3 * text.length); // the maximum that UTF-8 takes
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    return this;
  }

  /**
   * Write a text with its length in bytes before it.
   * @param {string} text
   */
  field(text) {
    const start = this.#length;
    this.u64(0).text(text);
    const end = this.#length;
    this.#length = start;
    this.u64(end - start - 8);
    this.#length = end;
    return this;
  }

  /** Return the message, which is valid until the next one begins. */
  end() {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param {number} more */
  #reserve(more) {
    if (this.#length + more <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * (this.#length + more));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * Return whether a value is a number of bytes in lower-case hexadecimal.
 * @param {unknown} value
 * @param {number} bytes
 * @returns {value is string}
 */
export const isHex = (value, bytes) =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);

const DIGITS = "0123456789abcdef";

/**
 * Return the bytes of a hexadecimal text, which `isHex` must accept.
 * @param {string} hex
 */
export function fromHex(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = DIGITS.indexOf(hex.charAt(2 * at)) * 16 + DIGITS.indexOf(hex.charAt(2 * at + 1));
  }
  return bytes;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  let hex = "";
  for (const byte of bytes) hex += HEX[byte];
  return hex;
}
