/** The choices of a betting round. None is made by accident: see docs/server.md, "Betting". */

import { classes, html, useEffect, useState } from "../html.js";
import { msLeft } from "../table/clock.js";
import { useSettled } from "../table/settled.js";
import { Amount, moved } from "./draw-amount.js";
import { useKeys } from "./draw-keys.js";
import { amountsOffered } from "./draw-settings.js";

/** Milliseconds in which a fold can be taken back; in the last moments of the clock, the fold is sent at once. */
const TAKE_BACK = 1000;
const LAST_MOMENTS = 3000;

/**
 * A choice as a button; once pressed, it waits for its event.
 * @param {{label: string, sent: Sent | null, press: () => void, id: string, settled: boolean, kind?: string, off?: boolean}} props
 */
export function Choice({ label, sent, press, id, settled, kind = "", off = false }) {
  const going = sent?.label === label;
  return html`<button type="button" class=${classes(kind, going && "going")} disabled=${sent !== null || off} aria-disabled=${settled ? undefined : "true"}
    aria-busy=${going} data-testid=${id} onClick=${() => settled && press()}>
    ${label}${going && html`<small> sent…</small>`}</button>`;
}

/**
 * The choices of a turn, with the names of their buttons.
 * @param {BettingProps} props
 * @param {number} sum of a bet or a raise
 */
function choicesOf({ legal, view, me, say }, sum) {
  const seat = view.seats[Number(me) - 1];
  const range = /** @type {[number, number] | null} */ (legal.bet ?? legal.raise_to);
  const verb = legal.bet ? "Bet" : "Raise to";
  const good = range !== null && Number.isInteger(sum) && sum >= range[0] && sum <= range[1];
  const all = sum === seat.stack + (legal.bet ? 0 : seat.put);
  const calls = legal.call === seat.stack;
  return {
    call: { action: { type: "Call" }, all: calls, label: `Call ${say(legal.call)}${calls ? ", all in" : ""}` },
    good,
    raise: {
      action: legal.bet ? { amount: sum, type: "Bet" } : { to: sum, type: "Raise" },
      all,
      label: Number.isFinite(sum) ? `${verb} ${say(sum)}${all ? ", all in" : ""}` : verb,
    },
    range,
    seat,
    verb,
  };
}

/** @typedef {{action: any, all: boolean, label: string}} Chosen */

/** @param {BettingProps & {box: {current: HTMLElement | null}}} props */
export function Choices(props) {
  const { legal, act, sent, view, snapshot, settings, box } = props;
  const [chosen, choose] = useState(/** @type {number | null} */ (null));
  const [armed, arm] = useState(false);
  const [more, showMore] = useState(false);
  const [asked, ask] = useState(/** @type {Chosen | null} */ (null));
  const [folding, fold] = useState(false);
  const turn = `${snapshot.count}:${JSON.stringify(legal)}`;
  useEffect(() => {
    choose(null);
    arm(false);
    showMore(false);
    ask(null);
    fold(false);
  }, [turn]);
  useEffect(() => {
    if (!folding) return undefined;
    const timer = setTimeout(() => act({ type: "Fold" }, "Fold"), TAKE_BACK);
    return () => clearTimeout(timer);
  }, [folding, turn]);
  useEffect(() => {
    // The button that was pressed is gone.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [asked, folding]);
  const sum = chosen ?? (legal.bet ?? legal.raise_to)?.[0] ?? 0;
  const { call, good, raise, range, seat, verb } = choicesOf(props, sum);
  const settled = useSettled(`${turn}:${more}:${asked?.label ?? ""}`);
  const press = (/** @type {Chosen} */ one) => (one.all && asked === null ? ask(one) : act(one.action, one.label));
  const folds = () => {
    if (legal.check && !more) showMore(true);
    else if (legal.check || msLeft(snapshot.clock, props.me) <= LAST_MOMENTS) act({ type: "Fold" }, "Fold");
    else fold(true);
  };
  const change = (/** @type {number} */ value) => {
    choose(value);
    arm(true);
  };
  useKeys((key) => {
    if (sent !== null) return false;
    if (key === "Escape") return undone();
    if (!settled || folding) return false;
    if (asked !== null) return key === "Enter" && done(() => act(asked.action, asked.label));
    if (key === "f" && legal.fold) return done(folds);
    if (key === "c" && legal.check) return done(() => act({ type: "Check" }, "Check"));
    if (key === "c" && legal.call > 0) return done(() => press(call));
    if (range === null) return false;
    if (key === "r") return done(() => arm(true));
    if (key === "Enter" && armed && good) return done(() => press(raise));
    if (key === "ArrowUp" || key === "ArrowRight") return done(() => change(moved(sum, 1, { range, view })));
    if (key === "ArrowDown" || key === "ArrowLeft") return done(() => change(moved(sum, -1, { range, view })));
    const offered = amountsOffered({ legal, presets: settings.presets, seat, view })[Number(key) - 1];
    return offered !== undefined && done(() => change(offered.value));
  });
  const undone = () => {
    const any = armed || folding || asked !== null || more;
    arm(false);
    fold(false);
    ask(null);
    showMore(false);
    return any;
  };
  if (asked !== null)
    return html`<p class="asks" role="status">${`All in with ${props.say(seat.stack)}?`}</p>
      <div class="row"><button type="button" data-testid="not-all-in" onClick=${() => ask(null)}>Back</button>
        <${Choice} id="all-in" label=${asked.label} kind="all-in" sent=${sent} settled=${settled} press=${() => press(asked)} /></div>`;
  if (folding)
    return html`<p class="asks" role="status">You fold…</p>
      <div class="row"><button type="button" class="going" disabled data-testid="folding">Fold</button>
        <button type="button" data-testid="take-back" onClick=${() => fold(false)}>Take back</button></div>`;
  return html`
    ${range && range[0] < range[1] && html`<${Amount} ...${props} range=${range} sum=${sum} choose=${change} seat=${seat} verb=${verb} />`}
    <div class="row">
      ${
        legal.fold &&
        (legal.check
          ? html`<button type="button" class="quiet" aria-expanded=${more} disabled=${sent !== null} data-testid="more" onClick=${() => showMore(!more)}>More</button>
            ${more && html`<${Choice} id="fold" label="Fold" sent=${sent} settled=${settled} press=${folds} />`}`
          : html`<${Choice} id="fold" label="Fold" sent=${sent} settled=${settled} press=${folds} />`)
      }
      ${legal.check && html`<${Choice} id="check" label="Check" kind="primary" sent=${sent} settled=${settled} press=${() => act({ type: "Check" }, "Check")} />`}
      ${legal.call > 0 && html`<${Choice} id="call" label=${call.label} kind="primary" sent=${sent} settled=${settled} press=${() => press(call)} />`}
      ${range && html`<${Choice} id="raise" label=${raise.label} kind=${armed ? "armed" : ""} sent=${sent} settled=${settled} off=${!good} press=${() => press(raise)} />`}
    </div>
    ${armed && good && html`<p class="hint keyed">Enter: ${raise.label.toLowerCase()}</p>`}`;
}

/** Do something, and return that the key was handled. @param {() => void} task */
function done(task) {
  task();
  return true;
}
