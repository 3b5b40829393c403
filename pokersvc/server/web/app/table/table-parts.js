/** Parts of a table's page beside the game: what to know about the table, and the controls between rounds. */

import { isBroke, isCash } from "../games/cash.js";
import { does, html } from "../html.js";
import { later } from "../later.js";
import { Entries } from "./entries.js";
import { ShowCards } from "./show-cards.js";

const CashWishes = later(() => import("./cash-wishes.js"), "CashWishes");
const BuyIn = later(() => import("./cash-wishes.js"), "BuyIn");

/** @param {TableInfo} info */
function saySettings(info) {
  const { seconds, bank, advice, opens_seeds: opens } = info.settings;
  const clock = seconds ? `${seconds} s for a choice${bank ? ` and ${bank} s in reserve` : ""}` : "no clock";
  const together = info.settings.dealing === "together";
  if (info.kind === "kalah") return [clock]; // nothing is hidden there, and nobody is advised
  const checked = together && !opens ? "; only an auditor can check the shuffle" : "";
  const decks = opens ? "every deck and hand is opened after the game" : `decks stay closed${checked}`;
  const shuffle = together ? ["shuffled by the players and the dealer together"] : [];
  const facts = info.kind === "draw" ? [clock, advice ? "exact advice" : "no advice", decks] : [clock, decks];
  return [...facts, ...shuffle];
}

/**
 * Return what to know about a table before sitting down: blinds and stacks first.
 * @param {TableInfo} info
 */
export const sayTerms = (info) => [...info.terms, ...saySettings(info)];

/** @param {SeatInfo} seat */
export function saySeat(seat) {
  if (seat.kind === "empty") return "free seat";
  if (seat.kind === "human")
    return `${seat.name}${seat.came ? "" : " (invited)"}${seat.admitted ? "" : " (asks to be let in)"}${seat.removed ? " (removed after this round)" : ""}`;
  return `${seat.name ?? "Bot"} (${seat.kind})`;
}

/**
 * The controls of a person beside the game.
 * @param {{feed: Feed, act: (action: GameAction, label: string) => void, screen: GameScreen | null}} props
 */
export function Seating({ feed, act, screen }) {
  const { seat, snapshot, info, sent } = feed;
  if (seat === null || !snapshot || !info || snapshot.outcome) return null;
  const busy = sent !== null;
  const away = snapshot.sitting_out;
  const others = info.seats.filter((one) => one.kind === "human" && one.seat !== seat);
  const alone = others.length > 0 && others.every((one) => away.includes(one.seat));
  const out = snapshot.view?.seats?.[seat - 1]?.standing === "out";
  const may = snapshot.between ?? [];
  const open = may.length > 0;
  const broke = isBroke(snapshot.view, seat) && snapshot.view.seats[seat - 1].at_cash.buys !== null;
  const sitsOut = !broke && isCash(snapshot.view) && snapshot.view.seats[seat - 1]?.sitting_out;
  const idle = broke || sitsOut;
  const pressing = screen?.pressing?.(snapshot.view, seat) ?? true;
  const sure = (/** @type {string} */ question, /** @type {string} */ type, /** @type {string} */ label) => () => {
    if (confirm(question)) act({ type }, label);
  };
  return html`
    ${out && !open && html`<p class="waiting" data-testid="out">You are out of this game. You can watch it to its end.</p>`}
    ${open && html`<${Entries} view=${snapshot.view} seat=${seat} busy=${busy} act=${act} />`}
    ${
      !out &&
      away.includes(seat) &&
      html`<div class="between"><p>You sit out, since ${feed.verifier.together?.missed.has(seat) ? "your share of the shuffle was missed, or " : ""}your time was over twice in a row.</p>
      <button type="button" class="primary" disabled=${busy} data-testid="come-back" onClick=${() => act({ type: "ComeBack" }, "Come back")}>I am back</button></div>`
    }
    ${
      alone &&
      !away.includes(seat) &&
      html`<div class="between"><p>${others.length === 1 ? `${does(others[0]?.name ?? "", "sits")} out.` : "All others sit out."} You can wait, or end the game.</p>
      <button type="button" disabled=${busy} data-testid="end-game" onClick=${sure("End this game for everybody?", "Close", "End the game")}>End the game</button></div>`
    }
    ${
      snapshot.pausing &&
      !out &&
      !snapshot.shares?.waiting.length &&
      html`<div class="between" data-testid="between">
      ${broke && html`<${BuyIn} view=${snapshot.view} seat=${seat} busy=${busy} act=${act} />`}
      ${sitsOut && html`<button type="button" class="primary" disabled=${busy} data-testid="sit-in" onClick=${() => act({ type: "SitIn" }, "Sit in now")}>Sit in now</button>`}
      ${(snapshot.beforehand ?? []).map((line) => html`<p class=${pressing ? "notice" : "hint"}>${line}</p>`)}
      ${!snapshot.ends_next && html`<button type="button" class=${idle ? "" : "primary"} disabled=${busy} data-testid="next-round" onClick=${() => act({ type: "GoOn" }, "Next round")}>Next round${idle ? " without you" : ""}</button>`}
      ${may.some((/** @type {string} */ one) => one.startsWith("show")) && html`<${ShowCards} cards=${snapshot.view.seats[seat - 1].cards} busy=${busy} act=${act} />`}
      ${snapshot.view?.table?.cash && html`<${CashWishes} view=${snapshot.view} seat=${seat} busy=${busy} broke=${broke} act=${act} />`}
      <button type="button" disabled=${busy} data-testid="leave" onClick=${sure(snapshot.view?.table?.cash ? "Get up with your chips? You can sit down again until somebody else takes the seat." : "Leave this game for good, with your chips?", "Leave", "Leave")}>Leave the table</button></div>`
    }`;
}
