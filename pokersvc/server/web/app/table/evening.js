/** All games of a table together: each person's result, the biggest pots, the person's own figures, the verdict and the
file. */

import { get } from "../api.js";
import { Dialog } from "../frame.js";
import { amount, classes, counted, html, useEffect, useState } from "../html.js";
import { gameName } from "../titles.js";
import { mayPlayAgain, playAgain, sayScore } from "./over.js";
import { SaveFile, SHORT } from "./verdict.js";

/** The number of games with a separate column; all games count in the sum. */
const COLUMNS = 12;

/** @param {string} game */
const replayOf = (game) => `/replay/${encodeURIComponent(game)}/`;

/** @param {number} net @param {CountedIn} of */
function size(net, { currency, exponent }) {
  return currency ? (Math.abs(net) / 10 ** exponent).toFixed(exponent) : amount(Math.abs(net));
}

/** @param {number} net @param {CountedIn} of */
function said(net, of) {
  const sign = net < 0 ? "−" : net > 0 && of.unit !== "points" ? "+" : "";
  return sign + size(net, of);
}

/** @param {CountedIn} of */
const unitOf = (of) => of.currency || of.unit;

/** @param {CountedIn} one @param {CountedIn} other */
const alike = (one, other) => one.kind === other.kind && one.unit === other.unit && one.currency === other.currency;

/** @param {{feed: Feed, isHost: boolean, onClose: () => void}} props */
export function Evening({ feed, isHost, onClose }) {
  const [evening, found] = useState(/** @type {EveningResults | null} */ (null));
  const [error, fail] = useState("");
  const [asked, ask] = useState(false);
  useEffect(() => {
    const door = feed.seat === null ? "results" : `${feed.door}/results`;
    get(feed.api(door)).then(found, (refused) => fail(refused.message));
  }, [feed.snapshot?.outcome === null]);
  const again = () => {
    ask(true);
    playAgain(feed).then(onClose, (refused) => {
      ask(false);
      fail(refused.message);
    });
  };
  return html`<${Dialog} title="The evening" wide onClose=${onClose}>
    <div role="alert">${error && html`<p class="notice bad">${error}</p>`}</div>
    ${evening === null ? !error && html`<p role="status">Adding up…</p>` : html`<${Counted} evening=${evening} feed=${feed} />`}
    <${Checked} feed=${feed} />
    ${mayPlayAgain(feed, isHost) && html`<p class="row"><button type="button" class="primary" disabled=${asked} data-testid="evening-again" onClick=${again}>Play again</button></p>`}
  <//>`;
}

/** @param {{evening: EveningResults, feed: Feed}} props */
function Counted({ evening, feed }) {
  if (evening.sums.length === 0)
    return html`<p class="hint" data-testid="evening-empty">${feed.info.access.delay && feed.seat === null ? "Watchers see a game here once they may know all of it." : "Nothing counts yet: the first round is not over."}</p>`;
  const several = evening.sums.length > 1;
  return html`
    ${evening.first > 1 && html`<p class="hint">The games from number ${evening.first} on are counted.</p>`}
    ${evening.sums.map((sum) => html`<${Sums} sum=${sum} evening=${evening} feed=${feed} named=${several} />`)}
    ${evening.persons.length > 0 && html`<${Persons} persons=${evening.persons} />`}
    ${evening.best.map((best) => html`<${BestRounds} best=${best} />`)}
    ${evening.own.map((own) => html`<${Own} own=${own} named=${several} />`)}
    <section class="evening-part"><h3>The games</h3>
    <ol class="evening-games" data-testid="evening-games">${evening.games.map(
      (game) => html`<li key=${game.game}><b>${game.number}</b>
      <span>${game.result ?? `in progress, ${counted(game.rounds, game.kind === "kalah" ? "move" : "round")} so far`}</span>
      <a class="as-button quiet" href=${replayOf(game.game)} aria-label=${`Replay game ${game.number}`}>Replay</a></li>`,
    )}</ol></section>`;
}

/** @param {{sum: SumOf, evening: EveningResults, feed: Feed, named: boolean}} props */
function Sums({ sum, evening, feed, named }) {
  const games = evening.games.filter((game) => alike(game, sum) && game.nets.length > 0);
  const shown = games.length > 1 ? games.slice(-COLUMNS) : [];
  const me = feed.seat === null ? null : feed.info.seats[feed.seat - 1]?.name;
  const heading = `What each brought home, in ${unitOf(sum)}${named ? `: ${gameName(sum.kind)}` : ""}`;
  return html`<section class="evening-part"><h3>${heading}</h3>
    <div class="scrolls" tabindex="0" role="region" aria-label=${heading}><table class="evening" data-testid="evening-sums">
    <thead><tr><th scope="col"><span class="hidden">Rank and name</span></th><th scope="col">${shown.length ? "Sum" : "Result"}</th>
      ${shown.map((game) => html`<th scope="col" key=${game.game}>Game ${game.number}${!game.over && html`<small> so far</small>`}</th>`)}</tr></thead>
    <tbody>${sum.people.map(
      (person) => html`<tr key=${person.name} class=${person.name === me ? "mine" : ""}>
      <th scope="row"><span class="rank">${person.rank}</span> ${person.name}${person.name === me ? " (you)" : ""}${person.seat === null && html` <small>left</small>`}</th>
      <td><b>${said(person.net, sum)}</b></td>
      ${shown.map((game) => html`<td key=${game.game}>${netIn(game, person.name)}</td>`)}</tr>`,
    )}</tbody></table></div></section>`;
}

/** @param {GameOfEvening} game @param {string} name */
function netIn(game, name) {
  const one = game.nets.find((net) => net.name === name);
  return one ? said(one.net, game) : html`<span aria-label="not played">–</span>`;
}

/** The chips that each person brought and took over the table's life. @param {{persons: PersonTotals[]}} props */
function Persons({ persons }) {
  return html`<section class="evening-part"><h3>Chips brought and taken</h3>
    <div class="scrolls" tabindex="0" role="region" aria-label="Chips brought and taken"><table class="evening" data-testid="evening-persons">
    <thead><tr><th scope="col"><span class="hidden">Name</span></th>${["Brought", "Took", "Has", "Net"].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${persons.map(
      (one) => html`<tr key=${one.person}><th scope="row">${one.name}</th>
      ${[one.brought, one.taken, one.has].map((chips) => html`<td>${amount(chips)}</td>`)}<td><b>${sayScore(one.net, true)}</b></td></tr>`,
    )}</tbody></table></div></section>`;
}

/** @param {{best: BestOf}} props */
function BestRounds({ best }) {
  return html`<section class="evening-part"><h3>${best.name}</h3>
    <ol class="best" data-testid="best">${best.rounds.map(
      (
        round,
      ) => html`<li key=${`${round.game}-${round.round}`} data-testid=${`best-${round.number}-${round.round}`} data-game=${round.game} data-round=${round.round}>
      <b>${size(round.size, best)}</b>
      <span>${round.names.join(" and ")}</span>
      <small>game ${round.number}, ${best.kind === "kalah" ? "move" : "round"} ${round.round}</small></li>`,
    )}</ol></section>`;
}

/** @param {number | null} share */
const percent = (share) => (share === null ? "–" : `${Math.round(share * 100)} %`);

/** @param {{own: OwnFigures, named: boolean}} props */
function Own({ own, named }) {
  const { hands } = own;
  /** @type {[string, string][]} */
  const figures = [
    ["Games", amount(own.games)],
    ["Won or shared", amount(own.won)],
  ];
  if (own.games > 1) figures.push(["Best game", said(own.highest, own)], ["Worst game", said(own.lowest, own)]);
  if (hands)
    figures.push(
      ["Hands", amount(hands.figures.dealt ?? 0)],
      ["Played by choice", percent(hands.rates.vpip)],
      ["Raised before the draw", percent(hands.rates.pfr)],
      ["To a showdown", percent(hands.rates.wtsd)],
      ["Won there", percent(hands.rates.wsd)],
    );
  return html`<section class="evening-part" data-testid="own-figures"><h3>Your own figures${named ? `: ${gameName(own.kind)}` : ""}</h3>
    <dl class="figures">${figures.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

/** The verdict of this device on the game that the page shows, and its file. @param {{feed: Feed}} props */
function Checked({ feed }) {
  const { verdict, count } = feed.verifier;
  if (count === 0) return null;
  return html`<section class="evening-part"><h3>Checked by this device: game ${feed.info.number}</h3>
    <p class=${classes("notice", verdict.state === "broken" && "bad")} data-testid="evening-verdict"><span><span aria-hidden="true">${SHORT[verdict.state][0]}</span> ${verdict.sentence}</span></p>
    <p class="row"><${SaveFile} feed=${feed} testid="evening-save" /> <span class="hint">for <code>pokersvc verify</code></span></p></section>`;
}
