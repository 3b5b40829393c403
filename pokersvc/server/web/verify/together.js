/** The common shuffle of a table, as docs/shares.md defines it; docs/verifier.md says what is checked. */

import { fromHex, toHex } from "./bytes.js";
import { isKey, isSigned } from "./ed25519.js";
import { Problem } from "./problem.js";
import { boundMessage, linkAfter, openedMessage, roundSeed } from "./shares.js";

export const SHARE_EVENTS = new Set(["DealingSet", "SeatBound", "SharesAwaited", "ShareOpened", "ShareMissed"]);
const SHUFFLE = "DeckShuffled";
const PAUSES = ["TablePaused", "TableResumed"];
/** Events after which a seat has another device. */
const DEVICES = ["SeatReplaced", "DeviceChanged"];

/** The state of a table's common shuffle after the events so far. */
export class Together {
  /** @type {Map<number, Binding>} */
  bindings = new Map();
  /** @type {Map<number, string>} The last key that each seat was bound to, even if a new link has ended the binding. */
  #keys = new Map();
  /** @type {Set<string>} Every chain that a seat was bound to: a second time, the chain's links would be known. */
  #chains = new Set();
  round = 0;
  /** @type {AwaitedShares | null} */
  awaited = null;
  /** @type {Map<number, number[]>} The rounds for whose shuffle each seat gave a share. */
  part = new Map();
  /** @type {Map<number, number[]>} The rounds in which each seat's share was missed. */
  missed = new Map();
  /** @type {Map<number, number>} How often each seat was bound again without a signature by its previous key. */
  replaced = new Map();
  /** @type {Map<number, string[]>} The names of the earlier holders of each seat. */
  former = new Map();
  /** @type {number[]} Rounds that were not played, because no share came. */
  unplayed = [];
  /** The number of rounds that were dealt again from their shares, once the dealer's secret was opened. */
  checked = 0;

  #table;
  /** @type {number[]} Seats that must forgo the round that was dealt, as soon as somebody must choose in it. */
  #forgoing = [];
  #now = 0;
  #since = 0;
  #used = 0;
  /** @type {{ command: string, seq: number } | null} The event that completed the shares of the round to deal. */
  #completed = null;
  /** @type {{ command: string, n: number } | null} The share that was missed last, if no event came since. */
  #lastMissed = null;
  /** @type {Map<number, AwaitedShares>} By the event of the shuffle. */
  #shuffled = new Map();

  /**
   * @param {GameEvent} started
   * @param {GameEvent} event `DealingSet`
   * @param {import("./at_table.js").AtTable} table
   */
  constructor(started, event, table) {
    this.#table = table;
    if (event.seq !== 3 || event.n !== 3) throw wrong(event, "how a table shuffles is the third event of its game");
    if (started.payload.reproducible) throw wrong(event, "a game that is dealt from a text has no shares");
    this.seconds = event.payload.seconds;
    this.start = started.hash;
    /** @type {string[]} By seat; place 0 is not used. */
    this.names = ["", ...started.payload.seats.map((/** @type {{ name: string }} */ seat) => seat.name)];
  }

  get waiting() {
    return this.awaited?.seats.filter((seat) => !this.awaited?.shares.has(seat)) ?? [];
  }

  get shuffles() {
    return this.#shuffled.size;
  }

  // Events of the table.

  /** @type {(event: GameEvent, standing: Standing) => void} */
  atTable(event, standing) {
    this.#checkPlace(event);
    this.#now = Math.max(this.#now, microseconds(event.at));
    const { seat } = event.payload;
    if (event.type === "SeatBound") this.#bound(event, standing);
    if (event.type === "SharesAwaited") this.#opens(event, standing);
    if (event.type === "ShareOpened") this.#opened(event);
    if (event.type === "ShareMissed") this.#misses(event);
    if (DEVICES.includes(event.type)) this.bindings.delete(seat); // the former device is no longer asked
    if (PAUSES.includes(event.type)) this.#pause(event.type === "TablePaused");
    this.#lastMissed = event.type === "ShareMissed" ? event : null;
  }

  /** @param {GameEvent} event */
  #checkPlace(event) {
    const { type } = event;
    if (type === "DealingSet") throw wrong(event, "how a table shuffles is chosen once");
    if (this.#completed !== null) throw wrong(event, "the deck comes next, after the shares of all");
    const ofShares = type === "ShareOpened" || type === "ShareMissed";
    if (this.awaited !== null && !ofShares && !PAUSES.includes(type)) throw wrong(event, "shares are awaited");
    if (this.#table.paused && (ofShares || type === "SharesAwaited")) throw wrong(event, "the table is paused");
  }

  /** @type {(event: GameEvent, standing: Standing) => void} */
  #bound(event, standing) {
    const { seat, key, tip, length, signature, renewal } = event.payload;
    if (standing.dealsTo === null && !standing.pausing) throw wrong(event, "a seat is bound between two rounds");
    if (!isKey(fromHex(key))) throw wrong(event, "its key is not a key whose signatures prove anything");
    const message = boundMessage(fromHex(this.start), seat, { key, tip, length });
    if (!isSigned(message, fromHex(signature), fromHex(key))) throw wrong(event, "it is not signed by its key");
    const chain = `${seat} ${tip}`;
    if (this.#chains.has(chain)) throw wrong(event, "the seat was bound to that chain before");
    const before = this.#keys.get(seat);
    if (renewal !== null) {
      const renewed = before !== undefined && isSigned(message, fromHex(renewal), fromHex(before));
      if (!renewed) throw wrong(event, "its renewal is not signed by the key before it");
    } else if (before !== undefined) {
      this.replaced.set(seat, (this.replaced.get(seat) ?? 0) + 1);
    }
    this.#keys.set(seat, key);
    this.#chains.add(chain);
    this.bindings.set(seat, { key, tip, length, first: this.round + 1, known: this.round, link: tip });
  }

  /** @type {(event: GameEvent, standing: Standing) => void} */
  #opens(event, standing) {
    const { round, seats } = event.payload;
    if (standing.dealsTo === null) throw wrong(event, "no round begins now");
    const number = this.round + 1;
    const asked = standing.dealsTo.filter((seat) => {
      const binding = this.bindings.get(seat);
      const reaches = binding !== undefined && number < binding.first + binding.length;
      return reaches && !this.#table.sittingOut.includes(seat);
    });
    if (asked.length === 0) throw wrong(event, "no seat that is dealt in is bound");
    if (round !== number || seats.join() !== asked.join()) {
      throw wrong(event, `round ${number} with shares of the seats ${asked.join(", ")} comes next`);
    }
    this.round = number;
    this.#forgoing = [];
    const away = this.#table.sittingOut.filter((seat) => !asked.includes(seat));
    this.awaited = { round, seats: asked, away, head: event.hash, shares: new Map() };
    this.#since = this.#now;
    this.#used = 0;
  }

  /** @param {GameEvent} event */
  #asked(event) {
    const { seat } = event.payload;
    const binding = this.bindings.get(seat);
    if (this.awaited === null || binding === undefined || !this.waiting.includes(seat)) {
      throw wrong(event, `no share of seat ${seat} is awaited`);
    }
    return { awaited: this.awaited, binding, seat };
  }

  /** @param {GameEvent} event */
  #opened(event) {
    const { awaited, binding, seat } = this.#asked(event);
    const { share, signature } = event.payload;
    const { round, head } = awaited;
    const start = fromHex(this.start);
    const link = linkAfter(start, seat, fromHex(share), round - binding.known);
    if (toHex(link) !== binding.link) throw wrong(event, `that is not the share of seat ${seat} for round ${round}`);
    const signed = isSigned(
      openedMessage(start, seat, { round, share, head }),
      fromHex(signature),
      fromHex(binding.key),
    );
    if (!signed) throw wrong(event, `it is not signed by the key of seat ${seat} for round ${round} of this history`);
    Object.assign(binding, { known: round, link: share });
    awaited.shares.set(seat, share);
    note(this.part, seat, round);
    this.#complete(event);
  }

  /** @param {GameEvent} event */
  #misses(event) {
    const { awaited, seat } = this.#asked(event);
    const before = this.#lastMissed;
    if (event.n > 1 && (before?.command !== event.command || before.n !== event.n - 1)) {
      throw wrong(event, "a share is missed first in its command, or after others");
    }
    const left = this.seconds * 1e6 - this.#used - (this.#now - this.#since);
    if (left > 0) {
      const early = `${(left / 1e6).toFixed(6)} seconds before the time for shares is over`;
      throw new Problem("clock", event.seq, `Event ${event.seq} calls the share of seat ${seat} missed ${early}.`);
    }
    awaited.shares.set(seat, "");
    note(this.missed, seat, awaited.round);
    this.#complete(event);
  }

  /** @param {GameEvent} event */
  #complete(event) {
    if (this.awaited === null || this.waiting.length > 0) return;
    if ([...this.awaited.shares.values()].some((share) => share !== "")) {
      this.#completed = event;
      return;
    }
    this.unplayed.push(this.awaited.round);
    this.awaited = null;
  }

  /** @param {boolean} paused */
  #pause(paused) {
    if (paused && !this.#table.paused) this.#used += this.#now - this.#since;
    this.#since = this.#now;
  }

  // Events of the game.

  /**
   * Check an event of the game before the game takes it.
   * @type {(event: GameEvent, standing: Standing) => void}
   */
  before(event, standing) {
    this.#now = Math.max(this.#now, microseconds(event.at));
    this.#lastMissed = null;
    const due = standing.awaited.length > 0 ? this.#forgoing.find((seat) => standing.dealt.includes(seat)) : undefined;
    if (due !== undefined || event.type === "RoundForgone") {
      if (event.type !== "RoundForgone" || event.payload.seat !== due) {
        throw wrong(
          event,
          due === undefined ? "its share is in the deck" : `no share of seat ${due} is in the deck, so it is out first`,
        );
      }
    } else if (this.#completed !== null) {
      if (standing.chosen(event)) throw wrong(event, "the deck comes next, after the shares of all");
      if (event.command !== this.#completed.command) {
        throw wrong(event, "the deck is in the command that completed its shares");
      }
    } else if (this.awaited !== null) {
      throw wrong(event, "shares are awaited, and nothing else");
    } else if (standing.dealsTo !== null && !standing.chosen(event)) {
      throw wrong(event, "the shares of a round come before it begins");
    }
  }

  /**
   * Note an event that the game has taken.
   * @param {GameEvent} event
   */
  after({ seq, type, payload }) {
    if (type === "SatDown") this.#reseat(payload);
    if (type === "RoundForgone") this.#forgoing = this.#forgoing.filter((seat) => seat !== payload.seat);
    if (type !== SHUFFLE || this.awaited === null) return;
    const { seats, shares, away } = this.awaited;
    this.#shuffled.set(seq, this.awaited);
    this.#forgoing = [...seats.filter((seat) => shares.get(seat) === ""), ...away].sort((a, b) => a - b);
    this.awaited = null;
    this.#completed = null;
  }

  /**
   * Note that another person now has a seat; their key will be new, not a renewal.
   * @param {{ name?: string | null, seat: number }} came
   */
  #reseat({ name, seat }) {
    if (name == null) return;
    this.bindings.delete(seat);
    this.#keys.delete(seat);
    this.former.set(seat, [...(this.former.get(seat) ?? []), `${this.names[seat]}`]);
    this.names[seat] = name;
  }

  /** Check that nothing is due: all events that exist were taken. */
  caughtUp() {
    if (this.#completed === null) return;
    const { seq } = this.#completed;
    throw new Problem("shares", seq, `The shares are complete with event ${seq}, but no deck follows.`);
  }

  /**
   * Check that the seed of every round follows from the dealer's secret and the shares.
   * @param {ReadonlyMap<number, any>} opened the secrets by event
   */
  open(opened) {
    const secret = opened.get(1)?.entropy.secret;
    if (secret === undefined) throw new Problem("seeds", 1, "The dealer's secret of the game was not opened.");
    this.checked = 0;
    for (const [seq, { round, seats, shares }] of this.#shuffled) {
      /** @type {[number, string][]} */
      const given = seats.map((seat) => [seat, shares.get(seat) ?? ""]);
      const seed = toHex(roundSeed(fromHex(secret), fromHex(this.start), round, given));
      const { seed: shown } = opened.get(seq) ?? {};
      if (shown === undefined) throw new Problem("seeds", seq, `The seed of the deck of event ${seq} was not opened.`);
      if (shown !== seed) {
        throw new Problem("seeds", seq, `The seed of event ${seq} does not follow from the shares of round ${round}.`);
      }
      this.checked += 1;
    }
  }
}

/** @type {(event: GameEvent, why: string) => Problem} */
const wrong = ({ seq, type }, why) => new Problem("shares", seq, `Event ${seq}, ${type}, cannot be: ${why}.`);

/** @type {(rounds: Map<number, number[]>, seat: number, round: number) => void} */
const note = (rounds, seat, round) => rounds.set(seat, [...(rounds.get(seat) ?? []), round]);

/**
 * Return a moment of a record in whole microseconds since 1970.
 * @param {string} at
 */
const microseconds = (at) => Date.parse(`${at.slice(0, 23)}Z`) * 1000 + Number(at.slice(23, 26));
