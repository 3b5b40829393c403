import { isHex } from "./bytes.js";

export class MemoryHeads {
  /** @type {Map<string, Head>} */
  #heads = new Map();

  /** @param {string} game */
  read(game) {
    return this.#heads.get(game) ?? null;
  }

  /**
   * @param {string} game
   * @param {Head} head
   */
  write(game, head) {
    this.#heads.set(game, head);
  }
}

/** Keeps heads where all tabs share them. The store is synchronous, so that a verdict never waits. */
export class LocalHeads {
  #storage;

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} [storage] */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @returns {Pick<Storage, "getItem" | "setItem">} */
  get #open() {
    return this.#storage ?? globalThis.localStorage; // throws if the browser keeps nothing
  }

  /**
   * @param {string} game
   * @returns {Head | null}
   */
  read(game) {
    const [seq, hash] = (this.#open.getItem(keyOf(game)) ?? "").split(" ");
    return Number.isSafeInteger(Number(seq)) && Number(seq) > 0 && isHex(hash, 32) ? { seq: Number(seq), hash } : null;
  }

  /**
   * @param {string} game
   * @param {Head} head
   */
  write(game, { seq, hash }) {
    this.#open.setItem(keyOf(game), `${seq} ${hash}`);
  }
}

/** @param {string} game */
const keyOf = (game) => `pokersvc/head/${game}`;

/** Crockford's base 32: no I, L, O or U, which are easily misheard or misread. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Return the first 80 bits of a hash, for players to compare by voice, as `7K2M QX4T 0ZAB 91CD`.
 * @param {string} head in hexadecimal
 */
export function spoken(head) {
  let bits = BigInt(`0x${head.slice(0, 20)}`);
  let text = "";
  for (; text.length < 16; bits >>= 5n) text = ALPHABET[Number(bits & 31n)] + text;
  return text.replace(/.{4}(?=.)/g, "$& ");
}
