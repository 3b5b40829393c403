"""How much may be bet and raised, and when nothing may."""

import pytest

from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold, LegalActions, Raise

from .rooms import HOUSES, drawn, final, opened

every_house = pytest.mark.parametrize("name", HOUSES)


# Facing no bet.


@every_house
def test_facing_no_bet_a_player_checks_or_bets_and_never_folds(name: str) -> None:
    game = final(name, 3)
    assert game.legal.check
    assert not game.legal.fold
    assert game.refusal(Fold(2)) == "cannot_fold"


@every_house
def test_the_big_blind_never_folds_when_all_have_called(name: str) -> None:
    game = opened(name, 3).given(Call(1), Call(2))
    assert not game.legal.fold
    assert game.refusal(Fold(3)) == "cannot_fold"


@every_house
def test_facing_a_bet_a_player_does_not_check(name: str) -> None:
    assert opened(name, 3).refusal(Check(1)) == "cannot_check"


# No-limit.


def test_the_least_opening_bet_is_the_big_blind_and_the_most_is_the_stack() -> None:
    game = final("no-limit", 3)
    assert game.legal.bet == (2, 198)
    assert game.refusal(Bet(2, 1)) == game.refusal(Bet(2, 199)) == "illegal_amount"


def test_the_least_raise_is_the_big_blind_before_anybody_has_raised() -> None:
    assert opened("no-limit", 3).legal.raise_to == (4, 200)


def test_the_least_raise_is_the_largest_bet_or_raise_so_far() -> None:
    game = opened("no-limit", 4).given(Raise(4, 10))
    assert game.legal.raise_to == (18, 200)
    game.given(Raise(1, 40))
    assert game.legal.raise_to == (70, 200)
    assert game.refusal(Raise(2, 69)) == "illegal_amount"


def test_the_least_raise_does_not_shrink_after_a_smaller_all_in() -> None:
    game = opened("no-limit", 4, stacks=(45, 200, 200, 200)).given(Raise(4, 40), Raise(1, 45))
    assert game.legal.raise_to == (45 + 38, 200)


def test_the_least_raise_is_never_less_than_the_big_blind() -> None:
    game = final("no-limit", 3, stacks=(200, 3, 200)).given(Bet(2, 1))
    assert game.legal == LegalActions(fold=True, call=1, raise_to=(3, 198))


def test_the_largest_bet_is_of_this_betting_round_only() -> None:
    game = drawn(opened("no-limit", 3).given(Raise(1, 50), Call(2), Call(3)))
    assert game.legal.bet == (2, 150)


def test_a_stack_may_go_in_for_less_than_the_least_bet() -> None:
    game = final("no-limit", 3, stacks=(200, 3, 200))
    assert game.legal.bet == (1, 1)


def test_a_stack_may_go_in_for_less_than_the_least_raise() -> None:
    game = opened("no-limit", 3, stacks=(200, 15, 200)).given(Raise(1, 12))
    assert game.legal == LegalActions(fold=True, call=11, raise_to=(15, 15))


def test_a_stack_that_cannot_pay_the_price_calls_with_what_it_has() -> None:
    game = opened("no-limit", 3, stacks=(200, 8, 200)).given(Raise(1, 12))
    assert game.legal == LegalActions(fold=True, call=7)
    assert game.event_of(Call(2)) == events.Called(7, 2)


@every_house
def test_a_stack_of_just_the_price_may_not_raise(name: str) -> None:
    game = opened(name, 3, stacks=(200, 4, 200)).given(Raise(1, 4))
    assert game.legal == LegalActions(fold=True, call=3)


# Nobody to raise.


@every_house
def test_no_raise_when_no_other_player_still_in_could_put_in_more_than_the_price(name: str) -> None:
    game = opened(name, 3, stacks=(2, 200, 2)).given(Call(1))
    assert game.legal == LegalActions(fold=True, call=1)
    assert game.refusal(Raise(2, 4)) == "cannot_raise"


@every_house
def test_a_player_who_has_folded_is_no_other_player_still_in(name: str) -> None:
    game = opened(name, 3, stacks=(200, 200, 2)).given(Fold(1))
    assert game.legal == LegalActions(fold=True, call=1)


@every_house
def test_one_chip_more_than_the_price_is_enough_to_be_raised(name: str) -> None:
    game = opened(name, 3, stacks=(3, 200, 2)).given(Call(1))
    assert game.legal.raise_to is not None


def test_a_raise_all_in_is_not_raised_when_it_covers_all_others() -> None:
    game = opened("no-limit", 2, stacks=(20, 200)).given(Raise(1, 20))
    assert game.legal == LegalActions(fold=True, call=18)


def test_a_stack_may_bet_more_than_any_other_could_call() -> None:
    game = final("no-limit", 2, stacks=(20, 200))
    assert game.legal.bet == (2, 198), "what nobody could call comes back"


# Pot-limit.


def test_the_most_is_the_price_and_the_pot_after_calling() -> None:
    game = opened("pot-limit", 3)
    assert game.legal.raise_to == (4, 2 + (3 + 2)), "3 in the pot, 2 to call: raise by 5"
    game.given(Raise(1, 7))
    assert game.legal.raise_to == (12, 7 + (10 + 6)), "the small blind calls 6, which makes 16"


def test_antes_are_in_the_pot_that_limits_a_raise() -> None:
    assert opened("pot-limit", 3, ante=3).legal.raise_to == (4, 2 + (9 + 3 + 2))


def test_a_pot_limit_bet_is_at_most_the_pot() -> None:
    assert final("pot-limit", 3).legal.bet == (2, 6)


def test_the_big_blind_counts_the_pot_from_what_it_has_put_in() -> None:
    game = opened("pot-limit", 3).given(Call(1), Call(2))
    assert game.legal.raise_to == (4, 2 + 6)


def test_a_pot_limit_raise_is_at_most_the_stack() -> None:
    assert opened("pot-limit", 3, stacks=(5, 200, 200)).legal.raise_to == (4, 5)
    assert opened("pot-limit", 3, stacks=(3, 200, 200)).legal.raise_to == (3, 3)


def test_a_short_big_blind_counts_in_the_pot_as_what_it_posted() -> None:
    game = opened("pot-limit", 3, stacks=(200, 200, 1))
    assert game.legal.raise_to == (4, 2 + (2 + 2)), "the price is 2, and 2 are in the pot"


# Fixed-limit.


def test_the_units_are_2_before_the_draw_and_4_after_it() -> None:
    assert opened("fixed-limit", 3).legal.raise_to == (4, 4)
    assert final("fixed-limit", 3).legal.bet == (4, 4)
    assert final("fixed-limit", 3).given(Bet(2, 4)).legal.raise_to == (8, 8)


def test_at_most_four_bets_and_raises_with_the_big_blind_the_first_of_them() -> None:
    game = opened("fixed-limit", 3).given(Raise(1, 4), Raise(2, 6), Raise(3, 8))
    assert game.legal == LegalActions(fold=True, call=4)
    assert game.refusal(Raise(1, 10)) == "cannot_raise"


def test_after_the_draw_there_are_four_bets_and_raises_again() -> None:
    game = final("fixed-limit", 3).given(Bet(2, 4), Raise(3, 8), Raise(1, 12), Raise(2, 16))
    assert game.legal == LegalActions(fold=True, call=8)


def test_a_short_big_blind_is_the_first_bet_all_the_same() -> None:
    game = opened("fixed-limit", 4, stacks=(200, 200, 1, 200)).given(Raise(4, 4), Raise(1, 6), Raise(2, 8))
    assert game.legal == LegalActions(fold=True, call=4)


def test_half_a_unit_or_more_is_a_raise_and_the_next_is_one_unit_above_it() -> None:
    game = final("fixed-limit", 4, stacks=(200, 200, 8, 200)).given(Bet(2, 4), Raise(3, 6))
    assert game.legal.raise_to == (10, 10)


def test_less_than_half_a_unit_may_be_completed() -> None:
    game = final("fixed-limit", 4, stacks=(200, 200, 7, 200)).given(Bet(2, 4), Raise(3, 5))
    assert game.legal.raise_to == (8, 8)


def test_an_opening_bet_of_less_than_half_a_unit_may_be_completed() -> None:
    game = final("fixed-limit", 3, stacks=(200, 3, 200)).given(Bet(2, 1))
    assert game.legal.raise_to == (4, 4)


def test_half_a_unit_counts_among_the_four_bets_and_less_does_not() -> None:
    half = final("fixed-limit", 5, stacks=(200, 200, 8, 200, 200)).given(Bet(2, 4), Raise(3, 6), Raise(4, 10))
    assert half.given(Raise(5, 14)).legal.raise_to is None
    less = final("fixed-limit", 5, stacks=(200, 200, 7, 200, 200)).given(Bet(2, 4), Raise(3, 5), Raise(4, 8))
    assert less.given(Raise(5, 12)).legal.raise_to == (16, 16)


def test_before_the_draw_one_chip_is_half_a_unit() -> None:
    game = opened("fixed-limit", 4, stacks=(200, 200, 200, 3)).given(Raise(4, 3))
    assert game.legal.raise_to == (5, 5)


def test_a_stack_goes_in_for_less_than_a_unit() -> None:
    assert opened("fixed-limit", 3, stacks=(3, 200, 200)).legal.raise_to == (3, 3)
    assert final("fixed-limit", 3, stacks=(200, 5, 200)).legal.bet == (3, 3)
