"""Short all-in raises: to whom they reopen the betting, and to whom not. In a fixed limit, half a unit is a raise."""

from pokersvc.betting.choices import Choices
from pokersvc.betting.terms import StreetTerms

from .tables import CALL, CHECK, bet, blinds, chosen, limit, raise_to, refusal

UNIT_4 = StreetTerms(least=4)


def test_a_short_all_in_does_not_reopen_the_betting_to_a_seat_that_has_acted() -> None:
    game = chosen(limit("no_limit", 198, 15, 198), bet(10), raise_to(15), CALL)
    assert game.actor == 1
    assert game.legal == Choices(fold=True, call=5)
    assert refusal(game, raise_to(50)) == "cannot_raise"


def test_a_seat_that_has_not_acted_may_raise_a_short_all_in() -> None:
    game = chosen(limit("no_limit", 198, 15, 198), bet(10), raise_to(15))
    assert game.legal == Choices(fold=True, call=15, raise_to=(25, 198))


def test_a_seat_that_has_called_may_not_raise_a_short_all_in_either() -> None:
    game = chosen(limit("no_limit", 198, 198, 198, 15), bet(10), CALL, CALL, raise_to(15))
    assert game.legal == Choices(fold=True, call=5)
    assert chosen(game, CALL).legal == Choices(fold=True, call=5)


def test_short_all_ins_that_together_make_a_full_raise_reopen_the_betting() -> None:
    game = chosen(limit("no_limit", 198, 15, 20, 198), bet(10), raise_to(15), raise_to(20), CALL)
    assert game.actor == 1
    assert game.legal == Choices(fold=True, call=10, raise_to=(30, 198))


def test_they_reopen_it_only_to_those_for_whom_the_price_has_risen_so_much() -> None:
    game = chosen(limit("no_limit", 198, 15, 198, 20, 198), bet(10), raise_to(15), CALL, raise_to(20), CALL)
    assert game.legal.raise_to == (30, 198), "seat 1 acted at 10"
    assert chosen(game, CALL).actor == 3
    assert game.legal == Choices(fold=True, call=5), "seat 3 acted at 15"


def test_short_all_ins_are_counted_from_where_each_seat_acted() -> None:
    # Seat 3 acted at 15, after the first of three: for it the other two make the full raise.
    given = (bet(10), raise_to(15), CALL, raise_to(20), raise_to(25))
    game = chosen(limit("no_limit", 198, 15, 198, 20, 25), *given, CALL)
    assert game.legal == Choices(fold=True, call=10, raise_to=(35, 198))


def test_a_full_raise_reopens_the_betting() -> None:
    game = chosen(limit("no_limit", 198, 15, 198), bet(5), raise_to(15), CALL)
    assert game.legal == Choices(fold=True, call=10, raise_to=(25, 198))


def test_a_full_raise_over_a_short_one_reopens_the_betting_to_all() -> None:
    game = chosen(limit("no_limit", 198, 15, 198), bet(10), raise_to(15), raise_to(25))
    assert game.legal == Choices(fold=True, call=15, raise_to=(35, 198))


def test_a_check_is_an_act_and_a_short_opening_bet_does_not_reopen_the_betting() -> None:
    # The table speaks of raises; card rooms treat an all-in bet of less than the least the same way.
    game = chosen(limit("no_limit", 198, 1, 198), CHECK, bet(1), CALL)
    assert game.actor == 1
    assert game.legal == Choices(fold=True, call=1)


def test_a_seat_that_has_not_acted_may_raise_an_opening_bet_far_below_the_least() -> None:
    game = chosen(limit("no_limit", 1, 190, 190, street=StreetTerms(least=10)), bet(1))
    assert game.legal == Choices(fold=True, call=1, raise_to=(11, 190))


def test_the_blinds_have_not_acted_by_posting() -> None:
    game = chosen(blinds("no_limit", 200, 200, 200, 3), raise_to(3), CALL)
    assert game.legal.raise_to == (5, 200)
    assert chosen(game, CALL).legal.raise_to == (5, 200)


def test_a_caller_of_the_big_blind_has_acted() -> None:
    game = chosen(blinds("no_limit", 3, 200, 200, 200), CALL, raise_to(3), CALL, CALL)
    assert game.actor == 4
    assert game.legal == Choices(fold=True, call=1)


def test_a_pot_limit_game_reopens_as_a_no_limit_game_does() -> None:
    game = chosen(limit("pot_limit", 198, 5, 198, pot=6), bet(4), raise_to(5), CALL)
    assert game.legal == Choices(fold=True, call=1)


# Fixed limit: half a unit is a raise.


def test_fixed_limit_half_a_unit_reopens_the_betting() -> None:
    game = chosen(limit("fixed_limit", 198, 6, 198, street=UNIT_4), bet(4), raise_to(6), CALL)
    assert game.legal == Choices(fold=True, call=2, raise_to=(10, 10))


def test_fixed_limit_half_a_unit_above_the_big_blind_reopens_the_betting_too() -> None:
    game = chosen(blinds("fixed_limit", 3, 200, 200, 200), CALL, raise_to(3), CALL, CALL)
    assert game.actor == 4
    assert game.legal == Choices(fold=True, call=1, raise_to=(5, 5))


def test_fixed_limit_less_than_half_a_unit_does_not() -> None:
    game = chosen(limit("fixed_limit", 198, 5, 198, street=UNIT_4), bet(4), raise_to(5), CALL)
    assert game.legal == Choices(fold=True, call=1)


def test_fixed_limit_two_short_all_ins_may_make_half_a_unit() -> None:
    game = chosen(limit("fixed_limit", 198, 5, 6, 198, street=UNIT_4), bet(4), raise_to(5), raise_to(6), CALL)
    assert game.legal == Choices(fold=True, call=2, raise_to=(10, 10))


def test_fixed_limit_a_completion_reopens_the_betting() -> None:
    game = chosen(limit("fixed_limit", 198, 5, 198, street=UNIT_4), bet(4), raise_to(5), raise_to(8))
    assert game.legal == Choices(fold=True, call=4, raise_to=(12, 12))
