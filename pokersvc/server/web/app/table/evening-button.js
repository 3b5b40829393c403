/** The button of the evening, whose screen is loaded when somebody asks for it. */

import { html, useState } from "../html.js";

/** @param {{feed: Feed, isHost: boolean, testid: string}} props */
export function EveningButton({ feed, isHost, testid }) {
  const [Screen, load] = useState(/** @type {any} */ (null));
  const [open, setOpen] = useState(false);
  const show = () => {
    setOpen(true);
    if (Screen) return;
    import("./evening.js").then(
      ({ Evening }) => load(() => Evening),
      () => {
        setOpen(false);
        feed.fail("The evening could not be loaded: try again.");
      },
    );
  };
  return html`<button type="button" class="quiet" data-testid=${testid} aria-haspopup="dialog" onClick=${show}>The evening</button>
    ${open && Screen && html`<${Screen} feed=${feed} isHost=${isHost} onClose=${() => setOpen(false)} />`}`;
}
