/** The replay of a finished game: forwards, backwards, by round, at a speed, without giving the end away. */

import { onlyHere } from "../device/reach.js";
import { Header, Notice } from "../frame.js";
import { screenOf } from "../games/registry.js";
import { html, useEffect, useReducer, useRef, useState } from "../html.js";
import { told } from "../said.js";
import { Account } from "../table/account.js";
import { VerdictBar } from "../table/verdict.js";
import { nameOfTable } from "../titles.js";
import { ALL_SEEN } from "./all-seen.js";
import { Feed } from "./feed.js";
import { isKnown, placeOf, useTable } from "./found-table.js";
import { ShareButton } from "./share-button.js";
import { roundOf, Steps } from "./steps.js";

/** Events of the dealer, which take less time than the choices of players. */
const QUICK = /Dealt|Shuffled|Started|Posted|Drawn/;
const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {{address: string}} props the id of a game, or of a table, which means its last one */
export function ReplayPage({ address }) {
  const [chosen, look] = useState(/** @type {ReplayViewer | undefined} */ (undefined));
  const { info, lost, why } = useTable(address);
  if (!info)
    return html`<${Header} title="Replay" /><main class="loading"><p role=${lost ? "alert" : "status"}>${why ?? "Loading the game…"}</p></main>`;
  const as = Number(new URLSearchParams(location.search).get("as"));
  const viewer = chosen === undefined ? (as > 0 && isKnown(info, `seat-${as}`) ? as : null) : chosen;
  return html`<${Replay} key=${viewer} found=${info} address=${address} viewer=${viewer} look=${look} />`;
}

/** @param {{found: TableInfo, address: string, viewer: ReplayViewer, look: (viewer: ReplayViewer) => void}} props */
function Replay({ found, address, viewer, look }) {
  const seat = viewer === "opened" ? null : viewer;
  const [feed] = useState(
    () => new Feed(found, seat, { address: seat === null ? address : placeOf(found, `seat-${seat}`), replays: true }),
  );
  const [steps] = useState(() => new Steps(feed, viewer === "opened" ? "watch/opened" : `${feed.door}/replay`));
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [now, setNow] = useState(/** @type {ReplayStep | null} */ (null));
  const [screen, setScreen] = useState(/** @type {GameScreen | null} */ (null));
  const [error, fail] = useState(/** @type {string | null} */ (null));
  const jumped = useRef(true);
  /** The event from which the next step starts: keys may come faster than events are drawn. */
  const target = useRef(1);
  const shown = useRef(1);
  const go = async (/** @type {number} */ seq, jump = true) => {
    const wanted = Math.max(1, seq);
    target.current = wanted;
    try {
      const step = await steps.at(wanted);
      if (target.current !== wanted) return true;
      if (!step) {
        target.current = shown.current; // there is nothing after the last event
        return false;
      }
      jumped.current = jump;
      shown.current = step.seq;
      setNow(step);
      history.replaceState(null, "", `#${step.seq}`);
      return true;
    } catch (refused) {
      target.current = shown.current;
      fail(refused instanceof Error ? refused.message : String(refused));
      return false;
    }
  };
  useEffect(() => {
    const stop = feed.subscribe(() => redraw(undefined));
    feed.open();
    void go(Number(location.hash.slice(1)) || 1).then((found) => found || go(1)); // an old link may lead past the end
    return () => {
      stop();
      feed.close();
    };
  }, []);
  const kind = feed.info?.kind;
  useEffect(() => {
    if (!kind) return;
    screenOf(kind).then(setScreen);
    document.title = `Replay – ${feed.info ? nameOfTable(feed.info) : ""}`;
  }, [kind]);
  const info = feed.info;
  const own = info?.seats.find((one) => isKnown(info, `seat-${one.seat}`))?.seat;
  return html`
    <${Header} title=${info ? `Replay: ${nameOfTable(info)}` : "Replay"}><${VerdictBar} feed=${feed} hush=${now === null || now.seq < steps.count} /><//>
    <main class="room replay">
      <div class="stage-area">
        <${Notice} text=${error ?? feed.error} />
        ${now && screen && info && html`<${screen.Board} ...${propsOf(info.kind, feed.happened, now, seat, jumped.current)} />`}
        ${now && html`<${Controls} now=${now} names=${info?.seats.map((one) => one.name)} steps=${steps} go=${go} move=${(/** @type {number} */ way) => go(target.current + way, way < 0)} />`}
        ${info && html`<${ViewerPicker} info=${info} viewer=${viewer} look=${look} />`}
        ${info && now && own !== undefined && html`<${ShareButton} info=${info} address=${placeOf(info, `seat-${own}`)} seat=${own} near=${roundOf(now.view)} />`}
      </div>
      <aside class="side-area">${now && html`<${Account} lines=${steps.lines(now.seq)} info=${info} go=${(/** @type {number} */ seq) => void go(seq)} />`}</aside>
    </main>`;
}

/** @type {(kind: string, happened: Happening[], now: ReplayStep, viewer: number | null, still: boolean) => GameProps} */
export function propsOf(kind, happened, now, viewer, still) {
  const awaited = now.view.to_act ? [now.view.to_act] : [];
  return {
    act: () => {},
    advice: null,
    ask: null,
    asking: false,
    happened: happened.filter((event) => event.seq <= now.seq),
    legal: null,
    me: viewer,
    sent: null,
    still,
    view: now.view,
    snapshot: {
      awaited,
      clock: null,
      closable: false,
      count: now.seq,
      head: null,
      kind,
      legal: null,
      lines: [],
      outcome: null,
      pausing: false,
      show: [now.text],
      sitting_out: [],
      status: "over",
      view: now.view,
      your_turn: false,
    },
  };
}

/** @param {{path: string}} props */
function Icon({ path }) {
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}

/** @param {{now: ReplayStep, names: (string | null)[] | undefined, steps: Steps | null, go: (seq: number, jump?: boolean) => Promise<boolean>, move: (way: number) => Promise<boolean>}} props `steps`: null for a single round */
export function Controls({ now, names, steps, go, move }) {
  const [plays, play] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [said, say] = useState("");
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setTimeout(
      async () => {
        if (!(await go(now.seq + 1, false))) play(false);
      },
      (QUICK.test(now.type) ? 350 : 1300) / speed,
    );
    return () => clearTimeout(timer);
  }, [plays, now.seq, speed]);
  const step = (/** @type {number} */ way) => {
    play(false);
    void move(way);
  };
  const round = async (/** @type {1 | -1} */ way) => {
    play(false);
    if (steps) void go(await steps.round(now.seq, way));
  };
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, select, dialog, [role=log]")) return;
      if (event.key === "ArrowRight") step(1);
      else if (event.key === "ArrowLeft") step(-1);
      else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) {
        event.preventDefault();
        play(!plays);
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say(onlyHere ? "Link copied; only this machine can open it" : "Link copied");
    } catch {
      say("The address bar has the link");
    }
  };
  return html`<div class="controls" role="group" aria-label="Replay">
    <p class="moment" data-testid="moment">${told(now.text, names) || now.type}</p>
    <div class="row">
      ${steps && html`<button type="button" aria-label="Previous round" data-testid="round-back" onClick=${() => round(-1)}><${Icon} path="M6 5v14M20 5 9 12l11 7z" /></button>`}
      <button type="button" aria-label="Back" data-testid="back" onClick=${() => step(-1)}><${Icon} path="M18 5 7 12l11 7z" /></button>
      <button type="button" class="primary" data-testid="play" onClick=${() => play(!plays)}>${plays ? "Pause" : "Play"}</button>
      <button type="button" aria-label="Forward" data-testid="forward" onClick=${() => step(1)}><${Icon} path="m6 5 11 7-11 7z" /></button>
      ${steps && html`<button type="button" aria-label="Next round" data-testid="round-forward" onClick=${() => round(1)}><${Icon} path="M18 5v14M4 5l11 7-11 7z" /></button>`}
    </div>
    <div class="row fine">
      <label class="inline">Speed <select value=${speed} onChange=${(/** @type {any} */ event) => setSpeed(Number(event.target.value))} data-testid="speed">${SPEEDS.map((one) => html`<option value=${one} selected=${one === speed}>${one}×</option>`)}</select></label>
      <span class="hint" data-testid="event">Event ${now.seq}${roundOf(now.view) ? `, round ${roundOf(now.view)}` : ""}</span>
      ${steps && html`<button type="button" class="quiet" onClick=${copy}>Link to this moment</button><span role="status">${said}</span>`}
    </div>
  </div>`;
}

/** @param {{info: TableInfo, viewer: ReplayViewer, look: (viewer: ReplayViewer) => void}} props */
function ViewerPicker({ info, viewer, look }) {
  const own = info.seats.filter((seat) => isKnown(info, `seat-${seat.seat}`));
  const opens = info.settings.opens_seeds && info.status === "over" && !ALL_SEEN.has(info.kind);
  if (own.length === 0 && !opens) return null;
  const choose = (/** @type {string} */ value) => look(value === "opened" ? value : Number(value) || null);
  return html`<label class="inline viewer">As <select value=${viewer ?? ""} data-testid="viewer" onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
    <option value="" selected=${viewer === null}>everyone</option>${own.map((seat) => html`<option value=${seat.seat} selected=${viewer === seat.seat}>${seat.name}</option>`)}
    ${opens && html`<option value="opened" selected=${viewer === "opened"}>everyone, hands open</option>`}</select></label>`;
}
