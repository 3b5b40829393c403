"""The button and the blinds, by both rules: short and missed blinds, straddles, antes."""

from typing import Any

import pytest

from pokersvc.betting.blinds import (
    blind_due,
    blind_posted,
    blind_seats,
    blinds_due,
    next_button,
    opening_of,
    posted,
)
from pokersvc.betting.seats import seats_in
from pokersvc.betting.terms import FirstRound, PostDue, PostKind, StreetTerms, Terms
from pokersvc.betting.turns import ante_due, ante_posted
from pokersvc.core.event import ImpossibleEvent

from .game import OneStreet, PutIn
from .tables import CALL, CHECK, FOLD, blinds, chosen

STREET = StreetTerms(least=2, posts_open=True)


def table(players: int, **other: Any) -> OneStreet:
    """A table with blinds of 1 and 2 before its first round."""
    terms = Terms(raises="no_limit", all_in=True, small_blind=1, big_blind=2, **other)
    return OneStreet(terms, STREET, *[100] * players)


def rounds(game: OneStreet, count: int, leaving: dict[int, list[int]]) -> list[tuple[int, int, int]]:
    """Play rounds in which all fold to the big blind; return the button and the blinds of each.

    ``leaving`` says who leaves after which round.
    """
    found = []
    for number in range(1, count + 1):
        game.begin()
        found.append((game.button, game.small_blind, game.big_blind))
        while not game.over:
            chosen(game, FOLD)
        for seat in leaving.get(number, ()):
            game.seated &= ~(1 << seat)
    return found


def test_the_button_goes_forward_and_the_blinds_follow_it() -> None:
    assert rounds(table(4), 5, {}) == [(1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3)]
    assert rounds(table(4), 3, {1: [3]}) == [(1, 2, 3), (2, 4, 1), (4, 1, 2)], "seat 4 is spared a big blind"


def test_a_dead_button_comes_to_an_empty_seat_and_nobody_is_spared_a_big_blind() -> None:
    game = table(5, dead_button=True)
    assert rounds(game, 3, {1: [3]}) == [(1, 2, 3), (2, 3, 4), (3, 4, 5)]
    game = table(5, dead_button=True)
    rounds(game, 2, {1: [3]})
    assert game.small_blind_missing


@pytest.mark.parametrize(("alternates", "then"), [(True, (3, 3, 2)), (False, (2, 2, 3))])
def test_when_two_are_left_the_big_blind_alternates_where_the_terms_say_so(
    alternates: bool, then: tuple[int, int, int]
) -> None:
    game = table(3, big_blind_alternates=alternates)
    assert rounds(game, 2, {1: [1]}) == [(1, 2, 3), then]


def test_heads_up_the_button_has_the_small_blind_and_begins() -> None:
    game = table(2)
    game.begin()
    assert (game.button, game.small_blind, game.big_blind, game.actor) == (1, 1, 2, 1)
    chosen(game, CALL, CHECK)
    game.begin()
    assert (game.button, game.small_blind, game.big_blind) == (2, 2, 1)


def test_a_record_may_state_the_first_button() -> None:
    game = table(4)
    game.stated = FirstRound(button=3)
    assert rounds(game, 2, {}) == [(3, 4, 1), (4, 1, 2)]


def test_without_posts_settled_before_both_blinds_are_due_and_the_big_one_is_the_last() -> None:
    game = table(3)
    game.button, game.live, game.pending = 1, game.seated, 0
    game.small_blind, game.big_blind = blind_seats(game)
    game.pending = blinds_due(game)
    assert seats_in(game.pending) == (2, 3)
    amount, kind, seat = blind_due(game)
    assert (amount, kind, seat) == (1, "small", 2)
    assert not blind_posted(game, PutIn(seat, amount), kind)
    amount, kind, seat = blind_due(game)
    assert (amount, kind, seat) == (2, "big", 3)
    assert blind_posted(game, PutIn(seat, amount), kind)
    assert (game.price, game.bets, game.pot) == (2, 1, 3)
    game.live = 0b0110
    with pytest.raises(ImpossibleEvent, match="seat 3 is not in the round"):
        blind_posted(game, PutIn(3, 2), "big")


def cash_table(players: int, **other: Any) -> OneStreet:
    """A table of a cash game with blinds of 1 and 2."""
    terms = Terms(raises="no_limit", all_in=True, small_blind=1, big_blind=2, cash=True, keeps_seats=True, **other)
    return OneStreet(terms, STREET, *[100] * players)


def round_of(game: OneStreet) -> list[PostDue]:
    """Play a round in which everybody folds, and return the posts."""
    found = list(opening_of(game, next_button(game)).posts)
    game.begin()
    while not game.over:
        chosen(game, CHECK if game.legal.check else FOLD)
    return found


def test_a_short_blind_is_all_that_the_seat_has_and_the_price_is_the_whole_one() -> None:
    game = blinds("no_limit", 100, 100, 1)
    assert (game.stacks[3], game.put[3], game.price) == (0, 1, 2)
    assert game.legal.call == 2


@pytest.mark.parametrize(("settles", "call"), [(True, 0), (False, 1)])
def test_a_short_big_blind_is_priced_at_what_is_in_once_nobody_else_can_bet(settles: bool, call: int) -> None:
    terms = Terms(raises="no_limit", all_in=True, small_blind=1, big_blind=2, price_settles=settles)
    game = OneStreet(terms, STREET, 100, 1)
    game.begin()
    assert game.over or game.legal.call == call
    assert game.over == (not call)


def test_who_sat_out_as_the_blinds_passed_posts_the_big_one_live_and_the_small_one_dead() -> None:
    game = cash_table(5)
    assert round_of(game) == [(1, "small", 2), (2, "big", 3)]
    game.out = 1 << 4
    assert round_of(game) == [(1, "small", 3), (2, "big", 5)]
    assert seats_in(game.owes_big) == (4,)
    assert round_of(game) == [(1, "small", 5), (2, "big", 1)], "the small blind has passed it too"
    assert (seats_in(game.owes_big), seats_in(game.owes_small)) == ((4,), (4,))
    game.out = 0
    assert seats_in(opening_of(game, next_button(game)).waiting) == (), "the button has passed"
    assert round_of(game) == [(1, "small", 1), (2, "big", 2), (2, "extra", 4), (1, "dead", 4)]
    assert (game.owes_big, game.owes_small) == (0, 0)


def test_dead_money_is_in_the_pot_and_counts_for_nothing_else_and_an_extra_blind_is_no_raise() -> None:
    game = cash_table(4)
    game.stated = FirstRound(
        posts=(PostDue(1, "small", 1), PostDue(2, "big", 2), PostDue(2, "extra", 3), PostDue(1, "dead", 3))
    )
    game.begin()
    assert (game.pot, game.put[3], game.staked[3], game.price, game.bets) == (6, 2, 2, 2, 1)
    assert game.actor == 3, "left of the big blind"
    assert game.legal.check


def test_a_blind_that_a_record_does_not_state_is_nobodys() -> None:
    without_small, without_both = cash_table(3), cash_table(3)
    without_small.stated = FirstRound(posts=(PostDue(2, "big", 3),))
    without_both.stated = FirstRound(posts=(PostDue(1, "dead", 3),))
    without_small.begin()
    assert (without_small.small_blind, without_small.big_blind, without_small.actor) == (0, 3, 1)
    without_both.begin()
    assert (without_both.small_blind, without_both.big_blind, without_both.pot) == (0, 0, 1)
    assert without_both.actor == 2, "left of the button"


def test_a_big_blind_that_a_record_states_is_the_price_where_the_terms_have_none() -> None:
    game = OneStreet(Terms(raises="no_limit", all_in=True), STREET, 100, 100, 100)
    game.stated = FirstRound(posts=(PostDue(3, "big", 3),))
    game.begin()
    assert (game.price, game.step, game.legal.call) == (3, 3, 3)


def test_nobody_comes_in_between_the_button_and_the_big_blind() -> None:
    game = cash_table(5)
    game.out = 1 << 3
    for _ in range(2):
        round_of(game)
    game.out = 0
    opening = opening_of(game, next_button(game))
    assert 3 in seats_in(opening.waiting | opening.live)
    assert (3 in seats_in(opening.waiting)) == (3 not in seats_in(opening.live))


def test_a_post_that_is_not_due_is_impossible() -> None:
    game = cash_table(3)
    game.posts = (PostDue(1, "small", 2),)
    game.live = game.seated
    undue: tuple[tuple[PutIn, PostKind], ...] = ((PutIn(3, 1), "small"), (PutIn(2, 1), "dead"))
    for event, kind in undue:
        with pytest.raises(ImpossibleEvent, match="is not the one that posts this now"):
            posted(game, event, kind)
    assert game.pot == 0


def test_a_straddle_is_a_blind_raise_and_its_seat_acts_last() -> None:
    game = blinds("no_limit", 100, 100, 100, 100, straddle=4)
    assert (game.price, game.step, game.actor) == (4, 4, 1)
    chosen(game, CALL, CALL, CALL)
    assert game.actor == 4
    assert game.legal.check
    assert game.legal.raise_to == (8, 100)


def test_a_straddle_counts_as_a_bet_of_a_fixed_limit_and_heads_up_there_is_none() -> None:
    assert blinds("fixed_limit", 100, 100, 100, 100, straddle=4).bets == 2
    assert blinds("fixed_limit", 100, 100, straddle=4).price == 2


def test_an_ante_is_all_that_a_seat_has_if_that_is_less() -> None:
    game = OneStreet(Terms(all_in=True), StreetTerms(least=2), 100, 3)
    game.live, game.ante = game.seated, 5
    game.pending = game.live
    assert ante_due(game) == (1, 5)
    ante_posted(game, PutIn(1, 5))
    assert ante_due(game) == (2, 3)
    ante_posted(game, PutIn(2, 3))
    assert (game.pot, game.pending, seats_in(game.all_in)) == (8, 0, (2,))
    with pytest.raises(ImpossibleEvent, match="seat 2 has 0 chips, not 1"):
        ante_posted(game, PutIn(2, 1))
