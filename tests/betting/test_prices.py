"""The legal amounts of opening bets and raises, under each kind of limit."""

from typing import Literal

import pytest

from pokersvc.betting.choices import Choices
from pokersvc.betting.terms import Raises, StreetTerms, Terms

from .game import OneStreet
from .tables import CALL, CHECK, FOLD, begun, bet, blinds, chosen, limit, raise_to, refusal


@pytest.mark.parametrize(
    ("raises", "opening", "then"),
    [
        ("none", (2, 100), None),
        ("no_limit", (2, 100), (8, 100)),
        ("pot_limit", (2, 10), (8, 22)),
        ("fixed_limit", (2, 2), None),
    ],
)
def test_the_opening_bet_and_the_raise_of_a_bet_of_4(
    raises: Raises, opening: tuple[int, int], then: tuple[int, int] | None
) -> None:
    game = limit(raises, 100, 100, 100, pot=10)
    assert game.legal == Choices(check=True, bet=opening)
    if opening[1] >= 4:
        assert chosen(game, bet(4)).legal == Choices(fold=True, call=4, raise_to=then)


def test_a_fixed_limit_is_raised_by_its_unit_up_to_the_most_bets_of_the_street() -> None:
    game = limit("fixed_limit", 100, 100, street=StreetTerms(least=2, most_bets=3))
    chosen(game, bet(2))
    assert game.legal.raise_to == (4, 4)
    assert chosen(game, raise_to(4)).legal.raise_to == (6, 6)
    assert chosen(game, raise_to(6)).legal == Choices(fold=True, call=2)
    assert refusal(game, raise_to(8)) == "cannot_raise"


@pytest.mark.parametrize(
    ("uncapped", "stacks", "may_raise"),
    [
        ("two_dealt_in", (100, 100), True),
        ("two_dealt_in", (100, 100, 1), False),
        ("two_left", (100, 100), True),
        ("never", (100, 100), False),
    ],
)
def test_two_may_raise_without_end_where_the_terms_say_so(
    uncapped: Literal["never", "two_dealt_in", "two_left"], stacks: tuple[int, ...], may_raise: bool
) -> None:
    terms = Terms(raises="fixed_limit", all_in=True, uncapped=uncapped)
    game = begun(OneStreet(terms, StreetTerms(least=2, most_bets=1), *stacks))
    assert (chosen(game, bet(2)).legal.raise_to is not None) == may_raise


def test_doubling_ends_at_the_cap() -> None:
    game = begun(OneStreet(Terms(raises="double", cap=8), StreetTerms(least=2), 100, 100))
    assert chosen(game, bet(2)).legal == Choices(fold=True, call=2, raise_to=(4, 4))
    assert chosen(game, raise_to(4), raise_to(8)).legal == Choices(fold=True, call=4)


@pytest.mark.parametrize("all_in", [False, True])
def test_a_bet_may_have_a_maximum(all_in: bool) -> None:
    game = begun(OneStreet(Terms(maximum=10, all_in=all_in, raises="no_limit"), StreetTerms(least=2), 100, 100))
    assert game.legal.bet == (2, 10)
    assert refusal(game, bet(11)) == "illegal_amount"


def test_who_cannot_match_a_bet_folds_without_being_asked_or_is_all_in() -> None:
    folding = begun(OneStreet(Terms(), StreetTerms(least=2), 100, 5))
    chosen(folding, bet(10))
    assert (folding.actor, folding.over, folding.must_fold(2)) == (0, False, True), "the dealer folds for seat 2"
    staying = limit("no_limit", 100, 5)
    assert chosen(staying, bet(10)).legal == Choices(fold=True, call=5)


def test_who_may_not_check_and_cannot_bet_must_fold() -> None:
    game = begun(OneStreet(Terms(fold_free=True), StreetTerms(least=10, may_check=False), 5, 20))
    assert game.actor == 0
    assert game.must_fold(1)
    assert not game.must_fold(2)


def test_facing_no_bet_a_seat_folds_only_where_the_terms_say_so() -> None:
    assert refusal(limit("none", 9, 9), FOLD) == "cannot_fold"
    game = begun(OneStreet(Terms(fold_free=True), StreetTerms(least=2), 9, 9))
    assert game.legal.fold
    assert chosen(game, FOLD).over


def test_a_check_ends_the_betting_round_where_the_terms_say_so() -> None:
    assert chosen(begun(OneStreet(Terms(check_ends=True), StreetTerms(least=2), 9, 9)), CHECK).over
    assert not chosen(begun(OneStreet(Terms(), StreetTerms(least=2), 9, 9)), CHECK).over


def test_the_least_raise_is_the_largest_bet_or_raise_so_far() -> None:
    game = limit("no_limit", 100, 100, 100)
    assert chosen(game, bet(5), raise_to(20)).legal.raise_to == (35, 100)
    assert chosen(game, raise_to(35)).legal.raise_to == (50, 100)


def test_nobody_raises_whom_no_other_could_call() -> None:
    game = limit("no_limit", 100, 20, 20)
    assert chosen(game, bet(20), CALL).legal == Choices(fold=True, call=20)
    between = limit("no_limit", 20, 100, 20)
    assert chosen(between, bet(20)).legal == Choices(fold=True, call=20)


def test_the_big_blind_has_the_option_to_raise() -> None:
    game = blinds("no_limit", 100, 100, 100)
    assert chosen(game, CALL, CALL).legal == Choices(check=True, raise_to=(4, 100))
    assert chosen(game, CHECK).over


def test_amounts_are_said_in_the_currency_of_the_terms() -> None:
    game = begun(OneStreet(Terms(currency="USD", exponent=2), StreetTerms(least=200), 1000, 1000))
    assert game.legal.in_words(str) == "the choices are to check or to bet 200 to 1000"
    with pytest.raises(Exception, match=r"Player1 cannot bet \$0.50 now; the choices are to check or to bet \$2.00 to"):
        game.bet(50)
    assert refusal(game, ("bet", "all")) == "illegal_amount"  # type: ignore[arg-type]  # what a caller may name
