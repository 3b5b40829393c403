import { move } from "../../problem.js";
import { nextButton, openingOf } from "./blinds.js";
import { checkSeated } from "./cash.js";
import { isSame, NO_WISHES } from "./cash_seats.js";
import { limits } from "./purchases.js";
import { bitCount, has } from "./seats.js";

/** @type {(payload: any) => Wishes} */
const wishesOf = ({ in_with_blind, out_at_blind, straddles, top_up_to }) => ({
  inWithBlind: in_with_blind,
  outAtBlind: out_at_blind,
  straddles,
  topUpTo: top_up_to,
});

/** @type {DecidesCash<void>} */
export function decideWish(state, event, pausing) {
  const seat = checkSeated(state, event, pausing);
  const { atCash, bigBlind, buyUpTo } = state.terms;
  const now = wishesOf(event.payload);
  const { inWithBlind, outAtBlind, straddles, topUpTo } = now;
  const isOut = has(state.out, seat);
  const before = state.cashSeats.wishes.get(seat) ?? NO_WISHES;
  const refused =
    !atCash.wishes ||
    isSame(now, before) ||
    (inWithBlind && !isOut) ||
    (outAtBlind && (isOut || !bigBlind)) ||
    (straddles && !atCash.straddleByChoice) ||
    (topUpTo !== before.topUpTo && topUpTo > (atCash.approval ? 0 : buyUpTo));
  if (refused) throw move(event, "that seat cannot have these wishes");
}

/** @type {Changes} */
export function wishesSet(state, { payload }) {
  state.cashSeats.wish(payload.seat, wishesOf(payload));
}

/**
 * Return what is due before a round begins; null if nothing is.
 * @type {(state: BettingState) => { type: string, seat: number, amount?: number } | null}
 */
export function dueBeforeRound(state) {
  const { cash, cashSeats, round, stacks, terms } = state;
  const { outSince, wishes } = cashSeats;
  if (!cash || (wishes.size === 0 && outSince.size === 0)) return null;
  const keeps = terms.atCash.awayRounds;
  const freed = inOrder(outSince).find(([, since]) => keeps !== null && round - since >= keeps);
  if (freed) return { type: "SeatFreed", seat: freed[0], amount: stacks[freed[0]] };
  const wishing = inOrder(wishes);
  for (const [seat, { topUpTo }] of wishing) {
    if (!topUpTo || has(state.out, seat)) continue;
    const { least, most } = limits(state, seat);
    const amount = Math.min(topUpTo - stacks[seat], most);
    if (amount >= least) return { type: "ToppedUp", seat, amount };
  }
  for (const [seat, { outAtBlind }] of wishing) {
    if (outAtBlind && !has(state.out, seat) && hasBigBlind(state, seat)) return { type: "SatOutAtBlind", seat };
  }
  for (const [seat, { inWithBlind }] of wishing) {
    if (inWithBlind && has(state.out, seat) && comesInFree(state, seat)) return { type: "SatInWithBlind", seat };
  }
  return null;
}

/** @type {<Value>(bySeat: Map<number, Value>) => [number, Value][]} */
const inOrder = (bySeat) => [...bySeat].sort(([a], [b]) => a - b);

/** @type {(state: BettingState, seat: number) => boolean} */
const hasBigBlind = (state, seat) => bitCount(state.sitting()) > 1 && openingOf(state, nextButton(state)).big === seat;

/** @type {(state: BettingState, seat: number) => boolean} */
function comesInFree(state, seat) {
  const before = state.out;
  state.out &= ~(2 ** seat); // as if the seat sat in; it is put back below
  try {
    const sitting = state.sitting();
    if (!has(sitting, seat)) return false;
    if (bitCount(sitting) < 3 || !state.round) return true;
    if (state.bombPotNext) return false; // an ante would be due
    const { live, posts } = openingOf(state, state.terms.bigBlind ? nextButton(state) : 0);
    return has(live, seat) && !posts.some((post) => post.seat === seat && ["extra", "dead"].includes(post.kind));
  } finally {
    state.out = before;
  }
}
