"""Bomb pots of a cash game: rounds in which everybody antes and nobody bets before the draw.

A bomb pot is announced one round ahead, so that players who do not want it can sit out. The button, the blinds and what
is owed stay as they were: the next round begins as if there had been no bomb pot.
"""

from typing import Final

from pokersvc.betting.seats import has
from pokersvc.betting.state import BettingState
from pokersvc.core.actions import IllegalAction

LEAST_EVERY: Final = 2
"""The fewest rounds from one bomb pot that the dealer announces to the next, so that there are blinds in between."""


def bomb_ante(state: BettingState) -> int:
    """Return what each seat antes in a bomb pot; a seat with less antes all it has."""
    return (state.terms.at_cash.bomb_blinds or 0) * state.terms.big_blind


def decide_bomb_pot(state: BettingState, by: int, *, pausing: bool) -> int:
    """Return the round that becomes a bomb pot: the one after the next; raise `IllegalAction` if none can.

    ``by`` is the seat of the host, 0 for a host without one.
    """
    round_ = state.round + 2
    if not state.terms.at_cash.bomb_blinds:
        raise IllegalAction("no_bomb_pots", "There are no bomb pots in this game: it was started without them.")
    if type(by) is not int or by < 0 or (by and not has(state.persons, by)):
        raise IllegalAction("not_a_person", f"Seat {by!r} is not a person's; a host is a person.")
    if not pausing:
        raise IllegalAction("not_between_rounds", "A bomb pot can only be announced between two rounds.")
    if round_ in state.bomb_pots:
        raise IllegalAction("asked_already", f"Round {round_} is already announced as a bomb pot.")
    if state.rounds is not None and round_ > state.rounds:
        raise IllegalAction("no_such_round", f"There is no round {round_}: the game has {state.rounds}.")
    return round_


def announced(state: BettingState, round_: int) -> None:
    """Note that a round is going to be a bomb pot."""
    state.bomb_pots = (*state.bomb_pots, round_)


def round_begun(state: BettingState) -> None:
    """Forget the bomb pots of rounds that are over, because another round has begun."""
    state.bomb_pots = tuple([round_ for round_ in state.bomb_pots if round_ >= state.round])
