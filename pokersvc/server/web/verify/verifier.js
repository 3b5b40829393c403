/**
 * The verifier of a table: give it every event as it comes, and it says whether the story holds together.
 *
 * It needs nothing of the page and nothing of the network, and never throws for what a server sends: a lie is a
 * verdict. The algorithm, for another implementation, is in docs/verifier.md.
 */

import { isHex } from "./bytes.js";
import { Chain, digestOf } from "./chain.js";
import { rulebookOf } from "./games/index.js";
import { LocalHeads, MemoryHeads } from "./heads.js";
import { Problem } from "./problem.js";
import { spoken } from "./spoken.js";
import { SHARE_EVENTS, Together } from "./together.js";
import { counted, nothingChecked, Verdict } from "./verdict.js";

export { LocalHeads, MemoryHeads, spoken, Verdict };

/** @typedef {import("./chain.js").EventRecord} EventRecord */
/** @typedef {import("./heads.js").Head} Head */
/** @typedef {import("./heads.js").Heads} Heads */
/** @typedef {{ seq: number, secret: string, salt: string }} Opened */

/** Events of the table itself, which no game knows. */
const TABLE_EVENTS = new Set([
  "TableSet",
  "TimedOut",
  "CameBack",
  "TablePaused",
  "TableResumed",
  "ClockRestarted",
  "SeatReplaced",
  "SeatRemoved",
  ...SHARE_EVENTS,
]);

const DEVICE = "this device saw before";
const SERVER = "the server named as the last";

export class Verifier {
  #game;
  #seat;
  #heads;
  #chain;
  #checked = nothingChecked();
  /** @type {import("./games/rulebook.js").Rulebook | null} */
  #rulebook = null;
  /** @type {import("./games/rulebook.js").GameEvent | null} */
  #started = null;
  /** @type {Together | null} */
  #together = null;
  /** @type {Head | null} What this device saw of the game before. */
  #before = null;
  /** Whether the device keeps heads. */
  #keeps = true;
  /** @type {Map<number, { hash: string, told: string }>} Which hashes events must have, and who told. */
  #expected = new Map();
  /** How many events there are at least, as the server told. */
  #present = 0;
  /** Events of types that are not known here. */
  #unread = 0;
  /** @type {boolean | null} Whether the table opens its seeds; null where it did not say. */
  #opensSeeds = null;
  #opened = false;
  /** @type {Problem | null} */
  #problem = null;

  /**
   * Make it before anything of the game is asked for, so that what another tab sees meanwhile is no contradiction.
   * @param {{ game: string, seat?: number | null, heads?: Heads }} options the game's id; the viewer's seat, null for
   *   one who watches; where this device keeps heads
   */
  constructor({ game, seat = null, heads = new MemoryHeads() }) {
    this.#game = game;
    this.#seat = seat;
    this.#heads = heads;
    this.#chain = new Chain(game);
    this.#keeping(() => {
      this.#before = heads.read(game);
      if (this.#before !== null) this.#expect(this.#before, DEVICE);
    });
    /** The last verdict. */
    this.verdict = this.#judge();
  }

  /** How many events are good. */
  get count() {
    return this.#chain.count;
  }

  /** The hash of the last of them, in hexadecimal; null before the first. */
  get head() {
    return this.count === 0 ? null : this.#chain.head;
  }

  /** How the table shuffles together; null where the dealer shuffles alone. What it says is not to be changed. */
  get together() {
    return this.#together;
  }

  /** Whether a seat can be bound now, between two rounds of a table that shuffles together. */
  get mayBind() {
    const standing = this.#rulebook?.standing;
    if (this.#together?.awaited !== null || (standing?.dealsTo ?? null) === null) return false;
    return this.#seat === null || (standing?.seated?.includes(this.#seat) ?? true); // whoever sits down is bound then
  }

  /** The short form of the head. */
  get spoken() {
    return spoken(this.#chain.head);
  }

  /**
   * Take the next event, as the stream has it.
   * @param {unknown} value
   */
  take(value) {
    return this.#checking(() => {
      const record = this.#chain.take(value);
      this.#compare(record);
      this.#read(record);
      this.#keep({ seq: record.seq, hash: record.hash });
      if (this.count >= this.#present && this.#present > 0) this.#rulebook?.caughtUp();
      if (this.count === this.#present) this.#together?.caughtUp(); // where a command has ended
    });
  }

  /**
   * Check an event that came a second time, as the answer to a command and in the stream: it must be the same.
   * @param {unknown} value
   */
  again(value) {
    return this.#checking(() => {
      this.#chain.again(value);
    });
  }

  /**
   * Compare what the server says that the present is, how many events and the last one's hash, with what it streams.
   * @param {number} count
   * @param {string | null} head
   */
  told(count, head) {
    return this.#checking(() => {
      if (!Number.isSafeInteger(count) || count < 0 || (count > 0 && !isHex(head, 32))) {
        throw new Problem("not_a_record", null, "The server told no number of events with a hash.");
      }
      if (this.#before !== null && count < this.#before.seq) throw this.#shorter(count, this.#before.seq);
      if (head === null || count === 0) return;
      this.#present = Math.max(this.#present, count);
      this.#expect({ seq: count, hash: head }, SERVER);
      if (count !== this.count) return;
      this.#rulebook?.caughtUp();
      this.#together?.caughtUp();
    });
  }

  /**
   * Check the secrets that the table opened after the game: that each is the one that was committed to, and that every
   * card came from the decks that they make.
   * @param {unknown} opened a list of `Opened`
   */
  openSeeds(opened) {
    return this.#checking(() => {
      const secrets = new Map();
      if (!Array.isArray(opened)) throw new Problem("not_a_record", null, "What was opened is no list of secrets.");
      for (const one of opened) {
        const seq = this.#checkOpened(one);
        secrets.set(seq, JSON.parse(one.secret));
      }
      Object.assign(this.#checked, { cards: 0, decks: 0, decksInPart: 0 }); // a stream that is made anew opens them again
      this.#together?.open(secrets);
      this.#rulebook?.open(secrets);
      this.#opened = true;
    });
  }

  /** @param {any} one */
  #checkOpened(one) {
    const seq = Number.isSafeInteger(one?.seq) ? Number(one.seq) : 0;
    const digest = this.#chain.digestOf(seq);
    if (digest === undefined || typeof one.secret !== "string" || typeof one.salt !== "string") {
      throw new Problem("seeds", seq || null, "A secret was opened of an event that has none.");
    }
    const made = digestOf({ ...one, digest: undefined });
    if (made.some((byte, at) => byte !== digest[at])) {
      throw new Problem("seeds", seq, `The secret that was opened for event ${seq} is not the one committed to.`);
    }
    return seq;
  }

  /** @param {EventRecord} record */
  #read({ seq, type, version, recorded_at, command_id, n, hash, payload, secret, digest }) {
    const open = typeof secret === "string";
    const withheld = !open && typeof digest === "string";
    this.#checked.events += 1;
    if (open) this.#checked.secrets += 1;
    if (withheld) this.#checked.withheld += 1;
    const event = {
      seq,
      type,
      version,
      at: recorded_at,
      command: command_id,
      n,
      hash,
      payload: JSON.parse(payload),
      secret: open ? JSON.parse(secret) : null,
      withheld,
    };
    if (seq === 1) {
      this.#started = event;
      this.#rulebook = rulebookOf(event, this.#seat, this.#checked);
    } else if (TABLE_EVENTS.has(type)) this.#ofTable(event);
    else if (this.#rulebook !== null) this.#ofGame(event, this.#rulebook);
  }

  /** @type {(event: import("./games/rulebook.js").GameEvent, rulebook: import("./games/rulebook.js").Rulebook) => void} */
  #ofGame(event, rulebook) {
    if (this.#together !== null && rulebook.standing !== undefined) this.#together.before(event, rulebook.standing);
    if (!rulebook.take(event)) this.#unread += 1;
    this.#together?.after(event);
  }

  /** @param {import("./games/rulebook.js").GameEvent} event */
  #ofTable(event) {
    const { seq, type, payload } = event;
    if (type === "TableSet") this.#opensSeeds = payload.opens_seeds === true;
    if (type === "SeatReplaced") this.#rulebook?.replaced(payload.seat);
    const standing = this.#rulebook?.standing;
    if (type === "DealingSet" && this.#together === null && this.#started !== null && standing !== undefined) {
      this.#together = new Together(this.#started, event);
    } else if (this.#together !== null && standing !== undefined) this.#together.atTable(event, standing);
    else if (SHARE_EVENTS.has(type)) {
      if (this.#rulebook === null) this.#unread += 1;
      else throw new Problem("shares", seq, `Event ${seq}, ${type}, cannot be: this table does not shuffle together.`);
    }
  }

  /**
   * Hold the story to the hash of an event that came already, or is to come.
   * @param {Head} head
   * @param {string} told who told it
   */
  #expect({ seq, hash }, told) {
    const known = seq <= this.count ? this.#chain.hashOf(seq) : this.#expected.get(seq)?.hash;
    if (known !== undefined && known !== hash) throw otherStory(seq, told);
    if (seq > this.count) this.#expected.set(seq, { hash, told });
  }

  /** @param {EventRecord} record */
  #compare({ seq, hash }) {
    const expected = this.#expected.get(seq);
    if (expected !== undefined && expected.hash !== hash) throw otherStory(seq, expected.told);
    this.#expected.delete(seq);
  }

  /**
   * Keep the head on the device, unless another tab has kept a later one: then that is what is to come.
   * @param {Head} head
   */
  #keep(head) {
    if (head.seq <= (this.#before?.seq ?? 0)) return;
    this.#keeping(() => {
      const kept = this.#heads.read(this.#game);
      if (kept !== null && kept.seq >= head.seq) this.#expect(kept, DEVICE);
      else this.#heads.write(this.#game, head);
    });
  }

  /** @param {() => void} task */
  #keeping(task) {
    if (!this.#keeps) return;
    try {
      task();
    } catch (error) {
      if (error instanceof Problem) throw error;
      this.#keeps = false;
    }
  }

  /** @param {() => void} check */
  #checking(check) {
    if (this.#problem === null) {
      try {
        check();
      } catch (error) {
        this.#problem = error instanceof Problem ? error : this.#unreadable();
      }
      this.verdict = this.#judge();
    }
    return this.verdict;
  }

  #unreadable() {
    return new Problem("not_a_record", this.count, `Event ${this.count} does not say what an event of its type says.`);
  }

  /** @type {(told: number, before: number) => Problem} */
  #shorter(told, before) {
    const sentence = `The server says that the game has ${counted(told, "event")}; this device has seen ${before}.`;
    return new Problem("shorter", told, sentence);
  }

  #judge() {
    return new Verdict({
      checked: { ...this.#checked },
      problem: this.#problem,
      seenBefore: this.#before?.seq ?? 0,
      unread: this.#unread,
      keeps: this.#keeps,
      opened: this.#opened,
      opensSeeds: this.#opensSeeds,
      rulebook: this.#rulebook,
      together: this.#together,
    });
  }
}

/** @type {(seq: number, told: string) => Problem} */
const otherStory = (seq, told) => new Problem("other_story", seq, `Event ${seq} is not the one that ${told}.`);
