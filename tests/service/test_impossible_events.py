"""A log with an impossible event: a replay names the event, and other games are unaffected."""

import re

import pytest

from pokersvc.core.event import EVERYONE
from pokersvc.core.replay import CannotReplay
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.service import Service
from pokersvc.service.read_models import history

from .support import play_out, rows, started


def break_game(log: EventLog, game_id: str) -> int:
    """Record a call by a player without chips; return its number."""
    count = sum(1 for _ in log.read(game_id))
    impossible = NewEvent(*DRAW_POKER.codec.encode(events.Called(10**6, 1)))
    log.append(game_id, [impossible], expected=count, command_id="forged")
    return count + 1


def refusal(game_id: str, seq: int) -> str:
    return re.escape(f"Game {game_id} cannot be replayed from event {seq} on: Called cannot happen here: ")


@pytest.fixture
def broken(service: Service, log: EventLog) -> tuple[str, int]:
    """A game of one whole round, and the number of its impossible event."""
    game_id = started(service, "minimum", "minimum", rounds=3, text="broken")
    service.play_round(game_id)
    return game_id, break_game(log, game_id)


def test_who_opens_it_is_told_the_game_and_the_event(log: EventLog, broken: tuple[str, int]) -> None:
    game_id, seq = broken
    with pytest.raises(CannotReplay, match=refusal(*broken)) as refused:
        Service(log).status(game_id)
    assert (refused.value.game_id, refused.value.seq, refused.value.code) == (game_id, seq, "cannot_replay")


def test_who_had_it_open_is_told_too(service: Service, broken: tuple[str, int]) -> None:
    with pytest.raises(CannotReplay, match=refusal(*broken)):
        service.play_round(broken[0])


def test_who_replays_it_sees_what_came_before(log: EventLog, broken: tuple[str, int]) -> None:
    game_id, seq = broken
    steps = Service(log).replay(game_id, EVERYONE)
    assert [next(steps).record.seq for _ in range(1, seq)] == list(range(1, seq))
    with pytest.raises(CannotReplay, match=refusal(game_id, seq)):
        next(steps)


def test_all_other_games_are_rebuilt(
    service: Service, log: EventLog, database: Database, broken: tuple[str, int]
) -> None:
    for text in ("a", "b"):
        play_out(service, started(service, "minimum", "random", rounds=2, text=text))
    before = rows(database)
    with database.write() as connection:
        connection.exec_driver_sql("DELETE FROM history_entries")
        connection.exec_driver_sql("UPDATE game_summaries SET rounds = 99, outcome = NULL")
    with pytest.raises(history.NotRebuilt) as refused:
        history.rebuild(database)
    assert str(refused.value) == (
        f"Read models of 2 games were rebuilt, but game {broken[0]} cannot be read from event {broken[1]} on;"
        " what came before is in the read models."
    )
    assert rows(database) == before, "also those of the broken game: its first round is whole"
    assert list(history.gaps(database)) == []
