"""Tables to try the rules of betting at: given what was chosen, then what may be chosen next."""

from typing import Final, TypeAlias

import pytest

from pokersvc.betting.terms import Raises, StreetTerms, Terms
from pokersvc.core.actions import IllegalAction

from .game import OneStreet

Choice: TypeAlias = tuple[str] | tuple[str, int]
"""What a seat chooses, with its amount."""

CHECK, CALL, FOLD = ("check",), ("call",), ("fold",)


def bet(amount: int) -> Choice:
    return "bet", amount


def raise_to(to: int) -> Choice:
    return "raise_to", to


NO_BLINDS: Final = StreetTerms(least=2)


def limit(raises: Raises, *stacks: int, street: StreetTerms = NO_BLINDS, pot: int = 0) -> OneStreet:
    """A table without blinds, where stacks go all in; seat 1 begins. ``pot`` is in it from before."""
    return begun(OneStreet(Terms(raises=raises, all_in=True), street, *stacks), pot)


def begun(game: OneStreet, pot: int = 0) -> OneStreet:
    """Begin a round with the button at the last seat, so that seat 1 is the first after it."""
    game.button, game.pot = len(game.seats) - 1, pot
    game.begin()
    return game


def blinds(raises: Raises, *stacks: int, small: int = 1, big: int = 2, straddle: int = 0) -> OneStreet:
    """A table with blinds: with three players or more the button is at seat 1, and the blinds are at seats 2 and 3."""
    terms = Terms(raises=raises, all_in=True, small_blind=small, big_blind=big, straddle=straddle)
    game = OneStreet(terms, StreetTerms(least=big, posts_open=True), *stacks)
    game.begin()
    return game


def chosen(game: OneStreet, *choices: Choice) -> OneStreet:
    """Let the seats in turn choose."""
    for name, *amount in choices:
        getattr(game, name)(*amount)
    return game


def refusal(game: OneStreet, choice: Choice) -> str:
    """Return the code with which a choice is refused; nobody's chips move."""
    before = list(game.stacks), game.pot, game.actor
    with pytest.raises(IllegalAction) as refused:
        chosen(game, choice)
    assert (game.stacks, game.pot, game.actor) == before
    return refused.value.code
