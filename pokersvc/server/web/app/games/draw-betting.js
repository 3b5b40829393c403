/** The controls of draw poker: buttons, amounts by slider, presets and typing; the draw; advice. */

import { Dialog } from "../frame.js";
import { amount, classes, counted, html, useEffect, useRef, useState } from "../html.js";
import { short } from "../table/cards.js";

/**
 * A choice as a button; once pressed, it waits for its event.
 * @param {{label: string, sent: Sent | null, press: () => void, id: string, kind?: string, off?: boolean}} props
 */
function Choice({ label, sent, press, id, kind = "", off = false }) {
  const going = sent?.label === label;
  return html`<button type="button" class=${classes(kind, going && "going")} disabled=${sent !== null || off} aria-busy=${going} data-testid=${id} onClick=${press}>
    ${label}${going && html`<small> sent…</small>`}</button>`;
}

/** @param {BettingProps} props */
export function Betting(props) {
  const { legal, snapshot, me } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const turn = Boolean(legal) && me !== null;
  useEffect(() => {
    // A person at the keyboard pressed a button that is gone by now: move the focus to the next ones.
    if (turn && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [turn, snapshot.count]);
  if (!turn) return html`<${Waiting} ...${props} />`;
  const drawing = legal.discard !== null && legal.discard !== undefined;
  return html`<div ref=${box} tabindex="-1" class="actions" role="group" aria-label="Your choices" data-testid="actions">
    ${snapshot.ask && html`<p class="hidden">${snapshot.ask}</p>`}
    ${drawing ? html`<${Drawing} ...${props} />` : html`<${Choices} ...${props} />`}
  </div>`;
}

/** @param {BettingProps} props */
function Waiting({ snapshot, view, me, sent }) {
  let text = "";
  const [first] = snapshot.awaited;
  if (sent) text = `${sent.label}: sent, waiting for the table…`;
  else if (first && first !== me)
    text = `${view.seats[first - 1].name} ${view.stage === "draw" ? "draws" : "is to act"}`;
  if (!text && (snapshot.pausing || snapshot.outcome || view.stage === "over")) return null;
  return html`<div class="actions idle"><p class="waiting" data-testid="waiting">${text}</p></div>`;
}

/** @param {BettingProps} props */
function Drawing({ legal, picked, act, sent, hand, ask, asking, advice, pick }) {
  const label = picked.length ? `Discard ${counted(picked.length, "card")}` : "Stand pat";
  return html`
    <div class="row">
      <${Choice} id="draw" kind="primary" label=${label} sent=${sent} press=${() => act({ cards: hand.filter((card) => picked.includes(card)), type: "Discard" }, label)} />
      ${ask && html`<button type="button" class="quiet" onClick=${ask} disabled=${asking} data-testid="advice">${asking ? "Working…" : "Advice"}</button>`}
    </div>
    ${advice?.best && html`<${Advised} advice=${advice} hand=${hand} pick=${pick} />`}
    ${!advice && html`<p class="hint">Pick up to ${legal.discard} to throw away.</p>`}`;
}

/** @param {{advice: Advice, hand: string[], pick: (cards: string[]) => void}} props */
function Advised({ advice, hand, pick }) {
  const [open, show] = useState(false);
  const cards = advice.best?.cards ?? [];
  const ordered = hand.filter((card) => cards.includes(card));
  return html`<div class="advised">
    <p role="status" data-testid="advised">Best: ${ordered.length ? `discard ${ordered.map(short).join(" ")}` : "keep all"}<small> ${advice.worth}</small></p>
    <button type="button" data-testid="pick-advised" onClick=${() => pick(cards)}>Pick</button>
    <button type="button" class="quiet" onClick=${() => show(true)}>Compare</button>
    ${open && html`<${Dialog} title="Every discard, the best first" wide onClose=${() => show(false)}><pre class="advice-table" tabindex="0" role="region" aria-label="Every discard">${advice.text.join("\n")}</pre><//>`}
  </div>`;
}

/** @param {BettingProps} props */
function Choices(props) {
  const { legal, act, sent, view, me } = props;
  const seat = view.seats[Number(me) - 1];
  const range = legal.bet ?? legal.raise_to;
  const verb = legal.bet ? "Bet" : "Raise to";
  const [chosen, choose] = useState(/** @type {number | null} */ (null));
  const key = range?.join();
  useEffect(() => choose(null), [key]);
  const sum = chosen ?? range?.[0] ?? 0;
  const good = range && Number.isInteger(sum) && sum >= range[0] && sum <= range[1];
  const raise = `${verb} ${amount(sum)}${sum === seat.stack + (legal.bet ? 0 : seat.put) ? ", all in" : ""}`;
  const call = `Call ${amount(legal.call)}${legal.call === seat.stack ? ", all in" : ""}`;
  const action = legal.bet ? { amount: sum, type: "Bet" } : { to: sum, type: "Raise" };
  return html`
    ${range && range[0] < range[1] && html`<${Amount} range=${range} sum=${sum} choose=${choose} view=${view} seat=${seat} legal=${legal} verb=${verb} />`}
    <div class="row">
      ${legal.fold && html`<${Choice} id="fold" label="Fold" sent=${sent} press=${() => act({ type: "Fold" }, "Fold")} />`}
      ${legal.check && html`<${Choice} id="check" label="Check" sent=${sent} press=${() => act({ type: "Check" }, "Check")} />`}
      ${legal.call > 0 && html`<${Choice} id="call" label=${call} kind=${range ? "" : "primary"} sent=${sent} press=${() => act({ type: "Call" }, call)} />`}
      ${range && html`<${Choice} id="raise" label=${raise} kind="primary" sent=${sent} off=${!good} press=${() => act(action, raise)} />`}
    </div>`;
}

/** @param {{range: [number, number], sum: number, choose: (sum: number) => void, view: any, seat: any, legal: any, verb: string}} props */
function Amount({ range, sum, choose, view, seat, legal, verb }) {
  const [least, most] = range;
  const within = (/** @type {number} */ value) => Math.max(least, Math.min(most, Math.round(value)));
  const potNow = view.pot + (legal.call || 0);
  const base = legal.bet ? 0 : seat.put + legal.call;
  const presets = [
    { label: "Least", value: least },
    ...[
      { label: "½ pot", value: within(base + potNow / 2) },
      { label: "Pot", value: within(base + potNow) },
    ].filter(({ value }, at, both) => value > least && value < most && (at === 0 || value !== both[0]?.value)),
    { label: "Most", value: most },
  ];
  return html`<div class="amount">
    <label class="hidden" for="bet-slider">${verb}, by slider</label>
    <input id="bet-slider" type="range" min=${least} max=${most} value=${sum} data-testid="slider"
      aria-valuetext=${`${sum} chips`} onInput=${(/** @type {any} */ event) => choose(Number(event.target.value))} />
    <label class="hidden" for="bet-number">${verb}, by number</label>
    <input id="bet-number" type="number" inputmode="numeric" min=${least} max=${most} value=${sum} data-testid="amount"
      onInput=${(/** @type {any} */ event) => choose(Number(event.target.value))} />
    <div class="presets" role="group" aria-label="Amounts">
      ${presets.map(
        ({
          label,
          value,
        }) => html`<button type="button" class=${classes("preset", value === sum && "now")} aria-pressed=${value === sum}
        onClick=${() => choose(value)}><span>${label}</span><small>${amount(value)}</small></button>`,
      )}
    </div>
  </div>`;
}
