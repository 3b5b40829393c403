/** The controls of draw poker: the choices of a turn, the draw with its advice, and the text between turns. */

import { Dialog } from "../frame.js";
import { counted, html, useEffect, useRef, useState } from "../html.js";
import { short } from "../table/cards.js";
import { TimeBank } from "../table/clock.js";
import { useSettled } from "../table/settled.js";
import { Choice, Choices } from "./draw-choices.js";
import { AboutToSend, InAdvance, useAdvance } from "./draw-in-advance.js";
import { useKeys } from "./draw-keys.js";

/** @param {BettingProps} props */
export function Betting(props) {
  const { legal, snapshot, me } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const turn = Boolean(legal) && me !== null;
  useEffect(() => {
    // A person at the keyboard pressed a button that is now gone: move the focus to the next buttons.
    if (turn && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [turn, snapshot.count]);
  const advance = useAdvance(props);
  if (!turn) return html`<${Waiting} ...${props} advance=${advance} />`;
  const drawing = legal.discard !== null && legal.discard !== undefined;
  return html`<div ref=${box} tabindex="-1" class="actions" role="group" aria-label="Your choices" data-testid="actions">
    ${snapshot.ask && html`<p class="hidden">${snapshot.ask}</p>`}
    ${
      advance.sends
        ? html`<${AboutToSend} advance=${advance} />`
        : drawing
          ? html`<${Drawing} ...${props} />`
          : html`<${Choices} ...${props} box=${box} />`
    }
    ${advance.said && html`<p class="hint" role="status" data-testid="advance-said">${advance.said}</p>`}
    <${TimeBank} clock=${snapshot.clock} seat=${me} />
  </div>`;
}

/** @param {BettingProps & {advance: import("./draw-in-advance.js").InAdvance}} props */
function Waiting({ snapshot, view, me, sent, advance, say }) {
  let text = "";
  const [first] = snapshot.awaited;
  if (sent) text = `${sent.label}: sent, waiting for the table…`;
  else if (first && first !== me)
    text = `${view.seats[first - 1].name} ${view.stage === "draw" ? "draws" : "is to act"}`;
  if (!text && (snapshot.pausing || snapshot.outcome || view.stage === "over")) return null;
  const stack = me === null ? 0 : view.seats[me - 1].stack;
  return html`<div class="actions idle"><p class="waiting" data-testid="waiting">${text}</p>
    ${sent === null && html`<${InAdvance} advance=${advance} say=${say} stack=${stack} />`}</div>`;
}

/** @param {BettingProps} props */
function Drawing({ legal, picked, act, sent, hand, ask, asking, advice, pick, toggle, snapshot }) {
  const label = picked.length ? `Discard ${counted(picked.length, "card")}` : "Stand pat";
  const settled = useSettled(`draw:${snapshot.count}`);
  const draw = () => act({ cards: hand.filter((card) => picked.includes(card)), type: "Discard" }, label);
  useKeys((key) => {
    const card = hand[Number(key) - 1];
    if (sent !== null) return false;
    if (card !== undefined) toggle(card);
    else if (key === "Enter" && settled) draw();
    else return false;
    return true;
  });
  return html`
    <div class="row">
      <${Choice} id="draw" kind="primary" label=${label} sent=${sent} settled=${settled} press=${draw} />
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
