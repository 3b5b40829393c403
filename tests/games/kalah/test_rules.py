"""The course of a game: given a board, when a seat sows, then the events and the next seat to move."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.actions import Forfeit, IllegalAction, Leave
from pokersvc.core.common_events import GameClosed
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent, Viewer, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, Outcome
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import KALAH, events
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.state import KalahState

SOURCE = EntropySource.from_text("kalah")
ENTROPY = SOURCE.entropy()
SEATS = (Seat(HUMAN, "Ann"), Seat("bad", "Bob"))


def setup(seats: tuple[Seat, ...] = SEATS, rounds: int | None = None, **options: Any) -> Setup:
    return Setup(seats, SOURCE, rounds, options)


def given_board(south: tuple[int, ...], north: tuple[int, ...], turn: Side = Side.SOUTH, **options: Any) -> KalahState:
    state = KALAH.new(KALAH.start(setup(holes=len(south), **options)))
    state.board, state.turn = Board(south, north), turn
    return state


def when(state: KalahState, *actions: Any) -> list[Event]:
    """Apply actions, each followed by the dealer's events, and return the events of the last one."""
    happened: list[Event] = []
    for action in actions:
        happened = [state.decide(action)]
        state.apply(happened[0])
        while (event := state.dealer_event(ENTROPY)) is not None:
            happened.append(event)
            state.apply(event)
    return happened


def test_south_moves_first_and_then_the_sides_take_turns() -> None:
    state = given_board((4,) * 6, (4,) * 6)
    assert state.to_act == 1
    assert when(state, Sow(1, 1)) == [events.BeansSown(4, 1, 5, 1, 1)]
    assert state.to_act == 2
    assert when(state, Sow(2, 1)) == [events.BeansSown(4, 1, 3, 1, 2)]
    assert state.to_act == 1


def test_a_last_bean_in_the_own_pot_is_another_turn() -> None:
    state = given_board((4,) * 6, (4,) * 6)
    assert when(state, Sow(1, 3)) == [events.BeansSown(4, 3, 0, 1, 1)]
    assert state.to_act == 1
    assert state.view(EVERYONE).again


def test_a_view_has_the_boards_at_which_somebody_chose_before() -> None:
    state = given_board((4,) * 6, (4,) * 6)
    first = state.board
    assert list(state.view(1).earlier) == []
    when(state, Sow(1, 3))
    second = state.board
    when(state, Sow(1, 1))
    assert list(state.view(2).earlier) == [(first, Side.SOUTH), (second, Side.SOUTH)]


def test_a_last_bean_in_the_own_pot_that_ends_the_game_is_none() -> None:
    state = given_board((0, 1), (2, 2))
    assert when(state, Sow(1, 2)) == [
        events.BeansSown(1, 2, 0, 1, 1),
        events.BeansSwept(4, 2),
        events.GameEnded((1, 4), "no_beans", (2,)),
    ]
    assert state.to_act is None
    assert state.outcome == Outcome((1, 4), (2, 1))


def test_a_last_bean_in_an_own_empty_hole_captures_it_and_those_opposite() -> None:
    state = given_board((1, 0, 3), (2, 5, 1))
    assert when(state, Sow(1, 1)) == [events.BeansSown(1, 1, 2, 1, 1), events.BeansCaptured(6, 2, 1)]
    assert state.board == Board((0, 0, 3), (2, 0, 1), (6, 0))
    assert state.to_act == 2


def test_with_an_empty_hole_opposite_nothing_is_captured_but_by_the_variant() -> None:
    assert len(when(given_board((1, 0, 3), (2, 0, 1)), Sow(1, 1))) == 1
    state = given_board((1, 0, 3), (2, 0, 1), empty_capture=True)
    assert when(state, Sow(1, 1)) == [events.BeansSown(1, 1, 2, 1, 1), events.BeansCaptured(1, 2, 1)]


def test_a_sowing_all_the_way_round_ends_in_its_own_hole_which_counts_as_empty() -> None:
    state = given_board((5, 0), (1, 1))
    assert when(state, Sow(1, 1)) == [events.BeansSown(5, 1, 1, 1, 1), events.BeansCaptured(3, 1, 1)]


def test_a_capture_may_end_the_game() -> None:
    state = given_board((1, 0), (0, 3))
    assert when(state, Sow(1, 1))[1:] == [events.BeansCaptured(4, 2, 1), events.GameEnded((4, 0), "no_beans", (1,))]


def test_the_beans_left_go_to_the_side_on_which_they_lie() -> None:
    state = given_board((0, 1, 2), (0, 0, 1), Side.NORTH)
    assert when(state, Sow(2, 3))[1:] == [
        events.BeansCaptured(2, 2, 2),
        events.BeansSwept(2, 1),
        events.GameEnded((2, 2), "no_beans", (1, 2)),
    ]
    assert state.outcome == Outcome((2, 2), (1, 1))


def test_without_beans_the_game_is_over_before_it_starts_and_a_tie() -> None:
    state = KALAH.new(KALAH.start(setup(beans=0)))
    assert state.dealer_event(ENTROPY) == events.GameEnded((0, 0), "no_beans", (1, 2))


@pytest.mark.parametrize("seat", [1, 2])
def test_who_forfeits_loses_the_game_whatever_is_in_the_pots(seat: int) -> None:
    state = given_board((1, 0, 3), (2, 5, 1), Side(seat))
    state.board = state.board.with_beans(Side(seat), 0, 40)
    assert when(state, Forfeit(seat, "timeout")) == [
        events.Forfeited("timeout", seat),
        events.GameEnded(state.board.pots, "forfeit", (3 - seat,)),
    ]
    assert state.outcome == Outcome.by_score((0, state.board.total) if seat == 1 else (state.board.total, 0))
    assert not state.playing(1)


def test_in_a_tournament_margins_count() -> None:
    assert KALAH.gains(KALAH.start(setup()), Outcome.by_score((30, 18))) == (12, -12)


@pytest.mark.parametrize(
    ("action", "code", "said"),
    [
        (Sow(2, 1), "not_your_turn", r"It is seat 1's turn, not seat 2's\."),
        (Sow(3, 1), "not_your_turn", "not seat 3's"),
        (Sow(1, 0), "no_such_hole", r"There is no hole 0; holes are 1 to 3\."),
        (Sow(1, 4), "no_such_hole", "There is no hole 4"),
        (Sow(1, True), "no_such_hole", "There is no hole True"),
        (Sow(1, 2), "empty_hole", r"Hole 2 has no beans; holes with beans are 1, 3\."),
        (Forfeit(2, "timeout"), "not_your_turn", "seat 1's turn"),
        (Forfeit(1, "tired"), "unknown_code", "'tired' is no reason to forfeit"),
        (Leave(1), "unknown_action", "Leave is not an action of Kalah"),
    ],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(action: Any, code: str, said: str) -> None:
    state, before = given_board((1, 0, 3), (2, 5, 1)), given_board((1, 0, 3), (2, 5, 1))
    with pytest.raises(IllegalAction, match=said) as refused:
        state.decide(action)
    assert refused.value.code == code
    assert state == before


def test_when_the_game_is_over_it_is_nobodys_turn() -> None:
    state = given_board((0, 1), (2, 2))
    when(state, Sow(1, 2))
    with pytest.raises(IllegalAction, match="It is nobody's turn"):
        state.legal(1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"holes": 0}, "0 holes per side"),
        ({"holes": 33}, "33 holes per side; holes are 1 to 32"),
        ({"beans": -1}, "cannot start with -1 beans per hole"),
        ({"beans": 65}, "cannot start with 65 beans per hole; beans are 0 to 64"),
        ({"holes": "6"}, "'6' holes"),
        ({"empty_capture": 1}, "'empty_capture' must be yes or no, not 1"),
        ({"think": "-1"}, "cannot think for '-1' seconds"),
        ({"think": "long"}, "cannot think for 'long' seconds"),
        ({"pits": 6}, "Kalah has no option 'pits'"),
        ({"rounds": 3}, "Kalah has no rounds"),
        ({"seats": SEATS[:1]}, "1 player cannot play Kalah; it takes 2"),
        ({"seats": (*SEATS, Seat("bad", "Cy"))}, "3 players cannot play Kalah"),
        ({"seats": (Seat("smart/0", "Ann"), SEATS[1])}, "Ann cannot be played by 'smart/0'"),
        ({"seats": (Seat("smart/1001", "Ann"), SEATS[1])}, "'smart/1001'"),
    ],
)
def test_a_game_that_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValue, match=said):
        KALAH.start(setup(**options))


def test_the_start_holds_the_size_and_the_rule() -> None:
    started = KALAH.start(setup(holes=3, beans=5, empty_capture=True))
    assert (started.rules.holes, started.rules.beans, started.rules.empty_capture) == (3, 5, True)
    assert KALAH.words.title(KALAH.facts(started)) == "Kalah(3, 5) with empty capture"
    assert KALAH.start(setup()).rules.holes == 6
    assert KALAH.start(setup()).rules.beans == 4


def test_think_is_written_into_the_kinds_of_smart_programs() -> None:
    seats = (Seat("smart", "Ann"), Seat("bad", "Bob"))
    options = KALAH.options({"think": "0.5"})
    assert KALAH.seated(seats, options) == (Seat("smart/0.5s", "Ann"), Seat("bad", "Bob"))
    assert KALAH.seated(seats, KALAH.options({})) == seats


SIZES = st.tuples(st.integers(1, 8), st.integers(0, 8), st.booleans())


@given(size=SIZES, random=st.randoms(use_true_random=False), viewer=st.sampled_from([EVERYONE, 1, 2, AUDITOR]))
def test_whatever_is_played_the_contract_holds(size: tuple[int, int, bool], random: Any, viewer: Viewer) -> None:
    holes, beans, empty_capture = size
    started = KALAH.start(setup(holes=holes, beans=beans, empty_capture=empty_capture))
    state, told = KALAH.new(started), KALAH.new(redact(started, viewer))
    books = KALAH.books(started)
    lines: list[Entry] = []
    while True:
        event = state.dealer_event(ENTROPY)
        assert sum([event is not None, state.to_act is not None, state.outcome is not None]) == 1
        if state.outcome is not None:
            break
        if event is None:
            seat = state.to_act
            assert seat is not None
            action = Sow(seat, random.choice(state.legal(seat).holes))
            event = state.decide(action)
            assert KALAH.action_of(event) == action
        encoded = KALAH.codec.encode(event)
        assert KALAH.codec.decode(*encoded) == event
        state.apply(event)
        told.apply(event)
        assert state.board.total == 2 * holes * beans
        assert told.view(viewer) == state.view(viewer)
        assert [*books.post(event), *books.compare(state)] == []
        if (entry := state.entry(event, viewer)) is not None:
            lines.append(entry)
        assert "\n" not in KALAH.words.tell(event, state)
    assert state.outcome == Outcome.by_score(state.board.pots)
    assert state.board.pots == state.ended.pots if state.ended else False
    assert sum(state.outcome.scores) == 2 * holes * beans
    assert [entry.number for entry in lines] == list(range(1, state.moves + 1))
    assert books.ledger_page() is not None


def test_a_game_that_is_over_cannot_be_closed() -> None:
    state = given_board((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0))
    assert state.to_act is None
    with pytest.raises(ImpossibleEvent, match="no player is to move"):
        state.apply(GameClosed())
