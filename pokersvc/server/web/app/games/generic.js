/** A game that the page does not know: its state in the server's words, and a button for each choice it lists. */

import { html } from "../html.js";
import { readable } from "../titles.js";

/** @param {GameProps} props */
export function Board({ act, sent, snapshot, view, legal }) {
  /** @type {{label: string, action: GameAction}[]} */
  const choices = /** @type {any} */ (snapshot).choices ?? []; // a replay has none
  const { rules: _, ...seen } = view; // the title names the rules
  const names = snapshot.awaited.map((seat) => view.seats?.[seat - 1]?.name ?? `seat ${seat}`);
  return html`<pre class="felt-words" tabindex="0" role="region" aria-label="Where the game stands">${(snapshot.show ?? outline(seen)).join("\n")}</pre>
    ${
      legal
        ? html`<div class="question" data-testid="actions"><p>${snapshot.ask}</p>
      <div class="row" aria-busy=${sent !== null}>${choices.map(({ action, label }) => html`<button type="button" class="big" data-testid=${label} disabled=${sent !== null} onClick=${() => act(action, readable(label))}>${readable(label)}</button>`)}</div></div>`
        : names.length > 0 && html`<p class="waiting" data-testid="waiting">Waiting for ${names.join(" and ")}</p>`
    }`;
}

/**
 * Return a value as lines of text, with nested values indented.
 * @param {any} value
 * @param {string} [indent]
 * @returns {string[]}
 */
export function outline(value, indent = "") {
  const said = (/** @type {any} */ one) =>
    one === null ? "–" : one === true ? "yes" : one === false ? "no" : String(one);
  const plain = (/** @type {any} */ one) => one === null || typeof one !== "object";
  return Object.entries(value ?? {}).flatMap(([name, one]) => {
    const key = `${indent}${Array.isArray(value) ? `${Number(name) + 1}.` : `${name.replaceAll("_", " ")}:`}`;
    if (plain(one)) return [`${key} ${said(one)}`];
    if (Array.isArray(one) && one.every(plain)) return [`${key} ${one.map(said).join(" ") || "–"}`];
    return [key, ...outline(one, `${indent}  `)];
  });
}
