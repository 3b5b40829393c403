"""Uncalled bets, side pots, rake, and how pots are paid out."""

from dataclasses import dataclass
from typing import Any

import pytest

from pokersvc.betting.pots import left, make_pots, next_rake, pay_out, pot_awarded, rake_due, rake_taken
from pokersvc.betting.seats import seats_in
from pokersvc.betting.state import Pot
from pokersvc.betting.terms import FirstRound, RakeTerms, StreetTerms, Terms
from pokersvc.betting.turns import forgone, uncalled_bet_returned
from pokersvc.core.event import ImpossibleEvent

from .game import OneStreet, PutIn
from .tables import CALL, FOLD, begun, bet, blinds, chosen, limit, raise_to


class Shares:
    """The event that pays out a pot."""

    def __init__(self, *shares: tuple[int, int]) -> None:
        self.shares = [PutIn(seat, amount) for seat, amount in shares]


def in_pots(game: OneStreet) -> OneStreet:
    make_pots(game)
    return game


def test_what_nobody_could_call_is_returned() -> None:
    game = chosen(limit("no_limit", 100, 30, 20), bet(100), CALL, CALL)
    assert game.returned == (1, 70)
    assert (game.stacks[1], game.pot, game.staked) == (70, 80, [0, 30, 30, 20])
    assert seats_in(game.all_in) == (2, 3), "who has chips again is all in no more"


def test_the_bet_that_everybody_folds_to_is_returned() -> None:
    game = chosen(limit("no_limit", 100, 100), bet(40), FOLD)
    assert game.returned == (1, 40)
    assert game.stacks[1] == 100


def test_the_rest_of_the_big_blind_is_returned() -> None:
    assert chosen(blinds("no_limit", 100, 100, 100), FOLD, FOLD).returned == (3, 1)


def test_what_a_seat_put_in_that_forwent_the_round_stays() -> None:
    game = limit("no_limit", 100, 100)
    chosen(game, bet(40))
    game.go_on(forgone(game, PutIn(1)))
    assert (game.returned, game.pot, game.live) == (None, 40, 0b100)


def test_no_more_is_returned_than_was_put_in() -> None:
    game = limit("no_limit", 100, 100)
    chosen(game, bet(40))
    with pytest.raises(ImpossibleEvent, match="seat 1 put in 40 chips, not 41"):
        uncalled_bet_returned(game, PutIn(1, 41))
    with pytest.raises(ImpossibleEvent, match="there is no seat 3"):
        uncalled_bet_returned(game, PutIn(3, 1))
    uncalled_bet_returned(game, PutIn(1, 40))
    assert (game.stacks[1], game.pot) == (100, 0)


def test_who_is_all_in_and_forgoes_the_round_is_in_no_pot_and_all_in_no_more() -> None:
    game = chosen(limit("no_limit", 20, 100, 100), bet(20), CALL)
    game.go_on(forgone(game, PutIn(1)))
    assert (game.all_in, seats_in(game.live), seats_in(game.forgone)) == (0, (2, 3), (1,))
    with pytest.raises(ImpossibleEvent, match="seat 1 is not in the round"):
        forgone(game, PutIn(1))


def test_a_side_pot_for_each_level_at_which_a_seat_is_all_in() -> None:
    game = chosen(limit("no_limit", 100, 10, 25, 100), bet(10), CALL, raise_to(25), CALL, CALL)
    assert in_pots(game).pots == [Pot(40, 0b11110), Pot(45, 0b11010)]
    assert game.several_pots()


def test_seats_that_are_not_all_in_share_a_pot_while_the_betting_goes_on() -> None:
    game = chosen(limit("no_limit", 100, 100, 100), bet(10), raise_to(30))
    assert [pot.amount for pot in game.levels()] == [40]
    beside = chosen(limit("no_limit", 100, 10, 100), bet(10), CALL, raise_to(30))
    assert [pot.amount for pot in beside.levels()] == [30, 20]


def test_pots_are_paid_out_from_the_last_side_pot_on() -> None:
    game = in_pots(chosen(limit("no_limit", 100, 10, 100), bet(20), CALL, CALL))
    assert not pot_awarded(game, Shares((1, 20)))
    assert pot_awarded(game, Shares((2, 30)))
    assert (game.pot, game.won, game.stacks) == (0, [0, 20, 30, 0], [0, 100, 30, 80])


def test_no_more_is_paid_than_the_pot_has() -> None:
    game = in_pots(chosen(limit("no_limit", 100, 100), bet(20), CALL))
    with pytest.raises(ImpossibleEvent, match="there is no seat 3"):
        pay_out(game, Shares((3, 1)))
    with pytest.raises(ImpossibleEvent, match="the pot has 40 chips, not 41"):
        pay_out(game, Shares((1, 20), (2, 21)))
    with pytest.raises(ImpossibleEvent, match="there is no seat 3"):
        pay_out(game, Shares((3, 1)))
    assert game.pot == 40


def test_who_leaves_leaves_at_most_what_they_have() -> None:
    game = limit("no_limit", 100, 3)
    with pytest.raises(ImpossibleEvent, match="seat 2 has 3 chips, not 4"):
        left(game, PutIn(2, 4))
    left(game, PutIn(2, 3))
    assert (game.pot, game.stacks[2], game.seated) == (3, 0, 0b010)


@pytest.mark.parametrize(
    ("rake", "pot", "players", "taken"),
    [
        ({}, 59, 2, 2),
        ({"rounding": "nearest"}, 50, 2, 3),
        ({"rounding": "nearest"}, 49, 2, 2),
        ({"rounding": "up"}, 41, 2, 3),
        ({"rounding": "up"}, 40, 2, 2),
        ({"unit": 5}, 199, 2, 5),
        ({"rounding": "up", "unit": 5}, 101, 2, 10),
        ({"caps": (1, 2, 3)}, 1000, 2, 1),
        ({"caps": (1, 2, 3)}, 1000, 3, 2),
        ({"caps": (1, 2, 3)}, 1000, 6, 3),
        ({"caps": (1, 2, 3)}, 39, 6, 1),
        ({"share": 10_000}, 7, 2, 7),
        ({"rounding": "up", "unit": 100}, 7, 2, 7),
        ({"share": 0}, 700, 2, 0),
    ],
)
def test_a_share_is_rounded_and_capped(rake: dict[str, Any], pot: int, players: int, taken: int) -> None:
    assert RakeTerms(**{"share": 500, **rake}).of(pot, players) == taken


@dataclass(frozen=True)
class Taken:
    """The house takes chips out of a pot."""

    amount: int
    pot: int


def called(stated: tuple[int, ...] | None = None) -> OneStreet:
    """A round with a main pot of 60 and a side pot of 80, of which the house takes a twentieth."""
    terms = Terms(raises="no_limit", all_in=True, rake=RakeTerms(share=500))
    game = begun(OneStreet(terms, StreetTerms(least=2), 60, 20, 60))
    game.stated = FirstRound(rake=stated)
    chosen(game, bet(60), CALL, CALL)
    make_pots(game)
    game.rake_due = rake_due(game, 3)
    return game


def test_the_main_pot_pays_first() -> None:
    game = called()
    assert next_rake(game) == (7, 1)
    rake_taken(game, Taken(7, 1))
    assert (game.pots[0].amount, game.pot, game.raked, game.rake_due) == (53, 133, 7, 0)


def test_what_the_main_pot_lacks_of_the_rake_the_side_pot_pays() -> None:
    game = called()
    game.rake_due = 65
    assert next_rake(game) == (60, 1)
    rake_taken(game, Taken(60, 1))
    assert next_rake(game) == (5, 2)


def test_where_more_is_taken_than_is_due_nothing_is_due_any_more() -> None:
    game = called()
    rake_taken(game, Taken(8, 1))
    assert game.rake_due == 0


def test_a_round_may_be_spared() -> None:
    assert rake_due(called(), 3, spared=True) == 0


def test_what_a_record_states_is_taken_of_the_pots_of_which_it_is_stated() -> None:
    game = called(stated=(3, 4))
    assert game.rake_due == 7
    rake_taken(game, Taken(*next_rake(game)))
    assert next_rake(game) == (4, 2)
    rake_taken(game, Taken(4, 2))
    assert [pot.amount for pot in game.pots] == [57, 76]


def test_a_pot_of_which_a_record_states_no_rake_pays_none() -> None:
    assert next_rake(called(stated=(0, 4))) == (4, 2)


def test_of_what_a_record_states_no_more_is_due_than_there_is() -> None:
    game = called(stated=(3, 400))
    assert game.rake_due == 140
    rake_taken(game, Taken(*next_rake(game)))
    assert next_rake(game) == (80, 2)


def test_no_more_is_taken_than_a_pot_has() -> None:
    game = called()
    with pytest.raises(ImpossibleEvent, match="pot 1 has 60 chips, not 61"):
        rake_taken(game, Taken(61, 1))
    with pytest.raises(ImpossibleEvent, match="there are 2 pots"):
        rake_taken(game, Taken(1, 3))
