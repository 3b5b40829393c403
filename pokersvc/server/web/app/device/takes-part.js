/** Takes part in the shuffle for a seat, without any action by its person, once this page has checked the log. */

import { commandId, post, Refused, Unreachable } from "../api.js";
import { Device } from "./keys.js";
import { alone } from "./one-tab.js";

const RETRY = 2000;
/** Milliseconds after which a tab that waits for its turn says that another tab has it. */
const SOON = 1500;

/** Standings that are final: the device no longer takes part. */
const FINAL = ["replaced", "not_mine", "two_stories", "cannot_keep"];

/** @param {unknown} error that may not be there when the same message is sent again */
const mayWork = (error) => error instanceof Unreachable || (error instanceof Refused && error.passes);

export class TakesPart {
  /** @type {TakingPart} */
  standing = "starting";
  /** @type {string | null} The server's refusal. */
  refused = null;
  /** @type {Device | null} */
  #device = null;
  /** @type {Set<string>} Signatures of messages that are on their way or recorded. */
  #sent = new Set();
  /** @type {string | null} The signature of a message that may not have arrived: it is sent again under the same id. */
  #unsure = null;
  #id = "";
  #busy = false;
  #again = false;
  /** @type {() => void} */
  #release;

  /** @param {Feed} feed of a seat */
  constructor(feed) {
    this.feed = feed;
    this.seat = Number(feed.seat);
    const got = () => void this.#begin();
    this.#release = alone(`${feed.game}/${this.seat}`, got, () => this.#lost());
    setTimeout(() => {
      if (this.#device === null) this.#stands("other_tab");
    }, SOON);
  }

  #lost() {
    this.#device?.close();
    this.#device = null;
    this.#stands("other_tab");
  }

  close() {
    this.#release();
    this.#device?.close();
  }

  async #begin() {
    try {
      this.#device = await Device.of(this.feed.game, this.seat);
      this.#stands("starting");
    } catch {
      this.#stands("cannot_keep");
    }
    await this.look();
  }

  /** @param {TakingPart} standing */
  #stands(standing) {
    if (FINAL.includes(this.standing) || standing === this.standing) return;
    this.standing = standing;
    this.feed.redraw();
  }

  /** Do what is due after the events so far. */
  async look() {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      await this.#look();
    } catch (error) {
      this.#failed(error);
    }
    this.#busy = false;
    if (this.#again) {
      this.#again = false;
      await this.look();
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (mayWork(error)) setTimeout(() => void this.look(), RETRY);
    else if (error instanceof Refused)
      this.refused = error.message; // the next event says whether the refusal matters
    else this.#stands("cannot_keep");
    this.feed.redraw();
  }

  async #look() {
    const { verifier, snapshot } = this.feed;
    const { together } = verifier;
    const device = this.#device;
    if (device === null || together === null || FINAL.includes(this.standing)) return;
    // A snapshot is not trusted; it only shows whether there are more events to read.
    if (verifier.verdict.state !== "good" || verifier.count < (snapshot?.count ?? Number.POSITIVE_INFINITY)) return;
    const binding = together.bindings.get(this.seat);
    const own = binding && device.ownOf(binding);
    if (binding !== undefined && own === undefined) {
      this.#stands(device.chains.some((chain) => this.#wasBound(chain)) ? "replaced" : "other_device");
      return;
    }
    if (own !== undefined && binding !== undefined) {
      const opened = binding.known >= binding.first;
      if (opened && own.signed[binding.known]?.share !== binding.link) return this.#stands("not_mine");
      this.#stands("taking_part");
    }
    const usedUp = binding !== undefined && together.round + 1 >= binding.first + binding.length;
    if ((binding === undefined || usedUp) && verifier.mayBind) await this.#bind(own);
    else if (own && binding && together.awaited && together.waiting.includes(this.seat)) {
      const opened = await device.share(own, binding.first, together.awaited);
      if (opened === null) this.#stands("two_stories");
      else await this.#send("share", opened);
    }
  }

  /** @param {Kept} chain */
  #wasBound = (chain) => this.feed.boundKeys.has(chain.key);

  /** @param {Kept | undefined} before */
  async #bind(before) {
    const { together } = this.feed.verifier;
    if (together === null || this.#device === null) return;
    await this.#send("binding", await this.#device.bind(together.start, before, this.#wasBound));
  }

  /** Bind this device although another key is bound to the seat: everyone is told that the key was replaced. */
  async replace() {
    if (this.#device === null || FINAL.includes(this.standing)) return;
    await this.#bind(undefined).catch((error) => this.#failed(error));
  }

  /**
   * Send a message only once: until its event comes, later calls of `look` would send it again.
   * @type {(door: "share" | "binding", what: { signature: string }) => Promise<void>}
   */
  async #send(door, what) {
    if (this.#sent.has(what.signature)) return;
    const id = this.#unsure === what.signature ? this.#id : commandId();
    this.#id = id;
    this.#sent.add(what.signature);
    try {
      await post(this.feed.api(`seats/${this.seat}/${door}`), { id, ...what });
      this.refused = null;
    } catch (error) {
      this.#sent.delete(what.signature);
      this.#unsure = mayWork(error) ? what.signature : null;
      throw error;
    }
  }
}
