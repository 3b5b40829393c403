/** The lines of the account, grouped by hand: each with its result and, apart, the keys and shares of its shuffle. */

import { SHARE_EVENTS } from "../../verify/together.js";

/** The result of a hand, as the server says it: Round 1 -- Ann won 6. */
const RESULT = /^Round \d+ -- /;

/**
 * Group lines by hands. The first group has the lines before the first hand, or all lines in games without hands.
 * @param {readonly Line[]} lines
 * @returns {HandLines[]}
 */
export function byHands(lines) {
  /** @type {HandLines} */
  let hand = { lines: [], over: false, result: "", round: 0, shares: [], start: lines[0]?.seq ?? 1 };
  const hands = [hand];
  /** @type {Line[]} */
  let coming = [];
  for (const line of lines) {
    if (line.type === "RoundStarted") {
      const round = Number(/\d+/.exec(line.text)?.[0] ?? hands.length);
      hand = { lines: [line], over: false, result: "", round, shares: coming, start: line.seq };
      hands.push(hand);
      coming = [];
    } else if (SHARE_EVENTS.has(line.type ?? "")) coming.push(line);
    else if (line.type === "RoundEnded" && hand.round > 0 && RESULT.test(line.text)) {
      hand.over = true;
      hand.result = line.text.replace(RESULT, "");
    } else hand.lines.push(line);
  }
  hand.shares = [...hand.shares, ...coming]; // lines of the next shuffle, until its hand begins
  return hands.filter(({ lines: own, shares, round }) => round > 0 || own.length > 0 || shares.length > 0);
}

/**
 * Return lines with the types of their events, as far as the page still has these.
 * @param {readonly Line[]} lines
 * @param {readonly Happening[]} happened
 * @returns {Line[]}
 */
export function typed(lines, happened) {
  const types = new Map(happened.map(({ seq, type }) => [seq, type]));
  return lines.map((line) => ({ ...line, type: types.get(line.seq) }));
}
