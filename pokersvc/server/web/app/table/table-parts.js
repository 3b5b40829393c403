/** Parts of a table's page beside the game: before it starts, between rounds, and after it. */

import { post } from "../api.js";
import { onlyHere, Reach } from "../device/reach.js";
import { kept } from "../device/store.js";
import { isBroke } from "../games/cash.js";
import { amount, does, html, useEffect, useRef, useState } from "../html.js";
import { later } from "../later.js";
import { goToTable } from "../log/found-table.js";
import { titleOf } from "../titles.js";
import { Entries } from "./entries.js";
import { EveningButton } from "./evening-button.js";
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
 * Return what one should know of a table before sitting down: blinds and stacks first.
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
 * Return whether a game can start as it is: a cash game with free seats too, if two seats are taken.
 * @param {TableInfo} info
 */
function mayStart({ options: { cash }, seats }) {
  const free = seats.filter((seat) => seat.kind === "empty").length;
  if (seats.some((seat) => !seat.admitted)) return false;
  return free === 0 || (cash === true && seats.length - free >= 2);
}

/**
 * Say whom a table waits for before its game starts.
 * @param {TableInfo} info
 */
export function sayMissing(info) {
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  const asking = info.seats.filter((seat) => !seat.admitted).map((seat) => seat.name);
  if (asking.length) return `${asking.join(", ")} ${asking.length === 1 ? "asks" : "ask"} to be let in by the host.`;
  if (free && mayStart(info)) return "The game may start: others can sit down at the free seats later.";
  const invited = info.seats.filter((seat) => !seat.came && seat.kind !== "empty").map((seat) => seat.name);
  const opened = invited.length === 1 ? "has not opened their link" : "have not opened their links";
  const others = `${invited.join(", ")} ${opened} yet.`;
  if (free) {
    const waits =
      free === 1
        ? "One seat is free: waiting for one more player"
        : `${free} seats are free: waiting for ${free} more players`;
    return invited.length ? `${waits}; ${others}` : `${waits}.`;
  }
  return invited.length ? `Every seat is taken; ${others}` : "Everybody is here.";
}

/** @param {{info: TableInfo, feed: Feed, isHost: boolean, invite: () => void}} props */
export function Waiting({ info, feed, isHost, invite }) {
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  const missing = info.seats.some((seat) => !seat.came);
  const sends = missing && (free > 0 || Object.keys(kept("sessionStorage", `links:${feed.table}`) ?? {}).length > 0);
  const delayed = info.status === "playing" && info.access.delay > 0;
  const start = () => void post(feed.api("host/start")).catch((error) => feed.fail(error.message));
  return html`<section class="waiting-room" aria-labelledby="waiting-title">
    <h2 id="waiting-title">${titleOf(info)}</h2>
    <ul class="facts">${sayTerms(info).map((fact) => html`<li>${fact}</li>`)}</ul>
    <ol class="chairs">${info.seats.map(
      (seat) => html`<li class=${`chair ${seat.came ? "" : "free"}`} data-testid=${`chair-${seat.seat}`}>
      <b>${seat.seat}</b> ${saySeat(seat)}${feed.seat === seat.seat ? " (you)" : ""}</li>`,
    )}</ol>
    <p role="status">${delayed ? `The game has begun. You see it ${info.access.delay} seconds later.` : sayMissing(info)}
      ${delayed ? "" : isHost ? (sends ? " Send the others a link, and start when all are here." : "") : " The host starts the game."}</p>
    ${info.host_came_at && html`<p data-testid="host-came">The host's rights moved to another device: ${new Date(info.host_came_at).toLocaleString()}.</p>`}
    <div class="row">${isHost && !delayed && html`<button type="button" class=${missing ? "" : "primary"} disabled=${!mayStart(info)} data-testid="start-now" onClick=${start}>Start the game</button>`}
      <button type="button" class=${missing ? "primary" : ""} onClick=${invite}>Invite</button></div>
    ${(isHost || !onlyHere) && html`<${Reach} />`}
  </section>`;
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
      ${(snapshot.beforehand ?? []).map((line) => html`<p class=${pressing ? "notice" : "hint"}>${line}</p>`)}
      ${!snapshot.ends_next && html`<button type="button" class=${broke ? "quiet" : "primary"} disabled=${busy} data-testid="next-round" onClick=${() => act({ type: "GoOn" }, "Next round")}>Next round${broke ? " without you" : ""}</button>`}
      ${may.some((/** @type {string} */ one) => one.startsWith("show")) && html`<${ShowCards} cards=${snapshot.view.seats[seat - 1].cards} busy=${busy} act=${act} />`}
      ${snapshot.view?.table?.cash && html`<${CashWishes} view=${snapshot.view} seat=${seat} busy=${busy} broke=${broke} act=${act} />`}
      <button type="button" disabled=${busy} data-testid="leave" onClick=${sure(snapshot.view?.table?.cash ? "Get up with your chips? You can sit down again until somebody else takes the seat." : "Leave this game for good, with your chips?", "Leave", "Leave")}>Leave the table</button></div>`
    }`;
}

/** @param {string} kind @param {any[]} order @param {any} [entry] to a tournament with prizes, which are no stacks */
export function result(kind, order, entry) {
  const first = order.filter((seat) => seat.rank === 1);
  const others = order.slice(first.length);
  const left = others.filter((seat) => kind === "draw" && !entry && seat.score >= order[0].score);
  const names = first.map((seat) => seat.name).join(" and ");
  if (left[0]) return `${names} ${others.length > left.length ? "did best of those who stayed" : "stayed to the end"}`;
  return first.length > 1 ? `${names} ${others.length ? "win" : "tie"}` : does(names, "wins");
}

/** Return whether somebody may begin the table's next game. @param {Feed} feed @param {boolean} isHost */
export function mayPlayAgain({ info, snapshot }, isHost) {
  return isHost && Boolean(snapshot?.outcome) && !info.closed && !info.next;
}

/** Begin the table's next game. @param {Feed} feed */
export function playAgain(feed) {
  return post(feed.api("host/again"));
}

/** @param {{info: TableInfo, snapshot: Snapshot, feed: Feed, isHost: boolean}} props */
export function Over({ info, snapshot, feed, isHost }) {
  const { outcome } = snapshot;
  const entry = snapshot.view?.entry;
  const [asked, ask] = useState(false);
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => node.current?.scrollIntoView({ block: "nearest" }), [outcome === null]);
  if (!outcome) return null;
  const again = () => {
    ask(true);
    playAgain(feed).catch((error) => {
      ask(false);
      feed.fail(error.message);
    });
  };
  const order = info.seats
    .map((seat, at) => ({ ...seat, rank: outcome.ranks[at] ?? 0, score: outcome.scores[at] ?? 0 }))
    .filter((_, at) => snapshot.view?.seats?.[at]?.kind !== "open")
    .sort((one, other) => one.rank - other.rank);
  return html`<section class="result" ref=${node} aria-labelledby="result-title" data-testid="result">
    <h2 id="result-title">${result(info.kind, order, entry)}</h2>
    <ol>${order.map((seat) => html`<li value=${seat.rank}><span>${seat.name}</span><b>${entry && seat.score > 0 && "+"}${amount(seat.score)}</b></li>`)}</ol>
    ${entry && html`<p class="hint">Prizes less entries of ${entry.price}, in units.</p>`}
    ${!info.closed && !info.next && !isHost && feed.seat !== null && html`<p class="hint" role="status">The host can begin another game at this table.</p>`}
    <p class="row">${mayPlayAgain(feed, isHost) && html`<button type="button" class="primary" disabled=${asked} data-testid="again" onClick=${again}>Play again</button>`}
      ${info.next && html`<button type="button" data-testid="next-game" onClick=${() => void goToTable(feed, isHost).catch((error) => feed.fail(error.message))}>Go to the table’s next game</button>`}
      <${EveningButton} feed=${feed} isHost=${isHost} testid="evening-over" />
      <a class="as-button" href=${`/replay/${encodeURIComponent(info.game)}/`}>Replay the game</a> <a class="as-button quiet" href="/">All tables</a></p>
  </section>`;
}
