"""Replay: stored events folded into states, for one viewer, by the small game of Nim."""

import re
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokersvc
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent, Viewer, may_see, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import CannotReplay, Replay, at_of, check_viewer
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings, settings_events
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from tests.nim.events import RoundEnded
from tests.nim.game import NIM
from tests.nim.state import NimState, Take

VIEWERS: st.SearchStrategy[Viewer] = st.sampled_from([EVERYONE, AUDITOR, 1, 2])
SEEDS = st.integers(0, 2**16)


def stored(seed: int) -> list[Record]:
    """Return two rounds of Nim: the dealer keeps a secret from all, and each seat has one of its own."""
    players = Seat("careful", "Ann"), Seat("careless", "Bob")
    started = NIM.start(Setup(players, EntropySource.from_text(str(seed)), 2))
    state, events, random = NIM.new(started), list[Event]([started]), Random(seed)
    assert started.entropy is not None
    while state.outcome is None:
        if (seat := state.to_act) is None:
            event = state.dealer_event(started.entropy.entropy())
            assert event is not None
        else:
            bot = NIM.players[players[seat - 1].kind]()
            event = state.decide(bot.choose(state.view(seat), state.legal(seat), random))
        state.apply(event)
        events.append(event)
    return [record(number, event) for number, event in enumerate(events, 1)]


def record(seq: int, event: Event) -> Record:
    coded = NIM.codec.encode(event)
    return Record("game", seq, coded.type, coded.version, "", "", 1, coded.payload, coded.secret, None, b"")


def decoded(record: Record) -> Event:
    return NIM.codec.decode(record.type, record.version, record.payload, record.secret)


def folded(records: list[Record], viewer: Viewer) -> Any:
    """Apply a viewer's events one by one: each is decoded, redacted and applied by hand."""
    events: list[Any] = [redact(decoded(record), viewer) for record in records]
    state = NIM.new(events[0])
    for event in events[1:]:
        state.apply(event)
    return state


@given(SEEDS, VIEWERS, st.data())
@settings(max_examples=25, deadline=None)
def test_every_way_to_take_events_makes_the_state_of_the_viewer(seed: int, viewer: Viewer, data: st.DataObject) -> None:
    records = stored(seed)
    expected = folded(records, viewer)
    at = data.draw(st.integers(0, len(records)))
    followed = Replay(NIM, viewer)
    assert followed.begun is False
    assert followed.follow([]) is None
    assert followed.follow(records[:at]) == (records[at - 1] if at else None)
    assert followed.follow(records[at:]) == (records[-1] if at < len(records) else None)
    assert followed.state == expected

    read = Replay(NIM, viewer)
    events = [read.read(record) for record in records]
    assert read.state == expected

    taken = Replay(NIM, viewer)
    assert [taken.take(event) for event in events][-1] == expected

    passed: list[list[tuple[Event, str]]] = []
    Replay(NIM, viewer).follow(records, passed.append, [RoundEnded])
    later = list(zip(events, [record.recorded_at for record in records], strict=True))[1:]
    assert list(chain.from_iterable(passed)) == later
    ends = [[type(event) is RoundEnded for event, _ in together] for together in passed]
    assert all(sum(some) == some[-1] == 1 for some in ends[:-1])
    assert sum(map(sum, ends[-1:])) == 0


@given(SEEDS, VIEWERS)
@settings(max_examples=25, deadline=None)
def test_a_step_shows_the_record_and_the_event_as_the_viewer_may_know_them(seed: int, viewer: Viewer) -> None:
    records = stored(seed)
    steps = list(Replay(NIM, viewer).steps(records, lambda record: ("withheld", record)))
    assert len(steps) == len(records)
    assert steps[-1].state == folded(records, viewer)
    for record, step in zip(records, steps, strict=True):
        event = decoded(record)
        assert step.record == (record if may_see(event, viewer) else ("withheld", record))
        assert step.event == redact(event, viewer)


@pytest.mark.parametrize("viewer", [0, 3, -1, "nobody", True])
def test_a_viewer_whom_the_game_does_not_have_is_refused(viewer: Any) -> None:
    records = stored(1)
    with pytest.raises(InvalidValue, match="There is no seat"):
        next(Replay(NIM, viewer).steps(records, lambda record: record))


def test_an_event_that_cannot_be_is_named_whichever_way_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(state: NimState, event: Event) -> None:
        if isinstance(event, RoundEnded) and not state.decided:
            raise ImpossibleEvent(event, "stones are left")
        change(state, event)

    change = NimState.change
    monkeypatch.setattr(NimState, "change", refuse)
    records = stored(1)[:4]
    wrong = [*records, record(5, RoundEnded((0, 0), 1))]
    why = "Game game cannot be replayed from event 5 on: RoundEnded cannot happen here: stones are left"
    for take in (
        Replay(NIM).follow,
        lambda records: list(Replay(NIM).steps(records, lambda record: record)),
        lambda records: list(map(Replay(NIM).read, records)),
    ):
        with pytest.raises(CannotReplay, match=why) as refused:
            take(wrong)
        assert (refused.value.game_id, refused.value.seq) == ("game", 5)


def test_without_a_record_a_state_keeps_no_events() -> None:
    records = stored(1)
    kept, unkept = Replay(NIM), Replay(NIM, keeps_record=False)
    for replay in (kept, unkept):
        replay.follow(records)
    assert list(kept.state.record.seen(AUDITOR))
    assert not list(unkept.state.record.seen(AUDITOR))


@pytest.mark.parametrize(
    ("at", "microseconds"),
    [
        ("1970-01-01T00:00:01.000002Z", 1_000_002),
        (datetime(1970, 1, 1, 0, 1, tzinfo=UTC), 60_000_000),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_a_clock_takes_a_moment_in_microseconds_and_a_text_that_is_no_time_as_none(
    at: datetime | str | None, microseconds: int | None
) -> None:
    assert at_of(at) == microseconds


def test_a_table_s_clock_runs_from_the_moments_of_its_events() -> None:
    def at(second: int) -> datetime:
        return datetime(1970, 1, 1, 0, 0, second, tzinfo=UTC)

    people = Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob")
    started = NIM.start(Setup(people, EntropySource.from_text("clock"), 1))
    assert started.entropy is not None
    replay = Replay(NIM)
    assert not replay.seats
    replay.take(started, at(0))
    assert (replay.at_table, replay.clock, replay.dealing) == (False, None, None)
    assert [*replay.seats] == [*people]
    assert not replay.table.timed
    replay.take(settings_events(TableSettings(seconds=30, bank=0))[0], at(1))
    assert replay.at_table
    while replay.state.to_act is None:
        dealt = replay.state.dealer_event(started.entropy.entropy())
        assert dealt is not None
        replay.take(dealt, at(2))
    first = replay.state.to_act
    assert (replay.clock is not None, replay.share_clock) == (True, None)
    assert replay.clock is not None
    assert [replay.clock.deadline(seat) for seat in (first, 3 - first)] == [32_000_000, None]
    pile = next(number for number, most in enumerate(replay.state.legal(first).most, 1) if most)
    replay.take(replay.state.decide(Take(first, pile, 1)), at(10))
    assert [replay.clock.deadline(seat) for seat in (first, 3 - first)] == [None, 40_000_000]


@pytest.mark.parametrize("viewer", [1, 2, EVERYONE, AUDITOR])
def test_a_viewer_whom_the_game_has_may_look(viewer: Viewer) -> None:
    check_viewer(viewer, (Seat("careful", "Ann"), Seat("careless", "Bob")))


def test_nothing_else_folds_a_log() -> None:
    """Outside of `Replay` no state is made of events, but for copies.

    An audit tries an event on one and throws it away; a local best response keeps one that knows what its seat sees.
    """
    package = Path(pokersvc.__file__).parent
    found = {
        f"{path.relative_to(package)}: {line.strip()}"
        for folder in ("service", "evidence", "tournament")
        for path in package.joinpath(folder).rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\.apply\(|game\.new\(", line)
    }
    assert found == {
        "evidence/audit/judge.py: trial.apply(due)",
        "tournament/response.py: self._known: State = game.new(redact(started, seat))",
        "tournament/response.py: known.apply(seen)",
    }
