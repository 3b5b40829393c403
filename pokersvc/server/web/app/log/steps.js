/** A finished game's steps, fetched in parts as they are needed. */

import { get } from "../api.js";

const PART = 100;

export class Steps {
  /**
   * @param {Feed} feed
   * @param {string} source where the API has them: a viewer's replay, or the opened game
   */
  constructor(feed, source) {
    this.feed = feed;
    this.source = source;
    this.count = 0;
    /** @type {Map<number, Promise<ReplayStep[]>>} */
    this.parts = new Map();
    /** @type {Map<number, ReplayStep>} */
    this.known = new Map();
  }

  /**
   * Return a step, or null after the last.
   * @param {number} seq
   * @returns {Promise<ReplayStep | null>}
   */
  async at(seq) {
    const part = Math.floor((seq - 1) / PART);
    await this.#part(part);
    if (seq % PART > PART / 2) void this.#part(part + 1).catch(() => {}); // ahead of time
    return this.known.get(seq) ?? null;
  }

  /** @param {number} part */
  #part(part) {
    let found = this.parts.get(part);
    if (!found) {
      found = this.#fetched(part);
      found.catch(() => this.parts.delete(part));
      this.parts.set(part, found);
    }
    return found;
  }

  /** @param {number} part */
  async #fetched(part) {
    const from = part * PART + 1;
    if (this.count && from > this.count) return [];
    const { count, steps } = await get(this.feed.api(`${this.source}?from=${from}&to=${from + PART - 1}`));
    this.count = count;
    for (const step of steps) this.known.set(step.seq, step);
    return steps;
  }

  /**
   * Return the first step of the next round, or the last step if there is none; backwards, the first step of this round
   * or, from there, of the round before.
   * @param {number} seq
   * @param {1 | -1} way
   */
  async round(seq, way) {
    const here = await this.at(seq);
    let target = seq;
    if (way === -1 && roundOf((await this.at(seq - 1))?.view) !== roundOf(here?.view)) target = seq - 1;
    const round = roundOf((await this.at(Math.max(target, 1)))?.view);
    for (;;) {
      const next = target + way;
      if (next < 1 || next > this.count) return target;
      if (roundOf((await this.at(next))?.view) !== round) return way === 1 ? next : target;
      target = next;
    }
  }

  /** @param {number} seq */
  lines(seq) {
    const lines = [];
    for (let at = seq; at >= 1 && lines.length < 200; at--) {
      const step = this.known.get(at);
      if (!step) break;
      if (step.text) lines.unshift({ seq: at, text: step.text, type: step.type });
    }
    return lines;
  }
}

/**
 * Return the number of the round or move in a view: the page need not know the game for that.
 * @param {any} view
 */
export function roundOf(view) {
  return view?.round ?? view?.move ?? 0;
}
