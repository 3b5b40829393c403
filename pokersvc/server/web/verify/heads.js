/**
 * Where a device keeps the last head that it saw of each game, so that it notices when it is told another story.
 *
 * Any object with these two methods can keep them. A method may throw where nothing can be kept; the verdict says so.
 * @typedef {object} Heads
 * @property {(game: string) => Head | null} read
 * @property {(game: string, head: Head) => void} write
 */

import { isHex } from "./bytes.js";

/** @typedef {{ seq: number, hash: string }} Head */

/** Keeps heads while the page is open. */
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

/**
 * Keeps heads in the browser's storage for this site, which all its tabs share: about 100 bytes a game. A synchronous
 * store, so that a verdict never waits, and one tab sees at once what another one wrote.
 */
export class LocalHeads {
  #storage;

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} [storage] */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @returns {Pick<Storage, "getItem" | "setItem">} */
  get #open() {
    return this.#storage ?? globalThis.localStorage; // throws where the browser keeps nothing
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
