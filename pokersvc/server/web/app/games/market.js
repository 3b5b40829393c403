/** The Poker Market: all hands by rank, and a swap by two touches, with a preview of the player's hand after it. */

import { calm, classes, counted, does, html, useEffect, useLayoutEffect, useRef, useState, whose } from "../html.js";
import { Card, nameOf } from "../table/cards.js";
import { Countdown } from "../table/clock.js";
import { compare, describe, sorted } from "../table/hands.js";
import { initials, isBot, Mark } from "../table/mark.js";
import { isMissing } from "../table/missing.js";
import { useSettled } from "../table/settled.js";

/**
 * Return a seat's hand and rank after a swap.
 * @param {any} view
 * @param {number} seat whose hand
 * @param {Spot} one
 * @param {Spot} other
 * @returns {AfterSwap}
 */
function after(view, seat, one, other) {
  const hands = new Map(view.seats.map((/** @type {any} */ each) => [each.seat, [...each.cards]]));
  const at = (/** @type {Spot} */ spot) => hands.get(spot.seat).indexOf(spot.card);
  const [first, second] = [at(one), at(other)];
  hands.get(one.seat)[first] = other.card;
  hands.get(other.seat)[second] = one.card;
  const hand = hands.get(seat);
  const turn = view.order.indexOf(seat);
  const better = [...hands].filter(
    ([each, cards]) =>
      each !== seat && view.order.includes(each) && (compare(cards, hand) || view.order.indexOf(each) - turn) > 0,
  );
  return { hand, place: better.length + 1 };
}

/** @param {any} legal */
export function examples(legal) {
  if (!legal) return "";
  if (legal.answer) return "accept or decline";
  const [partner, [card]] = legal.gets[0];
  return `a swap such as ${legal.gives[0]} for ${card}, or by numbers 1 for ${partner}.1; pass`;
}

/**
 * Translate the numbers of sorted hands into cards for the server: 1 for 2.3 is Kd for 3c.
 * @param {string} text
 * @param {{view: any, me: number | null}} props
 */
export function typed(text, { view, me }) {
  const found = /^(?:(?:propose|swap|offer) )?(?:my )?([1-5]) for ([0-9]{1,2})[.:]([1-5])$/i.exec(
    text.replace(/\s+/g, " ").trim(),
  );
  const partner = view?.seats[Number(found?.[2]) - 1];
  if (!found || !partner || me === null) return text;
  const card = (/** @type {any} */ seat, /** @type {string | undefined} */ number) =>
    sorted(seat.cards)[Number(number) - 1];
  return `${card(view.seats[me - 1], found[1])} for ${card(partner, found[3])}`;
}

/** @param {number} place */
function ordinal(place) {
  const ends = ["th", "st", "nd", "rd"];
  return `${place}${place % 100 > 10 && place % 100 < 14 ? "th" : (ends[place % 10] ?? "th")}`;
}

/** @param {GameProps} props */
export function Board(props) {
  const { view, legal, me, sent, act } = props;
  const [first, pick] = useState(/** @type {Spot | null} */ (null));
  const dealt = view.seats.map((/** @type {any} */ seat) => seat.cards.join()).join("|");
  const mine = legal && !legal.answer && me !== null;
  useEffect(() => pick(null), [dealt, Boolean(mine)]);
  const all = view.seats.map((/** @type {any} */ seat) => seat.seat);
  const out = view.best_first.length ? all.filter((/** @type {number} */ seat) => !view.order.includes(seat)) : [];
  const order = view.best_first.length ? [...view.best_first, ...out] : all;
  const touch = (/** @type {Spot} */ spot) => {
    if (first === null || (first.seat === me) === (spot.seat === me)) {
      pick(first?.card === spot.card ? null : spot);
      return;
    }
    const [own, other] = first.seat === me ? [first, spot] : [spot, first];
    const name = view.seats[other.seat - 1].name;
    act(
      { gets: other.card, gives: own.card, partner: other.seat, type: "Propose" },
      `Propose the ${nameOf(own.card)} for ${whose(name)} ${nameOf(other.card)}`,
    );
    pick(null);
  };
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useSwaps(box, dealt, props.still);
  return html`<div class="market" ref=${box}>
    <${Head} view=${view} />
    <${Question} ...${props} first=${first} mine=${mine} />
    <ol class="hands" aria-label="All hands, the best first">
      ${order.map(
        (
          /** @type {number} */ number,
          /** @type {number} */ at,
        ) => html`<${Row} key=${number} ...${props} place=${at + 1} out=${out.includes(number)} seat=${view.seats[number - 1]}
        first=${first} touch=${mine && !sent && !out.includes(number) ? touch : null} />`,
      )}
    </ol>
  </div>`;
}

/**
 * Let cards that have changed hands move there from where they were.
 * @param {import("../../vendor/preact.js").Ref<HTMLElement | null>} box
 * @param {string} dealt
 * @param {boolean} still
 */
function useSwaps(box, dealt, still) {
  const places = useRef(/** @type {Map<string | undefined, {x: number, y: number}>} */ (new Map()));
  useLayoutEffect(() => {
    const old = places.current;
    const frame = box.current?.getBoundingClientRect();
    places.current = new Map();
    for (const card of box.current?.querySelectorAll(/** @type {"svg"} */ (".spot [data-card]")) ?? []) {
      const rect = card.getBoundingClientRect();
      const now = { x: rect.x - (frame?.x ?? 0), y: rect.y - (frame?.y ?? 0) };
      const was = old.get(card.dataset.card);
      places.current.set(card.dataset.card, now);
      if (was && (was.x !== now.x || was.y !== now.y) && !still && !calm())
        card.animate([{ translate: `${was.x - now.x}px ${was.y - now.y}px` }, { translate: "0 0" }], {
          duration: 400,
          easing: "ease-out",
        });
    }
  }, [dealt]);
}

/** @param {{view: any}} props */
function Head({ view }) {
  const { markets, rounds } = view.rules;
  const which = markets > 1 ? `Market ${view.market} of ${markets} · ` : "";
  return html`<p class="market-head" data-testid="stage">${view.stage === "over" ? "The market is closed" : `${which}Round ${view.round_in_market} of ${rounds}`}
    ${view.best_first.length > 0 && html`<span class="hint"> Turns: ${view.order.map((/** @type {number} */ seat) => view.seats[seat - 1].name).join(", ")}</span>`}</p>`;
}

/** @param {GameProps & {first: Spot | null, mine: boolean}} props */
function Question({ view, legal, me, sent, act, first, mine, snapshot }) {
  const proposal = view.proposal;
  const settled = useSettled(JSON.stringify([Boolean(mine), legal?.answer ?? null]));
  const off = settled ? undefined : "true";
  const choose = (/** @type {string} */ type) => () => settled && act({ type }, type);
  if (sent)
    return html`<div class="prompt idle"><p data-testid="waiting">${sent.label}: sent, waiting for the table…</p></div>`;
  if (legal?.answer && me !== null) {
    const { seat, gives, gets } = legal.answer;
    const made = after(view, me, { card: gives, seat }, { card: gets, seat: me });
    return html`<div class="prompt offer" role="group" aria-label="Your choices" data-testid="actions">
      <p><b>${view.seats[seat - 1].name}</b> gives you <${Mini} card=${gives} /> for your <${Mini} card=${gets} />
        <span class="made">You would have: <b>${describe(made.hand)}</b>, ${ordinal(made.place)}</span></p>
      <div class="row"><button type="button" class="primary" data-testid="accept" aria-disabled=${off} onClick=${choose("Accept")}>Accept</button>
        <button type="button" data-testid="decline" aria-disabled=${off} onClick=${choose("Decline")}>Decline</button></div>
    </div>`;
  }
  if (mine) {
    const say =
      first === null
        ? "Your turn: touch one of your cards, then the one you want for it."
        : first.seat === me
          ? `Your ${nameOf(first.card)} for which card? Under each card: what you would have.`
          : `Which of your cards for ${whose(view.seats[first.seat - 1].name)} ${nameOf(first.card)}?`;
    return html`<div class="prompt" role="group" aria-label="Your choices" data-testid="actions"><p>${say}</p>
      <div class="row"><button type="button" data-testid="pass" aria-disabled=${off} onClick=${choose("Pass")}>Pass</button></div></div>`;
  }
  const [next] = snapshot.awaited;
  const waits = proposal
    ? html`<b>${does(view.seats[proposal.seat - 1].name, "offers")}</b> <${Mini} card=${proposal.gives} /> for <b>${whose(view.seats[proposal.partner - 1].name)}</b> <${Mini} card=${proposal.gets} />`
    : next
      ? `${does(view.seats[next - 1].name, "is")} on turn`
      : "";
  return waits ? html`<div class="prompt idle"><p data-testid="waiting">${waits}</p></div>` : null;
}

/** @param {{card: string}} props */
function Mini({ card }) {
  return html`<span class="mini"><${Card} card=${card} small /></span>`;
}

/** @param {GameProps & {seat: any, place: number, out: boolean, first: Spot | null, touch: ((spot: Spot) => void) | null}} props */
function Row(props) {
  const { view, seat, place, out, me, first, touch, snapshot } = props;
  const lost = isMissing(seat.seat, props);
  const turn = snapshot.awaited.includes(seat.seat);
  const own = seat.seat === me;
  const offered = view.proposal && [view.proposal.gives, view.proposal.gets];
  return html`<li class=${classes("market-hand", turn && "turn", own && "own", out && "out")} data-testid=${`seat-${seat.seat}`} aria-current=${turn ? "true" : undefined}>
    <p class="place">${out ? html`<span class="hidden">Out of the market</span>–` : html`<span class="hidden">Rank </span>${place}`}</p>
    <${Mark} seat=${seat.seat} kind=${seat.kind} text=${initials(view.seats)[seat.seat]} state=${snapshot.sitting_out.includes(seat.seat) ? "away" : lost && "lost"} />
    <p class="name"><b>${seat.name}</b>${own && " (you)"}<span class="hint">${out ? "out of this market" : seat.cards.length ? describe(seat.cards) : ""}${view.rules.markets > 1 || view.stage === "over" ? ` · ${counted(seat.points, "point")}` : ""}${isBot(seat.kind) ? ` · bot: ${seat.kind}` : ""}${lost ? " · offline" : ""}</span>
      ${turn && html`<${Countdown} clock=${snapshot.clock} seat=${seat.seat} own=${own} />`}</p>
    <div class="market-cards">${sorted(seat.cards).map(
      (
        card,
      ) => html`<${Spot} key=${card} view=${view} me=${me} spot=${{ card, seat: seat.seat }} owner=${seat.name} own=${own}
      first=${first} touch=${touch} offered=${Boolean(offered?.includes(card))} />`,
    )}</div>
  </li>`;
}

/** @param {{view: any, me: number | null, spot: Spot, owner: string, own: boolean, first: Spot | null, touch: ((spot: Spot) => void) | null, offered: boolean}} props */
function Spot({ view, me, spot, owner, own, first, touch, offered }) {
  if (!touch) return html`<span class=${classes("spot", offered && "offered")}><${Card} card=${spot.card} /></span>`;
  const chosen = first?.card === spot.card;
  const pairs = first !== null && me !== null && (first.seat === me) !== own;
  const made = pairs && me !== null ? after(view, me, own ? spot : first, own ? first : spot) : null;
  const label = `${own ? "Your" : `${owner}'s`} ${nameOf(spot.card)}${made ? `: you would have ${describe(made.hand)}, ${ordinal(made.place)}` : ""}`;
  const gain = made && me !== null ? compare(made.hand, view.seats[me - 1].cards) : 0;
  return html`<button type="button" class=${classes("spot", chosen && "chosen", made && (gain > 0 ? "better" : gain < 0 ? "worse" : "same"))}
      aria-pressed=${chosen} onClick=${() => touch(spot)} data-testid=${`spot-${spot.card}`}>
    <span class="hidden">${label}</span><${Card} card=${spot.card} hush />${made && html`<span class="makes" aria-hidden="true">${short(made)}</span>`}
  </button>`;
}

/** @param {AfterSwap} made */
function short({ hand, place }) {
  return html`${describe(hand).split(",")[0]}<b>${ordinal(place)}</b>`;
}
