"""The memory that an audit needs does not grow with the length of the log."""

import gc
import tracemalloc
from pathlib import Path

import pytest

from benchmarks.long_game import store
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service.read_models.history import rebuild


def peak(path: Path, count: int) -> int:
    """Return the peak bytes of Python's memory during an audit of a game with the given number of events."""
    with Database.for_writing(str(path)) as database:
        store(EventLog(database), "game", count)
        rebuild(database)
        gc.collect()  # so that it finds what both leave behind at like moments
        tracemalloc.start()
        try:
            (game, _) = audit(database)
            assert game.events == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    peak(tmp_path / "first.sqlite", 100)  # what is made once stays, and is no part of either; caches are full by 20,000
    short, long = (peak(tmp_path / f"{count}.sqlite", count) for count in (20_000, 60_000))
    assert long < 1.1 * short
