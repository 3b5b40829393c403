/** The verdict of the verifier, always visible, and what it cannot see. */

import { Dialog } from "../frame.js";
import { classes, counted, html, useState } from "../html.js";
import { Said } from "../said.js";

/** @type {Record<import("../../verify/verifier.js").Verdict["state"], [string, string]>} */
export const SHORT = { broken: ["✕", "Log is wrong"], good: ["✓", "Checked"], unknown: ["…", "Not checked"] };

/**
 * @param {{feed: Feed, hush?: boolean}} props `hush`: a replay, before its end, does not tell how many events there are
 */
export function VerdictBar({ feed, hush = false }) {
  const [open, setOpen] = useState(false);
  const { verdict, count } = feed.verifier;
  const behind = !hush && !feed.connected && verdict.state === "good";
  const [mark, short] = behind
    ? ["…", `Checked to ${count}`]
    : count === 0 && verdict.state === "unknown"
      ? ["–", "No events"]
      : SHORT[verdict.state];
  return html`
    <button type="button" class=${classes("verdict", behind ? "unknown" : verdict.state)} onClick=${() => setOpen(true)} title=${hush ? hushed(verdict) : verdict.sentence}
      data-testid="verdict" data-state=${behind ? "behind" : verdict.state} aria-haspopup="dialog"><span aria-hidden="true">${mark}</span> ${short}</button>
    ${open && html`<${Details} feed=${feed} hush=${hush} onClose=${() => setOpen(false)} />`}`;
}

/** The verdict in one line; red and with the reason if the log is broken. @param {{feed: Feed}} props */
export function VerdictLine({ feed: { verifier } }) {
  const { verdict, count } = verifier;
  if (count === 0) return null;
  const [mark, short] = SHORT[verdict.state];
  const said =
    verdict.state === "good"
      ? `${counted(count, "event")} checked`
      : verdict.state === "broken"
        ? verdict.sentence
        : short;
  return html`<p class=${`verdict-line ${verdict.state}`} title=${verdict.sentence} data-testid="verdict-line"><span aria-hidden="true">${mark}</span> ${said}</p>`;
}

/**
 * Shows when the last data came.
 * @param {Feed} feed
 */
export function sayLost({ heardAt }) {
  return `No connection${heardAt === null ? "" : ` since ${new Date(heardAt).toLocaleTimeString()}`}.`;
}

/** The page shown in place of the game once the log is wrong. @param {{feed: Feed}} props */
export function Broken({ feed }) {
  const { problem } = feed.verifier.verdict;
  return html`<section class="broken" role="alert" data-testid="broken">
    <h2>This game's log is not what it should be</h2>
    <p>${problem?.sentence}</p>
    <p>From here on nothing more is drawn, and nothing is sent. Compare with the others at the table, and keep the file.</p>
    <p><${SaveFile} feed=${feed} /></p>
  </section>`;
}

/** @param {{feed: Feed, testid?: string}} props */
export function SaveFile({ feed, testid = "save" }) {
  return html`<a class="as-button" href=${feed.api(`${feed.door}/export`)} download=${`${feed.game}.jsonl`} data-testid=${testid}>Save this game's file</a>`;
}

/** Return the verdict without numbers. @param {import("../../verify/verifier.js").Verdict} verdict */
function hushed({ state, sentence }) {
  if (state === "good") return "Every event was checked: nothing was changed, left out or moved.";
  return state === "broken" ? sentence : "Not everything is checked yet.";
}

/** @param {{feed: Feed, hush: boolean, onClose: () => void}} props */
function Details({ feed, hush, onClose }) {
  const [all, showAll] = useState(!hush);
  const { verdict, spoken, head, count } = feed.verifier;
  if (!all)
    return html`<${Dialog} title="What your browser checked" onClose=${onClose}>
      <p class=${classes("notice", verdict.state === "broken" && "bad")} data-testid="verdict-text">${hushed(verdict)}</p>
      <p>What was checked, the short form and the file tell how long the game was.</p>
      <p><button type="button" data-testid="verdict-all" onClick=${() => showAll(true)}>Show them</button></p>
    <//>`;
  return html`<${Dialog} title="What your browser checked" onClose=${onClose}>
    ${!feed.connected && html`<p class="notice bad" data-testid="behind">${sayLost(feed)} What is said here is so up to event ${count}.</p>`}
    <p class=${classes("notice", verdict.state === "broken" && "bad")} data-testid="verdict-text">${verdict.sentence}</p>
    <div class="spoken">
      <p class="hint">Short form after event ${count}</p>
      <output class="short-head" data-testid="short-head">${head === null ? "–" : spoken}</output>
      <p>Read it to each other: where it is the same after the same event, all were told the same story.</p>
    </div>
    ${verdict.checks.length > 0 && html`<h3>Checked</h3><ul class="points good">${verdict.checks.map((line) => html`<li><${Said} text=${line} /></li>`)}</ul>`}
    <h3>What this cannot see</h3>
    <ul class="points">${verdict.unseen.map((line) => html`<li><${Said} text=${line} /></li>`)}
      <li>The table and its sentences are drawn as the server says; cards, bets and results are checked in the log.</li></ul>
    <p class="row"><${SaveFile} feed=${feed} /> <span class="hint">for <code>pokersvc verify</code></span></p>
  <//>`;
}
