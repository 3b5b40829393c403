"""Replay: stored events folded into states, for one viewer."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokersvc
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import CannotReplay, Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import RoundEnded

from .draw_poker.played import Plan, plans, play

VIEWERS: st.SearchStrategy[Viewer] = st.sampled_from([EVERYONE, AUDITOR, 1, 2])


def stored(plan: Plan) -> list[Record]:
    started, events = play(plan)
    return [record(seq, event) for seq, event in enumerate([started, *events], 1)]


def record(seq: int, event: Event) -> Record:
    coded = DRAW_POKER.codec.encode(event)
    return Record("game", seq, coded.type, coded.version, "", "", 1, coded.payload, coded.secret, None, b"")


def decoded(record: Record) -> Event:
    return DRAW_POKER.codec.decode(record.type, record.version, record.payload, record.secret)


def folded(records: list[Record], viewer: Viewer) -> Any:
    """Fold what a viewer may know the slow way: each event is decoded, withheld and applied by hand."""
    events: list[Any] = [redact(decoded(record), viewer) for record in records]
    state = DRAW_POKER.new(events[0])
    for event in events[1:]:
        state.apply(event)
    return state


@given(plans(most_rounds=2), VIEWERS, st.data())
@settings(max_examples=25, deadline=None)
def test_every_way_to_take_events_makes_the_state_of_the_viewer(
    plan: Plan, viewer: Viewer, data: st.DataObject
) -> None:
    records = stored(plan)
    expected = folded(records, viewer)
    at = data.draw(st.integers(0, len(records)))
    followed = Replay(DRAW_POKER, viewer)
    assert followed.begun is False
    assert followed.follow([]) is None
    assert followed.follow(records[:at]) == (records[at - 1] if at else None)
    assert followed.follow(records[at:]) == (records[-1] if at < len(records) else None)
    assert followed.state == expected

    read = Replay(DRAW_POKER, viewer)
    events = [read.read(record) for record in records]
    assert read.state == expected

    taken = Replay(DRAW_POKER, viewer)
    assert [taken.take(event) for event in events][-1] == expected

    passed: list[list[tuple[Event, str]]] = []
    Replay(DRAW_POKER, viewer).follow(records, passed.append, DRAW_POKER.round_ends)
    later = list(zip(events, [record.recorded_at for record in records], strict=True))[1:]
    assert list(chain.from_iterable(passed)) == later
    ends = [[type(event) in DRAW_POKER.round_ends for event, _ in together] for together in passed]
    assert all(sum(some) == some[-1] == 1 for some in ends[:-1])
    assert sum(map(sum, ends[-1:])) == 0


@given(plans(most_rounds=2), VIEWERS)
@settings(max_examples=25, deadline=None)
def test_a_step_shows_the_record_and_the_event_as_the_viewer_may_know_them(plan: Plan, viewer: Viewer) -> None:
    records = stored(plan)
    steps = list(Replay(DRAW_POKER, viewer).steps(records, lambda record: ("withheld", record)))
    assert len(steps) == len(records)
    assert steps[-1].state == folded(records, viewer)
    for record, step in zip(records, steps, strict=True):
        event = decoded(record)
        assert step.record == (record if may_see(event, viewer) else ("withheld", record))
        assert step.event == redact(event, viewer)


@pytest.mark.parametrize("viewer", [0, 3, -1, "nobody", True])
def test_a_viewer_whom_the_game_does_not_have_is_refused(viewer: Any) -> None:
    records = stored(Plan(("minimum", "minimum"), 1, DRAW_POKER.start(_setup()).rules, 1, 1000))
    with pytest.raises(InvalidValue, match="There is no seat"):
        next(Replay(DRAW_POKER, viewer).steps(records, lambda record: record))


def _setup() -> Any:

    return Setup((Seat("minimum", "Ann"), Seat("minimum", "Bob")), EntropySource.from_text("a"))


def test_an_event_that_cannot_be_is_named_whichever_way_it_is_taken() -> None:
    records = stored(Plan(("minimum", "minimum"), 1, DRAW_POKER.start(_setup()).rules, 1, 1000))[:4]
    wrong = [*records, record(5, RoundEnded(1))]
    why = "Game game cannot be replayed from event 5 on: RoundEnded cannot happen here: the phase is "
    for take in (
        Replay(DRAW_POKER).follow,
        lambda records: list(Replay(DRAW_POKER).steps(records, lambda record: record)),
        lambda records: list(map(Replay(DRAW_POKER).read, records)),
    ):
        with pytest.raises(CannotReplay, match=why) as refused:
            take(wrong)
        assert (refused.value.game_id, refused.value.seq) == ("game", 5)


def test_without_a_record_a_state_keeps_no_events() -> None:
    records = stored(Plan(("minimum", "minimum"), 1, DRAW_POKER.start(_setup()).rules, 1, 1000))
    kept, unkept = Replay(DRAW_POKER), Replay(DRAW_POKER, keeps_record=False)
    for replay in (kept, unkept):
        replay.follow(records)
    assert list(kept.state.record.seen(AUDITOR))
    assert not list(unkept.state.record.seen(AUDITOR))


def test_nothing_else_folds_a_log() -> None:
    """Outside of `Replay` no state is made of events; an audit tries an event on a copy, which it throws away."""
    package = Path(pokersvc.__file__).parent
    found = {
        f"{path.relative_to(package)}: {line.strip()}"
        for folder in ("service", "evidence", "tournament")
        for path in package.joinpath(folder).rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\.apply\(|game\.new\(", line)
    }
    assert found == {"evidence/audit/judge.py: trial.apply(due)"}
