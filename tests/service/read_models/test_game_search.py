"""Searches for games use an index, and games are in the order of their starts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.read_models import game_search
from pokersvc.service.read_models.game_search import Sought, in_order, last_open
from pokersvc.service.read_models.statistics import statistics
from pokersvc.service.read_models.tallies import tally
from tests.clock import ticking
from tests.service.support import play_out
from tests.service.support import started as started_draw


@pytest.fixture
def started(service: Service) -> list[str]:
    """Fixture: games of every kind, and games of Ann, Bob and Zoë."""
    games = []
    for number, names in enumerate((("Ann", "Bob"), ("Zoë", "ANN"), ("Bob", "Zoë"))):
        for kind in game_kinds():
            seats = tuple(Seat(HUMAN if number == 2 else "random", name) for name in names)
            games.append(service.start(kind, Setup(seats, EntropySource.from_text(kind)))[0])
    play_out(service, games[0])
    return games


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """Yield the list of SQL statements sent to the database."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        asked.append((statement, values))

    with database.read() as connection:
        engine = connection.engine
    event.listen(engine, "before_cursor_execute", note)
    yield asked
    event.remove(engine, "before_cursor_execute", note)


LISTS: dict[str, Callable[[Database], object]] = {
    "all games": lambda database: list(game_search.games(database, Sought())),
    "of a kind": lambda database: list(game_search.games(database, Sought(kind="kalah"))),
    "of a house": lambda database: list(game_search.games(database, Sought(house="rising-ante"))),
    "of a player": lambda database: list(game_search.games(database, Sought(player="Ann"))),
    "of a player since": lambda database: list(game_search.games(database, Sought(player="Ann", since="2026"))),
    "open": lambda database: list(game_search.games(database, Sought(finished=False))),
    "since": lambda database: list(game_search.games(database, Sought(since="2026-01-31T12"))),
    "the last that is open": last_open,
}
FIGURES: dict[str, Callable[[Database], object]] = {
    "one player": lambda database: statistics(database, players=("Ann",), most=20),
    "by opponent": lambda database: statistics(database, "opponent", ("Ann",), most=20),
    "one value": lambda database: statistics(database, "position", ("Ann",), only="BTN"),
    "those with most hands": lambda database: statistics(database, "position", most=1),
}


def plans(database: Database, question: Callable[[Database], object]) -> list[str]:
    """Return SQLite's query plan for a question, step by step."""
    with statements(database) as asked:
        question(database)
    with database.read() as connection:
        steps = [
            row[3]
            for statement, values in asked
            if statement.startswith("SELECT")
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert steps
    return steps


@pytest.mark.parametrize("player", [None, "ann"])
def test_since_names_the_games_that_started_then_or_later(
    log: EventLog, database: Database, player: str | None
) -> None:
    service = Service(log, ticking())
    games = [started_draw(service, HUMAN, "minimum", text=str(number)) for number in range(3)]
    moments = [next(log.read(game_id)).recorded_at for game_id in games]
    for number, moment in enumerate(moments):
        found = game_search.games(database, Sought(player=player, since=moment))
        assert [game.game_id for game in found] == games[number:][::-1]
    assert list(game_search.games(database, Sought(player=player, since="2027"))) == []


def test_a_list_is_read_in_its_order_and_no_further_than_somebody_looks(database: Database, started: list[str]) -> None:
    for name, question in LISTS.items():
        for step in plans(database, question):
            assert "TEMP B-TREE" not in step, f"all would be read before the first is shown: {name}"
            assert "INDEX" in step, name


def test_figures_are_looked_up(database: Database, started: list[str]) -> None:
    tally(database)
    for name, question in FIGURES.items():
        for step in plans(database, question):
            assert not step.startswith("SCAN tallies"), name
            assert not step.startswith("SEARCH tallies") or "dimension=?" in step, name


@pytest.mark.parametrize("at_once", [1, 2, 500])
def test_games_come_in_the_order_in_which_they_started_some_at_a_time(
    database: Database, started: list[str], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(game_search, "GAMES_AT_ONCE", at_once)
    kinds = len(game_kinds())
    with database.read() as connection:
        assert [game.game_id for game in in_order(connection)] == started
        assert [game.game_id for game in in_order(connection, ("ann",))] == started[: 2 * kinds]
        both = [game.game_id for game in in_order(connection, ("Ann", "Bob"))]
        assert both == started, "each game once, of whichever of them it is"
        assert [game.kind for game in in_order(connection, ("ZOË",))] == list(game_kinds()) * 2
        assert list(in_order(connection, ("Nobody",))) == []
