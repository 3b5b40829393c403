/** Draw poker: the table, the player's own hand, and the controls. */

import { classes, html, useEffect, useMemo, useRef, useState } from "../html.js";
import { later } from "../later.js";
import { Card, nameOf } from "../table/cards.js";
import { Countdown } from "../table/clock.js";
import { describe, sorted } from "../table/hands.js";
import { initials } from "../table/mark.js";
import { Betting } from "./draw-betting.js";
import { roundSoFar } from "./draw-fold.js";
import { useKeys } from "./draw-keys.js";
import { useMotion } from "./draw-moves.js";
import { Pot } from "./draw-pot.js";
import { Seat, winning } from "./draw-seat.js";
import { sayer, useSettings, withUnit } from "./draw-settings.js";

const Needs = later(() => import("./draw-needs.js"), "Needs");

/** @param {GameProps} props */
export function Board(props) {
  const { view, me, snapshot, happened } = props;
  const settings = useSettings();
  const say = sayer(view, settings.unit);
  const round = useMemo(() => roundSoFar(happened, say), [happened.length, snapshot.count, settings.unit]);
  const own = me === null ? null : view.seats[me - 1];
  const marks = initials(view.seats);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useMotion(props, box);
  return html`<div class=${classes("draw", own && "with-hand")} ref=${box}>
    <div class=${classes("felt", `of-${view.seats.length}`, view.seats.length > 6 && "crowded")} data-testid="felt">
      <${Pot} view=${view} time=${snapshot.level} me=${me} round=${round} say=${say} marks=${marks} />
      <ol class="seats" aria-label="Seats">
        ${view.seats.map(
          (/** @type {any} */ seat) =>
            html`<${Seat} key=${seat.seat} seat=${seat} ...${props} round=${round} say=${say} marks=${marks} />`,
        )}
      </ol>
    </div>
    ${own && html`<${OwnHand} ...${props} own=${own} lit=${winning(own, round)} say=${say} settings=${settings} />`}
    <div class="flights" aria-hidden="true"></div>
  </div>`;
}

/** @param {GameProps & {own: any, lit: readonly string[], say: (chips: number) => string, settings: import("./draw-settings.js").BettingSettings}} props */
function OwnHand(props) {
  const { ask, own, legal, lit, sent, snapshot, say, view } = props;
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
          : html`<span key=${card ?? at} class="lies"><${Card} card=${card} lit=${lit.includes(card)} /></span>`,
      )}
    </div>
    <p class="makes" data-testid="makes">${known && describe(hand)}${own.standing === "folded" && view.stage !== "over" && " · folded"}
      <span class=${classes("own-now", `of-${view.seats.length}`)} aria-hidden="true" data-testid="own-now">${withUnit(say(own.stack))} <${Countdown} clock=${snapshot.clock} seat=${own.seat} /></span></p>
    ${ask && known && view.stage !== "final betting" && html`<${Needs} cards=${hand} />`}
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
