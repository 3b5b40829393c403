"""If recording fails, nothing is recorded, and the service continues from the log."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from pokersvc.core.seats import HUMAN
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseBusy, StorageFailed
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.read_models import projections

from .support import act, as_the_log_says, play_out, play_to_the_pause, setup, started, stored

Failure = Callable[[Database], AbstractContextManager[object]]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr("pokersvc.eventlog.sqlite.BUSY_TIMEOUT", 0.01)
    with Database.for_writing(str(tmp_path / "games.sqlite")) as opened:
        yield opened


@contextmanager
def full_disk(_database: Database) -> Iterator[None]:
    """Limit the size of files, so that nothing can be written."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@contextmanager
def lock_held(database: Database) -> Iterator[None]:
    """Let another process hold the database's lock for longer than the timeout."""
    assert database.path is not None
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def failing_read_models(_database: Database) -> Iterator[None]:
    """Make the last write of a transaction fail."""

    def fails(*_: object, **__: object) -> None:
        raise StorageFailed("A line of the history cannot be written.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pokersvc.service.command.store_lines", fails)
        yield


@pytest.fixture(
    params=[(full_disk, StorageFailed), (lock_held, DatabaseBusy), (failing_read_models, StorageFailed)],
    ids=["full disk", "locked", "failing read models"],
)
def failure(request: pytest.FixtureRequest) -> tuple[Failure, type[PokersvcError]]:
    found: tuple[Failure, type[PokersvcError]] = request.param
    return found


Ready = Callable[[Service], str]
Command = Callable[[Service, str], object]


def _at_the_pause(service: Service) -> str:
    game_id = started(service, HUMAN, "minimum", rounds=2)
    play_to_the_pause(service, game_id)
    return game_id


@pytest.mark.parametrize(
    ("ready", "command"),
    [
        (lambda service: started(service, HUMAN, "minimum", rounds=1), act),
        (lambda service: started(service, "random", "random", rounds=1), lambda service, game: service.step(game)),
        (
            lambda service: started(service, "random", "random", rounds=1),
            lambda service, game: service.play_round(game),
        ),
        (_at_the_pause, lambda service, game: service.go_on(game)),
    ],
    ids=["act", "step", "play_round", "go_on"],
)
def test_a_command_that_cannot_be_recorded_did_not_happen(
    service: Service,
    log: EventLog,
    database: Database,
    failure: tuple[Failure, type[PokersvcError]],
    ready: Ready,
    command: Command,
) -> None:
    fails, error = failure
    game_id = ready(service)
    before, view = stored(database, log), service.with_secrets.view(game_id)
    with fails(database):
        for _ in range(2):
            with pytest.raises(error):
                command(service, game_id)
        assert service.with_secrets.view(game_id) == view
    assert stored(database, log) == before
    assert as_the_log_says(service, log, game_id)

    command(service, game_id)
    play_out(service, game_id)
    assert as_the_log_says(service, log, game_id)


def test_a_game_that_cannot_be_recorded_did_not_start(
    service: Service, log: EventLog, database: Database, failure: tuple[Failure, type[PokersvcError]]
) -> None:
    fails, error = failure
    with fails(database), pytest.raises(error):
        service.start("draw", setup(HUMAN, "minimum"), game_id="friday")
    assert stored(database, log) == ([], [], {table.name: [] for table in projections.READ_MODELS})

    service.start("draw", setup(HUMAN, "minimum"), game_id="friday")
    assert as_the_log_says(service, log, "friday")


def test_a_bug_while_recording_leaves_the_log_and_the_service_as_they_were(
    service: Service, log: EventLog, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    game_id = started(service, HUMAN, "minimum")
    before = stored(database, log)
    with monkeypatch.context() as patch:
        patch.setattr("pokersvc.service.command.store_lines", bug)
        with pytest.raises(ZeroDivisionError):
            act(service, game_id)
    assert stored(database, log) == before
    assert as_the_log_says(service, log, game_id)
