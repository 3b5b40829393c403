"""A cursor in a recorded game: wherever it moves, it returns the same as a replay from the start."""

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.core.tables.table_words import event_words
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.service import Service, cursor
from pokersvc.service.cursor import Cursor, Moment

ROUNDS = 4
SETUP = Setup(
    (Seat("random", "Ann"), Seat("random", "Bob"), Seat("minimum", "Cy")), EntropySource.from_text("cursor"), ROUNDS
)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """A game of some rounds, at a table with settings."""
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log)
        game_id, _ = service.start("draw", SETUP, table=TableSettings(seconds=5))
        while service.status(game_id).outcome is None:
            service.step(game_id)
        return list(log.read(game_id))


@pytest.fixture
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursor, "BLOCK", 5)
    monkeypatch.setattr(cursor, "KEPT", 3)


def told(records: list[Record], viewer: Viewer) -> tuple[list[Moment], list[int]]:
    """Return every step and the first event of each round, from one replay."""
    replay, seats, starts, found = Replay(DRAW_POKER, viewer), SETUP.seats, [1], list[Moment]()
    for seq, record in enumerate(records, 1):
        event = replay.read(record)
        state = replay.state
        if state.record.round > len(starts):
            starts.append(seq)
        entry = state.entry(event, viewer) if type(event) in DRAW_POKER.event_types.values() else None
        text = event_words(DRAW_POKER, event, state, seats)
        found.append(
            Moment(
                seq, len(starts), event, record.recorded_at, text, entry, state.view(viewer), seats, state.awaited,
                state.outcome,
            )
        )  # fmt: skip
    return found, starts


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize("viewer", [EVERYONE, 2, AUDITOR])
def test_it_tells_what_a_replay_tells_wherever_it_comes_from(records: list[Record], viewer: Viewer) -> None:
    moments, _ = told(records, viewer)
    at, random = Cursor(DRAW_POKER, records, viewer), Random(5)
    places = [1, len(records), *random.choices(range(1, len(records) + 1), k=40)]
    assert [at.at(seq) for seq in places] == [moments[seq - 1] for seq in places]
    for seq in (0, -1, len(records) + 1):
        with pytest.raises(IndexError, match=f"^{seq}$"):
            at.at(seq)


@pytest.mark.usefixtures("_small_blocks")
def test_it_moves_as_it_is_told_and_stays_where_there_is_nothing(records: list[Record]) -> None:
    moments, starts = told(records, EVERYONE)
    assert len(starts) == ROUNDS
    at, random, seq = Cursor(DRAW_POKER, records, EVERYONE), Random(7), 1
    for _ in range(120):
        number = bisect_right(starts, seq)
        assert (at.seq, at.now, at.seats, at.at_end) == (seq, moments[seq - 1], SETUP.seats, seq == len(records))
        first = starts[number - 1]
        for most in (1, 3, 1000):
            assert at.last(most) == moments[max(first, seq - most + 1) - 1 : seq]
        earlier = first if seq > first else starts[number - 2] if number > 1 else 0
        jump, round_ = random.randrange(-1, len(records) + 3), random.randrange(-1, 7)
        moves: list[tuple[int, Callable[[], bool]]] = [
            (seq + 1, at.forward),
            (seq - 1, at.back),
            ((*starts, 0)[number], at.next_round),
            (earlier, at.previous_round),
            (jump, partial(at.go, jump)),
            (starts[round_ - 1] if 1 <= round_ <= len(starts) else 0, partial(at.go_to_round, round_)),
        ]
        to, move = random.choice(moves)
        there = 1 <= to <= len(records)
        assert move() is there
        seq = to if there else seq


@pytest.mark.usefixtures("_small_blocks")
def test_what_comes_later_is_taken_in(records: list[Record]) -> None:
    moments, _ = told(records, EVERYONE)
    for count in (1, 4, 5, 6, 10, 11):
        at = Cursor(DRAW_POKER, records[:count], EVERYONE)
        assert (at.count, at.records, at.now) == (count, records[:count], moments[0])
        assert at.go(count)
        assert at.now == moments[count - 1]
        at.extend([])
        assert (at.count, at.at_end) == (count, True)
        at.extend(records[count : count + 2])
        assert (at.count, at.at_end) == (count + 2, False)
        assert [at.at(seq) for seq in (count, count + 1, count + 2)] == moments[count - 1 : count + 2]


@pytest.mark.usefixtures("_small_blocks")
def test_blocks_that_were_not_used_for_longest_are_forgotten(records: list[Record]) -> None:
    at = Cursor(DRAW_POKER, records, EVERYONE)
    for seq in (1, 6, 11):
        at.at(seq)
    kept = at.at(1)
    at.at(16)
    assert at.at(1) is kept
    assert list(at._blocks) == [2, 3, 0]


@pytest.mark.usefixtures("_small_blocks")
def test_on_the_way_to_the_end_each_event_is_applied_once(
    records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    applied: list[int] = []
    read = Replay.read

    def noted(self: Replay, stored: Record) -> Event:
        applied.append(stored.seq)
        return read(self, stored)

    monkeypatch.setattr(Replay, "read", noted)
    place = Cursor(DRAW_POKER, records, EVERYONE)
    while not place.at_end:
        assert place.now.seq == place.seq
        place.forward()
    assert place.now.seq == len(records)
    assert applied == [record.seq for record in records]


def test_4096_events_stay_in_memory() -> None:
    assert (cursor.KEPT, cursor.BLOCK) == (16, 256)


def test_another_viewer_sees_the_same_place(records: list[Record]) -> None:
    at = Cursor(DRAW_POKER, records, EVERYONE)
    at.go(20)
    other = at.seen_by(2)
    assert (other.seq, other.viewer, other.now) == (20, 2, told(records, 2)[0][19])
    assert other.places == (1, 2, 3)
    with pytest.raises(InvalidValue):
        at.seen_by(4)
