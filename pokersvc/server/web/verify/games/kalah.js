/** Kalah. Seat 1 is South; holes count from 1 on both sides, from left to right. */

import { move, result } from "../problem.js";
import { counted } from "../verdict.js";

/** @type {(seat: number) => number} */
const other = (seat) => 3 - seat;
/** @type {(counts: readonly number[]) => number} */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/** @implements {Rulebook} */
export class Kalah {
  hasDecks = false;
  #checked;
  #rules;
  /** @type {number[][]} The holes of each seat; place 0 is its pot. There is no seat 0. */
  #sides;
  /** The seat whose turn it is. */
  #turn = 1;
  /** The seat and the hole whose last bean captures, until the beans are moved; 0 for none. */
  #capturing = { seat: 0, hole: 0 };
  #forfeited = 0;
  #closed = false;
  #ended = false;

  /** @type {Readonly<Record<string, (event: GameEvent) => void>>} */
  #handlers = {
    BeansSown: (event) => this.#sown(event),
    BeansCaptured: (event) => this.#captured(event),
    BeansSwept: (event) => this.#swept(event),
    Forfeited: (event) => this.#forfeit(event),
    GameClosed: (event) => this.#close(event),
    GameEnded: (event) => this.#end(event),
  };

  /**
   * @param {GameEvent} started
   * @param {number | null} _seat
   * @param {Checked} checked
   */
  constructor({ payload }, _seat, checked) {
    this.#checked = checked;
    this.#rules = payload.rules;
    const { holes, beans } = payload.rules;
    this.#sides = [0, 1, 2].map(() => [0, ...new Array(holes).fill(beans)]);
  }

  /** @param {GameEvent} event */
  take(event) {
    const handler = this.#handlers[event.type];
    if (handler === undefined) return false;
    if (this.#ended) throw move(event, "the game is over");
    handler(event);
    return true;
  }

  get standing() {
    return {
      awaited: this.#waits ? [] : [this.#turn],
      chosen: (/** @type {GameEvent} */ { type }) => type === "BeansSown" || type === "Forfeited",
      dealt: [],
      dealsTo: null,
      pausing: false,
    };
  }

  open() {}
  replaced() {}
  caughtUp() {}

  /** @param {Readonly<Checked>} checked */
  checks(checked) {
    const { moves, results } = checked;
    const checks = moves > 0 ? [`${counted(moves, "move")} on a board of the verifier's own.`] : [];
    return results > 0 ? [...checks, "The result, from the board."] : checks;
  }

  unseen() {
    return [];
  }

  /** @param {number} seat */
  #side(seat) {
    return /** @type {number[]} */ (this.#sides[seat]);
  }

  /** @param {number} seat */
  #inPlay(seat) {
    return sum(this.#side(seat).slice(1));
  }

  get #boardOver() {
    return this.#inPlay(1) === 0 || this.#inPlay(2) === 0;
  }

  /** Whether beans must be moved, or the game must end, before the next choice. */
  get #waits() {
    return this.#closed || this.#forfeited > 0 || this.#boardOver || this.#capturing.hole > 0;
  }

  /** @param {GameEvent} event */
  #inTurn(event) {
    if (this.#waits) throw move(event, "beans are to be moved first");
    if (event.payload.seat !== this.#turn) throw move(event, `it is seat ${this.#turn}'s turn`);
  }

  /** @param {GameEvent} event */
  #sown(event) {
    this.#inTurn(event);
    const { seat, hole, beans, last_side, last_hole } = event.payload;
    const own = this.#side(seat);
    const found = hole >= 1 ? own[hole] : 0;
    if (!found || found !== beans) throw move(event, `hole ${hole} has ${found ?? "no"} beans, not ${beans}`);
    const way = this.#way(seat);
    let at = way.findIndex(([side, place]) => side === seat && place === hole);
    own[hole] = 0;
    for (let left = found; left > 0; left -= 1) {
      at = (at + 1) % way.length;
      const [side, place] = /** @type {[number, number]} */ (way[at]);
      this.#side(side)[place] = Number(this.#side(side)[place]) + 1;
    }
    const [side, place] = /** @type {[number, number]} */ (way[at]);
    if (side !== last_side || place !== last_hole) throw move(event, `its last bean falls into hole ${place}`);
    this.#capturing = { seat, hole: this.#captures(seat, side, place) ? place : 0 };
    this.#turn = place === 0 ? seat : other(seat);
    this.#checked.moves += 1;
  }

  /**
   * Return the places that a seat sows into, counterclockwise, each as its side and its hole.
   * @param {number} seat
   * @returns {[number, number][]}
   */
  #way(seat) {
    const row = (/** @type {number} */ side) => {
      const holes = this.#side(side)
        .map((_, hole) => /** @type {[number, number]} */ ([side, hole]))
        .slice(1);
      return side === 1 ? holes : holes.reverse();
    };
    return [...row(seat), [seat, 0], ...row(other(seat))];
  }

  /** @type {(seat: number, side: number, hole: number) => boolean} */
  #captures(seat, side, hole) {
    if (hole === 0 || side !== seat || this.#side(seat)[hole] !== 1) return false;
    return this.#side(other(seat))[hole] !== 0 || this.#rules.empty_capture;
  }

  /** @param {GameEvent} event */
  #captured(event) {
    const { seat, hole, beans } = event.payload;
    if (hole === 0 || seat !== this.#capturing.seat || hole !== this.#capturing.hole) {
      throw move(event, "nothing is captured there");
    }
    const there = Number(this.#side(seat)[hole]) + Number(this.#side(other(seat))[hole]);
    if (beans !== there) throw move(event, `${there} beans are captured, not ${beans}`);
    this.#side(seat)[hole] = this.#side(other(seat))[hole] = 0;
    this.#give(seat, there);
    this.#capturing = { seat: 0, hole: 0 };
  }

  /** @param {GameEvent} event */
  #swept(event) {
    const { seat, beans } = event.payload;
    const left = this.#inPlay(seat);
    if (this.#capturing.hole > 0 || !(this.#boardOver || this.#closed) || left === 0 || left !== beans) {
      throw move(event, `${left} beans are on that side, not ${beans}, or it is not over`);
    }
    this.#side(seat).fill(0, 1);
    this.#give(seat, left);
  }

  /** @type {(seat: number, beans: number) => void} */
  #give(seat, beans) {
    this.#side(seat)[0] = Number(this.#side(seat)[0]) + beans;
  }

  /** @param {GameEvent} event */
  #forfeit(event) {
    this.#inTurn(event);
    this.#forfeited = event.payload.seat;
  }

  /** @param {GameEvent} event */
  #close(event) {
    if (this.#capturing.hole > 0 || this.#boardOver) throw move(event, "nobody is to move");
    this.#closed = true;
  }

  /** @param {GameEvent} event */
  #end(event) {
    const { pots, winners } = event.payload;
    const left = this.#inPlay(1) + this.#inPlay(2);
    if (this.#forfeited === 0 && (left > 0 || this.#capturing.hole > 0)) throw move(event, "beans are in play");
    const own = [1, 2].map((seat) => this.#side(seat)[0]);
    const most = Math.max(...pots);
    const won = this.#forfeited > 0 ? [other(this.#forfeited)] : [1, 2].filter((seat) => this.#side(seat)[0] === most);
    if (own.join() !== pots.join()) throw result(event, `the pots have ${own.join(" and ")} beans`);
    if (won.join() !== winners.join()) throw result(event, `seat ${won.join(" and seat ")} won`);
    this.#ended = true;
    this.#checked.results += 1;
  }
}
