"""The actions of people between the rounds of a cash game."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pokersvc.betting.cash import (
    BuyChips,
    SitDown,
    SitIn,
    SitOut,
    chips_bought,
    decide_buy_chips,
    decide_get_up,
    decide_sit_down,
    decide_sit_in,
    decide_sit_out,
    got_up,
    sat_down,
    sat_in,
    sat_out,
)
from pokersvc.betting.seats import seats_in
from pokersvc.betting.terms import StreetTerms, Terms
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.seats import OPEN, Seat

from .game import OneStreet, PutIn
from .tables import FOLD, begun, chosen

CASH = Terms(all_in=True, raises="no_limit", cash=True, keeps_seats=True, buy_up_to=100)


class Newcomer(PutIn):
    """The action of a newcomer who sits down."""

    name: str | None = None


def newcomer(seat: int, amount: int, name: str | None) -> Newcomer:
    event = Newcomer(seat, amount)
    object.__setattr__(event, "name", name)
    return event


@pytest.fixture
def game() -> OneStreet:
    """A cash game after its first round, with blinds."""
    game = OneStreet(replace(CASH, small_blind=1, big_blind=2), StreetTerms(least=2, posts_open=True), 60, 100, 40)
    game.begin()
    return chosen(game, FOLD, FOLD)


def code(decide: Callable[..., object], game: OneStreet, action: object) -> str:
    with pytest.raises(IllegalAction) as refused:
        decide(game, action, pausing=game.pausing)
    return refused.value.code


def test_chips_are_bought_up_to_what_the_house_sells(game: OneStreet) -> None:
    decide_buy_chips(game, BuyChips(1, 40), pausing=True)
    assert code(decide_buy_chips, game, BuyChips(1, 41)) == "illegal_amount"
    assert code(decide_buy_chips, game, BuyChips(1, 0)) == "illegal_amount"
    chips_bought(game, PutIn(1, 40))
    assert (game.stacks[1], game.brought[1], game.net()[1]) == (100, 40, 0)
    with pytest.raises(IllegalAction, match="Player1 has 100; the house sells no more"):
        decide_buy_chips(game, BuyChips(1, 1), pausing=True)


def test_who_gets_up_takes_all_chips_and_owes_nothing(game: OneStreet) -> None:
    game.owes_small = game.owes_big = game.out = 1 << 1
    assert decide_get_up(game, Leave(1), pausing=True) == 60
    got_up(game, PutIn(1, 60))
    assert (game.stacks[1], game.taken[1], game.net()[1], game.owes_big) == (0, 60, 0, 0)
    assert (game.owes_small, game.out, seats_in(game.seated)) == (0, 0, (2, 3))
    assert code(decide_get_up, game, Leave(1)) == "already_out"


def test_somebody_else_sits_down_under_a_name_of_their_own_and_owes_a_big_blind(game: OneStreet) -> None:
    got_up(game, PutIn(1, 60))
    assert decide_sit_down(game, SitDown(1, 50, "Dan"), pausing=True) == ("Dan", None)
    assert decide_sit_down(game, SitDown(1, 50), pausing=True) == (None, None), "the one who sat there"
    assert code(decide_sit_down, game, SitDown(1, 50, "player2")) == "name_taken"
    assert code(decide_sit_down, game, SitDown(1, 50, "")) == "illegal_name"
    assert code(decide_sit_down, game, SitDown(2, 50)) == "already_seated"
    sat_down(game, newcomer(1, 50, "Dan"))
    assert (game.names[1], game.net()[1], game.stacks[1], seats_in(game.owes_big)) == ("Dan", 0, 50, (1,))
    with pytest.raises(ImpossibleEvent, match="seat 1 is taken"):
        sat_down(game, newcomer(1, 50, "Eve"))
    with pytest.raises(ImpossibleEvent, match="there is no seat 4"):
        sat_down(game, newcomer(4, 50, "Eve"))


def test_who_sits_down_had_no_part_in_the_round_before(game: OneStreet) -> None:
    assert game.staked[2] == 1, "the small blind"
    game.won[2] = 3
    got_up(game, PutIn(2, 99))
    sat_down(game, newcomer(2, 50, "Dan"))
    assert (game.staked[2], game.won[2]) == (0, 0)


def test_before_the_first_round_nobody_owes_a_blind() -> None:
    game = OneStreet(replace(CASH, small_blind=1, big_blind=2), StreetTerms(least=2, posts_open=True), 60, 0, 40)
    sat_down(game, newcomer(2, 50, "Dan"))
    assert (game.owes_big, seats_in(game.seated)) == (0, (1, 2, 3))


def test_who_sits_out_is_dealt_no_round_and_comes_back(game: OneStreet) -> None:
    assert code(decide_sit_in, game, SitIn(3)) == "not_sitting_out"
    decide_sit_out(game, SitOut(3), pausing=True)
    sat_out(game, PutIn(3))
    assert seats_in(game.sitting()) == (1, 2)
    assert code(decide_sit_out, game, SitOut(3)) == "already_out"
    decide_sit_in(game, SitIn(3), pausing=True)
    sat_in(game, PutIn(3))
    assert seats_in(game.sitting()) == (1, 2, 3)


def test_none_of_it_comes_within_a_round(game: OneStreet) -> None:
    game.begin()
    assert code(decide_buy_chips, game, BuyChips(1, 1)) == "not_between_rounds"
    assert code(decide_sit_down, game, SitDown(1, 1)) == "not_between_rounds"


def test_none_of_it_comes_in_a_freeze_out() -> None:
    game = begun(OneStreet(Terms(), StreetTerms(least=2), 9, 9))
    assert code(decide_sit_out, game, SitOut(1)) == "no_cash_game"
    with pytest.raises(ImpossibleEvent, match="this is no cash game"):
        sat_out(game, PutIn(1))


@pytest.mark.parametrize(("come", "paused"), [(True, True), (False, False)])
def test_where_all_people_have_got_up_somebody_may_come_where_the_terms_say_so(come: bool, paused: bool) -> None:
    game = begun(OneStreet(replace(CASH, people_come_to_programs=come), StreetTerms(least=2), 50, 50, 50))
    game.persons = 1 << 3
    game.over = True
    got_up(game, PutIn(3, 50))
    assert game.pausing == paused


def test_who_won_most_leads_a_cash_game_and_the_largest_stack_a_freeze_out(game: OneStreet) -> None:
    assert game.stacks[1:] == [60, 99, 39], "the blinds are in the pot"
    assert game.leaders() == (1,)
    freeze_out = OneStreet(Terms(), StreetTerms(least=2), 5, 9)
    assert freeze_out.leaders() == (2,)
    freeze_out.seated = 0b010
    assert freeze_out.leaders() == (1,), "who still sits"
    freeze_out.terms = replace(freeze_out.terms, winners_sit=False)
    assert freeze_out.leaders() == (2,), "though they have left"


def test_a_seat_at_which_nobody_has_sat_leads_no_cash_game() -> None:
    game = OneStreet(CASH, StreetTerms(least=2), 60, 0, 100)
    game.seats = (game.seats[0], Seat(OPEN, "Player2"), game.seats[2])
    game.stacks[1:] = [50, 0, 99]
    assert game.net()[1:] == [-10, 0, -1]
    assert game.leaders() == (3,)


def test_who_has_no_chips_is_dealt_no_round_though_it_takes_none_to_stay() -> None:
    game = OneStreet(Terms(stay=0), StreetTerms(least=2), 9, 9)
    assert (seats_in(game.sitting()), game.ending()) == ((1, 2), False)
    game.stacks[2] = 0
    assert (seats_in(game.sitting()), game.ending()) == ((1,), True)
    among_all = OneStreet(Terms(winners_sit=False), StreetTerms(least=2), 5, 9)
    among_all.seated = 0b010
    assert among_all.leaders() == (2,)
