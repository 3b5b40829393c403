/** The cost of a person's own choices in a finished game, and what a good program would have done. */

import { get } from "../api.js";
import { Dialog } from "../frame.js";
import { counted, html, useEffect, useState } from "../html.js";
import { told } from "../said.js";

/** Milliseconds to wait for a review, which takes seconds of a processor that may have much else to do. */
const PATIENCE = 180_000;

/** Ask for the review of one's seat. @param {Pick<Feed, "api" | "door">} feed */
export function asked(feed) {
  return get(feed.api(`${feed.door}/review`), {}, PATIENCE);
}

/** @param {{feed: Feed, round: number, onClose: () => void}} props `round`: only of this round; 0 for all */
export function ReviewScreen({ feed, round, onClose }) {
  const [review, found] = useState(/** @type {Review | null} */ (null));
  const [error, fail] = useState("");
  useEffect(() => {
    asked(feed).then(found, (refused) => fail(refused.message));
  }, []);
  return html`<${Dialog} title=${round ? `Review of round ${round}` : "Review your play"} wide onClose=${onClose}>
    <div role="alert">${error && html`<p class="notice bad">${error}</p>`}</div>
    ${review === null ? !error && html`<p role="status">Judging each of your choices…</p>` : round ? html`<${OneRound} review=${review} round=${round} />` : review.called === null ? html`<${Moves} review=${review} />` : html`<${Reviewed} review=${review} />`}
  <//>`;
}

/** @param {{review: Review}} props */
function About({ review }) {
  return html`<p class="hint">Only what you saw counts. ${review.programs.join(" ")}</p>`;
}

/** Each move of a game that is one round, in which nothing is hidden. @param {{review: Review}} props */
function Moves({ review }) {
  if (review.choices === 0) return html`<p class="hint" data-testid="review-empty">You chose nothing in this game.</p>`;
  return html`<p class="hint">${review.programs.join(" ")}</p>
    <p data-testid="review-cost">${counted(review.choices, "move")} cost <b>${review.cost}</b> ${review.unit}.</p>
    <div class="scrolls" tabindex="0" role="region" aria-label="Move by move"><table class="evening" data-testid="review-moves">
    <thead><tr><th scope="col">Move</th>${["Cost", "By", "You chose", "Best", "You had", "Against"].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${review.judged.map(
      (
        one,
      ) => html`<tr key=${one.number}><th scope="row">${one.when.replace("move ", "")}</th><td>${one.cost === "0" ? one.cost : html`<b>${one.cost}</b>`}</td>
      <td>${one.by}</td><td>${one.chose}</td><td>${one.would[0]?.action}</td><td>${one.had}</td><td>${one.situation}</td></tr>`,
    )}</tbody></table></div>`;
}

/** @param {{review: Review, round: number}} props */
function OneRound({ review, round }) {
  const one = review.rounds.find((line) => line.round === round);
  if (!one)
    return html`<p class="hint" data-testid="review-empty">${
      review.rounds.length > 0 && round < (review.rounds[0]?.round ?? 0)
        ? "Only the last 20 rounds in which you chose something are reviewed."
        : "You chose nothing in this round."
    }</p>`;
  return html`<${About} review=${review} />
    <p data-testid="review-cost">You were dealt ${told(one.had)}. ${counted(one.choices, "choice")} cost <b>${one.cost}</b>${review.unit && ` ${review.unit}`}; the round brought you ${withSign(one.net)}.</p>
    <${Choices} review=${review} round=${round} />
    <${Doubts} review=${review} round=${round} />`;
}

/** @param {{review: Review}} props */
function Reviewed({ review }) {
  const [opened, open] = useState(0);
  if (review.rounds.length === 0)
    return html`<p class="hint" data-testid="review-empty">You chose nothing in this game.</p>`;
  const unit = review.unit && ` ${review.unit}`;
  return html`<${About} review=${review} />
    <p data-testid="review-cost">${counted(review.choices, "choice")} in ${counted(review.rounds.length, "hand")} cost <b>${review.cost}</b>${unit}. After ± is how far luck may have moved a figure, with 95 % confidence.</p>
    ${
      review.dearest.length > 0 &&
      html`<section class="evening-part"><h3>The dearest choices</h3>
    <ol class="dearest" data-testid="dearest">${review.dearest.map((choice) => html`<${Choice} key=${`${choice.round}-${choice.number}`} choice=${choice} />`)}</ol></section>`
    }
    <section class="evening-part"><h3>Hand by hand</h3>
    <div class="scrolls" tabindex="0" role="region" aria-label="Hand by hand"><table class="evening" data-testid="review-hands">
    <thead><tr><th scope="col">Hand</th>${["Dealt", "Choices", "Won or lost", "Cost"].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${review.rounds.map(
      (
        one,
      ) => html`<tr key=${one.round}><th scope="row"><button type="button" class="quiet" aria-expanded=${opened === one.round} aria-label=${`Choices of hand ${one.round}`} data-testid=${`choices-${one.round}`} onClick=${() => open(opened === one.round ? 0 : one.round)}>${one.round}</button></th>
      <td>${told(one.had)}</td><td>${one.choices}</td><td>${withSign(one.net)}</td><td><b>${one.cost}</b></td></tr>`,
    )}</tbody></table></div>
    <${Doubts} review=${review} />
    ${opened > 0 && html`<h3>Hand ${opened}</h3><${Choices} review=${review} round=${opened} />`}</section>`;
}

/** All choices of one round, in the order of play. @param {{review: Review, round: number}} props */
function Choices({ review, round }) {
  const made = review.judged.filter((choice) => choice.round === round);
  return html`<ol class="dearest" data-testid="choices">${made.map((choice) => html`<${Choice} key=${choice.number} choice=${choice} />`)}</ol>`;
}

/**
 * Return a sentence if another player did something that the program hardly ever does, in a round or, for 0, in any
 * round; otherwise nothing.
 * @param {Pick<Review, "judged">} review
 */
export function sayDoubts({ judged }, round = 0) {
  const doubted = judged.some((one) => one.doubted && (!round || one.round === round));
  const where = round ? "this hand" : "some hands";
  return (
    doubted &&
    `In ${where} another player did what the program hardly ever does: from there on they are taken to play like the bot steady.`
  );
}

/** @param {{review: Review, round?: number}} props */
function Doubts({ review, round }) {
  const said = sayDoubts(review, round);
  return said && html`<p class="hint" data-testid="review-doubted">${said}</p>`;
}

/** Return the result of a round with its sign, as results are written everywhere: +4. @param {string} net */
export function withSign(net) {
  return Number.parseFloat(net) > 0 ? `+${net}` : net;
}

/** Return what was chosen, and what the program would have done, with suits as symbols. @param {ReviewedChoice} choice */
export function sentences(choice) {
  const would = choice.would.map(({ action, chance }) => `${action} (${Math.round(chance * 100)} %)`).join(", ");
  const less = choice.points !== null && choice.points > 0;
  const fewer = less ? ` Of 100 such hands, yours wins ${choice.points?.toFixed(1)} fewer than the best.` : "";
  const absent = choice.doubted ? "" : ` (The program ${choice.by} would not be here with this hand.)`;
  const better = choice.improvised
    ? `Best: ${choice.would[0]?.action}.${absent}`
    : `The program ${choice.by}: ${would}.`;
  return {
    made: told(
      `Hand ${choice.round}, ${choice.when}: you had ${choice.had} (${choice.situation}) and chose to ${choice.chose}.`,
    ),
    better: told(`${better}${fewer}`),
  };
}

/** @param {{choice: ReviewedChoice}} props */
function Choice({ choice }) {
  const { made, better } = sentences(choice);
  return html`<li><b>${choice.cost}</b><span>${made}</span><small>${better}</small></li>`;
}
