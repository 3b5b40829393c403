/** The page of a table: for its players, its host and its spectators. */

import { api, get, post, Refused } from "../api.js";
import { keep, kept } from "../device/store.js";
import { Header, Notice } from "../frame.js";
import { screenOf } from "../games/registry.js";
import { classes, html, useEffect, useReducer, useState } from "../html.js";
import { Feed } from "../log/feed.js";
import { nameOfTable } from "../titles.js";
import { Account } from "./account.js";
import { readAdvice } from "./advice.js";
import { setTime } from "./clock.js";
import { Host } from "./host.js";
import { Invite } from "./invite.js";
import { BringChips, hasFreeSeat, SitDown } from "./open-seats.js";
import { Shuffle } from "./shuffle.js";
import { Over, Seating, Waiting } from "./table-parts.js";
import { Typed } from "./typed.js";
import { Broken, sayLost, VerdictBar } from "./verdict.js";
import { SoundButton, useTurnSignal } from "./your-turn.js";

/** Tokens of this page's own address, while it is open: a person who came by a link may still give a name. */
const tokens = new Map();
const WRONG_LINK =
  "This link does not lead to this seat: part of it is missing, or the host has replaced it. Copy it again, or ask for a new one.";

/**
 * Exchange the token in the address for a cookie, and remove it from the address bar.
 * @param {string} table
 * @param {string} door
 * @param {string} name
 */
async function enter(table, door, name) {
  const token = location.hash.slice(1);
  if (token) {
    history.replaceState(null, "", location.pathname);
    await post(api(table, `${door}/session`), { token }).catch((error) => {
      const wrong = error instanceof Refused && [401, 422].includes(error.status);
      throw wrong ? new Error(WRONG_LINK) : error;
    });
    tokens.set(door, token);
    keep("localStorage", `${name}:${table}`, true);
  }
}

/** @param {{table: string, seat: number | null, hosts: boolean}} props */
export function TablePage({ table, seat, hosts }) {
  const [feed] = useState(() => new Feed(table, seat));
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [refused, refuse] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const stop = feed.subscribe(() => redraw(undefined));
    const entered = hosts
      ? enter(table, "host", "host")
      : seat !== null
        ? enter(table, `seats/${seat}`, `seat-${seat}`)
        : Promise.resolve();
    entered.then(() => feed.open()).catch((error) => refuse(error.message));
    return () => {
      stop();
      feed.close();
    };
  }, []);
  const isHost = hosts || kept("localStorage", `host:${table}`) === true;
  return html`<${Room} feed=${feed} refused=${refused} isHost=${isHost} hosts=${hosts} />`;
}

/** @param {{feed: Feed, refused: string | null, isHost: boolean, hosts: boolean}} props */
function Room({ feed, refused, isHost, hosts }) {
  const { info, snapshot } = feed;
  const [screen, setScreen] = useState(/** @type {GameScreen | null} */ (null));
  const [shown, show] = useState(/** @type {string | null} */ (null));
  const [asking, wait] = useState(false);
  const [advice, setAdvice] = useState(/** @type {Advice | null} */ (null));
  const kind = info?.kind;
  useEffect(() => {
    if (kind) screenOf(kind).then(setScreen);
  }, [kind]);
  useEffect(() => setAdvice(null), [snapshot?.count]);
  setTime(snapshot?.clock);
  const paused = snapshot?.paused ?? snapshot?.clock?.paused ?? false;
  const yours = Boolean(snapshot?.your_turn && !feed.sent && !paused);
  useTurnSignal(yours, info ? nameOfTable(info) : "pokersvc");
  const problem = refused ?? feed.gone;
  if (problem)
    return html`<${Lost} table=${feed.seat !== null && feed.gone !== "table_closed" ? feed.table : null} text=${refused ?? feed.error ?? goneText(feed.gone)} />`;
  if (!info)
    return html`<main class="loading"><p role="status">${feed.error ?? (feed.connected ? "Loading the table…" : "The server cannot be reached. Trying again…")}</p></main>`;
  const act = (/** @type {GameAction} */ action, /** @type {string} */ label) => void feed.send({ action }, label);
  const ask =
    info.settings.advice && snapshot?.your_turn && info.kind === "draw"
      ? () => {
          wait(true);
          get(api(feed.table, `${feed.door}/advice`))
            .then(
              (found) => setAdvice(readAdvice(found.lines, snapshot.view, feed.seat)),
              (error) => feed.fail(error.message),
            )
            .finally(() => wait(false));
        }
      : null;
  const props = {
    act,
    advice,
    ask,
    asking,
    happened: feed.happened,
    legal: snapshot?.your_turn && !paused ? snapshot.legal : null,
    me: feed.seat,
    sent: feed.sent,
    snapshot,
    still: false,
    view: snapshot?.view ?? null,
  };
  return html`
    <${Header} title=${nameOfTable(info)}>
      <${VerdictBar} feed=${feed} />
      <${SoundButton} />
      <button type="button" class="quiet" onClick=${() => show("invite")} data-testid="invite">Invite</button>
      ${isHost && html`<button type="button" class="quiet" onClick=${() => show("host")} data-testid="host">Host</button>`}
    <//>
    <${Connection} feed=${feed} />
    <p class="hidden" role="status">${yours ? `Your turn. ${screen?.examples?.(props.legal) ?? ""}` : ""}</p>
    <main class=${classes("room", `kind-${info.kind}`, yours && "your-turn")}>
      <div class="stage-area">
        <${Notice} text=${feed.error} onClose=${() => feed.fail(null)} />
        ${paused && html`<p class="notice" role="status">The table is paused. Nobody can choose, and no clock runs.</p>`}
        ${!feed.broken && html`<${Shuffle} feed=${feed} />`}
        ${snapshot && html`<${Over} info=${info} snapshot=${snapshot} table=${feed.table} />`}
        ${
          feed.broken
            ? html`<${Broken} feed=${feed} />`
            : snapshot === null
              ? html`<${Waiting} info=${info} feed=${feed} isHost=${isHost} token=${tokens.get(feed.door) ?? null} invite=${() => show("invite")} />`
              : screen && html`<${screen.Board} ...${props} />`
        }
        ${feed.seat === null && info.public && info.status === "playing" && hasFreeSeat(info) && html`<${SitDown} table=${feed.table} title=${nameOfTable(info)} />`}
        ${snapshot && html`<${BringChips} feed=${feed} act=${act} />`}
        ${snapshot && html`<${Seating} feed=${feed} act=${act} screen=${screen} />`}
      </div>
      <aside class="side-area">
        <${Account} lines=${feed.lines} info=${info} />
        ${feed.seat !== null && snapshot && !snapshot.outcome && html`<${Typed} feed=${feed} screen=${screen} props=${props} />`}
        ${feed.seat === null && html`<p class="watching">${hosts ? "You host this table. Seats have links of their own." : "You are watching."}</p>`}
      </aside>
      ${advice && !advice.best && html`<p class="notice">${advice.text.join(" ")}</p>`}
    </main>
    ${shown === "invite" && html`<${Invite} feed=${feed} onClose=${() => show(null)} />`}
    ${shown === "host" && html`<${Host} feed=${feed} onClose=${() => show(null)} />`}`;
}

/** @param {{feed: Feed}} props */
function Connection({ feed }) {
  const { connected } = feed;
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!connected) setLost(true);
    else if (lost) {
      const timer = setTimeout(() => setLost(false), 4000);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [connected]);
  const text = !connected ? `${sayLost(feed)} Trying again…` : lost ? "Connected again." : "";
  return html`<div role="status" class=${classes("connection", !connected && "lost", Boolean(text) && "seen")} data-testid="connection">${text}</div>`;
}

/** @param {{text: string, table: string | null}} props `table`: what may still be watched */
function Lost({ text, table }) {
  return html`<${Header} title="This table" /><main class="plain"><p class="notice bad" role="alert">${text}</p><p class="row">${table && html`<a class="as-button" href=${`/t/${encodeURIComponent(table)}/`}>Watch this table</a>`}<a class="as-button" href="/">All tables</a></p></main>`;
}

/** @param {string | null} code */
function goneText(code) {
  if (code === "table_closed") return "The host has closed this table.";
  if (code === "no_token")
    return "This browser does not know this seat. Open the seat's link, or ask the host for a new one.";
  if (code === "link_replaced")
    return "This seat has another link now: the host made one, or somebody else took the seat after you got up.";
  return "This table is no longer here, or your link is no longer good.";
}
