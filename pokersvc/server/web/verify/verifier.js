/** The verifier of a table (docs/verifier.md). It never throws for what a server sends: a lie becomes a verdict. */

import { AtTable } from "./at_table.js";
import { isHex } from "./bytes.js";
import { Chain, digestOf } from "./chain.js";
import { fits, parsed } from "./form.js";
import { FORMS } from "./forms.js";
import { rulebookOf } from "./games/index.js";
import { LocalHeads, MemoryHeads, spoken } from "./heads.js";
import { move, Problem } from "./problem.js";
import { checkSource } from "./shuffle.js";
import { SHARE_EVENTS, Together } from "./together.js";
import { counted, nothingChecked, Verdict } from "./verdict.js";

export { LocalHeads, MemoryHeads, spoken, Verdict };

/** Events of the table itself, which no game knows. */
const TABLE_EVENTS = new Set([
  "TableSet",
  "TimedOut",
  "CameBack",
  "TablePaused",
  "TableResumed",
  "ClockRestarted",
  "ClockChanged",
  "SeatReplaced",
  "DeviceChanged",
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
  /** @type {Rulebook | null} */
  #rulebook = null;
  /** @type {GameEvent | null} */
  #started = null;
  /** @type {AtTable | null} */
  #table = null;
  /** @type {Together | null} */
  #together = null;
  /** @type {Forms | null} For the game's events; null for an unknown game. */
  #forms = null;
  /** @type {Map<number, Form>} For the secrets, by event. */
  #hidden = new Map();
  /** @type {Head | null} The head of the game that this device saw before. */
  #before = null;
  #keeps = true;
  /** @type {Map<number, { hash: string, told: string }>} The hashes that events must have, and who told them. */
  #expected = new Map();
  /** The minimum number of events in the game, according to the server. */
  #present = 0;
  /** @type {boolean | null} Whether the table opens its seeds; null if it did not say. */
  #opensSeeds = null;
  #opened = false;
  /** @type {Problem | null} */
  #problem = null;

  /**
   * Create it before the first request for the game, so that what another tab sees meanwhile is no contradiction.
   * @param {{ game: string, seat?: number | null, heads?: Heads }} options
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
    this.verdict = this.#judge();
  }

  get count() {
    return this.#chain.count;
  }

  /** The hash of the last event, in hexadecimal; null before the first. */
  get head() {
    return this.count === 0 ? null : this.#chain.head;
  }

  /** The common shuffle of the table; null if the dealer shuffles alone. Callers must not change it. */
  get together() {
    return this.#together;
  }

  /** The state of the game for the checks of its table; undefined for an unknown game. */
  get standing() {
    return this.#rulebook?.standing;
  }

  /** What a seat faces; null outside betting rounds and draws. @param {number} seat */
  facing(seat) {
    return this.#rulebook?.facing?.(seat) ?? null;
  }

  /** Whether a seat can be bound now, between two rounds of a table that shuffles together. */
  get mayBind() {
    const { standing } = this;
    if (this.#together?.awaited !== null || (standing?.dealsTo ?? null) === null) return false;
    return this.#seat === null || (standing?.seated?.includes(this.#seat) ?? true); // newcomers bind on sitting down
  }

  get spoken() {
    return spoken(this.#chain.head);
  }

  /** @param {unknown} value */
  take(value) {
    return this.checking(() => {
      const record = this.#chain.take(value);
      this.#compare(record);
      this.#read(record);
      this.#keep({ seq: record.seq, hash: record.hash });
      if (this.count === this.#present)
        this.#caughtUp(); // at the end of a command
      else if (this.#present > 0 && this.count > this.#present) this.#rulebook?.caughtUp();
    });
  }

  #caughtUp() {
    this.#rulebook?.caughtUp();
    this.#together?.caughtUp();
    this.#table?.caughtUp();
  }

  /**
   * Check an event that came a second time, as the answer to a command and in the stream: it must be the same.
   * @param {unknown} value
   */
  again(value) {
    return this.checking(() => {
      this.#chain.again(value);
    });
  }

  /**
   * Compare the count and the head that the server names with what it streams.
   * @param {number} count
   * @param {string | null} head
   */
  told(count, head) {
    return this.checking(() => {
      if (!Number.isSafeInteger(count) || count < 0 || (count > 0 && !isHex(head, 32))) {
        throw new Problem("not_a_record", null, "The server told no number of events with a hash.");
      }
      if (this.#before !== null && count < this.#before.seq) throw this.#shorter(count, this.#before.seq);
      if (head === null || count === 0) return;
      this.#present = Math.max(this.#present, count);
      this.#expect({ seq: count, hash: head }, SERVER);
      if (count === this.count) this.#caughtUp();
    });
  }

  /**
   * Check the secrets that the table opened after the game, and that every card came from the decks that they make.
   * @param {unknown} opened a list of `Opened`
   */
  openSeeds(opened) {
    return this.checking(() => {
      const secrets = new Map();
      if (!Array.isArray(opened)) throw new Problem("not_a_record", null, "What was opened is no list of secrets.");
      for (const one of opened) {
        const seq = this.#checkOpened(one);
        const secret = parsed(one.secret);
        const form = this.#hidden.get(seq);
        if (form !== undefined && !fits(secret, form)) {
          throw new Problem("seeds", seq, `The secret of event ${seq} does not have the fields of its type.`);
        }
        secrets.set(seq, secret);
      }
      Object.assign(this.#checked, { cards: 0, decks: 0, decksInPart: 0 }); // a reopened stream opens them again
      if (secrets.has(1) && this.#started !== null) checkSource(this.#started, secrets.get(1).entropy);
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
      payload: parsed(payload),
      secret: open ? parsed(secret) : null,
      withheld,
    };
    if (seq === 1) this.#forms = formsOf(JSON.parse(payload)?.game);
    if (this.#forms !== null) {
      const [said, hidden] = this.#forms[`${type}${version}`] ?? [];
      if (said === undefined || !isOfForm(event, said, hidden)) throw this.#unreadable();
      if (hidden !== undefined) this.#hidden.set(seq, hidden);
    }
    if (seq === 1) {
      this.#started = event;
      if (this.#forms !== null) {
        this.#table = new AtTable(event);
        checkSource(event, open ? event.secret.entropy : null);
      }
      this.#rulebook = rulebookOf(event, this.#seat, this.#checked);
    } else if (TABLE_EVENTS.has(type)) this.#ofTable(event);
    else if (this.#rulebook !== null) this.#ofGame(event, this.#rulebook);
  }

  /** @type {(event: GameEvent, rulebook: Rulebook) => void} */
  #ofGame(event, rulebook) {
    if (this.#opened) throw new Problem("seeds", event.seq, `Secrets were opened before event ${event.seq}.`);
    this.#together?.before(event, rulebook.standing);
    this.#table?.before(event, rulebook.standing);
    if (!rulebook.take(event)) throw move(event, "its game has no such event");
    this.#together?.after(event);
  }

  /** @param {GameEvent} event */
  #ofTable(event) {
    const { seq, type, payload } = event;
    if (type === "TableSet") this.#opensSeeds = payload.opens_seeds === true;
    if (type === "SeatReplaced") this.#rulebook?.replaced(payload.seat);
    const [rulebook, table] = [this.#rulebook, this.#table];
    if (rulebook === null || table === null || this.#started === null) return;
    if (type === "DealingSet" && this.#together === null && rulebook.hasDecks) {
      this.#together = new Together(this.#started, event, table);
    } else if (this.#together !== null) this.#together.atTable(event, rulebook.standing);
    else if (SHARE_EVENTS.has(type)) {
      throw new Problem("shares", seq, `Event ${seq}, ${type}, cannot be: this table does not shuffle together.`);
    }
    table.take(event, rulebook.standing);
  }

  /**
   * Require the hash that was told for an event, now or when the event comes.
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
   * Keep the head on the device, unless another tab has kept a later one: then expect that one.
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

  /** @param {() => void} check notes the first problem, and returns the verdict */
  checking(check) {
    if (this.#problem === null) {
      try {
        check();
      } catch (error) {
        this.#problem ??= error instanceof Problem ? error : this.#unreadable();
      }
      this.verdict = this.#judge();
    }
    return this.verdict;
  }

  #unreadable() {
    return new Problem("not_a_record", this.count, `Event ${this.count} does not have the fields of its type.`);
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
      keeps: this.#keeps,
      opened: this.#opened,
      opensSeeds: this.#opensSeeds,
      rulebook: this.#rulebook,
      together: this.#together,
    });
  }
}

/** @type {(game: string) => Forms | null} */
const formsOf = (game) => (Object.hasOwn(FORMS, game) && FORMS[game]) || null;

/** @type {(event: GameEvent, said: Form, hidden?: Form) => boolean} */
const isOfForm = ({ payload, secret, withheld }, said, hidden) =>
  fits(payload, said) && (hidden === undefined ? secret === null && !withheld : withheld || fits(secret, hidden));

/** @type {(seq: number, told: string) => Problem} */
const otherStory = (seq, told) => new Problem("other_story", seq, `Event ${seq} is not the one that ${told}.`);
