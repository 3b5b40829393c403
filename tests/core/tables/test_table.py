"""Events at a table: given events, when an action, then an event or a refusal."""

from typing import Any, Final

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import Event, ImpossibleEvent, secret_fields
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.share_events import DealingSet, SeatBound, ShareMissed, ShareOpened, SharesAwaited
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.replay import Replay
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_event import TableAction, TableEvent
from pokersvc.core.tables.table_events import (
    TABLE_EVENT_TYPES,
    CameBack,
    ChangeClock,
    ChangeDevice,
    ClockChanged,
    ClockRestarted,
    ComeBack,
    DeviceChanged,
    PauseTable,
    ReplaceSeat,
    RestartClock,
    ResumeTable,
    SeatRemoved,
    SeatReplaced,
    TablePaused,
    TableResumed,
    TableSet,
    TableSettings,
    TimedOut,
    settings_events,
)
from pokersvc.core.tables.table_events import agreed as recorded
from pokersvc.core.tables.table_words import event_words, table_words
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Fold
from pokersvc.games.draw_poker.events import Folded

SOURCE = EntropySource.from_text("table")
SEATS = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), Seat("table", "Cy"))
CLOCK = settings_events(TableSettings(seconds=30, bank=60))[0]
EXAMPLES: Final[dict[type[Event], TableEvent]] = {
    TableSet: CLOCK,
    ClockChanged: ClockChanged(60, None, 30),
    DealingSet: DealingSet(1, 20),
    SeatBound: SeatBound(bytes(32), 10_000, bytes(64), 2, bytes(range(64)), bytes(range(32))),
    SharesAwaited: SharesAwaited(3, (1, 2)),
    ShareOpened: ShareOpened(1, bytes(range(32)), bytes(64)),
}
LAPSED = (TimedOut(1), Folded("chosen", 1))


def game() -> State:
    """A game of draw poker in which Ann is to choose."""
    state = DRAW_POKER.new(DRAW_POKER.start(Setup(SEATS, SOURCE)))
    while (event := state.dealer_event(SOURCE.entropy())) is not None:
        state.apply(event)
    return state


def pausing() -> State:
    """A state between two rounds."""
    state = game()
    while not state.pausing:
        event = state.decide(Fold(state.to_act)) if state.to_act else state.dealer_event(SOURCE.entropy())
        assert event is not None
        state.apply(event)
    return state


def given(*events: Any) -> Table:
    table = Table(SEATS)
    for event in events:
        if isinstance(event, TableEvent):
            table.apply(event)
        else:
            table.went_on(event, event.seat)
    return table


def refusal(table: Table, action: TableAction | TableEvent, state: State) -> str:
    asked: Any = table.check if isinstance(action, TableEvent) else table.decide
    with pytest.raises(IllegalAction) as refused:
        asked(action, state)
    assert str(refused.value).endswith(".")
    return refused.value.code


@pytest.mark.parametrize(
    ("before", "action", "event"),
    [
        ((), PauseTable(), TablePaused()),
        ((TablePaused(),), ResumeTable(), TableResumed()),
        ((CLOCK,), RestartClock(), ClockRestarted()),
        ((CLOCK, *LAPSED, *LAPSED), ComeBack(1), CameBack(1)),
        ((), ReplaceSeat(2), SeatReplaced(2)),
        ((), ChangeDevice(2), DeviceChanged(2)),
    ],
)
def test_an_action_at_the_table_becomes_its_event(before: Any, action: TableAction, event: TableEvent) -> None:
    assert given(*before).decide(action, game()) == event


@pytest.mark.parametrize(
    ("before", "action", "code"),
    [
        ((TablePaused(),), PauseTable(), "already_paused"),
        ((), ResumeTable(), "not_paused"),
        ((TablePaused(), TableResumed()), ResumeTable(), "not_paused"),
        ((), RestartClock(), "no_clock"),
        ((CLOCK,), ComeBack(1), "not_sitting_out"),
        ((CLOCK, *LAPSED), ComeBack(1), "not_sitting_out"),
        ((CLOCK,), ComeBack(3), "not_a_person"),
        ((), ReplaceSeat(3), "not_a_person"),
        ((), ChangeDevice(3), "not_a_person"),
        ((), ReplaceSeat("1"), "no_seat"),  # type: ignore[arg-type]  # no number
        ((), TableAction(), "unknown_action"),
        ((), TimedOut(1), "no_clock"),
        ((CLOCK,), TimedOut(2), "not_your_turn"),
        ((CLOCK,), TimedOut(3), "not_a_person"),
        ((CLOCK, TablePaused()), TimedOut(1), "paused"),
        ((CLOCK, TimedOut(1)), PauseTable(), "event_due"),
        ((CLOCK,), CLOCK, "already_set"),
        ((), SeatRemoved(2), "not_between_rounds"),
    ],
)
def test_what_cannot_be_done_now_is_refused(before: Any, action: Any, code: str) -> None:
    assert refusal(given(*before), action, game()) == code


def test_a_seat_is_removed_between_two_rounds() -> None:
    given().check(SeatRemoved(2), pausing())


def between() -> State:
    """A state between two rounds of a game whose host may change the stakes."""
    state = DRAW_POKER.new(DRAW_POKER.start(Setup(SEATS, SOURCE, None, {"changeable": True})))
    while not state.pausing:
        event = state.dealer_event(SOURCE.entropy())
        state.apply(state.decide(Fold(state.to_act or 0)) if event is None else event)
    return state


@pytest.mark.parametrize("seat", [0, 2])
def test_the_host_changes_the_clock_between_two_rounds(seat: int) -> None:
    table = given(CLOCK)
    event = table.decide(ChangeClock(20, 40, seat), between())
    assert event == ClockChanged(40, seat or None, 20)
    table.apply(event)
    assert table.settings == TableSettings(seconds=20, bank=40)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (ChangeClock(30, 60), "nothing_changes"),
        (ChangeClock(0, 60), "illegal_clock"),
        (ChangeClock(-1), "illegal_clock"),
        (ChangeClock(2_592_001), "illegal_clock"),
        (ChangeClock(20, 40, 3), "not_a_person"),
        (ChangeClock(20, 40, 9), "not_a_person"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(action: ChangeClock, code: str) -> None:
    assert refusal(given(CLOCK), action, between()) == code


def test_the_clock_stays_in_a_round_and_where_neither_the_start_nor_the_table_allows_it() -> None:
    asked = ChangeClock(20)
    changeable = DRAW_POKER.new(DRAW_POKER.start(Setup(SEATS, SOURCE, None, {"changeable": True})))
    while (event := changeable.dealer_event(SOURCE.entropy())) is not None:
        changeable.apply(event)
    assert refusal(given(CLOCK), asked, changeable) == "not_between_rounds"
    assert refusal(given(CLOCK), asked, pausing()) == "not_changeable"
    assert refusal(given(), asked, between()) == "no_settings"


def test_nothing_happens_at_a_table_whose_dealer_is_to_act() -> None:
    started = DRAW_POKER.new(DRAW_POKER.start(Setup(SEATS, SOURCE)))
    assert refusal(given(), PauseTable(), started) == "dealer_to_act"


def test_nothing_happens_at_a_table_whose_game_is_over() -> None:
    state = DRAW_POKER.new(DRAW_POKER.start(Setup(SEATS, SOURCE, 1)))
    while state.outcome is None:
        event = state.decide(Fold(state.to_act)) if state.to_act else state.dealer_event(SOURCE.entropy())
        assert event is not None
        state.apply(event)
    assert refusal(given(), PauseTable(), state) == "game_over"


def test_a_seat_sits_out_after_two_choices_that_lapsed_in_a_row() -> None:
    assert given(CLOCK, *LAPSED).sitting_out == ()
    assert given(CLOCK, *LAPSED, *LAPSED).sitting_out == (1,)
    assert given(CLOCK, *LAPSED, Folded("chosen", 1), *LAPSED).sitting_out == ()


def test_a_choice_of_its_own_or_coming_back_ends_sitting_out() -> None:
    out = (CLOCK, *LAPSED, *LAPSED)
    assert given(*out, Folded("chosen", 1)).sitting_out == ()
    assert given(*out, CameBack(1)).sitting_out == ()
    assert given(*out, Folded("chosen", 2)).sitting_out == (1,)


def test_no_round_begins_while_all_people_who_play_sit_out() -> None:
    def out(*seats: int) -> Table:
        return given(CLOCK, *[event for seat in seats for event in (TimedOut(seat), Folded("chosen", seat)) * 2])

    state = pausing()
    out(1).check_round(state)
    with pytest.raises(IllegalAction, match="Everybody sits out") as refused:
        out(1, 2).check_round(state)
    assert refused.value.code == "nobody_sits_in"


def test_in_a_pause_no_seat_chooses_and_no_round_begins() -> None:
    paused, resumed = given(TablePaused()), given(TablePaused(), TableResumed())
    with pytest.raises(IllegalAction, match="nobody can choose"):
        paused.check_choice()
    with pytest.raises(IllegalAction, match="no round begins"):
        paused.check_round(pausing())
    resumed.check_choice()
    resumed.check_round(pausing())


def test_what_no_table_can_take_is_impossible() -> None:
    with pytest.raises(ImpossibleEvent, match="there is no seat 4"):
        given().apply(TimedOut(4))
    with pytest.raises(ImpossibleEvent, match="chosen once"):
        given(CLOCK).apply(CLOCK)


@pytest.mark.parametrize("wrong", [{"seconds": -1}, {"seconds": 10**9}, {"seconds": True}, {"bank": 5}])
def test_settings_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidValue):
        TableSettings(**wrong)  # type: ignore[arg-type]


def test_settings_are_read_back_as_they_were_recorded() -> None:
    agreed = TableSettings(advice=False, bank=60, opens_seeds=True, seconds=30)
    assert recorded(settings_events(agreed)) == agreed
    assert recorded([TableSet(advice=True, bank=5, opens_seeds=False, seconds=0)]) == TableSettings()


@pytest.mark.parametrize("kind", game_kinds())
def test_every_game_reads_and_writes_them(kind: str) -> None:
    codec = game_of(kind).codec
    for (name, version), event_type in TABLE_EVENT_TYPES.items():
        event = EXAMPLES.get(event_type) or event_type(*[1] * ("seat" in event_type.__slots__))
        stored = codec.encode(event)
        assert (stored.type, stored.version) == (name, version)
        assert codec.decode(*stored) == event


def test_they_have_words() -> None:
    told = [table_words(event, SEATS) for event in (CLOCK, TimedOut(1), SeatRemoved(2), TablePaused(), CameBack(3))]
    assert told == [
        "The table is set: 30 seconds for a choice and 60 more for the game; advice is allowed;"
        " what is hidden stays hidden.",
        "Ann's time is over.",
        "Bob is removed from the table by the host.",
        "The table is paused.",
        "Cy is back.",
    ]


def test_a_move_to_another_device_is_no_new_link() -> None:
    table = given(DeviceChanged(2), DeviceChanged(2), SeatReplaced(1))
    assert (table.moved, table.replaced) == ({2: 2}, {1: 1})
    assert table_words(DeviceChanged(2), SEATS) == "Bob goes on at another device."


def test_of_you_they_are_told_in_the_second_person() -> None:
    seats = (Seat(HUMAN, "You"), Seat(HUMAN, "Bob"))
    told = [
        table_words(event, seats)
        for event in (
            TimedOut(1),
            SeatRemoved(1),
            CameBack(1),
            SeatReplaced(1),
            DeviceChanged(1),
            ShareMissed(1),
            SharesAwaited(2, (1, 2)),
        )
    ]
    assert told == [
        "Your time is over.",
        "You are removed from the table by the host.",
        "You are back.",
        "Your seat has a new link; somebody else may hold it from now on.",
        "You go on at another device.",
        "You open no share in time, so you fold at once and sit out.",
        "Shuffle 2 waits for shares of you and Bob.",
    ]


@pytest.mark.parametrize("kind", game_kinds())
def test_of_what_was_agreed_a_game_tells_what_matters_in_it(kind: str) -> None:
    game = game_of(kind)
    started = game.start(Setup(SEATS[:2], SOURCE))
    kept = [secret_fields(event) for (name, _), event in game.event_types.items() if name != "GameStarted"]
    advises = "advise" in vars(type(game.words))
    said = ["no clock", *["no advice"] * advises, *["everything hidden opens after the game"] * any(kept)]
    agreed = TableSet(advice=False, bank=0, opens_seeds=True, seconds=0)
    told = event_words(game, agreed, Replay(game).take(started), SEATS)
    assert told == f"The table is set: {'; '.join(said)}."


def test_a_replay_keeps_the_table_beside_the_game_and_the_game_knows_nothing_of_it() -> None:
    started = DRAW_POKER.start(Setup(SEATS, SOURCE))
    plain, replay = Replay(DRAW_POKER), Replay(DRAW_POKER)
    assert plain.take(started) == replay.take(started)
    assert not replay.at_table
    replay.take(CLOCK, "2026-11-22T14:00:00.000000Z")
    while (event := plain.state.dealer_event(SOURCE.entropy())) is not None:
        plain.take(event)
        replay.take(event, "2026-11-22T14:00:00.000000Z")
    replay.take(TablePaused(), "no moment")
    assert replay.state == plain.state
    assert replay.table.paused
    assert replay.clock is not None
    assert not plain.table.paused
