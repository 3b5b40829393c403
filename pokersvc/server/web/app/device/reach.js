/** Who can open the links of this page, and who could eavesdrop. */

import { html } from "../html.js";

/** Whether only this machine can open this page's address. */
export const onlyHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(globalThis.location?.hostname ?? "");

/** Warns that others cannot open this page's links, or that they could read cards; otherwise shows nothing. */
export function Reach() {
  if (onlyHere)
    return html`<p class="notice" data-testid="reach"><span>Only this machine can open links from here. For phones and others in your network, start the server with <code>pokersvc serve --lan</code> and open the address that it prints.</span></p>`;
  if (isSecureContext) return null;
  return html`<p class="hint" data-testid="reach">This page comes over plain http: others in the network could read cards. Play only where you trust everybody in it.</p>`;
}
