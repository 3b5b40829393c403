/** The controls for the host of a table. */

import { api, get, post } from "../api.js";
import { keep, kept } from "../device/store.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { Link } from "./invite.js";
import { saySeat } from "./table-parts.js";

/** @param {{feed: Feed, onClose: () => void}} props */
export function Host({ feed, onClose }) {
  const [programs, setPrograms] = useState(/** @type {string[]} */ ([]));
  const [error, fail] = useState("");
  const [links, setLinks] = useState(
    /** @type {Record<string, string>} */ (kept("sessionStorage", `links:${feed.table}`) ?? {}),
  );
  const { info, snapshot } = feed;
  useEffect(() => {
    get("/api/games").then(({ games }) =>
      setPrograms(games.find((/** @type {any} */ game) => game.kind === info?.kind)?.programs ?? []),
    );
  }, []);
  if (!info) return null;
  const ask = async (/** @type {string} */ what, body = {}) => {
    fail("");
    try {
      const answer = await post(api(feed.table, `host/${what}`), body);
      feed.refresh();
      return answer ?? {}; // most answers are empty
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
      return null;
    }
  };
  const replace = async (/** @type {number} */ seat) => {
    const answer = await ask(`seats/${seat}/link`);
    if (!answer) return;
    const now = { ...links, [seat]: answer.link };
    keep("sessionStorage", `links:${feed.table}`, now);
    setLinks(now);
  };
  const sure = (/** @type {string} */ question, /** @type {string} */ what) => confirm(question) && ask(what);
  const plays = (/** @type {number} */ seat) => snapshot?.view?.seats?.[seat - 1]?.standing !== "out";
  const closable = info.status !== "playing" || (snapshot?.closable ?? false);
  const paused = snapshot?.paused ?? snapshot?.clock?.paused;
  return html`<${Dialog} title="Host" wide onClose=${onClose}>
    <div role="alert">${error && html`<p class="notice bad">${error}</p>`}</div>
    <div class="row">
      ${info.status === "waiting" && html`<button type="button" class="primary" data-testid="start" onClick=${() => ask("start").then((done) => done !== null && onClose())}>Start the game</button>`}
      ${info.status === "playing" && html`<button type="button" data-testid="pause" onClick=${() => ask(paused ? "resume" : "pause")}>${paused ? "Resume" : "Pause for all"}</button>`}
      ${info.status === "playing" && snapshot?.pausing && html`<button type="button" data-testid="next" onClick=${() => ask("next")}>Next round</button>`}
      ${info.status !== "over" && html`<button type="button" class="danger" data-testid="close" disabled=${!closable} onClick=${() => sure(info.status === "waiting" ? "Close the table?" : "Close the table? This ends its game.", "close")}>Close the table</button>`}
    </div>
    ${!closable && html`<p class="hint">The game can be closed, and people removed, between two rounds.</p>`}
    <ol class="host-seats">${info.seats.map(
      (seat) => html`<li key=${seat.seat}>
      <b>${seat.seat}. ${saySeat(seat)}</b>
      <div class="row">
        ${seat.kind === "empty" && info.status === "waiting" && html`<${ProgramPicker} programs=${programs} seat=${seat.seat} pick=${(/** @type {string} */ kind) => ask(`seats/${seat.seat}/program`, { kind })} />`}
        ${(seat.kind === "human" || seat.kind === "empty") && html`<button type="button" class="quiet" data-testid=${`new-link-${seat.seat}`} onClick=${() => replace(seat.seat)}>New link</button>`}
        ${seat.kind !== "empty" && (info.status === "waiting" || (snapshot?.pausing && seat.kind === "human" && (plays(seat.seat) || snapshot.view?.table?.cash))) && html`<button type="button" class="quiet" data-testid=${`remove-${seat.seat}`} onClick=${() => sure(`Remove ${seat.name} from the game?`, `seats/${seat.seat}/remove`)}>Remove</button>`}
      </div>
      ${links[seat.seat] && html`<${Link} label=${`Link of seat ${seat.seat}`} path=${links[seat.seat]} />`}
    </li>`,
    )}</ol>
    <p class="hint">A new link ends the old one, tells all at the table, and shows no hand from before.</p>
  <//>`;
}

/** @param {{programs: string[], seat: number, pick: (kind: string) => void}} props */
function ProgramPicker({ programs, seat, pick }) {
  const [kind, choose] = useState("");
  const chosen = kind || programs[0] || "";
  return html`<label class="hidden" for=${`program-${seat}`}>Bot for seat ${seat}</label>
    <select id=${`program-${seat}`} value=${chosen} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      ${programs.map((program) => html`<option value=${program}>${program}</option>`)}</select>
    <button type="button" data-testid=${`put-${seat}`} onClick=${() => pick(chosen)}>Put the bot here</button>`;
}
