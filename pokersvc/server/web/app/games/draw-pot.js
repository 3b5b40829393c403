/** The middle of the poker table: the pot, side pots and stakes. */

import { amount, counted, does, html } from "../html.js";
import { Chips } from "../table/chips.js";
import { Left } from "../table/clock.js";
import { Mark } from "../table/mark.js";
import { potsOf, spotsOf } from "./draw-pots.js";
import { place } from "./places.js";

/** @param {{view: any, time: LevelNow | null | undefined, me: number | null, round: RoundSoFar, say: (chips: number) => string, marks: Record<number, string>}} props */
export function Pot({ view, time, me, round, say, marks }) {
  const stage =
    view.stage === "over" ? "Game over" : view.round ? `Round ${view.round} · ${view.stage}` : "Before the first round";
  const won = Object.entries(round.won);
  const shows = round.over || (view.pot === 0 && won.length > 0);
  // A bet that nobody has called yet lies in front of its player, and is not a pot.
  const [main, ...sides] = shows ? [] : potsOf(view).filter(({ seats }) => seats.length > 1);
  const spots = spotsOf(sides, (seat) => place(seat, view.seats.length, me ?? 1));
  const stands = stakes(view);
  return html`<div class="pot" data-testid="pot">
    <p class="stage">${stage}</p>
    ${(view.changeable || view.levels) && html`<p class="side" data-testid="stakes-now">${stands.now}${stands.next && html` <b class="next-level">${stands.next}${isTimed(view) && time?.ends && html` in <${Left} until=${time.ends} />`}</b>`}</p>`}
    ${view.bomb_pots.length > 0 && view.stage !== "over" && html`<p class="side" data-testid="bomb-pots">${bombPots(view)}</p>`}
    ${time?.rests_until && html`<p class="side" data-testid="break">break: <${Left} until=${time.rests_until} /></p>`}
    ${
      shows
        ? won.map(
            ([seat, sum]) =>
              html`<p class="won">${does(view.seats[Number(seat) - 1].name, "wins")} <b>${say(sum)}</b></p>`,
          )
        : html`<p class="sum">${view.pot > 0 && html`<${Chips} sum=${view.pot} />`}<span><span class="hidden">Pot </span>${say(view.pot)}</span></p>`
    }
    ${main && sides.length > 0 && html`<p class="side">main pot ${say(main.amount)}</p>`}
    ${view.price > 0 && html`<p class="side">to match ${say(view.price)}</p>`}
  </div>
  ${
    sides.length > 0 &&
    html`<ol class="side-pots" aria-label="Side pots">${sides.map(
      ({ amount: chips, seats }, index) =>
        html`<li class="side-pot" style=${{ left: `${spots[index]?.x}%`, top: `${spots[index]?.y}%` }} data-testid=${`side-pot-${index + 1}`}>
        <${Chips} sum=${chips} /><span><small>side ${index + 1} </small><b>${say(chips)}</b></span>
        <span class="plays-for"><span class="hidden">: ${seats.map((one) => view.seats[one - 1].name).join(", ")}</span>${seats.map((one) => html`<${Mark} seat=${one} kind=${view.seats[one - 1].kind} text=${marks[one]} />`)}</span></li>`,
    )}</ol>`
  }`;
}

/** Says whether this round is a bomb pot, or which round will be one. @param {any} view */
export function bombPots({ bomb_pots, round, stage }) {
  const [first] = bomb_pots.filter((/** @type {number} */ one) => one > round || stage !== "between rounds");
  if (first === undefined) return "";
  return first === round ? "bomb pot" : first === round + 1 ? "bomb pot next round" : `bomb pot in round ${first}`;
}

/** @type {(view: any) => boolean} Whether levels end by time. */
const isTimed = ({ levels }) => Boolean(levels?.schedule[0].minutes);

/** The stakes now in force, and when they rise. @param {any} view @returns {{now: string, next: string}} */
export function stakes({ level, levels, next_ante, round, rules: { betting, blinds }, stage }) {
  const main = blinds ? `blinds ${amount(blinds.small)}/${amount(blinds.big)}` : `bets ${amount(betting.minimum)}`;
  const now = next_ante ? `${main} · ante ${amount(next_ante)}` : main;
  if (!levels) return { next: "", now };
  const next = levels.schedule[level];
  const then = next && stage !== "over" ? `${amount(next.small)}/${amount(next.big)}` : "";
  if (isTimed({ levels })) return { next: then, now: `level ${level}: ${now}` };
  const begins = levels.schedule
    .slice(0, level)
    .reduce((/** @type {number} */ sum, /** @type {{ hands: number }} */ { hands }) => sum + hands, 1);
  const playing = stage !== "between rounds";
  const left = begins - round - (playing ? 0 : 1);
  const when = playing && left === 1 ? "next round" : `in ${counted(left, "round")}`;
  return {
    next: then && `${then} ${when}`,
    now: `level ${level}: ${now}`,
  };
}
