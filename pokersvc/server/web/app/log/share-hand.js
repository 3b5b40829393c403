/** Sharing a hand by a link: the hand, whether the person's own cards are included, the link, and all hands shared. */

import { api, get, pathOf, post } from "../api.js";
import { Link } from "../door/invite.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { ALL_SEEN } from "./all-seen.js";

/** @param {{info: TableInfo, address: string, seat: number, near: number, onClose: () => void}} props */
export function ShareHand({ info, address, seat, near, onClose }) {
  const [hands, list] = useState(/** @type {OwnSharedHand[] | null} */ (null));
  const [last, end] = useState(0);
  const [whole, setWhole] = useState(false);
  const [round, pick] = useState(0);
  const [asks, ask] = useState(false);
  const [made, show] = useState(/** @type {(OwnSharedHand & {link: string}) | null} */ (null));
  const [error, fail] = useState("");
  const door = (/** @type {string} */ what) => api(address, `seats/${seat}/${what}`, info.game);
  const trying = async (/** @type {() => Promise<void>} */ task) => {
    fail("");
    try {
      await task();
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
    }
  };
  const look = () =>
    trying(async () => {
      const found = await get(door("hands"));
      list(found.hands);
      end(found.last);
      setWhole(!found.rounds);
      pick((before) => before || (near > 0 && near <= found.last ? near : found.last));
    });
  useEffect(() => void look(), []);
  const share = (/** @type {boolean} */ cards) =>
    trying(async () => {
      ask(false);
      show(await post(door("hands"), { round, cards }));
      await look();
    });
  const stop = (/** @type {string} */ id) =>
    trying(async () => {
      await post(door("hands/end"), { id });
      if (made?.id === id) show(null);
      await look();
    });
  const choose = (/** @type {any} */ event) => {
    show(null);
    ask(false);
    pick(Number(event.target.value));
  };
  return html`<${Dialog} title=${whole ? "Share this game" : "Share a hand"} onClose=${onClose}>
    <p class="form-error" role="alert">${error}</p>
    ${hands === null ? !error && html`<p role="status">Loading…</p>` : last === 0 && html`<p>${whole ? "The game is not over yet." : "No hand is over yet."}</p>`}
    ${
      last > 0 &&
      html`<p>Whoever has the link sees this ${whole ? "game" : "hand"} as everybody at the table could, and nothing after it. You can end the link at any time.</p>
      ${last > 1 && html`<label class="inline">Hand <select data-testid="share-round" onChange=${choose}>${Array.from({ length: last }, (_, at) => last - at).map((one) => html`<option value=${one} selected=${one === round}>round ${one}</option>`)}</select></label>`}
      ${
        asks
          ? html`<div class="ask-cards" data-testid="share-cards"><p><b>Show your own cards too?</b> Then the link shows what you were dealt, drew and threw away in this hand, also if nobody saw it at the table.</p>
        <p class="row"><button type="button" class="primary" data-testid="share-without" onClick=${() => share(false)}>Without my cards</button>
          <button type="button" data-testid="share-with" onClick=${() => share(true)}>With my cards</button></p></div>`
          : made === null &&
            html`<p class="row"><button type="button" class="primary" data-testid="share-make" onClick=${() => (ALL_SEEN.has(info.kind) ? share(false) : ask(true))}>Make a link</button></p>`
      }`
    }
    ${
      made &&
      html`<div data-testid="share-link"><${Link} label=${`${whole ? "This game" : `Round ${made.round}`}${saysCards(info, made)}`} path=${pathOf(made.link)} />
      ${!made.shown && html`<p class="hint">The link shows the hand once watchers have seen it.</p>`}
      <p class="row"><button type="button" class="quiet" onClick=${() => show(null)}>Another link</button></p></div>`
    }
    ${
      hands !== null &&
      hands.length > 0 &&
      html`<h3>What you share at this table</h3>
      <ul class="shared-hands">${hands.map(
        (
          one,
        ) => html`<li key=${one.id}><span>${whole ? `Game ${one.number}` : `Game ${one.number}, round ${one.round}`}${saysCards(info, one)}
          <span class="hint"> since ${new Date(one.created_at).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}${one.shown ? "" : ", not shown yet"}</span></span>
          <button type="button" data-testid="share-end" onClick=${() => stop(one.id)}>End</button></li>`,
      )}</ul>`
    }
  <//>`;
}

/** @type {(info: TableInfo, hand: OwnSharedHand) => string} */
const saysCards = ({ kind }, { cards }) =>
  ALL_SEEN.has(kind) ? "" : cards ? ", with your cards" : ", without your cards";
