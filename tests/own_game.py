"""Registers a test game and creates a service in memory; a folder's ``conftest.py`` imports it.

That folder has a fixture ``game``.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pokersvc.core import registry
from pokersvc.core.game import Game
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Register a game until the context ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
        registry.register(game)
        yield


@pytest.fixture(autouse=True, scope="module")
def game_is_registered(game: Game) -> Iterator[None]:
    with registered(game):
        yield


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture
def service(log: EventLog) -> Service:
    return Service(log)
