"""A killed writer leaves only complete commands, and every acknowledged command is stored."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseMissing
from pokersvc.eventlog.log import EventLog

from .support import COMMAND, Place, command_line, state

WRITER = """
import sys
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
events = [NewEvent("A", 1, '{"text":"%s"}' % ("x" * 500), "{}")] * 10
print(0, flush=True)
with Database.for_writing(sys.argv[1]) as database:
    log = EventLog(database)
    head = log.head("game")
    count = 0 if head is None else head.count
    while True:
        log.append("game", events, expected=count, command_id=f"c{count}", kind="test")
        count += 10
        print(count, flush=True)
"""


def kill_one(url: str, after: float) -> int:
    """Kill a writer after a while, and return the last count of events that it acknowledged."""
    process = subprocess.Popen(command_line(WRITER, url), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # it has imported everything, and begins
    if after >= 0:
        process.stdout.readline()
    time.sleep(abs(after))
    process.kill()
    rest, _ = process.communicate(timeout=30)
    return max((int(line) for line in rest.splitlines()), default=0)


@pytest.mark.parametrize(
    "rounds",
    [2, pytest.param(15, marks=pytest.mark.slow), pytest.param(40, marks=[pytest.mark.slow, pytest.mark.exhaustive])],
)
def test_a_killed_writer_leaves_whole_commands(place: Place, rounds: int) -> None:
    chance = random.Random(rounds)
    acknowledged = 0
    for _ in range(rounds):
        acknowledged = max(acknowledged, kill_one(place.url, chance.uniform(0, 0.05)))
        with Database.for_reading(place.url) as database:
            count = len(list(EventLog(database).read("game")))
        assert count % 10 == 0
        assert count >= acknowledged
    with Database.for_writing(place.url) as database:
        EventLog(database).append("game", COMMAND, expected=count, command_id="new")


@pytest.mark.slow
def test_a_writer_killed_while_it_makes_the_database_leaves_a_whole_one_or_none(path: Path) -> None:
    chance = random.Random(1)
    made, longest = 0, 0.5
    for _ in range(25):
        kill_one(str(path), -chance.uniform(0, longest))
        try:
            with Database.for_reading(str(path)) as database:
                log = EventLog(database)
                assert all(len(list(log.read(game_id))) == head.count for game_id, head in list(log.games()))
            made, longest = made + 1, longest / 1.3  # however slow the machine is, about half are made
        except DatabaseMissing:
            longest *= 1.3
        for name in state(path.parent):
            (path.parent / name).unlink()
    assert 0 < made < 25
