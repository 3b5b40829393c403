/** The result of a game that is over, and what a person may do then. */

import { post } from "../api.js";
import { isCash } from "../games/cash.js";
import { amount, does, html, useEffect, useRef, useState } from "../html.js";
import { goToTable } from "../log/found-table.js";
import { isReviewed, ReviewButton } from "../review/review-button.js";
import { EveningButton } from "./evening-button.js";

/** @param {string} kind @param {any[]} order @param {any} [entry] to a tournament with prizes, which are no stacks */
export function result(kind, order, entry) {
  const first = order.filter((seat) => seat.rank === 1);
  const others = order.slice(first.length);
  const left = others.filter((seat) => kind === "draw" && !entry && seat.score >= order[0].score);
  const names = first.map((seat) => seat.name).join(" and ");
  if (left[0]) return `${names} ${others.length > left.length ? "did best of those who stayed" : "stayed to the end"}`;
  return first.length > 1 ? `${names} ${others.length ? "win" : "tie"}` : does(names, "wins");
}

/** Return a score with the sign that it has as a gain or a loss. @param {number} score @param {boolean} isNet */
export function sayScore(score, isNet) {
  return `${score < 0 ? "−" : score > 0 && isNet ? "+" : ""}${amount(Math.abs(score))}`;
}

/** Return whether somebody may begin the table's next game. @param {Feed} feed @param {boolean} isHost */
export function mayPlayAgain({ info, snapshot }, isHost) {
  return isHost && Boolean(snapshot?.outcome) && !info.closed && !info.next;
}

/** Begin the table's next game. @param {Feed} feed */
export function playAgain(feed) {
  return post(feed.api("host/again"));
}

/** @param {{info: TableInfo, snapshot: Snapshot, feed: Feed, isHost: boolean}} props */
export function Over({ info, snapshot, feed, isHost }) {
  const { outcome } = snapshot;
  const entry = snapshot.view?.entry;
  const [asked, ask] = useState(false);
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => node.current?.scrollIntoView({ block: "nearest" }), [outcome === null]);
  if (!outcome) return null;
  const again = () => {
    ask(true);
    playAgain(feed).catch((error) => {
      ask(false);
      feed.fail(error.message);
    });
  };
  const order = info.seats
    .map((seat, at) => ({ ...seat, rank: outcome.ranks[at] ?? 0, score: outcome.scores[at] ?? 0 }))
    .filter((_, at) => snapshot.view?.seats?.[at]?.kind !== "open")
    .sort((one, other) => one.rank - other.rank);
  return html`<section class="result" ref=${node} aria-labelledby="result-title" data-testid="result">
    <h2 id="result-title">${result(info.kind, order, entry)}</h2>
    <ol>${order.map((seat) => html`<li value=${seat.rank}><span>${seat.name}</span><b>${sayScore(seat.score, entry || isCash(snapshot.view))}</b></li>`)}</ol>
    ${entry && html`<p class="hint">Prizes less entries of ${entry.price}, in units.</p>`}
    ${!info.closed && !info.next && !isHost && feed.seat !== null && html`<p class="hint" role="status">The host can begin another game at this table.</p>`}
    <p class="row">${mayPlayAgain(feed, isHost) && html`<button type="button" class="primary" disabled=${asked} data-testid="again" onClick=${again}>Play again</button>`}
      ${info.next && html`<button type="button" data-testid="next-game" onClick=${() => void goToTable(feed, isHost).catch((error) => feed.fail(error.message))}>Go to the table’s next game</button>`}
      <${EveningButton} feed=${feed} isHost=${isHost} testid="evening-over" />
      ${isReviewed(info.kind) && feed.seat !== null && html`<${ReviewButton} feed=${feed} />`}
      <a class="as-button" href=${`/replay/${encodeURIComponent(info.game)}/`}>Replay the game</a> <a class="as-button quiet" href="/">All tables</a></p>
  </section>`;
}
