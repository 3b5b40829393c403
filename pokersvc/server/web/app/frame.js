/** Parts around every page: the heading, notices and dialogs. */

import { html, useLayoutEffect, useRef } from "./html.js";

/** @param {{title: string, children?: any}} props */
export function Header({ title, children }) {
  return html`<header class="top">
    <a class="home" href="/" aria-label="All tables"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 1.200c4 5.300 10 8.500 10 13.700 0 3-2.300 5-4.900 5-1.600 0-2.900-.7-3.800-1.900.3 1.900 1.200 3.400 2.800 4.600H7.900c1.600-1.200 2.500-2.700 2.800-4.600-.9 1.200-2.200 1.900-3.800 1.900-2.600 0-4.900-2-4.900-5C2 9.700 8 6.500 12 1.200z" /></svg></a>
    <h1>${title}</h1>
    <div class="tools">${children}</div>
  </header>`;
}

/** @param {{text: string | null, onClose?: () => void}} props */
export function Notice({ text, onClose }) {
  return html`<div role="alert" class="alerts">${
    text &&
    html`<div class="notice bad" data-testid="error"><p>${text}</p>
      ${onClose && html`<button type="button" class="quiet" onClick=${onClose}>Dismiss</button>`}</div>`
  }
  </div>`;
}

/**
 * The browser's native dialog: it keeps the focus inside, and closes on Escape as soon as it is shown.
 * @param {{title: string, onClose: () => void, children?: any, wide?: boolean}} props
 */
export function Dialog({ title, onClose, children, wide = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog ref=${dialog} class=${wide ? "wide" : ""} onClose=${onClose} aria-labelledby="dialog-title"
      onClick=${(/** @type {MouseEvent} */ event) => event.target === dialog.current && dialog.current?.close()}>
    <div class="dialog">
      <div class="dialog-head"><h2 id="dialog-title">${title}</h2>
        <button type="button" class="quiet close" aria-label="Close" onClick=${() => dialog.current?.close()}>✕</button></div>
      ${children}
    </div>
  </dialog>`;
}
