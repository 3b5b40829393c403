"""Short all-in raises: to whom they reopen the betting, and to whom not."""

from pokersvc.games.draw_poker.actions import Bet, Call, Check, LegalActions, Raise

from .rooms import final, opened


def test_a_short_all_in_does_not_reopen_the_betting_to_a_seat_that_has_acted() -> None:
    game = final("no-limit", 3, stacks=(200, 200, 17)).given(Bet(2, 10), Raise(3, 15), Call(1))
    assert game.to_act == 2
    assert game.legal == LegalActions(fold=True, call=5)
    assert game.refusal(Raise(2, 50)) == "cannot_raise"


def test_a_seat_that_has_not_acted_may_raise_a_short_all_in() -> None:
    game = final("no-limit", 3, stacks=(200, 200, 17)).given(Bet(2, 10), Raise(3, 15))
    assert game.legal == LegalActions(fold=True, call=15, raise_to=(25, 198))


def test_a_seat_that_has_called_may_not_raise_a_short_all_in_either() -> None:
    game = final("no-limit", 4, stacks=(17, 200, 200, 200)).given(Bet(2, 10), Call(3), Call(4), Raise(1, 15))
    assert game.legal == LegalActions(fold=True, call=5)
    game.given(Call(2))
    assert game.legal == LegalActions(fold=True, call=5)


def test_short_all_ins_that_together_make_a_full_raise_reopen_the_betting() -> None:
    game = final("no-limit", 4, stacks=(200, 200, 17, 22)).given(Bet(2, 10), Raise(3, 15), Raise(4, 20), Call(1))
    assert game.to_act == 2
    assert game.legal == LegalActions(fold=True, call=10, raise_to=(30, 198))


def test_they_reopen_it_only_to_those_for_whom_the_price_has_risen_so_much() -> None:
    stacks = (200, 200, 17, 200, 22)
    game = final("no-limit", 5, stacks=stacks).given(Bet(2, 10), Raise(3, 15), Call(4), Raise(5, 20), Call(1))
    assert game.legal.raise_to == (30, 198), "seat 2 acted at 10"
    game.given(Call(2))
    assert game.to_act == 4
    assert game.legal == LegalActions(fold=True, call=5), "seat 4 acted at 15"


def test_short_all_ins_are_counted_from_where_each_seat_acted() -> None:
    # Seat 4 acted at 15, after the first of three: for it the other two make the full raise.
    stacks = (27, 200, 17, 200, 22)
    game = final("no-limit", 5, stacks=stacks).given(Bet(2, 10), Raise(3, 15), Call(4), Raise(5, 20), Raise(1, 25))
    assert game.given(Call(2)).legal == LegalActions(fold=True, call=10, raise_to=(35, 198))


def test_a_full_raise_reopens_the_betting() -> None:
    game = final("no-limit", 3, stacks=(200, 200, 17)).given(Bet(2, 5), Raise(3, 15), Call(1))
    assert game.legal == LegalActions(fold=True, call=10, raise_to=(25, 198))


def test_a_full_raise_over_a_short_one_reopens_the_betting_to_all() -> None:
    game = final("no-limit", 3, stacks=(200, 200, 17)).given(Bet(2, 10), Raise(3, 15), Raise(1, 25))
    assert game.legal == LegalActions(fold=True, call=15, raise_to=(35, 198))


def test_a_check_is_an_act_and_a_short_opening_bet_does_not_reopen_the_betting() -> None:
    # The table speaks of raises; card rooms treat an all-in bet of less than the least the same way.
    game = final("no-limit", 3, stacks=(200, 200, 3)).given(Check(2), Bet(3, 1), Call(1))
    assert game.to_act == 2
    assert game.legal == LegalActions(fold=True, call=1)


def test_a_seat_that_has_not_acted_may_raise_an_opening_bet_far_below_the_least() -> None:
    game = final("no-limit", 3, stacks=(200, 11, 200), blinds=(5, 10)).given(Bet(2, 1))
    assert game.to_act == 3
    assert game.legal == LegalActions(fold=True, call=1, raise_to=(11, 190))


def test_the_blinds_have_not_acted_by_posting() -> None:
    game = opened("no-limit", 4, stacks=(200, 200, 200, 3)).given(Raise(4, 3), Call(1))
    assert game.legal.raise_to == (5, 200)
    assert game.given(Call(2)).legal.raise_to == (5, 200)


def test_before_the_draw_a_caller_of_the_big_blind_has_acted() -> None:
    game = opened("no-limit", 4, stacks=(3, 200, 200, 200)).given(Call(4), Raise(1, 3), Call(2), Call(3))
    assert game.to_act == 4
    assert game.legal == LegalActions(fold=True, call=1)


def test_a_pot_limit_game_reopens_as_a_no_limit_game_does() -> None:
    game = final("pot-limit", 3, stacks=(200, 200, 7)).given(Bet(2, 4), Raise(3, 5), Call(1))
    assert game.legal == LegalActions(fold=True, call=1)


# Fixed-limit: half a unit is a raise.


def test_fixed_limit_half_a_unit_reopens_the_betting() -> None:
    game = final("fixed-limit", 3, stacks=(200, 200, 8)).given(Bet(2, 4), Raise(3, 6), Call(1))
    assert game.legal == LegalActions(fold=True, call=2, raise_to=(10, 10))


def test_fixed_limit_half_a_unit_reopens_the_betting_before_the_draw_too() -> None:
    game = opened("fixed-limit", 4, stacks=(3, 200, 200, 200)).given(Call(4), Raise(1, 3), Call(2), Call(3))
    assert game.to_act == 4
    assert game.legal == LegalActions(fold=True, call=1, raise_to=(5, 5))


def test_fixed_limit_less_than_half_a_unit_does_not() -> None:
    game = final("fixed-limit", 3, stacks=(200, 200, 7)).given(Bet(2, 4), Raise(3, 5), Call(1))
    assert game.legal == LegalActions(fold=True, call=1)


def test_fixed_limit_two_short_all_ins_may_make_half_a_unit() -> None:
    game = final("fixed-limit", 4, stacks=(200, 200, 7, 8)).given(Bet(2, 4), Raise(3, 5), Raise(4, 6), Call(1))
    assert game.legal == LegalActions(fold=True, call=2, raise_to=(10, 10))


def test_fixed_limit_a_completion_reopens_the_betting() -> None:
    game = final("fixed-limit", 3, stacks=(200, 200, 7)).given(Bet(2, 4), Raise(3, 5), Raise(1, 8))
    assert game.legal == LegalActions(fold=True, call=4, raise_to=(12, 12))
