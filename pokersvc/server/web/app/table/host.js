/** The controls for the host of a table. */

import { get, pathOf, post } from "../api.js";
import { Reach } from "../device/reach.js";
import { keep, kept } from "../device/store.js";
import { Link } from "../door/invite.js";
import { Move } from "../door/move.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { BotOptions } from "../lobby/create-parts.js";
import { ratingsOf } from "../lobby/rated.js";
import { saySeat } from "./table-parts.js";

/** @param {{feed: Feed, onClose: () => void}} props */
export function Host({ feed, onClose }) {
  const [game, setGame] = useState(/** @type {GameInfo | null} */ (null));
  const [ladders, setLadders] = useState(/** @type {Ladder[]} */ ([]));
  const [error, fail] = useState("");
  const [links, setLinks] = useState(
    /** @type {Record<string, string>} */ (kept("sessionStorage", `links:${feed.table}`) ?? {}),
  );
  const { info, snapshot } = feed;
  useEffect(() => {
    get("/api/games").then(({ games }) =>
      setGame(games.find((/** @type {GameInfo} */ one) => one.kind === info?.kind) ?? null),
    );
    get("/api/ladders").then(
      (found) => setLadders(found.ladders),
      () => {}, // without ratings a bot can be put there as well
    );
  }, []);
  if (!info) return null;
  const ask = async (/** @type {string} */ what, body = {}) => {
    fail("");
    try {
      const answer = await post(feed.api(`host/${what}`), body);
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
  const ratings = ratingsOf(ladders, info.kind, info.options.rules ?? "");
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
      ${info.status === "playing" && html`<button type="button" data-testid="end" disabled=${!closable} onClick=${() => sure("End this game? The table stays, and you can play again.", "end")}>End the game</button>`}
      ${!info.closed && html`<button type="button" class="danger" data-testid="close" disabled=${!closable} onClick=${() => sure(info.status === "playing" ? "Close the table? This ends its game, and no other begins." : "Close the table? No other game begins.", "close")}>Close the table</button>`}
    </div>
    ${snapshot?.pausing && snapshot.view?.changeable && html`<${Stakes} view=${snapshot.view} ask=${ask} /><${ClockForm} clock=${snapshot.clock} ask=${ask} />`}
    ${snapshot?.pausing && snapshot.view?.cash?.bomb_blinds && html`<${BombPot} view=${snapshot.view} ask=${ask} />`}
    ${!closable && html`<p class="hint">The game can be closed between two rounds.</p>`}
    ${!info.closed && html`<${Door} feed=${feed} info=${info} ask=${ask} />`}
    <ol class="host-seats">${info.seats.map(
      (seat) => html`<li key=${seat.seat}>
      <b>${seat.seat}. ${saySeat(seat)}</b>
      <div class="row">
        ${seat.kind === "empty" && info.status === "waiting" && html`<${ProgramPicker} game=${game} ratings=${ratings} seat=${seat.seat} pick=${(/** @type {string} */ kind) => ask(`seats/${seat.seat}/program`, { kind })} />`}
        ${snapshot?.pausing && html`<${Purchase} seat=${seat} asks=${snapshot.view?.seats?.[seat.seat - 1]?.at_cash?.asks_for} ask=${ask} />`}
        ${!seat.admitted && html`<button type="button" class="primary" data-testid=${`admit-${seat.seat}`} onClick=${() => ask(`seats/${seat.seat}/admit`)}>Let in</button>`}
        ${seat.kind !== "empty" && info.status === "waiting" && html`<${Place} info=${info} seat=${seat} ask=${ask} />`}
        ${(seat.kind === "human" || seat.kind === "empty") && html`<button type="button" class="quiet" data-testid=${`new-link-${seat.seat}`} onClick=${() => replace(seat.seat)}>New link</button>`}
        ${seat.kind !== "empty" && !seat.removed && (info.status !== "playing" || (seat.kind === "human" && (plays(seat.seat) || snapshot?.view?.table?.cash))) && html`<button type="button" class="quiet" data-testid=${`remove-${seat.seat}`} onClick=${() => sure(`Remove ${seat.name}${info.status === "playing" && !snapshot?.pausing ? " once this round is over" : ""}? They can ask to come back, also under another name; you let people in one by one from now on.`, `seats/${seat.seat}/remove`)}>Remove</button>`}
      </div>
      ${links[seat.seat] && html`<${Link} label=${`Link of seat ${seat.seat}`} path=${links[seat.seat]} />`}
    </li>`,
    )}</ol>
    <p class="hint">A seat’s new link works for the first device that opens it. It ends the old link and its device, tells all at the table, and shows no hand from before.</p>
    <${Move} feed=${feed} door="host" />
  <//>`;
}

/** A purchase of chips that waits for an answer. @param {{seat: SeatInfo, asks: number | undefined, ask: (what: string, body?: any) => Promise<any>}} props */
function Purchase({ seat, asks, ask }) {
  if (!asks) return null;
  const answer = (/** @type {boolean} */ admits) => () => ask(`seats/${seat.seat}/purchase`, { admits });
  return html`<button type="button" class="primary" data-testid=${`sell-${seat.seat}`} onClick=${answer(true)}>Sell ${asks}</button>
    <button type="button" class="quiet" data-testid=${`refuse-${seat.seat}`} onClick=${answer(false)}>Refuse</button>`;
}

/** Other blinds or bets, and another ante, for the rounds to come. @param {{view: any, ask: (what: string, body?: any) => Promise<any>}} props */
function Stakes({ view, ask }) {
  const { betting, blinds } = view.rules;
  const [main, setMain] = useState(blinds ? `${blinds.small}/${blinds.big}` : String(betting.minimum));
  const [ante, setAnte] = useState(String(view.next_ante));
  const change = (/** @type {Event} */ event) => {
    event.preventDefault();
    void ask("stakes", { stakes: { [blinds ? "blinds" : "bet"]: main, ante } });
  };
  return html`<form class="row" data-testid="stakes" onSubmit=${change}>
    <label>${blinds ? "Blinds" : "Least bet"} <input size="9" value=${main} onInput=${(/** @type {any} */ event) => setMain(event.target.value)} /></label>
    <label>Ante <input size="6" inputmode="numeric" value=${ante} onInput=${(/** @type {any} */ event) => setAnte(event.target.value)} /></label>
    <button type="submit" class="quiet">Change for the next rounds</button></form>`;
}

/** A bomb pot for the round after the next. @param {{view: any, ask: (what: string, body?: any) => Promise<any>}} props */
function BombPot({ view, ask }) {
  const round = view.round + 2;
  if (view.bomb_pots.includes(round)) return html`<p class="hint">Round ${round} is going to be a bomb pot.</p>`;
  if (view.rounds !== null && round > view.rounds) return null;
  const ante = view.cash.bomb_blinds * view.rules.blinds.big;
  return html`<button type="button" class="quiet" data-testid="bomb-pot" onClick=${() => ask("stakes", { stakes: { bomb_pot: true } })}>Bomb pot in round ${round}, an ante of ${ante}</button>`;
}

/** Another time for a choice, and another reserve. @param {{clock: any, ask: (what: string, body?: any) => Promise<any>}} props */
function ClockForm({ clock, ask }) {
  const [seconds, setSeconds] = useState(String(clock?.seconds ?? 0));
  const [bank, setBank] = useState("0");
  const change = (/** @type {Event} */ event) => {
    event.preventDefault();
    void ask("clock", { seconds: Number(seconds), bank: Number(bank) });
  };
  return html`<form class="row" data-testid="change-clock" onSubmit=${change}>
    <label>Seconds for a choice <input size="6" type="number" min="0" required value=${seconds} onInput=${(/** @type {any} */ event) => setSeconds(event.target.value)} /></label>
    <label>Reserve <input size="6" type="number" min="0" required value=${bank} onInput=${(/** @type {any} */ event) => setBank(event.target.value)} /></label>
    <button type="submit" class="quiet">Change the clock</button></form>`;
}

/**
 * Who may come in: the link to sit down, and whether each is let in by the host.
 * @param {{feed: Feed, info: TableInfo, ask: (what: string, body?: any) => Promise<any>}} props
 */
function Door({ feed, info, ask }) {
  const key = `invitation:${feed.table}`;
  const [path, set] = useState(/** @type {string | null} */ (kept("localStorage", key)));
  const renew = async () => {
    const answer = await ask("invitation");
    if (!answer) return;
    keep("localStorage", key, pathOf(answer.link));
    set(pathOf(answer.link));
  };
  const each = info.access.admits === "each";
  return html`<${Reach} />
    ${path ? html`<${Link} label="Link to sit down at a free seat" path=${path} />` : html`<p class="hint">This device does not have the link to sit down. A new one ends the old.</p>`}
    <div class="row"><button type="button" class="quiet" data-testid="new-invitation" onClick=${renew}>New link to sit down</button>
      <label class="check"><input type="checkbox" checked=${!each} data-testid="admits" onChange=${() => ask("access", { admits: each ? "all" : "each" })} /><span>Let everybody in who has it</span></label></div>`;
}

/** @param {{info: TableInfo, seat: SeatInfo, ask: (what: string, body?: any) => Promise<any>}} props */
function Place({ info, seat, ask }) {
  const rename = () => {
    const name = prompt(`Who sits at seat ${seat.seat}?`, seat.name ?? "")?.trim();
    if (name) void ask(`seats/${seat.seat}/name`, { name });
  };
  return html`<button type="button" class="quiet" data-testid=${`rename-${seat.seat}`} onClick=${rename}>Rename</button>
    <label class="hidden" for=${`move-${seat.seat}`}>Move ${seat.name} to another seat</label>
    <select id=${`move-${seat.seat}`} value="" onChange=${(/** @type {any} */ event) => ask(`seats/${seat.seat}/move`, { to: Number(event.target.value) })}>
      <option value="">Move to…</option>${info.seats.filter((one) => one.seat !== seat.seat).map((one) => html`<option value=${one.seat}>seat ${one.seat}</option>`)}</select>`;
}

/** @param {{game: GameInfo | null, ratings: Record<string, number>, seat: number, pick: (kind: string) => void}} props */
function ProgramPicker({ game, ratings, seat, pick }) {
  const [kind, choose] = useState("");
  const chosen = kind || game?.default_program || "";
  const said = game?.programs_said[chosen];
  return html`<label class="hidden" for=${`program-${seat}`}>Bot for seat ${seat}</label>
    <select id=${`program-${seat}`} value=${chosen} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      <${BotOptions} programs=${game?.programs ?? []} levels=${game?.program_levels ?? []} ratings=${ratings} chosen=${chosen} /></select>
    ${said && html`<span class="hint">${said}</span>`}
    <button type="button" data-testid=${`put-${seat}`} onClick=${() => pick(chosen)}>Put the bot here</button>`;
}
