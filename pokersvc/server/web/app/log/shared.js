/** The page of a shared hand: its replay, and the result of this browser's check. */

import { Chain } from "../../verify/chain.js";
import { Problem } from "../../verify/problem.js";
import { api, get, Unreachable } from "../api.js";
import { Header } from "../frame.js";
import { screenOf } from "../games/registry.js";
import { counted, html, useEffect, useRef, useState, whose } from "../html.js";
import { Account } from "../table/account.js";
import { Controls, propsOf } from "./replay.js";

const RETRY = 2000;

/**
 * Return a shared hand with all its events, which come in parts.
 * @param {string} address
 * @returns {Promise<SharedHand>}
 */
async function fetched(address) {
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
  /** @type {SharedHand} */
  const hand = await get(api(address, "hand"), headers);
  for (let at = lastOf(hand); at < hand.last; at = lastOf(hand)) {
    const { steps } = await get(api(address, `hand?after=${at}`), headers);
    if (steps.length === 0) break; // the check reports what is missing
    hand.steps.push(...steps);
  }
  return hand;
}

/** @param {SharedHand} hand */
const lastOf = ({ first, steps }) => steps.at(-1)?.record.seq ?? first - 1;

/**
 * Follow the chain from the hash before the hand to its head; return what is wrong, or "".
 * @param {SharedHand} hand
 */
export function wrongIn({ game, first, before, head, last, steps }) {
  try {
    const chain = new Chain(game, { seq: first - 1, hash: before });
    for (const { record } of steps) chain.take(record);
    if (chain.count !== last || chain.head !== head) return "The events do not lead to the head that the server names.";
  } catch (error) {
    return error instanceof Problem ? error.message : "What came is not written as a hand is.";
  }
  return "";
}

/** @param {{address: string}} props the id of a table */
export function SharedHandPage({ address }) {
  const [hand, setHand] = useState(/** @type {SharedHand | null} */ (null));
  const [why, say] = useState("Loading the hand…");
  const [lost, lose] = useState(false);
  const look = () => {
    fetched(address).then(setHand, (error) => {
      lose(!(error instanceof Unreachable));
      say(error instanceof Unreachable ? "The server cannot be reached. Trying again…" : error.message);
      if (error instanceof Unreachable) setTimeout(look, RETRY);
    });
  };
  useEffect(look, []);
  if (hand) return html`<${Shown} hand=${hand} />`;
  return html`<${Header} title="A shared hand" /><main class="plain"><p class=${lost ? "notice bad" : ""} role=${lost ? "alert" : "status"}>${why}</p>
    ${lost && html`<p class="row"><a class="as-button" href=${`/t/${encodeURIComponent(address)}/`}>Watch the table</a><a class="as-button" href="/">All tables</a></p>`}</main>`;
}

/** @param {{hand: SharedHand}} props */
function Shown({ hand }) {
  const { kind, names, steps, first, last, round } = hand;
  const [seq, setSeq] = useState(first);
  const [screen, setScreen] = useState(/** @type {GameScreen | null} */ (null));
  const [wrong] = useState(() => wrongIn(hand));
  const jumped = useRef(true);
  const target = useRef(first);
  const title = `${hand.title}: ${round === null ? "a game" : `round ${round}`}`;
  useEffect(() => {
    screenOf(kind).then(setScreen);
    document.title = title;
  }, []);
  const go = async (/** @type {number} */ wanted, jump = true) => {
    if (wanted > last) return false;
    target.current = Math.max(first, wanted);
    jumped.current = jump;
    setSeq(target.current);
    return true;
  };
  const happened = steps.map(({ record }) => ({
    fields: JSON.parse(record.payload),
    seq: record.seq,
    type: record.type,
  }));
  const step = steps[seq - first];
  const now = step && { seq, type: step.record.type, text: step.text, view: step.view };
  const lines = steps
    .slice(0, seq - first + 1)
    .flatMap(({ record, text }) => (text ? [{ seq: record.seq, text, type: record.type }] : []));
  const info = /** @type {any} */ ({ seats: names.map((name, at) => ({ name, seat: at + 1 })) });
  return html`
    <${Header} title=${title} />
    <main class=${`room replay kind-${kind}`}>
      <div class="stage-area">
        <p class="hint" data-testid="shared-by">${names[hand.seat - 1]} shares this ${round === null ? "game" : "hand"}${hand.cards && kind === "draw" ? ", with their own cards" : ""}.</p>
        ${now && !wrong && screen && html`<${screen.Board} ...${propsOf(kind, happened, now, null, jumped.current)} />`}
        ${now && !wrong && html`<${Controls} now=${now} names=${names} steps=${null} go=${go} move=${(/** @type {number} */ way) => go(target.current + way, way < 0)} />`}
        <${Proof} hand=${hand} wrong=${wrong} />
      </div>
      <aside class="side-area">${!wrong && html`<${Account} lines=${lines} info=${info} go=${(/** @type {number} */ seq) => void go(seq)} />`}</aside>
    </main>`;
}

/** @param {{hand: SharedHand, wrong: string}} props */
function Proof({ hand, wrong }) {
  if (wrong)
    return html`<p class="notice bad" role="alert" data-testid="proof" data-state="broken">This hand is not what it should be, and is not drawn. ${wrong}</p>`;
  const opened = hand.steps.filter(({ record }) => record.secret !== undefined).length;
  const cards =
    opened > 0 ? `, and ${whose(hand.names[hand.seat - 1] ?? "")} cards are those that were committed to` : "";
  return html`<section class="proof" data-testid="proof" data-state="good">
    <p><b>✓ Checked in your browser.</b> This proves ${counted(hand.steps.length, "event")}, in this order, from the hash before to the head: nothing between them was changed, left out or added${cards}.</p>
    <p>That it is the game which the others have, what came before it, and that every rule was kept, only the whole file of the game shows.</p>
    <details><summary>The two hashes</summary>
      <dl><dt>Before event ${hand.first}</dt><dd><code>${hand.before}</code></dd><dt>Head, after event ${hand.last}</dt><dd><code>${hand.head}</code></dd></dl></details>
  </section>`;
}
