"""Reading a whole game back from SQLite (chain verified, every event applied), compared with `eventsourcing`.

That library rebuilds an aggregate with as many events from its own SQLite recorder, with its default transcoder. Its
events have two numbers each, as a call in draw poker has, and it keeps no chain.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.long_game import SEATS, store
from benchmarks.table import markdown, verdict
from pokersvc.core.event import AUDITOR
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service

REQUIRED: Final = 3.0


class Game(Aggregate):
    """A game of calls only, whose events take the least to apply."""

    @event("Started")
    def __init__(self) -> None:
        self.pot = 0
        self.stacks = [1_000_000_000] * SEATS

    @event("Called")
    def call(self, seat: int, amount: int) -> None:
        """Put chips into the pot."""
        self.stacks[seat] -= amount
        self.pot += amount


def aggregate(file: Path, count: int) -> tuple["Application[UUID]", UUID]:
    """Store an aggregate with ``count`` events; return the application that can read it, and its ID."""
    app = Application[UUID](env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)})
    game = Game()
    for number in range(1, count):
        game.call(number % SEATS, 50)
    app.save(game)
    return app, game.id


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return median(slow / fast for fast, slow in zip(ours, theirs, strict=True))


def run(*, quick: bool = False) -> str:
    """Measure all sides in turn and return the table of medians."""
    repetitions, count = (5, 2_000) if quick else (15, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        app, aggregate_id = aggregate(Path(folder, "aggregate.sqlite"), count)
        with Database.for_writing(str(Path(folder, "log.sqlite"))) as database:
            log = EventLog(database)
            store(log, "game", count)

            def load() -> int:
                return Service(log).with_secrets.open_game("game").count

            def replay() -> int:
                return sum(1 for _ in Service(log).with_secrets.replay("game", AUDITOR, force=True))

            def get() -> int:
                loaded: Game = app.repository.get(aggregate_id)
                return loaded.version

            sides: dict[str, Callable[[], int]] = {
                "pokersvc, the game as it stands": load,
                "pokersvc, replayed for a reader": replay,
                "eventsourcing, repository.get": get,
            }
            times: dict[str, list[float]] = {side: [] for side in sides}
            for _ in range(repetitions):
                for side, reading in sides.items():
                    start = perf_counter()
                    assert reading() == count
                    times[side].append((perf_counter() - start) / count)
        app.close()
    loading, replaying, theirs = times.values()
    told = (verdict(_ratio(loading, theirs), REQUIRED), f"{_ratio(replaying, theirs):.3g} ×", "1")
    rows = [
        (side, f"{count:,}", f"{median(taken) * 1e6:.2f}", ratio)
        for (side, taken), ratio in zip(times.items(), told, strict=True)
    ]
    return markdown(
        "Reading and applying a game from SQLite",
        ("side", "events", "µs per event", "ratio"),
        rows,
        f"Medians of {repetitions} repetitions, all sides in turn; pokersvc verifies the chain.",
    )
