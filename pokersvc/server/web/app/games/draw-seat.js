/** A seat at the poker table: who sits there, their hand, chips and last act. */

import { amount, classes, html } from "../html.js";
import { Cards } from "../table/cards.js";
import { Chips } from "../table/chips.js";
import { Countdown } from "../table/clock.js";
import { describe, making, sorted } from "../table/hands.js";
import { isBot, Mark } from "../table/mark.js";
import { isMissing } from "../table/missing.js";
import { isBroke } from "./cash.js";
import { signed, tone } from "./draw-fold.js";
import { withUnit } from "./draw-settings.js";
import { place } from "./places.js";

/** Acts that are shown in the draw: earlier bets no longer matter. */
const OF_THE_DRAW = /^(draws|stands|folds|leaves|out of)/;

/**
 * Return the cards that win at a showdown; none of a hand that was not shown.
 * @param {{seat: number, cards: (string | null)[]}} seat
 * @param {RoundSoFar} round
 */
export function winning({ seat, cards }, round) {
  const known = cards.filter((card) => card !== null);
  return round.won[seat] && round.acts[seat] === "shows" && known.length === 5 ? making(known) : [];
}

/** Return whether a seat of a cash game was dealt no hand, though it plays: it waits for the blind. @param {any} view @param {any} seat */
export function waitsForBlind(view, seat) {
  const dealt = view.seats.some((/** @type {any} */ one) => one.cards.length > 0);
  return Boolean(view.table?.cash && dealt && seat.standing === "in" && seat.cards.length === 0 && seat.stack > 0);
}

/** @param {GameProps & {seat: any, round: RoundSoFar, say: (chips: number) => string, marks: Record<number, string>}} props */
export function Seat({ seat, view, me, snapshot, round, say, sitAt, lost, missing, marks }) {
  const turn = snapshot.awaited.includes(seat.seat);
  const own = me === seat.seat;
  const out = seat.standing !== "in" || isBroke(view, seat.seat);
  const away = snapshot.sitting_out.includes(seat.seat) || seat.sitting_out;
  const waits = !away && waitsForBlind(view, seat);
  const bot = isBot(seat.kind);
  const state = isMissing(seat.seat, { lost, me, missing, snapshot, view }) ? "lost" : away ? "away" : waits && "waits";
  const act = round.over && round.net[seat.seat] !== undefined ? null : round.acts[seat.seat];
  const at = place(seat.seat, view.seats.length, me ?? 1);
  const seen = seat.cards.length > 0 && !seat.cards.includes(null);
  const some = seat.cards.some((/** @type {any} */ card) => card !== null);
  const holds = seat.cards.length > 0 && (some || (seat.standing === "in" && !round.over)) && !own;
  return html`<li class=${classes("seat", turn && "turn", own && "own", out && "out", away && "away", waits && "waits", round.over && round.won[seat.seat] !== undefined && "won", seat.kind === "open" && "open", bot && "bot", `at-${at.side}`)}
      style=${{ left: `${at.x}%`, top: `${at.y}%` }} data-testid=${`seat-${seat.seat}`} aria-current=${turn ? "true" : undefined}>
    ${
      holds &&
      html`<div class=${classes("held", seen && "open", seat.standing === "folded" && "folded")}>
      <${Cards} cards=${seen ? sorted(seat.cards) : seat.cards} lit=${winning(seat, round)} />
      ${seen && html`<span class="makes">${describe(seat.cards)}</span>`}
    </div>`
    }
    <div class="plate">
      ${view.button === seat.seat && html`<span class="button" title="Dealer button" role="img" aria-label="has the dealer button">D</span>`}
      ${seat.kind !== "open" && html`<${Mark} seat=${seat.seat} kind=${seat.kind} text=${marks[seat.seat]} state=${state} />`}
      <span class="who" title=${bot ? `${seat.name}: bot, ${seat.kind}` : seat.name}>${bot && html`<span class="hidden">bot </span>`}${seat.name}${own && html`<span class="you"> (you)</span>`}</span>
      ${bot && html`<small class="kind">${seat.kind}</small>`}
      <span class="stack" aria-label=${withUnit(say(seat.stack))}>${say(seat.stack)}</span>
      <span class=${classes("act", (turn || seat.all_in || waits) && "wraps")}>${seatNote(seat, { act, away, lost: state === "lost", round, say, turn, view, waits })}</span>
      ${turn && html`<${Countdown} clock=${snapshot.clock} seat=${seat.seat} own=${own} />`}
      ${seat.standing === "out" && sitAt?.(seat.seat)}
    </div>
    ${seat.put > 0 && html`<span class="bet" style=${{ "--x": (at.x - 50) * -0.36, "--y": (at.y - 50) * -0.48 }} aria-label=${`has put in ${say(seat.put)}`}><${Chips} sum=${seat.put} />${say(seat.put)}</span>`}
  </li>`;
}

/**
 * @param {any} seat
 * @param {{act: string | null | undefined, away: boolean, lost: boolean, round: any, say: (chips: number) => string, turn: boolean, view: any, waits: boolean}} now
 */
function seatNote(seat, { act: last, away, lost, round, say, turn, view, waits }) {
  const act = view.stage === "draw" && last && !OF_THE_DRAW.test(last) ? null : last;
  if (lost) return "offline";
  if (isBroke(view, seat.seat)) return "no chips";
  if (away && view.stage === "between rounds") return "sits out";
  if (round.over && round.net[seat.seat] !== undefined) {
    const net = round.net[seat.seat];
    return html`<span class=${tone(net)}><span class="net">net </span>${signed(net, say)}</span>`;
  }
  if (seat.place) return `place ${seat.place}${seat.prize ? ` · wins ${amount(seat.prize)}` : ""}`;
  if (seat.standing === "out") return view.table?.cash ? "free" : "out";
  if (turn) return view.stage === "draw" ? "to draw" : "to act";
  if (seat.all_in) return `all in${act ? ` · ${act}` : ""}`;
  if (away) return "sits out";
  if (waits) return view.rules.blinds ? "waits for the blind" : "waits";
  const drew = seat.drew === null || seat.drew === undefined ? "" : `drew ${seat.drew}`;
  return act ?? (seat.standing === "folded" ? "folded" : drew);
}
