"""Kalah in words: its output for people, and the parsing of their input."""

import pytest

from pokersvc.core.actions import Forfeit
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.drawing import WIDTH, draw

from .test_rules import ENTROPY, SEATS, given_board, when

WORDS = KALAH.words
NAMES = (Seat("bad", "Ann"), Seat("bad", "Bob"))


def told(state: object, *actions: object) -> list[str]:
    """Play the actions and return the sentences of the last one."""
    *before, last = actions
    when(state, *before)  # type: ignore[arg-type]
    event, sentences = state.decide(last), []  # type: ignore[attr-defined]
    while event is not None:
        state.apply(event)  # type: ignore[attr-defined]
        sentences.append(WORDS.tell(event, state))  # type: ignore[arg-type]
        event = state.dealer_event(ENTROPY)  # type: ignore[attr-defined]
    return sentences


def test_the_board_has_north_above_and_the_pots_at_the_sides() -> None:
    state = given_board((4, 0, 6), (12, 1, 2))
    state.board = state.board.with_beans(Side.SOUTH, 0, 10).with_beans(Side.NORTH, 0, 9)
    assert WORDS.show(state.view(1)) == [
        "Move 1: Ann (South) to move",
        "",
        "     North: Bob",
        "hole   1   2   3",
        "      12   1   2",
        "   9              10",
        "       4   0   6",
        "hole   1   2   3",
        "     South: Ann",
    ]


@pytest.mark.parametrize("holes", [1, 6, 19, 20, 32])
@pytest.mark.parametrize("beans", [0, 64])
def test_every_board_fits_80_columns_and_shows_every_hole(holes: int, beans: int) -> None:
    lines = draw(Board.start(holes, beans).with_beans(Side.SOUTH, 0, 3).with_beans(Side.NORTH, 0, 1500))
    assert max(map(len, lines)) <= WIDTH
    numbers = [int(word) for line in lines if line.startswith("hole") for word in line.split()[1:]]
    assert sorted(numbers) == sorted([*range(1, holes + 1)] * 2)
    counts = [line.split() for line in lines if line and not line.startswith("hole") and "th" not in line]
    assert sum(row.count(str(beans)) for row in counts) == 2 * holes
    assert sum(row.count("1500") for row in counts) == sum(row.count("3") for row in counts) == 1


@pytest.mark.parametrize(("holes", "most", "parts"), [(17, 4, 1), (18, 4, 2), (32, 4, 2), (32, 1500, 3)])
def test_an_empty_line_stands_between_two_parts_of_a_board(holes: int, most: int, parts: int) -> None:
    lines = draw(Board.start(holes, 4).with_beans(Side.SOUTH, 1, most))
    assert len(lines) == 8 * parts - 1, "a part has 7"
    assert lines[7::8] == [""] * (parts - 1)


def test_another_turn_is_said() -> None:
    assert told(given_board((4,) * 6, (4,) * 6), Sow(1, 3)) == [
        "Ann (South) sows 4 beans from hole 3; the last falls into the pot: another turn."
    ]


def test_a_capture_is_said() -> None:
    assert told(given_board((1, 0, 3), (2, 5, 1)), Sow(1, 1)) == [
        "Ann (South) sows 1 bean from hole 1; it falls into hole 2, which was empty.",
        "Ann (South) captures 6 beans at hole 2: the last bean and the 5 opposite.",
    ]
    assert told(given_board((1, 0, 3), (2, 0, 1), empty_capture=True), Sow(1, 1))[1] == (
        "Ann (South) captures 1 bean at hole 2: the last bean; none lies opposite."
    )


def test_the_end_is_said() -> None:
    assert told(given_board((0, 1), (2, 2)), Sow(1, 2)) == [
        "Ann (South) sows 1 bean from hole 2; it falls into the pot.",
        "South has no beans left; the last 4 beans go to North's pot.",
        "The game is over: Bob (North) wins; the pots are 1 (South) and 4 (North).",
    ]
    assert told(given_board((1, 1), (0, 1)), Sow(1, 1), Sow(2, 2), Sow(1, 2))[-1].startswith("The game is over")


def test_a_forfeit_is_said() -> None:
    assert told(given_board((1, 0), (2, 2)), Forfeit(1, "timeout")) == [
        "Ann (South) took too long and loses the game.",
        "The game is over: Bob (North) wins every bean.",
    ]


@pytest.mark.parametrize("text", ["3", " 3 ", "hole 3", "sow 3", "sow from hole 3", "SOW 3"])
def test_a_hole_is_named_by_its_number(text: str) -> None:
    state = given_board((1, 0, 3), (2, 5, 1))
    assert WORDS.read(text, state.view(1), state.legal(1)) == Sow(1, 3)


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "3 4", "three", "٣", "99999"])
def test_what_names_no_hole_is_refused(text: str) -> None:
    state = given_board((1, 0, 3), (2, 5, 1))
    with pytest.raises(InvalidAnswer, match=r"Type the number of a hole: 1 or 3\."):
        WORDS.read(text, state.view(1), state.legal(1))


def test_the_question_names_the_holes_there_are() -> None:
    for row, asked in (((1, 1, 3), "1, 2 or 3"), ((1, 0, 3), "1 or 3"), ((0, 0, 3), "3")):
        state = given_board(row, (2, 5, 1))
        assert WORDS.ask(state.view(1), state.legal(1)) == f"Sow from which hole: {asked}"
        assert WORDS.explain("table", state.view(1), state.legal(1)) is None


@pytest.mark.parametrize(
    ("row", "asked"),
    [
        ((1,) * 12, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 12"),
        ((1,) * 32, "1 to 32"),
        ((1,) * 8 + (0, 1, 0) + (1,) * 21, "1 to 8, 10 or 12 to 32"),
        ((1, 1, 0) * 10 + (1, 1), "any with beans, 1 to 32"),
    ],
)
def test_the_question_fits_80_columns_with_any_number_of_holes(row: tuple[int, ...], asked: str) -> None:
    state = given_board(row, (1,) * len(row))
    question = WORDS.ask(state.view(1), state.legal(1))
    assert question == f"Sow from which hole: {asked}"
    assert len(f"{question} > ") <= 80


def line(state: object, *actions: object) -> str:
    when(state, *actions[:-1])  # type: ignore[arg-type]
    entries = []
    event = state.decide(actions[-1])  # type: ignore[attr-defined]
    while event is not None:
        state.apply(event)  # type: ignore[attr-defined]
        entries.append(state.entry(event, 1))  # type: ignore[attr-defined]
        event = state.dealer_event(ENTROPY)  # type: ignore[attr-defined]
    (entry,) = [entry for entry in entries if isinstance(entry, Entry)]
    assert WORDS.details(entry) == []
    return WORDS.line(entry)


def test_the_history_has_a_line_for_each_move() -> None:
    assert line(given_board((4,) * 6, (4,) * 6), Sow(1, 3)) == (
        "Move 1 -- Ann (South) sowed 4 from hole 3, moves again; pots 1-0"
    )
    assert line(given_board((1, 0, 3), (2, 5, 1)), Sow(1, 1)) == (
        "Move 1 -- Ann (South) sowed 1 from hole 1, captured 6; pots 6-0"
    )
    assert line(given_board((0, 1), (2, 2)), Sow(1, 2)) == (
        "Move 1 -- Ann (South) sowed 1 from hole 2; North's last 4 swept; pots 1-4"
    )
    assert line(given_board((1, 0, 0), (2, 3, 0)), Sow(1, 1)) == (
        "Move 1 -- Ann (South) sowed 1 from hole 1, captured 4; North's last 2 swept; pots 4-2"
    )
    assert line(given_board((1, 0), (0, 3)), Sow(1, 1)) == (
        "Move 1 -- Ann (South) sowed 1 from hole 1, captured 4; pots 4-0"
    )
    assert line(given_board((4,) * 6, (4,) * 6), Sow(1, 1), Forfeit(2, "raised")) == (
        "Move 2 -- Bob (North) forfeited (raised)"
    )


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome.by_score((30, 18)), "Ann (South) wins 30 to 18"),
        (Outcome.by_score((18, 30)), "Bob (North) wins 30 to 18"),
        (Outcome.by_score((24, 24)), "Tie, 24 to 24"),
    ],
)
def test_the_result_names_the_winner_and_both_pots(outcome: Outcome, said: str) -> None:
    assert WORDS.result(NAMES, outcome) == said


def test_the_standings_are_the_pots() -> None:
    assert WORDS.standings(SEATS, (30, 1)) == ["Ann (South)  30 beans", "Bob (North)  1 bean"]
