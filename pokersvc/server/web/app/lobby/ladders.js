/** The ladders: bots by their ratings, and a way to play against each. */

import { get } from "../api.js";
import { Header, Notice } from "../frame.js";
import { amount, counted, html, useEffect, useState } from "../html.js";
import { against, sayRating } from "./rated.js";

const WIDTH = 120;

export function Ladders() {
  const [ladders, set] = useState(/** @type {Ladder[] | null} */ (null));
  const [error, fail] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    document.title = "Bots by rating – pokersvc";
    get("/api/ladders").then(
      (found) => set(found.ladders),
      (refused) => fail(refused.message),
    );
  }, []);
  return html`<${Header} title="Bots by rating" />
    <main class="lobby ladders">
      <${Notice} text=${error} />
      ${!ladders && !error && html`<p role="status">Loading…</p>`}
      ${ladders?.length === 0 && html`<div class="empty"><p>No bots are rated here yet.</p><p>Whoever runs the server rates them with: pokersvc ladder add</p></div>`}
      ${ladders?.map((ladder) => html`<${OneLadder} key=${ladder.name} ladder=${ladder} />`)}
      ${ladders?.length ? html`<p class="hint">All bots of a ladder play each other on the same deals. Who is rated 400 points above another is expected to win ten of eleven. Lines show intervals that hold all together with 95 %.</p>` : null}
    </main>`;
}

/** @param {{ladder: Ladder}} props */
function OneLadder({ ladder }) {
  const { members, unit } = ladder;
  const within = (/** @type {LadderMember} */ one) => one.rating_within ?? 0;
  const low = Math.min(...members.map((one) => one.rating - within(one)));
  const high = Math.max(...members.map((one) => one.rating + within(one)));
  const at = (/** @type {number} */ rating) => 4 + ((WIDTH - 8) * (rating - low)) / (high - low || 1);
  return html`<section aria-labelledby=${`ladder-${ladder.name}`} data-testid=${`ladder-${ladder.name}`}>
    <h2 id=${`ladder-${ladder.name}`}>${ladder.title}</h2>
    <p class="hint">${[ladder.name, counted(ladder.deals, "deal"), ladder.missing_games > 0 && `${counted(ladder.missing_games, "game")} to play`].filter(Boolean).join(", ")}</p>
    ${
      members.length > 0 &&
      html`<table class="ladder"><thead><tr><th><span class="hidden">Place</span></th><th scope="col">Bot</th><th scope="col">Rating</th><th class="wide">± 95 %</th><th scope="col">${unit}</th><th scope="col" class="wide">Points</th><th><span class="hidden">Play</span></th></tr></thead>
      <tbody>${members.map(
        (one, place) => html`<tr key=${one.name}><td>${place + 1}</td><th scope="row">${one.name}</th>
        <td>${sayRating(one.rating)}<small>${one.rating_within !== null && ` ± ${sayRating(one.rating_within)}`}</small></td>
        <td class="wide"><svg viewBox=${`0 0 ${WIDTH} 16`} aria-hidden="true"><path d=${`M${at(one.rating - within(one))} 8H${at(one.rating + within(one))}`} /><circle cx=${at(one.rating)} cy="8" r="4" /></svg></td>
        <td>${sayGain(one.gain)}<small>${one.gain_within !== null && ` ± ${sayGain(one.gain_within)}`}</small></td>
        <td class="wide">${Math.round(100 * one.points)} %</td>
        <td>${one.program && ladder.house !== null && html`<a class="as-button quiet" href=${against(ladder, one.program)} aria-label=${`Play against ${one.name}`}>Play</a>`}</td></tr>`,
      )}</tbody></table>`
    }
    ${ladder.unranked.length > 0 && html`<p class="hint">Not ranked yet: ${ladder.unranked.join(", ")}</p>`}
  </section>`;
}

/** Return a gain with as many digits as it needs. @param {number} gain */
const sayGain = (gain) => (Math.abs(gain) >= 20 ? amount(Math.round(gain)) : gain.toFixed(2));
