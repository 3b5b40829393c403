/** Draw poker: the table, the player's own hand, and the controls. */

import { amount, classes, does, html, useEffect, useMemo, useState } from "../html.js";
import { Card, Cards, nameOf } from "../table/cards.js";
import { Countdown } from "../table/clock.js";
import { describe, sorted } from "../table/hands.js";
import { isBroke } from "./cash.js";
import { Betting } from "./draw-betting.js";
import { roundSoFar, signed, tone } from "./draw-fold.js";
import { useKeys } from "./draw-keys.js";
import { sayer, useSettings, withUnit } from "./draw-settings.js";
import { place } from "./places.js";

export const sheet = "/web/styles/felt.css";

/** Acts that are shown in the draw: earlier bets no longer matter. */
const OF_THE_DRAW = /^(draws|stands|folds|leaves|out of)/;

/** @param {GameProps} props */
export function Board(props) {
  const { view, me, snapshot, happened } = props;
  const settings = useSettings();
  const say = sayer(view, settings.unit);
  const round = useMemo(() => roundSoFar(happened, say), [happened.length, snapshot.count, settings.unit]);
  const own = me === null ? null : view.seats[me - 1];
  return html`<div class=${classes("draw", own && "with-hand")}>
    <div class=${classes("felt", `of-${view.seats.length}`, view.seats.length > 6 && "crowded")} data-testid="felt">
      <${Pot} view=${view} round=${round} say=${say} />
      <ol class="seats" aria-label="Seats">
        ${view.seats.map(
          (/** @type {any} */ seat) =>
            html`<${Seat} key=${seat.seat} seat=${seat} ...${props} round=${round} say=${say} />`,
        )}
      </ol>
    </div>
    ${own && html`<${OwnHand} ...${props} own=${own} say=${say} settings=${settings} />`}
  </div>`;
}

/** @param {{view: any, round: RoundSoFar, say: (chips: number) => string}} props */
function Pot({ view, round, say }) {
  const stage =
    view.stage === "over" ? "Game over" : view.round ? `Round ${view.round} · ${view.stage}` : "Before the first round";
  const won = Object.entries(round.won);
  const shows = round.over || (view.pot === 0 && won.length > 0);
  return html`<div class="pot" data-testid="pot">
    <p class="stage">${stage}</p>
    ${(view.changeable || view.levels) && html`<p class="side" data-testid="stakes-now">${stakes(view)}</p>`}
    ${
      shows
        ? won.map(
            ([seat, sum]) =>
              html`<p class="won">${does(view.seats[Number(seat) - 1].name, "wins")} <b>${say(sum)}</b></p>`,
          )
        : html`<p class="sum"><span class="chip" aria-hidden="true"></span><span class="hidden">Pot </span>${say(view.pot)}</p>`
    }
    ${!shows && view.pots.length > 1 && html`<p class="side">main ${say(view.pots[0])}${view.pots.slice(1).map((/** @type {number} */ pot, /** @type {number} */ at) => html`<span> · side ${at + 1} ${say(pot)}</span>`)}</p>`}
    ${view.price > 0 && html`<p class="side">to match ${say(view.price)}</p>`}
  </div>`;
}

/** The stakes now in force. @param {any} view */
function stakes({ level, levels, next_ante, rules: { betting, blinds } }) {
  const main = blinds ? `blinds ${amount(blinds.small)}/${amount(blinds.big)}` : `bets ${amount(betting.minimum)}`;
  const now = next_ante ? `${main} · ante ${amount(next_ante)}` : main;
  if (!levels) return now;
  const next = levels.schedule[level];
  const begins = levels.schedule
    .slice(0, level)
    .reduce((/** @type {number} */ sum, /** @type {{ hands: number }} */ { hands }) => sum + hands, 1);
  const then = next ? ` · from round ${begins} ${amount(next.small)}/${amount(next.big)}` : "";
  return `level ${level}: ${now}${then}`;
}

/** @param {GameProps & {seat: any, round: RoundSoFar, say: (chips: number) => string}} props */
function Seat({ seat, view, me, snapshot, round, say, sitAt }) {
  const turn = snapshot.awaited.includes(seat.seat);
  const own = me === seat.seat;
  const out = seat.standing !== "in" || isBroke(view, seat.seat);
  const away = snapshot.sitting_out.includes(seat.seat);
  const bot = seat.kind && !["human", "open"].includes(seat.kind);
  const act = round.over && round.net[seat.seat] !== undefined ? null : round.acts[seat.seat];
  const at = place(seat.seat, view.seats.length, me ?? 1);
  const seen = seat.cards.length > 0 && !seat.cards.includes(null);
  const some = seat.cards.some((/** @type {any} */ card) => card !== null);
  const holds = seat.cards.length > 0 && (some || (seat.standing === "in" && !round.over)) && !own;
  return html`<li class=${classes("seat", turn && "turn", own && "own", out && "out", away && "away", bot && "bot", `at-${at.side}`)}
      style=${{ left: `${at.x}%`, top: `${at.y}%` }} data-testid=${`seat-${seat.seat}`} aria-current=${turn ? "true" : undefined}>
    ${
      holds &&
      html`<div class=${classes("held", seen && "open", seat.standing === "folded" && "folded")}>
      <${Cards} cards=${seen ? sorted(seat.cards) : seat.cards} />
      ${seen && html`<span class="makes">${describe(seat.cards)}</span>`}
    </div>`
    }
    <div class="plate">
      ${view.button === seat.seat && html`<span class="button" title="Dealer button" role="img" aria-label="has the dealer button">D</span>`}
      <span class="who">${bot && html`<span class="you">bot </span>`}${seat.name}${own && html`<span class="you"> (you)</span>`}</span>
      <span class="stack" aria-label=${withUnit(say(seat.stack))}>${say(seat.stack)}</span>
      <span class=${classes("act", seat.all_in && "wraps")}>${seatNote(seat, { act, away, round, say, turn, view })}</span>
      ${turn && html`<${Countdown} clock=${snapshot.clock} seat=${seat.seat} own=${own} />`}
      ${seat.standing === "out" && sitAt?.(seat.seat)}
    </div>
    ${seat.put > 0 && html`<span class="bet" aria-label=${`has put in ${say(seat.put)}`}><span class="chip" aria-hidden="true"></span>${say(seat.put)}</span>`}
  </li>`;
}

/**
 * @param {any} seat
 * @param {{act: string | null | undefined, away: boolean, round: any, say: (chips: number) => string, turn: boolean, view: any}} now
 */
function seatNote(seat, { act: last, away, round, say, turn, view }) {
  const act = view.stage === "draw" && last && !OF_THE_DRAW.test(last) ? null : last;
  if (isBroke(view, seat.seat)) return "no chips";
  if (round.over && round.net[seat.seat] !== undefined) {
    const net = round.net[seat.seat];
    return html`<span class=${tone(net)}><span class="net">net </span>${signed(net, say)}</span>`;
  }
  if (seat.place) return `place ${seat.place}${seat.prize ? ` · wins ${amount(seat.prize)}` : ""}`;
  if (seat.standing === "out") return view.table?.cash ? "free" : "out";
  if (turn) return view.stage === "draw" ? "to draw" : "to act";
  if (seat.all_in) return `all in${act ? ` · ${act}` : ""}`;
  if (away) return "sits out";
  const drew = seat.drew === null || seat.drew === undefined ? "" : `drew ${seat.drew}`;
  return act ?? (seat.standing === "folded" ? "folded" : drew);
}

/** @param {GameProps & {own: any, say: (chips: number) => string, settings: import("./draw-settings.js").BettingSettings}} props */
function OwnHand(props) {
  const { own, legal, sent, snapshot, say, view } = props;
  const [Help, load] = useState(/** @type {any} */ (null));
  const [picked, pick] = useState(/** @type {string[]} */ ([]));
  const known = own.cards.length > 0 && !own.cards.includes(null);
  const hand = known ? sorted(own.cards) : own.cards;
  const drawing = legal?.discard !== null && legal?.discard !== undefined;
  const dealt = own.cards.join();
  useEffect(() => pick([]), [dealt, drawing]);
  const toggle = (/** @type {string} */ card) =>
    // Two keys may come before the page is drawn again.
    pick((/** @type {string[]} */ now) => {
      if (now.includes(card)) return now.filter((other) => other !== card);
      return now.length < legal.discard ? [...now, card] : now;
    });
  const help = () => void import("./draw-help.js").then((found) => load(() => found.BettingHelp));
  useKeys((key) => {
    if (key === "?") help();
    return key === "?";
  });
  const helped = Help && html`<${Help} view=${view} onClose=${() => load(null)} />`;
  if (hand.length === 0)
    return html`<section class="own-hand" aria-label="Your hand"><${Betting} ...${props} picked=${[]} hand=${[]} pick=${pick} toggle=${toggle} help=${help} />${helped}</section>`;
  return html`<section class=${classes("own-hand", own.standing === "folded" && "folded")} aria-label="Your hand">
    <div class="hand" role="group" aria-label=${known ? `Your hand: ${describe(hand)}` : "Your hand"} data-testid="hand">
      ${hand.map((/** @type {string} */ card, /** @type {number} */ at) =>
        drawing
          ? html`<button type="button" key=${card} class=${classes("pick", picked.includes(card) && "picked")} aria-pressed=${picked.includes(card)}
               disabled=${sent !== null} onClick=${() => toggle(card)} data-testid=${`card-${at + 1}`}>
              <span class="hidden">Card ${at + 1}, ${nameOf(card)}: discard</span><${Card} card=${card} hush /><span class="number" aria-hidden="true">${picked.includes(card) ? "discard" : at + 1}</span>
            </button>`
          : html`<span key=${card ?? at} class="lies"><${Card} card=${card} /></span>`,
      )}
    </div>
    <p class="makes" data-testid="makes">${known && describe(hand)}${own.standing === "folded" && view.stage !== "over" && " · folded"}
      <span class=${classes("own-now", `of-${view.seats.length}`)} aria-hidden="true" data-testid="own-now">${withUnit(say(own.stack))} <${Countdown} clock=${snapshot.clock} seat=${own.seat} /></span></p>
    <${Betting} ...${props} picked=${picked} hand=${hand} pick=${pick} toggle=${toggle} help=${help} />${helped}
  </section>`;
}

/** @param {any} legal */
export function examples(legal) {
  if (!legal) return "";
  if (legal.discard !== null) return "Cards to discard, such as 5, by number from the left; Enter keeps all";
  const said = [
    legal.check && "check",
    legal.call && "call",
    legal.bet && `bet ${legal.bet[0]}`,
    legal.raise_to && `raise ${legal.raise_to[0]}`,
    legal.fold && "fold",
  ];
  return said.filter(Boolean).join(", ");
}

/**
 * Return whether two bets and two raises take all chips of a seat.
 * @param {any} view
 * @param {number} me
 */
export function pressing(view, me) {
  return view.seats[me - 1].stack < 4 * view.rules.betting.minimum;
}
