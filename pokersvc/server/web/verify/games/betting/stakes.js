/** @type {(state: BettingState, terms: Terms) => void} The ante of the terms is that of the next round. */
export function stakesChanged(state, terms) {
  state.terms = terms;
  state.stakesSince = state.round;
}
