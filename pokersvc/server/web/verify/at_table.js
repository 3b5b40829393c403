/** Checks that each event of a table may come where it does. */

import { move as wrong } from "./problem.js";

const SITS_OUT_AFTER = 2;

export class AtTable {
  paused = false;
  /** The seconds for a choice and each person's reserve; null until the table has settings. */
  #clock = /** @type {{ bank: number, seconds: number } | null} */ (null);
  #begun = false;
  #changeable;
  #together = false;
  #people;
  /** @type {Map<number, number>} The number of choices in a row that each seat let lapse. */
  #lapsed = new Map();
  /** @type {GameEvent | null} The event after which another event of its seat must come in the same command. */
  #due = null;

  /** @param {GameEvent} started */
  constructor({ payload }) {
    this.#changeable = payload.changeable === true;
    this.#people = payload.seats.map((/** @type {{ kind: string }} */ { kind }) => kind === "human");
  }

  get sittingOut() {
    return [...this.#lapsed].filter(([, lapsed]) => lapsed >= SITS_OUT_AFTER).map(([seat]) => seat);
  }

  /** @type {(event: GameEvent, standing: Standing) => void} */
  take(event, { awaited, dealsTo, pausing, seated }) {
    const { seq, type, n, payload } = event;
    const { seat } = payload;
    const refuse = (/** @type {boolean} */ isWrong, /** @type {string} */ why) => {
      if (isWrong) throw wrong(event, why);
    };
    refuse(this.#due !== null, "another event of its command comes first");
    this.#begun = true;
    if (type === "DealingSet") {
      this.#together = true;
      return;
    }
    if (type === "TableSet") {
      refuse(seq !== 2, "the settings of a table are the second event");
      this.#clock = { bank: payload.seconds > 0 ? payload.bank : 0, seconds: payload.seconds };
      return;
    }
    const isLater = type === "SharesAwaited" || type === "ShareMissed";
    refuse(n > 1 && !isLater, "it is a command of its own");
    refuse(awaited.length === 0 && !pausing && !(this.#together && dealsTo), "the dealer is to act");
    refuse(seat > 0 && !this.#people[seat - 1], `seat ${seat} is not a person's`);
    switch (type) {
      case "TimedOut":
        refuse(!this.#clock?.seconds || this.paused || !awaited.includes(seat), `no time runs for seat ${seat}`);
        this.#lapsed.set(seat, (this.#lapsed.get(seat) ?? 0) + 1);
        this.#due = event;
        break;
      case "SeatRemoved":
        refuse(!pausing || !seated?.includes(seat), `seat ${seat} cannot leave`);
        this.#due = event;
        break;
      case "CameBack":
        refuse(!this.sittingOut.includes(seat), `seat ${seat} does not sit out`);
        this.#lapsed.delete(seat);
        break;
      case "TablePaused":
      case "TableResumed":
        refuse(this.paused !== (type === "TableResumed"), "the table is paused already, or is not");
        this.paused = !this.paused;
        break;
      case "ClockRestarted":
        refuse(!this.#clock?.seconds, "the table has no clock");
        break;
      case "ClockChanged":
        this.#changeClock(event, pausing);
        break;
      case "ShareMissed":
        this.#lapsed.set(seat, Math.max(SITS_OUT_AFTER, this.#lapsed.get(seat) ?? 0));
    }
  }

  /** @type {(event: GameEvent, pausing: boolean) => void} */
  #changeClock(event, pausing) {
    const { bank, by, seconds } = event.payload;
    if (this.#clock === null || !this.#changeable || !pausing) throw wrong(event, "the clock cannot change here");
    const isSame = bank === this.#clock.bank && seconds === this.#clock.seconds;
    if (by !== null && !this.#people[by - 1]) throw wrong(event, `seat ${by} is not a person's`);
    if (isSame || (bank > 0 && seconds === 0)) throw wrong(event, "there is no such change of the clock");
    this.#clock = { bank, seconds };
  }

  /**
   * Check an event of the game before the game takes it.
   * @type {(event: GameEvent, standing: Standing) => void}
   */
  before(event, { awaited, chosen, pausing, seated }) {
    const { type, payload, command, n } = event;
    const due = this.#due;
    this.#due = null;
    if (type === "Forfeited" && this.#people[payload.seat - 1]) throw wrong(event, "a person is asked again");
    const chooses = chosen(event) && type !== "RoundForgone" && awaited.includes(payload.seat);
    if (due !== null) {
      const leaves = due.type === "SeatRemoved";
      const isRight = leaves ? type === "PlayerLeft" || type === "GotUp" : chooses;
      if (!isRight || payload.seat !== due.payload.seat || command !== due.command || n !== due.n + 1) {
        throw wrong(event, `what seat ${due.payload.seat} does comes next, in the command before it`);
      }
      return;
    }
    if (type === "RoundForgone" && this.#begun && !this.#together) throw wrong(event, "the dealer shuffles alone");
    const begins = pausing && type === "RoundStarted";
    const people = seated?.filter((seat) => this.#people[seat - 1]) ?? [];
    if (this.paused && (chooses || begins)) throw wrong(event, "the table is paused");
    if (begins && people.length > 0 && people.every((seat) => this.sittingOut.includes(seat))) {
      throw wrong(event, "everybody sits out");
    }
    if (chooses) this.#lapsed.delete(payload.seat);
    if (type === "SatDown" && payload.name != null) this.#lapsed.delete(payload.seat);
  }

  /** Check that nothing is due: all events that exist were taken. */
  caughtUp() {
    if (this.#due !== null) throw wrong(this.#due, "what its seat does comes next");
  }
}
