/** The button that shares a hand; what it opens is loaded when it is pressed. */

import { html, useState } from "../html.js";

/** @param {{info: TableInfo, address: string, seat: number, near?: number}} props `address`: for which the seat's cookie is; `near`: the round that is looked at */
export function ShareButton({ info, address, seat, near = 0 }) {
  const [loaded, load] = useState(/** @type {typeof import("./share-hand.js") | null} */ (null));
  const [failed, fail] = useState(false);
  const open = () => {
    fail(false);
    import("./share-hand.js").then(load, () => fail(true));
  };
  return html`<p class="row share-hand"><button type="button" class="quiet" aria-haspopup="dialog" data-testid="share-hand" onClick=${open}>Share a hand</button>
    <span role="status">${failed ? "The server cannot be reached." : ""}</span></p>
    ${loaded && html`<${loaded.ShareHand} info=${info} address=${address} seat=${seat} near=${near} onClose=${() => load(null)} />`}`;
}
