"""Tables for testing the betting rules: given earlier choices, then the legal actions."""

from typing import Final, TypeAlias

import pytest

from pokersvc.betting.terms import Raises, StreetTerms, Terms
from pokersvc.core.actions import IllegalAction

from .game import OneStreet

Choice: TypeAlias = tuple[str] | tuple[str, int]
"""A seat's choice, and its amount."""

CHECK, CALL, FOLD = ("check",), ("call",), ("fold",)


def bet(amount: int) -> Choice:
    return "bet", amount


def raise_to(to: int) -> Choice:
    return "raise_to", to


NO_BLINDS: Final = StreetTerms(least=2)


def limit(raises: Raises, *stacks: int, street: StreetTerms = NO_BLINDS, pot: int = 0) -> OneStreet:
    """Return a table without blinds in which stacks can go all in; seat 1 begins, and ``pot`` was carried over."""
    return begun(OneStreet(Terms(raises=raises, all_in=True), street, *stacks), pot)


def begun(game: OneStreet, pot: int = 0) -> OneStreet:
    """Begin a round with the button at the last seat, so that seat 1 acts first."""
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
    """Apply the choices of the seats in turn."""
    for name, *amount in choices:
        getattr(game, name)(*amount)
    return game


def refusal(game: OneStreet, choice: Choice) -> str:
    """Return the error code of a refused choice, and check that no chips moved."""
    before = list(game.stacks), game.pot, game.actor
    with pytest.raises(IllegalAction) as refused:
        chosen(game, choice)
    assert (game.stacks, game.pot, game.actor) == before
    return refused.value.code
