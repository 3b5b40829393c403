"""The drawn board, the commands that it accepts, and the answers to them."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.drawing import Room, plain
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.games.kalah import KALAH, advice
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Variant
from pokersvc.games.kalah.solver import solve
from pokersvc.games.kalah.state import KalahState
from tests.games.drawings import ROOMS, check_drawn, checked

from .test_rules import ENTROPY, given_board, setup, when

WORDS = KALAH.words
DRAWN = Path(__file__).parent / "drawn"
YOU = (Seat("human", "You"), Seat("bad", "Bob"))


def new(holes: int, beans: int, seats: tuple[Seat, ...] = YOU, **options: Any) -> KalahState:
    return KALAH.new(KALAH.start(setup(seats, holes=holes, beans=beans, **options)))


def played(holes: int, beans: int, *moves: int) -> KalahState:
    """Return a game after some moves, each by the side to move."""
    state = new(holes, beans)
    for hole in moves:
        assert state.to_act is not None
        when(state, Sow(state.to_act, hole))
    return state


TABLES = {
    "start": lambda: played(6, 4),
    "extra-turn": lambda: played(6, 4, 3),
    "after-a-capture": lambda: played(6, 4, 2, 6, 3, 5, 1),
    "small": lambda: played(3, 2, 1),
    "wide": lambda: played(32, 20, 1, 32, 2),
    "over": lambda: played(1, 1, 1),
}


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("name", TABLES)
def test_the_board_is_drawn_as_in_its_file(name: str, room: Room) -> None:
    check_drawn(DRAWN, name, WORDS, TABLES[name]().view(1), room)


@settings(max_examples=12, deadline=None)
@given(
    holes=st.integers(1, 32),
    beans=st.integers(0, 64),
    choices=st.lists(st.integers(0, 31), max_size=8),
    empty_capture=st.booleans(),
    columns=st.integers(20, 200),
    rows=st.integers(1, 60),
    names=st.sampled_from(["Ann", "You", "安" * 20, "Lord of The Cards", "x" * 20]),
)
def test_any_game_fits_any_room_and_all_that_may_be_typed_is_understood(
    holes: int, beans: int, choices: list[int], empty_capture: bool, columns: int, rows: int, names: str
) -> None:
    seats = (Seat("human", names), Seat("bad", "Bob"))
    state = new(holes, beans, seats, empty_capture=empty_capture)
    while (event := state.dealer_event(ENTROPY)) is not None:
        state.apply(event)
    room = Room(columns, rows)
    for choice in [*choices, None]:
        for viewer in (EVERYONE, 1, 2):
            checked(WORDS.draw(state.view(viewer), room), room)
        if (seat := state.to_act) is None:
            break
        view, legal = state.view(seat), state.legal(seat)
        assert WORDS.moment(view, legal)
        for typed in [short.typed for short in WORDS.shortcuts(view, legal)] + WORDS.completions(view, legal):
            state.decide(WORDS.read(typed, view, legal))
            assert WORDS.why_not(typed, view, legal) is None
        understood = {WORDS.read(text, view, legal) for text in WORDS.completions(view, legal)}
        assert understood == {Sow(seat, hole) for hole in legal.holes}
        for hole in set(range(holes + 2)) - set(legal.holes):
            assert WORDS.why_not(str(hole), view, legal)
        if choice is not None:
            when(state, Sow(seat, legal.holes[choice % len(legal.holes)]))


def test_every_number_of_a_drawn_board_is_in_it() -> None:
    state = given_board((4, 0, 6), (12, 1, 2))
    state.board = state.board.with_beans(Side.SOUTH, 0, 10).with_beans(Side.NORTH, 0, 9)
    for room in (Room(60, 20), Room(60, 8), Room(30, 5)):
        numbers = re.findall(r"\d+", "\n".join(plain(WORDS.draw(state.view(1), room))[1:]))
        for count in (4, 0, 6, 12, 1, 2, 10, 9):
            assert str(count) in numbers


def test_what_the_last_move_changed_stands_beside_the_numbers() -> None:
    drawn = plain(WORDS.draw(played(6, 4, 3).view(1), Room(80, 12)))
    assert drawn[0] == "Move 2 · Your turn again"
    (row,) = [line for line in drawn if "0 -4" in line]
    assert re.findall(r"\d [+-]\d", row) == ["0 -4", "5 +1", "5 +1", "5 +1"]
    assert any("1 +1" in line for line in drawn)
    assert drawn[-1] == "You just sowed 4 beans from hole 3."


def test_a_shortcut_says_what_the_move_does_at_once() -> None:
    state = given_board((1, 0, 1), (2, 5, 1))
    view, legal = state.view(1), state.legal(1)
    assert WORDS.shortcuts(view, legal) == [("1", "sow 1, capture 6"), ("3", "sow 1, extra turn")]
    wide = new(32, 1)
    assert [short.typed for short in WORDS.shortcuts(wide.view(1), wide.legal(1))] == ["1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2", "Your hole 2 is empty (the 5 there are North's), and a move takes all beans of a hole."),
        ("sow from hole 2", "Your hole 2 is empty"),
        ("north 1", "You play South, and a move takes the beans of a hole of your own side."),
        ("n3", "You play South"),
        ("south 2", "Your hole 2 is empty"),
        ("7", "There is no hole 7: each side has 3 holes."),
        ("0", "Nobody sows from a pot: what is in it stays there."),
        ("my pot", "Nobody sows from a pot"),
        ("pass", "Nobody may pass in Kalah: whoever has beans in a hole sows."),
    ],
)
def test_why_a_move_is_none_is_said_by_its_rule(text: str, said: str) -> None:
    state = given_board((1, 0, 1), (2, 5, 1))
    why = WORDS.why_not(text, state.view(1), state.legal(1))
    assert why is not None
    assert why.startswith(said)
    assert why.endswith(" You can sow from hole 1 or 3.")


def test_nothing_is_said_of_what_is_a_move_or_no_word_of_kalah() -> None:
    state = given_board((1, 0, 1), (2, 5, 1))
    assert {WORDS.why_not(text, state.view(1), state.legal(1)) for text in ("1", "hole 3", "hello", "")} == {None}


def test_the_moment_has_the_rules_of_this_board_and_what_comes_of_them_now() -> None:
    state = given_board((1, 0, 1), (2, 0, 1))
    said = WORDS.moment(state.view(1), state.legal(1))
    assert "Extra turn: the last bean falls into your pot. Now: from hole 3." in said
    assert any(line.startswith("Capture: ") and line.endswith("Now: from no hole.") for line in said)
    state = given_board((1, 0, 1), (2, 0, 1), empty_capture=True)
    (capture,) = [line for line in WORDS.moment(state.view(1), state.legal(1)) if line.startswith("Capture: ")]
    assert "also where the hole opposite is empty" in capture
    assert capture.endswith("Now: from hole 1.")


@pytest.mark.parametrize(("holes", "beans"), [(2, 3), (3, 2), (4, 1)])
def test_the_margins_of_advice_are_those_of_perfect_play(holes: int, beans: int) -> None:
    board = Board.start(holes, beans)
    seen = advice.outlook(board, Side.SOUTH, seconds=20)
    solved = solve(Engine(Variant(holes, board.total)), board)
    assert seen.exact
    assert seen.margins == solved.moves


def test_advice_is_in_words_the_best_hole_next_to_the_prompt() -> None:
    state = new(3, 2)
    view, legal = state.view(1), state.legal(1)
    lines = WORDS.advise(view, legal)
    assert lines is not None
    assert lines == (WORDS.explain("o", view, legal) or [])[::-1]
    assert lines == [
        "hole 2  4 ahead at the end   sow 2, extra turn",
        "hole 3  level at the end     sow 2",
        "hole 1  8 behind at the end  sow 2",
    ]
    assert WORDS.takes_advice("Odds", legal)
    assert not WORDS.takes_advice("1", legal)


def test_you_reads_as_english() -> None:
    state, said = new(3, 2), []
    said.append(WORDS.tell(KALAH.start(setup(YOU, holes=3, beans=2)), state))
    for hole in (2, 1, 1):
        seat = state.to_act
        assert seat is not None
        event: Any = state.decide(Sow(seat, hole))
        while event is not None:
            state.apply(event)
            said.append(WORDS.tell(event, state))
            event = state.dealer_event(ENTROPY)
    assert said[0] == "Kalah(3, 2): You play South and move first, Bob plays North."
    assert said[1] == "You (South) sow 2 beans from hole 2; the last falls into the pot: another turn."
    assert not re.search(r"You \(South\) \w+s ", " ".join(said))
    assert WORDS.result(YOU, Outcome.by_score((20, 4))) == "You (South) win 20 to 4"


def test_the_last_move_brings_a_margin() -> None:
    facts = {"swept": None, "pots": [3, 1]}
    assert WORDS.net(Entry(4, facts)) == []
    assert WORDS.net(Entry(5, {**facts, "swept": {"beans": 2, "side": "South"}})) == [(1, 2), (2, -2)]
    assert WORDS.net(Entry(5, {"closed": True, "pots": [1, 3]})) == [(1, -2), (2, 2)]
