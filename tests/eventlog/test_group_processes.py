"""Group commit in two processes on one file: nothing is lost, torn or recorded twice."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog

from .group_writer import OWN, SAME, SHARED, THREADS
from .support import COMMAND

NAMES = "a", "b"


@pytest.mark.slow
def test_two_processes_group_their_commands_on_one_file(path: Path) -> None:
    Database.for_writing(str(path)).close()
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.eventlog.group_writer", str(path), name],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                )
            )
            for name in NAMES
        ]  # fmt: skip
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        said = [json.loads(process.communicate("\n", timeout=60)[0]) for process in running]

    with Database.for_writing(str(path)) as database:  # refuses a log that lacks what its mark tells
        log = EventLog(database)
        found = {game: list(log.read(game)) for game, _ in log.games()}
    written = [f"{game}: {one.command_id}" for game, records in found.items() for one in records]
    told = Counter(one for process in said for one in process["recorded"])
    assert set(Counter(written).values()) == {len(COMMAND)}, "each command is whole, and recorded once"
    assert set(told.values()) == {1}, "and one thread was told that it recorded it"
    assert set(written) == set(told)
    assert len(told) == len(NAMES) * THREADS * (OWN + SHARED) + SAME
    for process in said:
        assert process["recorded"], "both recorded some"
    assert sum(process["transactions"] for process in said) < len(told), "and several in a transaction"
