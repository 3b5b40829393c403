/** The button of the review, whose screen is loaded when somebody asks for it. */

import { html, useState } from "../html.js";

/** Return whether seats of a game are reviewed. @param {string} kind */
export function isReviewed(kind) {
  return kind === "draw" || kind === "kalah";
}

/** @param {{feed: Feed, round?: number}} props `round`: only of this round */
export function ReviewButton({ feed, round = 0 }) {
  const [Screen, load] = useState(/** @type {any} */ (null));
  const [open, setOpen] = useState(false);
  const show = () => {
    setOpen(true);
    if (Screen) return;
    import("./review.js").then(
      ({ ReviewScreen }) => load(() => ReviewScreen),
      () => {
        setOpen(false);
        feed.fail("The review could not be loaded: try again.");
      },
    );
  };
  return html`<button type="button" class="quiet" data-testid=${round ? `review-${round}` : "review"} aria-haspopup="dialog" onClick=${show}>${round ? `Review round ${round}` : "Review your play"}</button>
    ${open && Screen && html`<${Screen} feed=${feed} round=${round} onClose=${() => setOpen(false)} />`}`;
}
