/** A game that the page does not know: the server's words for where it stands, and choices typed in words. */

import { html } from "../html.js";

/** @param {import("../types.js").GameProps} props */
export function Board({ snapshot, view, legal }) {
  const { rules: _, ...seen } = view; // the rules do not change, and the title names them
  return html`<div class="generic">
    ${
      legal &&
      html`<div class="question" data-testid="actions"><p>${snapshot.ask ?? "Your turn. Type one of these:"}</p>
      ${!snapshot.ask && html`<pre>${outline(legal).join("\n")}</pre>`}</div>`
    }
    <pre class="felt-words" tabindex="0" role="region" aria-label="Where the game stands">${(snapshot.show ?? outline(seen)).join("\n")}</pre>
  </div>`;
}

/**
 * Return a value as lines of text, what is inside indented.
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
