/** The account of what happened, in the server's words; screen readers hear each line as it comes. */

import { html, useEffect, useRef } from "../html.js";
import { told } from "../said.js";

/** @param {{lines: Line[], info: TableInfo | null, children?: any}} props `children`: beside the heading */
export function Account({ lines, info, children }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const last = lines.at(-1)?.seq;
  useEffect(() => {
    const box = list.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, [last]);
  const names = info?.seats.map((seat) => seat.name);
  return html`<section class="account" aria-labelledby="account-title">
    <div class="account-head"><h2 id="account-title">What happened</h2>${children}</div>
    <div ref=${list} class="lines" role="log" aria-live="polite" aria-label="What happened" tabindex="0" data-testid="account">
      <ol>${lines.map((line) => html`<li key=${line.seq} class=${/^Round \d+ starts/.test(line.text) ? "head" : ""}>${told(line.text, names)}</li>`)}</ol>
      ${lines.length === 0 && html`<p class="hint">Nothing yet.</p>`}
    </div>
  </section>`;
}
