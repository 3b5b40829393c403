"""The four kinds of work counted, each with a fixed game."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.pool import Pool

from benchmarks.long_game import events, store
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.advising.players import MinimumPlayer
from pokersvc.games.draw_poker.events import RoundStarted
from pokersvc.service import Service
from pokersvc.service.read_models.history import rebuild
from tests.clock import ticking

from .counter import Counter

SOURCE: Final = EntropySource.from_text("counts")
HANDS: Final = 40
EVENTS: Final = 1_200
COMMANDS: Final = 60

Figures = dict[str, dict[str, float]]
"""Kind of work → what is counted → the count per unit."""


def measured() -> Figures:
    """Do all four, once before they are counted, and return the counts."""
    with TemporaryDirectory() as folder:
        return {
            "a hand played in memory": _hand(),
            **_read_and_audited(Path(folder, "read.sqlite")),
            "a command": _command(Path(folder, "commands.sqlite")),
        }


def _hand() -> dict[str, float]:
    """Count the work per hand at a table of four; the bytes are those of the stored events."""
    for _ in islice(events(SOURCE), EVENTS):  # what is made at first use
        pass
    counter, playing = Counter(), events(SOURCE)
    made = [next(playing), next(playing)]
    started = 1
    with counter.counting():
        while started <= HANDS:
            made.append(next(playing))
            started += made[-1].__class__ is RoundStarted
    stored = [DRAW_POKER.codec.encode(one) for one in made[1:-1]]
    size = sum(len(one.payload) + len(one.secret or "") for one in stored)
    return {**counter.each(HANDS), "bytes": size / HANDS}


def _read_and_audited(path: Path) -> Figures:
    """Read and apply a game's events, and audit them with all checks: of four seats in ``rising-ante``."""
    asked: list[str] = []
    with traced(asked), Database.for_writing(str(path)) as database:
        log = EventLog(database)
        store(log, "game", EVENTS, SOURCE)
        rebuild(database)

        def read() -> None:
            assert Service(log).with_secrets.open_game("game").count == EVENTS

        def audited() -> None:
            results = list(audit(database))
            assert all(one.passed for one in results)
            assert sum(one.events for one in results) == EVENTS

        found: Figures = {}
        for name, work in (("an event read", read), ("an audited event", audited)):
            work()
            asked.clear()
            counter = Counter()
            with counter.counting():
                work()
            found[name] = {**counter.each(EVENTS), "statements": len(asked) / EVENTS}
    return found


def _command(path: Path) -> dict[str, float]:
    """Count the work per command of `Service.act`; the bytes are those that SQLite adds to its write-ahead log."""
    asked: list[str] = []
    with traced(asked), Database.for_writing(str(path)) as database:
        service = Service(EventLog(database), ticking())
        people = tuple(Seat(HUMAN, name) for name in ("Ann", "Bob", "Cy", "Dee"))
        game_id, _ = service.start("draw", Setup(people, SOURCE), game_id="game", command_id="start")
        counter, statements, size = Counter(), 0, 0
        with read_transaction(path):
            for number in range(-COMMANDS // 3, COMMANDS):
                status = service.status(game_id)
                if status.pausing:
                    service.go_on(game_id, command_id=f"round-{number}")
                    status = service.status(game_id)
                assert status.to_act is not None
                turn = service.turn(game_id, status.to_act)
                action = MinimumPlayer().choose(turn.view, turn.legal, Random(0))
                if number < 0:  # what is made at first use
                    service.act(game_id, action, command_id=f"first-{-number}")
                    continue
                asked.clear()
                before = written_ahead(path)
                with counter.counting():
                    service.act(game_id, action, command_id=f"command-{number}")
                size += written_ahead(path) - before
                statements += len(asked)
    return {**counter.each(COMMANDS), "statements": statements / COMMANDS, "bytes": size / COMMANDS}


@contextmanager
def traced(asked: list[str]) -> Iterator[None]:
    """Note every statement that SQLite runs for connections which are opened in the context."""

    def begin(connection: sqlite3.Connection, _: Any) -> None:
        connection.set_trace_callback(asked.append)

    event.listen(Pool, "connect", begin)
    try:
        yield
    finally:
        event.remove(Pool, "connect", begin)


@contextmanager
def read_transaction(path: Path) -> Iterator[None]:
    """Keep a read transaction open, so that SQLite does not reset the write-ahead log, and the file only grows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        yield


def written_ahead(path: Path) -> int:
    return path.with_name(path.name + "-wal").stat().st_size
