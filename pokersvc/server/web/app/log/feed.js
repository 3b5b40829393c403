/** All that a page knows about one game of a table: checked records, last snapshot, what was sent, the connection. */

import { LocalHeads, Verifier } from "../../verify/verifier.js";
import { api, commandId, get, post, Refused, Unreachable } from "../api.js";
import { TakesPart } from "../device/takes-part.js";
import { failed, RETRY } from "./failed-requests.js";
import { withSaid } from "./said-lines.js";
import { Stream } from "./stream.js";
import { follow, withLines } from "./told-lines.js";
import { wentOn } from "./went-on.js";

const MOST_KEPT = 3000;
const SOON = 40;
/** Milliseconds after which a snapshot is requested if the stream has not sent one after its events. */
const LATE = 400;
/** Events after which other people may sit at the table's seats. */
const RESEATS = new Set(["SatDown", "GotUp", "SeatFreed", "SeatReplaced", "SeatRemoved"]);

export class Feed {
  /**
   * @param {TableInfo} info the table with the game
   * @param {number | null} seat null: a spectator
   * @param {{replays?: boolean, address?: string, hosts?: boolean}} [how] `hosts`: as the host without a seat; `address`: the id in the page's address, for which its cookie is
   */
  constructor(info, seat, { replays = false, address = info.table, hosts = false } = {}) {
    this.replays = replays;
    this.table = info.table;
    this.game = info.game;
    this.address = address;
    this.seat = seat;
    this.door = seat === null ? "watch" : `seats/${seat}`;
    /** The address of the table as it is now; watchers may see it later. */
    this.tells = seat !== null ? `${this.door}/table` : hosts ? "host/table" : "";
    /** @type {TableInfo} */
    this.info = info;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    /** @type {Happening[]} */
    this.happened = [];
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Said[]} */
    this.chat = [];
    /** @type {Sent | null} */
    this.sent = null;
    /** @type {string | null} */
    this.error = null;
    /** @type {string | null} */
    this.gone = null;
    /** People who moved to another device while no game ran. */
    this.went = "";
    this.connected = true;
    /** The seats whose people have lost the connection, as the server says. */
    this.missing = /** @type {number[]} */ ([]);
    /** Created before the first request, so that it holds the server to what this device saw before. */
    this.verifier = new Verifier({ game: info.game, heads: new LocalHeads(), seat });
    this.asking = this.changesSeat = false; // `changesSeat`: taking another seat, which loses this one
    this.askAgain = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.listeners = new Set();
    /** @type {Stream | null} */
    this.stream = null;
    /** @type {TakesPart | null} This tab's part in the shuffle, if it has a seat at a table that shuffles together. */
    this.takesPart = null;
    /** Keys to which this seat was bound so far. */
    this.boundKeys = new Set();
  }

  /** @param {string} [door] */
  api(door = "") {
    return api(this.address, door, this.game);
  }

  /** Whether the people at the seats may have changed since the table was last requested. */
  #reseated = false;
  /** Ends the requests by which a host without a seat sees a delayed table as it is now. */
  #live = /** @type {Promise<() => void> | null} */ (null);

  open() {
    if (this.tells === "host/table")
      this.#live = import("./live-table.js").then((found) => found.followLive(this, (info) => this.#told(info, true)));
    this.stream = new Stream(
      this.api(`${this.door}/stream`),
      {
        connection: (connected) => {
          if (connected !== this.connected) this.#soon(); // when it is lost, to learn why
          this.connected = connected;
          // A new stream sends all lines again, except those deleted meanwhile, and says again who is missing.
          if (connected) this.chat = this.missing = [];
          this.#changed();
        },
        chat: (said) => this.#set({ chat: withSaid(this.chat, said) }),
        gone: (gone) => this.#set({ gone }),
        missing: (missing) => this.#set({ missing }),
        lobby: (info) => {
          this.#told(info);
          this.#soon();
        },
        table: (info) => this.#told(info),
        opened: (opened) => {
          this.verifier.openSeeds(opened);
          this.#changed();
        },
        record: (record, text) => {
          const known = record.seq <= this.verifier.count;
          if (known) this.verifier.again(text);
          else this.verifier.take(text);
          if (known || this.broken) return this.#changed();
          if (RESEATS.has(record.type)) this.#reseated = true;
          const happening = { fields: JSON.parse(record.payload), seq: record.seq, type: record.type };
          this.happened.push(happening);
          this.#takePart(happening);
          if (this.happened.length > MOST_KEPT && !this.replays) this.happened.splice(0, MOST_KEPT / 2);
          this.#late();
        },
        snapshot: (found) => {
          if (this.#reseated || this.#startedSince() || !follow(this.lines, found.lines)) return this.#soon();
          clearTimeout(this.timer);
          this.#show(found);
          this.#takePart();
          this.#changed();
        },
      },
      { keepsHidden: this.seat !== null && !this.replays, snapshots: !this.replays },
    );
    this.#late();
  }

  /** @param {TableInfo} info */
  #told(info, isLive = !(this.#live && info.access.delay)) {
    if (!isLive) return;
    const who = wentOn(this.info, info);
    if (who || info.status === "playing") this.went = who;
    this.info = info;
    this.#changed();
  }

  close() {
    void this.#live?.then((end) => end());
    this.stream?.close();
    this.takesPart?.close();
    clearTimeout(this.timer);
  }

  #takePart({ seq = 0, type = "", fields = /** @type {any} */ ({}) } = {}) {
    if (this.seat === null || this.replays) return;
    if (type === "DealingSet" && seq === 3) this.takesPart = new TakesPart(this);
    if (type === "SeatBound" && fields.seat === this.seat) this.boundKeys.add(fields.key);
    // Look at once: in a hidden tab, a timer may run a minute late. All else is done with the next snapshot.
    if (type === "SharesAwaited" || type === "") void this.takesPart?.look();
  }

  redraw() {
    this.#changed();
  }

  /**
   * Call a listener when anything changes; return the function that stops that.
   * @param {() => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param {Partial<Feed>} what */
  #set(what) {
    Object.assign(this, what);
    this.#changed();
  }

  #changed() {
    for (const listener of this.listeners) listener();
  }

  /** Many records come at once: one request is enough for all of them. */
  #soon(wait = SOON) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), wait);
  }

  /** Request a snapshot if the stream sends none soon; where watchers see a delayed table, it sends none. */
  #late() {
    this.#soon(this.replays || this.info.access.delay ? SOON : LATE);
  }

  async refresh() {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    try {
      if (this.#reseated || this.#startedSince()) {
        this.#reseated = false;
        this.#told(await get(this.api(this.tells)), true);
      }
      // Between the start of its table and its first event, a game has nothing to show yet.
      if (!this.replays && (this.verifier.count > 0 || !this.connected)) await this.#look();
    } catch (error) {
      failed(this, error);
    }
    this.asking = false;
    this.#takePart();
    if (this.askAgain) {
      this.askAgain = false;
      this.#soon();
    }
    this.#changed();
  }

  /** Before the game, the stream tells of changes to the table; from then on, of events. */
  #startedSince() {
    return this.info.status === "waiting" && this.verifier.count > 0;
  }

  async #look() {
    this.#show(await get(this.api(`${this.door}/snapshot?after=${this.lines.at(-1)?.seq ?? 0}`)));
  }

  /** @param {Snapshot} found */
  #show(found) {
    if (found.count < (this.snapshot?.count ?? 0)) return;

    if (found.count > 0) this.verifier.told(found.count, found.head);
    if (this.broken) return;
    this.snapshot = found;
    if (found.outcome !== null) this.info = { ...this.info, status: "over" };
    this.lines = withLines(this.lines, found.lines);
    if (this.sent !== null && "seq" in this.sent && Number(this.sent.seq) <= found.count) this.sent = null;
  }

  /** The time at which something came last, in milliseconds. */
  get heardAt() {
    return this.stream?.heardAt ?? null;
  }

  /** Whether the log is wrong; nothing more of it is drawn then. */
  get broken() {
    return this.verifier.verdict.state === "broken";
  }

  /** Whether the log was checked exactly up to the last event that is shown. */
  get checked() {
    const { snapshot, verifier } = this;
    return verifier.verdict.state === "good" && verifier.count === snapshot?.count && verifier.head === snapshot.head;
  }

  /**
   * Send a choice or a typed text, again under the same id while the server cannot be reached; return why it was refused.
   * @param {{action: GameAction} | {typed: string}} what
   * @param {string} label
   * @param {string | null} [head] the head of what was shown, for a choice in a hand: the choice counts only there
   */
  async send(what, label, head = null) {
    if (this.sent !== null) return "busy";
    const sent = { id: commandId(), label };
    this.#set({ error: null, sent });
    for (;;) {
      try {
        const { events } = await post(this.api(`${this.door}/commands`), {
          ...(head && { head }),
          id: sent.id,
          ...what,
        });
        for (const record of events) if (record.seq <= this.verifier.count) this.verifier.again(record);
        const seq = events.at(-1)?.seq ?? 0;
        this.sent = seq <= (this.snapshot?.count ?? 0) ? null : /** @type {Sent} */ ({ ...sent, seq });
        if (this.sent !== null) this.#late();
        break;
      } catch (error) {
        if (!(error instanceof Unreachable) || this.gone !== null) return this.#refused(error);
        this.#set({ connected: false });
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
    this.#changed();
    return "";
  }

  /** @param {unknown} error */
  #refused(error) {
    this.sent = null;
    this.error = error instanceof Error ? error.message : String(error);
    if (error instanceof Refused && error.code === "concurrent_update") {
      if (error.body.count) this.verifier.told(error.body.count, error.body.head);
      this.error = "The game has moved on before your choice arrived. Look again and choose.";
    }
    this.#changed();
    this.#soon();
    return error instanceof Refused ? error.code : "unknown";
  }

  /** @param {string | null} text */
  fail(text) {
    this.#set({ error: text });
  }
}
