/** A seat's keys and chains, in IndexedDB: the only store for a key that no script can read. */

import { getPublicKey, sign, utils } from "../../vendor/noble-ed25519/index.js";
import { fromHex, toHex } from "../../verify/bytes.js";
import "../../verify/ed25519.js"; // gives the library its SHA-512
import { boundMessage, linkAfter, openedMessage } from "../../verify/shares.js";

export const LINKS = 10_000;
/** The number of links between two remembered ones, so that a share takes at most this many hashes. */
const EVERY = 100;

const STORE = "devices";

/** @returns {Promise<IDBDatabase>} */
const database = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open("pokersvc-shares", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/** The keys and chains of one seat of a game on this device; the last chain may not be bound yet. */
export class Device {
  /** @type {Map<string, Uint8Array[]>} Links by the tip of their chain. */
  #links = new Map();

  /**
   * @param {IDBDatabase} opened
   * @param {string} place
   * @param {number} seat
   * @param {Kept[]} chains
   */
  constructor(opened, place, seat, chains) {
    this.database = opened;
    this.place = place;
    this.seat = seat;
    this.chains = chains;
  }

  /** @type {(game: string, seat: number) => Promise<Device>} */
  static async of(game, seat) {
    const opened = await database();
    const place = `${game}/${seat}`;
    return new Promise((resolve, reject) => {
      const asked = opened.transaction(STORE).objectStore(STORE).get(place);
      asked.onsuccess = () => resolve(new Device(opened, place, seat, asked.result ?? []));
      asked.onerror = () => reject(asked.error);
    });
  }

  close() {
    this.database.close();
  }

  /** @returns {Promise<void>} */
  #keep() {
    return new Promise((resolve, reject) => {
      const change = this.database.transaction(STORE, "readwrite", { durability: "strict" });
      change.objectStore(STORE).put(this.chains, this.place);
      change.oncomplete = () => resolve();
      change.onabort = () => reject(change.error);
    });
  }

  /** @param {Binding} binding */
  ownOf({ key, tip, length }) {
    return this.chains.find((one) => one.key === key && one.tip === tip && one.length === length);
  }

  /**
   * Return a stored binding: the last one if it was never bound, otherwise a new one.
   * @type {(start: string, before: Kept | undefined, wasBound: (chain: Kept) => boolean) => Promise<OwnBinding>}
   */
  async bind(start, before, wasBound) {
    let chain = this.chains.at(-1);
    if (chain === undefined || chain.start !== start || wasBound(chain)) {
      chain = await this.#made(start);
      this.chains.push(chain);
      await this.#keep();
    }
    const { key, tip, length } = chain;
    const message = boundMessage(fromHex(start), this.seat, chain);
    const renewal = before === undefined ? null : await signed(before, message);
    return { key, tip, length, signature: await signed(chain, message), renewal };
  }

  /**
   * @param {string} start
   * @returns {Promise<Kept>}
   */
  async #made(start) {
    const root = crypto.getRandomValues(new Uint8Array(32));
    const { secret, key } = await newKey();
    const chain = { start, secret, key, root, tip: "", length: LINKS, signed: {} };
    return { ...chain, tip: toHex(this.#link(chain, LINKS)) };
  }

  /** @type {(chain: Kept, times: number) => Uint8Array} */
  #link(chain, times) {
    const start = fromHex(chain.start);
    let links = this.#links.get(chain.key);
    if (links === undefined) {
      links = [chain.root];
      for (let at = EVERY; at <= chain.length; at += EVERY) {
        links.push(linkAfter(start, this.seat, /** @type {Uint8Array} */ (links.at(-1)), EVERY));
      }
      this.#links.set(chain.key, links);
    }
    const near = /** @type {Uint8Array} */ (links[Math.floor(times / EVERY)]);
    return linkAfter(start, this.seat, near, times % EVERY);
  }

  /**
   * Return the share of the awaited round, signed over the round's head and kept; null if a different head of this
   * round was signed before.
   * @type {(chain: Kept, first: number, awaited: { round: number, head: string }) => Promise<{ share: string, signature: string } | null>}
   */
  async share(chain, first, { round, head }) {
    const before = chain.signed[round];
    if (before !== undefined) {
      return before.head === head ? { share: before.share, signature: before.signature } : null;
    }
    const share = toHex(this.#link(chain, chain.length - (round - first + 1)));
    const signature = await signed(chain, openedMessage(fromHex(chain.start), this.seat, { round, share, head }));
    chain.signed[round] = { head, share, signature };
    await this.#keep();
    return { share, signature };
  }
}

/** Return a new key, which no script can read if the browser has Ed25519. */
async function newKey() {
  try {
    const made = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign"]));
    const key = toHex(new Uint8Array(await crypto.subtle.exportKey("raw", made.publicKey)));
    return { secret: made.privateKey, key };
  } catch {
    const secret = utils.randomSecretKey();
    return { secret, key: toHex(getPublicKey(secret)) };
  }
}

/** @type {(chain: Kept, message: Uint8Array) => Promise<string>} */
async function signed({ secret }, message) {
  if (secret instanceof Uint8Array) return toHex(sign(message, secret));
  const copy = /** @type {Uint8Array<ArrayBuffer>} */ (message);
  return toHex(new Uint8Array(await crypto.subtle.sign("Ed25519", secret, copy)));
}
