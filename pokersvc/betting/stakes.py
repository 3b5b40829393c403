"""Changes of stakes between two rounds: new amounts in the terms of betting. Nobody's chips change."""

from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import Terms


def stakes_changed(state: BettingState, terms: Terms) -> None:
    """Apply new terms to the rounds to come; the ante in the terms is that of the next round."""
    state.terms = terms
    state.stakes_since = state.round
