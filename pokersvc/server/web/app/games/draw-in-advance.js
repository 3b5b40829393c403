/** The buttons for choosing in advance, and the use of the choice when the turn comes. */

import { html, useEffect, useRef, useState } from "../html.js";
import { msLeft } from "../table/clock.js";
import { useSettled } from "../table/settled.js";
import { actionOf, drawnDelay, dropped, inAdvance, isOffered, offeredInAdvance } from "./draw-advance.js";

/** Milliseconds before the end of the clock in which a choice is sent at the latest. */
const SPARE = 1500;

/** @type {Record<string, string>} */
const SENT = { Call: "Call", Check: "Check", Discard: "Stand pat", Fold: "Fold" };

/**
 * Keep a choice in advance until it is dropped or sent.
 * @param {GameProps} props
 */
export function useAdvance({ act, checked, facing, legal, me, sent, snapshot }) {
  const [choice, set] = useState(/** @type {import("./draw-advance.js").Advance | null} */ (null));
  const [said, say] = useState("");
  const sending = useRef(/** @type {() => void} */ (() => {}));
  const choose = (/** @type {import("./draw-advance.js").Advance | null} */ wanted) => {
    set(wanted);
    say("");
  };
  const why = choice === null ? null : dropped(choice, facing ?? null);
  const yours = Boolean(legal) && sent === null && choice !== null && why === null;
  const action = yours && checked && facing?.turn ? actionOf(choice, facing) : null;
  const good = action !== null && facing && isOffered(action, legal, facing);
  const refused = yours && checked && !good;
  useEffect(() => {
    if (why === null && !refused) return;
    set(null);
    say(why ?? "Your choice in advance is not possible any more.");
  }, [why, refused]);
  useEffect(() => say(""), [facing?.round, facing?.street, facing?.drawing]);
  useEffect(() => {
    if (sent !== null) set(null); // a typed choice replaces it too
  }, [sent]);
  sending.current = () => {
    if (action && good) act(action, SENT[action.type] ?? action.type);
  };
  useEffect(() => {
    if (!good) return undefined;
    const wait = Math.max(0, Math.min(drawnDelay(), msLeft(snapshot.clock, me) - SPARE));
    const timer = setTimeout(() => sending.current(), wait);
    return () => clearTimeout(timer);
  }, [Boolean(good), choice, snapshot.count]);
  return { choice: why === null ? choice : null, choose, facing: facing ?? null, said, sends: good ? action : null };
}

/** @typedef {ReturnType<typeof useAdvance>} InAdvance */

/** The choice that is about to be sent. @param {{advance: InAdvance}} props */
export function AboutToSend({ advance }) {
  const { sends, choose } = advance;
  if (sends === null) return null;
  return html`<p class="asks" role="status" data-testid="about-to-send">In advance: ${SENT[sends.type]?.toLowerCase()}…</p>
    <div class="row"><button type="button" data-testid="take-back" onClick=${() => choose(null)}>Take back</button></div>`;
}

/** @param {{advance: InAdvance, say: (chips: number) => string, stack: number}} props */
export function InAdvance({ advance, say, stack }) {
  const { choice, choose, facing, said } = advance;
  const kinds = offeredInAdvance(facing);
  const call = facing === null ? 0 : facing.call;
  /** @type {Record<import("./draw-advance.js").AdvanceKind, string>} */
  const labels = {
    call: `Call ${say(call)}${call === stack ? ", all in" : ""}`,
    call_any: "Call any",
    check: "Check",
    check_fold: call > 0 ? "Fold" : "Check/fold",
    pat: "Stand pat",
  };
  const settled = useSettled(kinds.map((kind) => labels[kind]).join());
  const press = (/** @type {import("./draw-advance.js").AdvanceKind} */ kind) => {
    if (settled && facing !== null) choose(choice?.kind === kind ? null : inAdvance(kind, facing));
  };
  return html`<p class="hint" role="status" data-testid="advance-said">${said}</p>
    ${
      kinds.length > 0 &&
      html`<div class="row advance" role="group" aria-label="Choose in advance" data-testid="advance">
      ${kinds.map(
        (
          kind,
        ) => html`<button type="button" key=${kind} aria-pressed=${choice?.kind === kind} aria-disabled=${settled ? undefined : "true"}
        data-testid=${`advance-${kind}`} onClick=${() => press(kind)}><span class="box" aria-hidden="true"></span>${labels[kind]}</button>`,
      )}
    </div>`
    }`;
}
