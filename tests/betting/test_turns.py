"""The order of action, and events that are refused in a betting round before anything changes."""

from collections.abc import Callable

import pytest

from pokersvc.betting.terms import StreetTerms, Terms
from pokersvc.betting.turns import ante_posted, called, checked, folded, forfeited, opened, opened_by, pay, raised
from pokersvc.core.event import ImpossibleEvent

from .game import OneStreet, PutIn
from .tables import CHECK, begun, bet, chosen, limit


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_who_the_game_says_opens_the_betting(seat: int) -> None:
    game = limit("no_limit", 100, 100, 100)
    assert not opened_by(game, seat)
    assert game.actor == seat


def test_where_who_should_open_is_all_in_the_next_one_does() -> None:
    game = limit("no_limit", 100, 100, 100)
    game.all_in, game.pending = 1 << 2, 1 << 1 | 1 << 3
    assert not opened_by(game, 2)
    assert game.actor == 3


@pytest.mark.parametrize("does", [checked, called, opened, raised, folded, forfeited])
def test_nobody_acts_out_of_turn(does: Callable[[OneStreet, PutIn], bool]) -> None:
    game = chosen(limit("no_limit", 100, 100, 100), CHECK)
    for seat in (1, 3):
        with pytest.raises(ImpossibleEvent, match=f"seat 2 is to act, not seat {seat}"):
            does(game, PutIn(seat, 5, 5))
    assert (game.actor, game.pot, game.live, game.stacks) == (2, 0, 0b1110, [0, 100, 100, 100])


def test_no_seat_acts_while_the_dealer_is_to() -> None:
    game = chosen(begun(OneStreet(Terms(), StreetTerms(least=2), 100, 5, 5)), bet(10))
    with pytest.raises(ImpossibleEvent, match="the dealer is to act, not seat 2"):
        called(game, PutIn(2, 5))
    assert not folded(game, PutIn(2)), "the dealer folds for seat 2, which cannot match the bet"
    with pytest.raises(ImpossibleEvent, match="seat 2 is not in the round"):
        folded(game, PutIn(2))
    assert folded(game, PutIn(3))


def test_no_ante_is_posted_by_who_is_not_in_the_round_and_nobody_pays_more_than_they_have() -> None:
    game = OneStreet(Terms(all_in=True), StreetTerms(least=2), 100, 3, 100)
    game.live = game.pending = 0b0110
    with pytest.raises(ImpossibleEvent, match="seat 3 is not in the round"):
        ante_posted(game, PutIn(3, 1))
    with pytest.raises(ImpossibleEvent, match="seat 2 has 3 chips, not 4"):
        pay(game, PutIn(2, 4))
    assert (game.pot, game.stacks[1:]) == (0, [100, 3, 100])
