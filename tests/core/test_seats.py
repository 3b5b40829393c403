"""Seats: who sits there, the length of names, and who may know the kind of player."""

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import NO_CHANCE
from pokersvc.core.seats import (
    HUMAN,
    LONGEST_NAME,
    MAX_NAME,
    Seat,
    SeatSeen,
    check_name,
    kind_seen,
    open_seat,
    say_seats,
    seats_seen,
    taken,
)
from pokersvc.core.setup import Option, Setup, check_seats
from pokersvc.core.state import Outcome
from pokersvc.core.words import not_understood, who_stayed
from pokersvc.errors import InvalidValue

SEATS = (Seat(HUMAN, "Ann"), Seat("steady", "Bob"), open_seat(3))


@pytest.mark.parametrize("longest", [MAX_NAME, LONGEST_NAME])
def test_a_name_is_1_to_20_characters_or_64_of_another_site(longest: int) -> None:
    assert (MAX_NAME, LONGEST_NAME) == (20, 64)
    assert [check_name("x", longest), check_name("x" * longest, longest)] == ["x", "x" * longest]
    for name in ("", "x" * (longest + 1), " x", "x ", "a\nb", "\u200b"):
        with pytest.raises(InvalidValue) as refused:
            check_name(name, longest)
        assert str(refused.value) == (
            f"{name!r} cannot be a name: a name is 1 to {longest} printable characters"
            " and neither starts nor ends with a space."
        )
    assert check_name("x" * 20) == "x" * 20
    with pytest.raises(InvalidValue):
        check_name("x" * 21)


@pytest.mark.parametrize(
    ("viewer", "hidden", "kinds"),
    [
        (EVERYONE, False, (HUMAN, "steady", "open")),
        (EVERYONE, True, (None, None, "open")),
        (1, True, (HUMAN, None, "open")),
        (2, True, (None, "steady", "open")),
        (2, False, (HUMAN, "steady", "open")),
        (AUDITOR, True, (HUMAN, "steady", "open")),
    ],
)
def test_hidden_kinds_are_those_of_others(viewer: Viewer, hidden: bool, kinds: tuple[str | None, ...]) -> None:
    names = ("Ann", "Bob", "Seat3")
    assert seats_seen(SEATS, viewer, hidden=hidden) == tuple(map(SeatSeen, kinds, names))
    assert tuple(kind_seen(seat, number, viewer, hidden=hidden) for number, seat in enumerate(SEATS, 1)) == kinds


def test_seats_in_words() -> None:
    assert taken(SEATS) == SEATS[:2]
    assert say_seats(SEATS, hidden_kinds=True) == "Ann, Bob, 1 open seat"
    assert say_seats((*SEATS, open_seat(4)), hidden_kinds=False) == "Ann (human), Bob (steady), 2 open seats"
    assert say_seats([], hidden_kinds=False) == ""


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (("Ann", "Bob", "ANN"), "The names 'Ann' and 'ANN' are the same; every seat needs a different name."),
        (("Straße", "STRASSE"), "The names 'Straße' and 'STRASSE' are the same; every seat needs a different name."),
        (("Seat2", "open"), "The open seat 2 has the name 'Seat2'; give 'Seat2' another name."),
    ],
)
def test_no_two_seats_have_one_name(seats: tuple[str, ...], said: str) -> None:
    named = tuple(open_seat(number) if name == "open" else Seat(HUMAN, name) for number, name in enumerate(seats, 1))
    with pytest.raises(InvalidValue) as refused:
        check_seats(named)
    assert str(refused.value) == said


def test_a_name_may_be_longer_where_it_was_chosen_elsewhere() -> None:
    check_seats((Seat(HUMAN, "x" * 64), Seat(HUMAN, "y")), LONGEST_NAME)
    with pytest.raises(InvalidValue, match="a name is 1 to 20 printable"):
        check_seats((Seat(HUMAN, "x" * 21),))


def test_a_game_has_a_round_at_least() -> None:
    assert Setup(SEATS, NO_CHANCE).rounds is None
    assert (Setup(SEATS, NO_CHANCE, 1).rounds, Setup(SEATS, NO_CHANCE).hidden_kinds) == (1, False)
    for rounds in (0, -1):
        with pytest.raises(InvalidValue, match=f"^A game of {rounds} rounds cannot be played; rounds are 1 or more.$"):
            Setup(SEATS, NO_CHANCE, rounds)


def test_an_option_is_a_number_that_strangers_may_choose_unless_it_says_otherwise() -> None:
    option = Option("beans", "Beans.")
    assert (option.of, option.metavar, option.open, option.several, option.form) == (int, "N", True, False, None)
    assert (option.of_form, option.words_of_form) == (int, "Beans.")
    assert (Option("a", "b", str, form="c").of_form, Option("a", "b", bool, form="").words_of_form) == (str, "")


@pytest.mark.parametrize(
    ("scores", "ranks", "winners"),
    [
        ((5,), (1,), (1,)),
        ((3, 7, 3), (2, 1, 2), (2,)),
        ((7, 7, 1, 0), (1, 1, 3, 4), (1, 2)),
        ((-1, 0, -1), (2, 1, 2), (2,)),
    ],
)
def test_more_is_better(scores: tuple[int, ...], ranks: tuple[int, ...], winners: tuple[int, ...]) -> None:
    outcome = Outcome.by_score(scores)
    assert (outcome.scores, outcome.ranks, outcome.winners) == (scores, ranks, winners)


def test_who_won_comes_first_and_seats_of_nobody_last() -> None:
    assert Outcome.won_by((2, 3), (9, 1, 1, 5)).ranks == (3, 1, 1, 4)
    assert Outcome.won_by((1,), (0, 0, 0, 0), nobodys=(2, 4)).ranks == (1, 3, 2, 3)
    assert Outcome.won_by((2,), (0, 0), nobodys=(2,)).winners == (2,)


@pytest.mark.parametrize(
    ("winners", "scores", "said"),
    [
        ((1,), (100, 99, 0), None),
        ((1,), (100, 100, 0), "Ann did best of those who stayed, with $100; Bob brought home $100 and Cy $0"),
        ((1,), (100, 120, 100), "Ann stayed to the end with $100; Bob brought home $120 and Cy $100"),
        ((1, 3), (100, 120, 100), "Ann and Cy stayed to the end with $100 each; Bob brought home $120"),
        ((1, 2, 3), (5, 5, 5), None),
        ((2,), (7, 5, 9), "Bob stayed to the end with $5; Cy brought home $9 and Ann $7"),
    ],
)
def test_who_stayed_is_said_where_somebody_left_with_as_much(
    winners: tuple[int, ...], scores: tuple[int, ...], said: str | None
) -> None:
    seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), Seat(HUMAN, "Cy"))
    assert who_stayed(seats, Outcome.won_by(winners, scores), "${}".format) == said


def test_an_open_seat_brought_nothing_home() -> None:
    seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), open_seat(3))
    assert who_stayed(seats, Outcome.won_by((1,), (0, -5, 9)), str) is None


def test_what_is_not_understood_is_shortened() -> None:
    assert not_understood("  ") == not_understood("") == "No answer was given."
    assert not_understood("a " * 20) == f"I don't understand {('a ' * 20).strip()!r}."
    assert not_understood("word " * 20) == f"I don't understand {('word ' * 7).strip() + ' [...]'!r}."
