/** Links to share: one for watching, and one for each seat to be given away; each is also shown as a QR code. */

import { onlyHere, Reach } from "../device/reach.js";
import { kept } from "../device/store.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { hasFreeSeat } from "./entry.js";

/** @param {{text: string}} props */
export function QrCode({ text }) {
  const [path, draw] = useState("");
  const [size, setSize] = useState(0);
  useEffect(() => {
    import("../../vendor/lean-qr.js").then(({ generate, correction }) => {
      const code = generate(text, { minCorrectionLevel: correction.M });
      const count = code.size;
      let found = "";
      for (let row = 0; row < count; row++) {
        for (let column = 0; column < count; column++)
          if (code.get(column, row)) found += `M${column + 4} ${row + 4}h1v1h-1z`;
      }
      setSize(count + 8);
      draw(found);
    });
  }, [text]);
  return size === 0
    ? null
    : html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label="QR code of the link" shape-rendering="crispEdges">
        <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}

/** @param {{label: string, path: string, open?: boolean}} props */
export function Link({ label, path, open = false }) {
  const whole = new URL(path, location.origin).href;
  const [copied, say] = useState("");
  const [qr, showQr] = useState(open);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(whole);
      say("Copied");
    } catch {
      field.current?.select(); // over plain http there is no clipboard, only this old command
      say(document.execCommand("copy") ? "Copied" : "Select the link and copy it");
    }
  };
  return html`<div class="link-row">
    <label>${label}<input ref=${field} readonly value=${whole} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
    <div class="row">
      <button type="button" onClick=${copy}>Copy</button>
      <button type="button" class="quiet" aria-expanded=${qr} onClick=${() => showQr(!qr)}>QR code</button>
      <span role="status">${copied}</span>
    </div>
    ${qr && html`<${QrCode} text=${whole} />${onlyHere && html`<p class="hint">Only this machine can open this link.</p>`}`}
  </div>`;
}

/** @param {{feed: Feed, onClose: () => void}} props */
export function Invite({ feed, onClose }) {
  /** @type {Record<string, string>} */
  const links = kept("sessionStorage", `links:${feed.table}`) ?? {};
  const nameAt = (/** @type {number} */ seat) => {
    const name = feed.info?.seats[seat - 1]?.name;
    return name ? `, ${name}` : "";
  };
  const invitation = kept("localStorage", `invitation:${feed.table}`);
  return html`<${Dialog} title="Invite" onClose=${onClose}>
    <${Reach} />
    ${invitation && !hasFreeSeat(feed.info) && html`<p class="hint" data-testid="no-free-seat">Every seat is taken: who opens the first link can watch, and sit down once a seat is free.</p>`}
    ${invitation && html`<${Link} label="To sit down at a free seat" path=${invitation} open />`}
    ${Object.entries(links)
      .filter(([seat]) => Number(seat) !== feed.seat)
      .map(
        ([seat, path]) =>
          html`<${Link} key=${seat} label=${`Seat ${seat}${nameAt(Number(seat))} — for the first device that opens it`} path=${path} />`,
      )}
    ${feed.info?.public && feed.info.status === "waiting" && html`<${Link} label="The lobby, where anybody can sit down" path="/" />`}
    <${Link} label="To watch" path=${`/t/${encodeURIComponent(feed.table)}/`} open=${!invitation && Object.keys(links).length === 0} />
  <//>`;
}
