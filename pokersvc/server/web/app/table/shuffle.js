/** The line that says who shuffles, whose share is awaited, and whether this device takes part. */

import { classes, html, useEffect, useReducer } from "../html.js";
import { sayLeft } from "./clock.js";

/** @type {Record<Exclude<TakingPart, "taking_part" | "starting">, string>} */
const SAID = {
  cannot_keep: "This browser keeps nothing for this site, so it cannot take part in the shuffle.",
  not_mine: "A share was opened for your seat that this device did not sign. Ask the others before you play on.",
  other_device: "Another device takes part in the shuffle for your seat; you can play on both.",
  other_tab: "Another tab takes part in the shuffle for your seat; you can play in both.",
  replaced: "Another key took your place in the shuffle. Ask the others at the table before you play on.",
  two_stories:
    "You were shown two histories of one shuffle. This device takes no part any more: compare the short form.",
};
const BAD = ["replaced", "not_mine", "two_stories", "cannot_keep"];

/** @param {string[]} names */
const and = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** @param {{feed: Feed}} props */
export function Shuffle({ feed }) {
  const { verifier, snapshot, takesPart } = feed;
  const { together } = verifier;
  const deadline = snapshot?.shares?.deadline ?? null;
  const [, tick] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    if (deadline === null) return undefined;
    const timer = setInterval(() => tick(undefined), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  if (together === null || snapshot?.outcome) return null;
  const named = (/** @type {number[]} */ seats) => and(seats.map((seat) => `${together.names[seat]}`));
  const { waiting } = together;
  const bound = [...together.bindings.keys()].sort((a, b) => a - b);
  const missed = [...together.missed].map(([seat, rounds]) => `${together.names[seat]} ${rounds.length}`);
  const who =
    waiting.length > 0
      ? `Waiting for ${waiting.length === 1 ? "the share" : "shares"} of ${named(waiting)}`
      : bound.length > 0
        ? `Shuffled together by ${named(bound)}`
        : "Shuffled together: nobody takes part yet";
  const standing = takesPart?.standing ?? "taking_part";
  const said = standing === "taking_part" || standing === "starting" ? null : SAID[standing];
  return html`<div class=${classes("shuffle", waiting.length > 0 && "waits")} data-testid="shuffle" data-standing=${standing}>
    <p>${who}${waiting.length > 0 && deadline !== null && html` <span class="clock" role="timer">${sayLeft(deadline)}</span>`}${missed.length > 0 && html` <span class="hint">· missed: ${missed.join(", ")}</span>`}</p>
    ${
      said &&
      html`<p class=${classes("notice", BAD.includes(standing) && "bad")} role="status">${said}
      ${standing === "other_device" && html` <button type="button" data-testid="take-part" onClick=${() => void takesPart?.replace()}>Take part here instead</button>`}</p>`
    }
    ${takesPart?.refused && waiting.includes(Number(feed.seat)) && html`<p class="notice bad" role="alert">${takesPart.refused}</p>`}
  </div>`;
}
