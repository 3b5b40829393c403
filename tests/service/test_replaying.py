"""A game is replayed as a viewer may know it: everyone, a seat, or an auditor once it is over."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, may_see
from pokersvc.core.seats import HUMAN
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import ChainBroken, shared
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.service import NotOver, Service

from .support import act, commands, play_out, started

VIEWERS: tuple[Viewer, ...] = (EVERYONE, 1, 2, AUDITOR)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_record_comes_with_the_event_and_the_state_it_made(
    service: Service, log: EventLog, viewer: Viewer
) -> None:
    game_id = started(service, "steady", "random", rounds=2)
    play_out(service, game_id)
    steps = list(service.with_secrets.replay(game_id, viewer))

    for step, record in zip(steps, log.read(game_id), strict=True):
        assert step.record == shared(record, opened=may_see(step.event, viewer))
    assert all(may_see(step.event, viewer) or _withheld(step.event) for step in steps)
    assert steps[-1].state.outcome == service.status(game_id).outcome


def _withheld(event: Any) -> bool:
    return None in (getattr(event, name, 0) for name in ("cards", "seed", "entropy"))


def test_hands_are_withheld_from_who_may_not_see_them(service: Service) -> None:
    game_id = started(service, "minimum", "minimum", rounds=1)
    play_out(service, game_id)

    def dealt(viewer: Viewer) -> list[bool]:
        """Return, for each dealt hand, whether the viewer sees it."""
        steps = service.with_secrets.replay(game_id, viewer)
        return [
            s.event.cards is not None for s in steps if isinstance(s.event, events.HandDealt | earlier_events.HandDealt)
        ]

    assert [dealt(viewer) for viewer in VIEWERS] == [[False, False], [True, False], [False, True], [True, True]]


@pytest.mark.parametrize("viewer", [EVERYONE, 1])
def test_the_seeds_are_the_auditors_alone(service: Service, viewer: Viewer) -> None:
    game_id = started(service, "minimum", "minimum", rounds=1)
    play_out(service, game_id)
    for step in service.replay(game_id, viewer):
        assert getattr(step.event, "seed", None) is None
        assert getattr(step.event, "entropy", None) is None
    assert any(getattr(step.event, "seed", None) for step in service.with_secrets.replay(game_id))


TABLES = st.tuples(
    st.lists(st.sampled_from([HUMAN, "random", "steady"]), min_size=2, max_size=4), st.text("ab", min_size=1)
)


@pytest.mark.parametrize("tables", [3, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.no_cover
def test_at_every_moment_a_replay_is_what_the_viewer_sees_of_the_game(tables: int) -> None:
    settings(max_examples=tables)(given(TABLES)(a_replay_is_what_every_viewer_sees_of_the_game))()


def a_replay_is_what_every_viewer_sees_of_the_game(table: tuple[list[str], str]) -> None:
    kinds, text = table
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        game_id = started(service, *kinds, rounds=2, text=text)
        viewers: list[Viewer] = [EVERYONE, AUDITOR, *range(1, len(kinds) + 1)]
        for _ in commands(service, game_id):
            for viewer in viewers:
                *_, last = service.with_secrets.replay(game_id, viewer, force=True)
                assert last.state.view(viewer) == service.with_secrets.view(game_id, viewer)


def test_a_replay_stops_where_it_is_asked_to(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum")
    assert [step.record.seq for step in service.replay(game_id, upto=3)] == [1, 2, 3]
    assert len(list(service.replay(game_id, upto=1_000))) == service.status(game_id).count


def test_an_auditor_waits_for_the_end(service: Service) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=1)
    with pytest.raises(NotOver, match="not over"):
        list(service.with_secrets.replay(game_id))
    assert list(service.with_secrets.replay(game_id, force=True))
    play_out(service, game_id)
    assert list(service.with_secrets.replay(game_id))


def test_an_auditor_hears_of_the_end_from_another_service(service: Service, log: EventLog) -> None:
    game_id = started(service, HUMAN, "minimum", rounds=1)
    play_out(Service(log), game_id)
    assert list(service.with_secrets.replay(game_id))


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_nobody_looks_from_a_seat_that_is_not_there(service: Service, seat: int) -> None:
    game_id = started(service, HUMAN, "minimum")
    with pytest.raises(InvalidValue, match=r"no seat .*; its seats are 1 to 2"):
        list(service.replay(game_id, seat))


def test_a_changed_log_is_not_replayed(service: Service, log: EventLog, database: Database) -> None:
    game_id = started(service, HUMAN, "minimum")
    act(service, game_id)
    with database.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_refuse_update")
        connection.exec_driver_sql("UPDATE events SET payload = replace(payload, '50', '60') WHERE type = 'Bet'")

    replay = service.replay(game_id)
    with pytest.raises(ChainBroken) as broken:
        list(replay)
    assert broken.value.seq == 8
    with pytest.raises(ChainBroken):
        Service(log).status(game_id)
