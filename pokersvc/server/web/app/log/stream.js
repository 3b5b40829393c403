/** The stream of a table's events: reopened after every failure, and closed in hidden tabs that only watch. */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** Milliseconds of silence before a stream is reopened: heartbeats come every 15 s, and a network may fail silently. */
const QUIET = 25_000;

/** @param {{seats: {seat: number, connected: boolean}[]}} told */
const missingIn = ({ seats }) => seats.filter(({ connected }) => !connected).map(({ seat }) => seat);

export class Stream {
  /**
   * @param {string} path with the game that is meant
   * @param {StreamHandlers} handlers
   * @param {{keepsHidden: boolean, after?: number, snapshots?: boolean}} how `snapshots`: send snapshots after events too
   */
  constructor(path, handlers, how) {
    this.path = path;
    this.handlers = handlers;
    this.keepsHidden = how.keepsHidden;
    this.snapshots = how.snapshots ? "&snapshots=true" : "";
    this.last = how.after ?? 0;
    this.wait = FIRST_WAIT;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.watch = undefined;
    this.closed = false;
    /** @type {number | null} The time at which something came last. */
    this.heardAt = null;
    this.visibility = () => this.#visibility();
    this.again = () => this.#retry(0);
    document.addEventListener("visibilitychange", this.visibility);
    window.addEventListener("online", this.again);
    this.#open();
  }

  close() {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.visibility);
    window.removeEventListener("online", this.again);
    this.#drop();
  }

  #drop() {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.source?.close();
    this.source = null;
  }

  #open() {
    this.#drop();
    if (this.closed) return;
    const source = new EventSource(`${this.path}&after=${this.last}${this.snapshots}`);
    this.source = source;
    this.#wait();
    source.onopen = () => {
      this.#heard();
      this.wait = FIRST_WAIT;
      this.handlers.connection(true);
    };
    // The browser reconnects by itself, but not after a proxy's error page: so this code does it in every case.
    source.onerror = () => this.#lost();
    source.addEventListener("heartbeat", () => this.#heard());
    source.addEventListener("record", (event) => {
      this.#heard();
      const record = JSON.parse(event.data);
      this.last = Math.max(this.last, record.seq);
      this.handlers.record(record, event.data);
    });
    source.addEventListener("snapshot", (event) => this.handlers.snapshot?.(JSON.parse(event.data)));
    source.addEventListener("lobby", (event) => this.handlers.lobby(JSON.parse(event.data)));
    source.addEventListener("table", (event) => this.handlers.table(JSON.parse(event.data)));
    source.addEventListener("connected", (event) => this.handlers.missing(missingIn(JSON.parse(event.data))));
    source.addEventListener("chat", (event) => this.handlers.chat(JSON.parse(event.data)));
    source.addEventListener("opened", (event) => this.handlers.opened(JSON.parse(event.data)));
    source.addEventListener("gone", (event) => {
      this.close();
      this.handlers.gone(JSON.parse(event.data).code);
    });
  }

  /** Note that data came: the time of silence starts again. */
  #heard() {
    this.heardAt = Date.now();
    this.#wait();
  }

  #wait() {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.#lost(), QUIET);
  }

  #lost() {
    this.handlers.connection(false);
    this.#retry(this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** @param {number} wait */
  #retry(wait) {
    if (this.closed || (document.hidden && !this.keepsHidden)) return;
    if (wait === 0 && this.source?.readyState === EventSource.OPEN) return;
    this.#drop();
    this.timer = setTimeout(() => this.#open(), wait);
  }

  #visibility() {
    if (!document.hidden) this.#retry(0);
    else if (!this.keepsHidden) this.#drop();
  }
}
