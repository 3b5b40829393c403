/** The event that is due when nobody chooses, as far as it follows from the data that are known. */

import { move } from "../../problem.js";
import { blindDue, nextButton, openingOf, postDue } from "../betting/blinds.js";
import { bombAnte } from "../betting/bomb_pots.js";
import { racedOff } from "../betting/chip_race.js";
import { nextRake, sharesOf } from "../betting/pots.js";
import { prizesOf } from "../betting/ranking.js";
import { clockwise, fewerThanTwo, has, nextSeat, seatsIn } from "../betting/seats.js";
import { anteDue, foldedUnasked } from "../betting/turns.js";
import { dueBeforeRound } from "../betting/wishes.js";
import { showsAll, showsNext, unbeaten, winnersOf } from "../streets/showdown.js";
import { outOfPlay } from "../streets/state.js";

/** @type {Deals} */
function between(state) {
  const { rules, terms } = state;
  if (state.cashSeats.admitted) return { type: "ChipsBought" };
  if (state.roundsPlayed()) return finish(state, "rounds");
  const due = dueAtCash(state);
  if (due !== null) return due;
  const chip = state.chipToRace;
  if (chip !== null) return { type: "ChipsRacedOff", chip, stacks: racedOff(state, chip) };
  const price = state.priceToStay();
  const short = terms.keepsSeats ? undefined : seatsIn(state.seated).find((seat) => state.stacks[seat] < price);
  if (short !== undefined) return { type: "PlayerLeft", seat: short, amount: 0 };
  if (!state.twoAble(price)) return finish(state, "last_player");
  const button = hasButton(rules) ? nextButton(state) : null;
  const ante = state.bombPotNext ? bombAnte(state) : state.nextAnte;
  return { type: "RoundStarted", ante, button, round: state.round + 1 };
}

/** @type {(state: Situation) => Due | null} */
function dueAtCash(state) {
  const round = state.bombPotDue;
  return round === null ? dueBeforeRound(state) : { type: "BombPotAnnounced", by: null, by_rule: true, round };
}

/** @type {(rules: any) => boolean} */
const hasButton = ({ betting, blinds }) => Boolean(blinds) || betting.opener === "button";

/** @type {(state: Situation) => number[] | null} The seats that are dealt in if a round begins next. */
export function dealsTo(state) {
  const { phase, rules, seated, stacks, table, terms } = state;
  if (phase !== "between" || state.roundsPlayed() || state.chipToRace !== null) return null;
  if (state.cashSeats.admitted || dueAtCash(state) !== null) return null;
  const price = state.priceToStay();
  const sitting = terms.keepsSeats ? state.sitting() : seated;
  if (seatsIn(sitting).some((seat) => stacks[seat] < price) || !state.twoAble(price)) return null;
  const button = hasButton(rules) ? nextButton(state) : 0;
  let dealt = table === null ? seated : openingOf(state, button).live;
  if (rules.ante.short === "surrender") {
    for (const seat of clockwise(dealt, button)) {
      if (stacks[seat] < state.nextAnte && !fewerThanTwo(dealt)) dealt &= ~(2 ** seat); // the only one left wins
    }
  }
  return seatsIn(dealt);
}

/** @type {(state: Situation, reason: string) => Due} */
function finish(state, reason) {
  const { entry, isTournament, paid, ranking } = state;
  const first = [...ranking.keys()].filter((at) => ranking[at] === 1).map((at) => at + 1);
  const winners = isTournament ? first : state.leaders();
  if (state.pot) {
    return { type: "PotAwarded", pot: 1, reason: "game_end", shares: [{ amount: state.pot, seat: winners[0] }] };
  }
  const past = state.past[state.revealed];
  if (past !== undefined) return { type: "HandsRevealed", ...past };
  if (entry !== null && !state.prizesAwarded) {
    const pool = paid.reduce((sum, price) => sum + price, 0);
    return { type: "PrizesAwarded", places: ranking, prices: paid, prizes: prizesOf(pool, entry.prizes, ranking) };
  }
  return { type: "GameEnded", reason, stacks: state.stacks.slice(1), winners };
}

/** @type {Deals} */
function ante(state) {
  const { seat, amount } = anteDue(state);
  if (amount < state.ante && state.rules.ante.short === "surrender") {
    return { type: "PlayerLeft", seat, reason: "short", amount };
  }
  return { type: "AntePosted", seat, amount };
}

/** @type {Deals} */
function blind(state) {
  const { seat, kind, amount } = state.posts.length > 0 ? postDue(state) : blindDue(state);
  if (kind === "small" || kind === "big") return { type: "BlindPosted", seat, blind: kind, amount };
  return { type: "Posted", seat, kind, amount };
}

/** @type {Deals} The seeds show later whether chance chose that seat. */
function opener(state, event) {
  if (!has(state.pending, event.payload.seat)) throw move(event, "that seat cannot open this betting round");
  return { betting: state.street };
}

/** @type {Deals} */
function foldShort(state, event) {
  if (state.actor) throw move(event, `seat ${state.actor} is to choose`);
  return { seat: foldedUnasked(state) };
}

/** @type {Deals} */
function serve(state) {
  if (!state.deckLeft) return { type: "DeckReshuffled", count: outOfPlay(state), number: state.reshuffles + 1 };
  return { type: "CardsDrawn", seat: state.cursor, count: Math.min(state.need, state.deckLeft) };
}

/** @type {Deals} */
function showdown(state, { seq, type, payload }, cards) {
  const seat = showsNext(state);
  if (type === "HandShown" && payload.seat === seat) cards.show(seq, seat, payload.cards);
  const isShown = showsAll(state) || unbeaten(state, seat, cards.worth(seat), (other) => cards.worth(other));
  return { seat, type: isShown ? "HandShown" : "HandMucked" };
}

/** @type {Deals} */
function award(state, _event, cards) {
  const { amount, eligible } = /** @type {Pot} */ (state.pots.at(-1));
  const winners = state.onlyOneLeft ? eligible : winnersOf(eligible & state.shown, (seat) => cards.worth(seat));
  const oddChips = state.rules.remainder === "odd_chips";
  return {
    pot: state.pots.length,
    reason: state.onlyOneLeft ? "last_in" : "showdown",
    shares: sharesOf(amount, winners, { oddChips, button: state.button }),
  };
}

/** @type {Readonly<Partial<Record<Phase, Deals>>>} */
export const DEALER = {
  between,
  antes: ante,
  blinds: blind,
  shuffle: () => ({}),
  deal: (state) => ({ seat: nextSeat(state.pending, state.button), count: state.deals[0]?.cards }),
  opener,
  betting: foldShort,
  return: (state) => ({ ...state.uncalled() }),
  serve,
  open: (state) => ({ seats: seatsIn(state.live) }),
  showdown,
  rake: nextRake,
  award,
  carry: (state) => ({ amount: state.pot }),
  round_end: (state) => ({ round: state.round }),
};
