/** The page of a table: for its players, its host and its spectators. */

import { api, get, post } from "../api.js";
import { keep } from "../device/store.js";
import { ChooseSeat, hasFreeSeat, ownSeats, sayRefused, TakeSeat, takeToken } from "../door/entry.js";
import { Header, Notice } from "../frame.js";
import { screenOf } from "../games/registry.js";
import { classes, html, useEffect, useLayoutEffect, useReducer, useState } from "../html.js";
import { later } from "../later.js";
import { typed } from "../log/by-hands.js";
import { Feed } from "../log/feed.js";
import { follow, goesOn, isKnown, useTable } from "../log/found-table.js";
import { ShareButton } from "../log/share-button.js";
import { ReviewButton } from "../review/review-button.js";
import { nameOfTable } from "../titles.js";
import { Account } from "./account.js";
import { readAdvice } from "./advice.js";
import { setTime } from "./clock.js";
import { EveningButton } from "./evening-button.js";
import { sayMissing } from "./missing.js";
import { useDrawn } from "./settled.js";
import { Shuffle } from "./shuffle.js";
import { Seating } from "./table-parts.js";
import { Typed } from "./typed.js";
import { Broken, sayLost, VerdictBar, VerdictLine } from "./verdict.js";
import { SignalsButton, useTurnSignal } from "./your-turn.js";

const BringChips = later(() => import("../door/open-seats.js"), "BringChips");
const Chat = later(() => import("./chat.js"), "Chat");
const Host = later(() => import("./host.js"), "Host");
const HostAsks = later(() => import("./host-asks.js"), "HostAsks");
const Invite = later(() => import("../door/invite.js"), "Invite");
const Move = later(() => import("../door/move.js"), "Move");
const Over = later(() => import("./over.js"), "Over");
const SitDown = later(() => import("../door/open-seats.js"), "SitDown");
const SitHere = later(() => import("../door/sit-elsewhere.js"), "SitHere");
const Waiting = later(() => import("../door/waiting.js"), "Waiting");

/**
 * Exchange the host's token in the address for a cookie, and remove it from the address bar.
 * @param {string} table
 */
async function enterAsHost(table) {
  const token = takeToken();
  if (token) {
    await post(api(table, "host/session"), { token }).catch((refused) => {
      throw new Error(sayRefused(refused));
    });
    keep("localStorage", `host:${table}`, true);
  }
}

/** @param {{address: string, seat: number | null, door: string}} props `address`: the id of a table or of a game; `door`: "seat", "host", "sit" or "watch" */
export function TablePage({ address, seat, door }) {
  const { info, lost, why, look } = useTable(address);
  const [comes, come] = useState(seat !== null && location.hash.length > 1);
  if (lost) return html`<${Lost} table=${null} text=${why} />`;
  if (!info) return html`<main class="loading"><p role="status">${why ?? "Loading the table…"}</p></main>`;
  if (door === "sit") return html`<${ChooseSeat} info=${info} look=${look} />`;
  if (comes && seat !== null)
    return html`<${TakeSeat} info=${info} address=${address} seat=${seat} done=${() => come(false)} />`;
  return html`<${GamePage} key=${info.game} info=${info} address=${address} seat=${seat} hosts=${door === "host"} look=${look} />`;
}

/** @param {{info: TableInfo, address: string, seat: number | null, hosts: boolean, look: (game: string) => void}} props `look`: at the next game */
function GamePage({ info, address, seat, hosts, look }) {
  const [feed] = useState(() => new Feed(info, seat, { address, hosts }));
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [refused, refuse] = useState(/** @type {string | null} */ (null));
  const [isIn, letIn] = useState(false);
  useLayoutEffect(() => {
    const stop = feed.subscribe(() => redraw(undefined));
    const entered = hosts ? enterAsHost(address) : Promise.resolve();
    entered
      .then(() => letIn(true))
      .then(() => feed.open())
      .catch((error) => refuse(error.message));
    return () => {
      stop();
      feed.close();
    };
  }, []);
  useEffect(() => {
    if (feed.gone === "other_seat") void follow(feed).catch((error) => feed.fail(error.message));
  }, [feed.gone]);
  const next = address === info.table ? feed.info.next : null; // the address of a game always shows that game
  useEffect(() => {
    if (next !== null) void goesOn(feed, next).then((found) => found && look(next));
  }, [next]);
  const isHost = isIn && (hosts || isKnown(info, "host"));
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
  const waits = snapshot === null && (info.status !== "playing" || info.access.delay > 0);
  useDrawn(waits || (snapshot !== null && screen !== null));
  setTime(snapshot?.clock ?? snapshot?.level);
  const paused = snapshot?.paused ?? snapshot?.clock?.paused ?? false;
  const yours = Boolean(snapshot?.your_turn && !feed.sent && !paused);
  useTurnSignal(yours, info ? nameOfTable(info) : "pokersvc");
  const problem = refused ?? (feed.gone === "other_seat" || feed.changesSeat ? null : feed.gone);
  if (problem)
    return html`<${Lost} table=${feed.seat !== null && feed.gone !== "table_closed" ? feed.table : null} text=${refused ?? feed.error ?? goneText(feed.gone)} />`;
  // A choice in a hand is valid only for the state in which it was shown; requests between rounds do not depend on
  // others.
  const head = snapshot?.your_turn ? snapshot.head : null;
  const choose = (/** @type {GameAction} */ action, /** @type {string} */ label) =>
    void feed.send({ action }, label, head);
  const act = (/** @type {GameAction} */ action, /** @type {string} */ label) => feed.send({ action }, label);
  const ask =
    info.settings.advice && snapshot?.your_turn && info.kind === "draw"
      ? () => {
          wait(true);
          get(feed.api(`${feed.door}/advice`))
            .then(
              (found) => setAdvice(readAdvice(found.lines, snapshot.view, feed.seat)),
              (error) => feed.fail(error.message),
            )
            .finally(() => wait(false));
        }
      : null;
  const knocking = info.seats.filter((seat) => !seat.admitted).length;
  const offersStakes = Boolean(snapshot?.pausing && !snapshot.outcome && snapshot.view?.changeable);
  const asked =
    snapshot?.pausing && snapshot.view?.seats?.some((/** @type {any} */ seat) => seat.at_cash?.asks_for > 0);
  const own = feed.seat === null && !hosts ? ownSeats(info)[0] : undefined;
  const outside = feed.seat !== null && info.seats[feed.seat - 1]?.admitted === false;
  const props = {
    act: choose,
    advice,
    ask,
    asking,
    checked: feed.checked,
    facing: feed.seat === null ? null : feed.verifier.facing(feed.seat),
    happened: feed.happened,
    kinds: info.seats.map(({ kind }) => kind),
    legal: snapshot?.your_turn && !paused ? snapshot.legal : null,
    lost: !feed.connected,
    me: feed.seat,
    missing: feed.connected ? feed.missing : [],
    sent: feed.sent,
    sitAt: snapshot?.view?.table?.cash
      ? (/** @type {number} */ to) => html`<${SitHere} feed=${feed} to=${to} />`
      : undefined,
    snapshot,
    still: false,
    view: snapshot?.view ?? null,
  };
  return html`
    <${Header} title=${nameOfTable(info)}>
      <${VerdictBar} feed=${feed} />
      <${SignalsButton} />
      <button type="button" class="quiet" onClick=${() => show("invite")} data-testid="invite">Invite</button>
      ${isHost && html`<button type="button" class=${knocking ? "primary" : "quiet"} onClick=${() => show("host")} data-testid="host">Host${knocking ? ` (${knocking})` : ""}</button>`}
      ${own && html`<a class="as-button" href=${`/t/${encodeURIComponent(feed.table)}/seat/${own}/`} data-testid="own-seat">Your seat</a>`}
    <//>
    <${Connection} feed=${feed} />
    <p class="hidden" role="status" data-testid="missing">${snapshot?.view && sayMissing({ ...props, snapshot })}</p>
    <p class="hidden" role="status">${yours ? `Your turn. ${screen?.examples?.(props.legal) ?? ""}` : ""}</p>
    <main class=${classes("room", `kind-${info.kind}`, yours && "your-turn")}>
      <div class="stage-area">
        <${Notice} text=${feed.error} onClose=${() => feed.fail(null)} />
        ${paused && html`<p class="notice" role="status">The table is paused. Nobody can choose, and no clock runs.</p>`}
        ${feed.went && html`<p class="notice" role="status" data-testid="went-on">${feed.went} went on at another device.</p>`}
        ${outside && html`<p class="notice" role="status" data-testid="not-admitted">The host has yet to let you in. Until then you watch.</p>`}
        ${!feed.broken && html`<${Shuffle} feed=${feed} />`}
        ${snapshot?.outcome && html`<${Over} info=${info} snapshot=${snapshot} feed=${feed} isHost=${isHost} />`}
        ${
          feed.broken
            ? html`<${Broken} feed=${feed} />`
            : snapshot === null
              ? waits && html`<${Waiting} info=${info} feed=${feed} isHost=${isHost} invite=${() => show("invite")} />`
              : screen && html`<${screen.Board} ...${props} />`
        }
        ${feed.seat === null && info.public && info.status === "playing" && hasFreeSeat(info) && html`<${SitDown} table=${feed.table} title=${nameOfTable(info)} />`}
        ${snapshot?.view?.table?.cash && !outside && html`<${BringChips} feed=${feed} act=${act} />`}
        ${isHost && !feed.broken && (offersStakes || knocking > 0 || asked) && html`<${HostAsks} feed=${feed} offersStakes=${offersStakes} />`}
        ${snapshot && html`<${Seating} feed=${feed} act=${act} screen=${screen} />`}
      </div>
      <aside class="side-area">
        <${Account} lines=${typed(feed.lines, feed.happened)} info=${info} verdict=${html`<${VerdictLine} feed=${feed} />`} review=${info.kind === "draw" && feed.seat !== null && snapshot?.outcome ? (/** @type {number} */ round) => html`<${ReviewButton} feed=${feed} round=${round} />` : undefined} replay=${`/replay/${encodeURIComponent(feed.game)}/${feed.seat === null ? "" : `?as=${feed.seat}`}`}><${EveningButton} feed=${feed} isHost=${isHost} testid="evening" /><//>
        <${Chat} feed=${feed} isHost=${isHost} hosts=${hosts} />
        ${feed.seat !== null && snapshot && !snapshot.outcome && html`<${Typed} feed=${feed} screen=${screen} props=${props} />`}
        ${feed.seat !== null && snapshot && html`<${ShareButton} info=${info} address=${feed.address} seat=${feed.seat} />`}
        ${feed.seat !== null && html`<${Move} feed=${feed} door=${feed.door} />`}
        ${feed.seat === null && html`<p class="watching">${hosts ? "You host this table, and have no seat." : "You are watching."}</p>`}
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
  if (code === "moved") return "You went on at another device.";
  if (code === "link_replaced")
    return "You do not hold this seat any more: the host made a new link for it or removed you, or somebody else took the seat after you got up.";
  return "This table is no longer here, or your link is no longer good.";
}
