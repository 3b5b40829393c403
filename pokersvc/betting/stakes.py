"""Stakes that change between two rounds: other amounts in the terms of betting. Nobody's chips change."""

from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import Terms


def stakes_changed(state: BettingState, terms: Terms) -> None:
    """Bring other terms into force for the rounds to come; their ante is that of the next round."""
    state.terms = terms
    state.stakes_since = state.round
