import { bitCount, clockwise, seatsIn } from "./seats.js";
import { potsOf } from "./state.js";
import { rakeOf } from "./terms.js";

/** @type {(state: BettingState) => void} */
export function makePots(state) {
  const { live, pot, staked, terms } = state;
  state.pots = terms.allIn ? potsOf(pot, staked, live) : [{ amount: pot, eligible: live }];
}

// The rake of the house

/** @type {(state: BettingState, dealtIn: number, spared: boolean) => number} */
export const rakeDue = ({ pot, terms: { rake } }, dealtIn, spared) =>
  rake === null || spared ? 0 : rakeOf(rake, pot, dealtIn);

/** @type {(state: BettingState) => { pot: number, amount: number }} */
export function nextRake({ pots, rakeDue }) {
  const at = pots.findIndex(({ amount }) => amount > 0);
  return { pot: at + 1, amount: Math.min(rakeDue, pots[at]?.amount ?? 0) };
}

/** @type {Changes} */
export function rakeTaken(state, { payload: { amount, pot } }) {
  const raked = /** @type {Pot} */ (state.pots[pot - 1]);
  raked.amount -= amount;
  state.pot -= amount;
  state.raked += amount;
  state.rakeDue -= amount;
}

// The payment of pots

/** @type {(amount: number, winners: number, by: { oddChips: boolean, button: number }) => Share[]} */
export function sharesOf(amount, winners, { oddChips, button }) {
  const odd = amount % bitCount(winners);
  const share = (amount - odd) / bitCount(winners);
  const lucky = oddChips ? clockwise(winners, button).slice(0, odd) : [];
  return seatsIn(winners).map((seat) => ({ amount: share + Number(lucky.includes(seat)), seat }));
}

/** @type {(state: BettingState, event: GameEvent) => boolean} */
export function potAwarded(state, event) {
  payOut(state, event);
  state.pots.pop();
  return state.pots.length === 0;
}

/** @type {Changes} */
export function payOut(state, event) {
  for (const { amount, seat } of event.payload.shares) {
    state.pot -= amount;
    state.stacks[seat] += amount;
  }
}

/** @type {Changes} */
export function left(state, { payload: { amount, seat } }) {
  state.seated &= ~(2 ** seat);
  state.stacks[seat] -= amount;
  state.pot += amount;
}
