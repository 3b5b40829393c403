/** Sentences of the server and the verifier: what stands in backticks is typed. */

import { html } from "./html.js";

/** @param {{text: string}} props */
export function Said({ text }) {
  return html`${text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part))}`;
}
