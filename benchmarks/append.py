"""Appending to the log, next to bare sqlite3: the same finished rows into the same table, both WAL and FULL.

The bare side inserts rows whose hashes and salts were made before; pokersvc guards the game's count, looks for the
command, makes salts and hashes, and moves the head. Both sides take turns, round by round, each in a
file of its own. ``python -m benchmarks.append``
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS, NewEvent, Record, chain

REQUIRED = {1: 0.4, 10: 0.3, 100: 0.2}
ROUNDS = 15
EVENTS_A_ROUND = {1: 300, 10: 2_000, 100: 10_000}

# One event in ten has a secret: about what a hand of draw poker with four seats has.
_EVENTS = [
    NewEvent("CardsDealt", 1, '{"cards":5,"seat":2}', '{"cards":["AS","TD","9C","9H","2D"]}'),
    *(NewEvent("Raised", 1, f'{{"amount":40,"by":20,"seat":{seat},"stack":1860}}') for seat in range(9)),
]


class Row(NamedTuple):
    """Medians over the rounds, in events a second."""

    events_a_transaction: int
    bare: float
    pokersvc: float
    ratio: float
    required: float


def run() -> list[Row]:
    """Measure every number of events a transaction."""
    with tempfile.TemporaryDirectory() as folder:
        return [_measure(Path(folder), size) for size in REQUIRED]


def _measure(folder: Path, size: int) -> Row:
    events = [_EVENTS[i % len(_EVENTS)] for i in range(size)]
    bare_file, log_file = folder / f"bare{size}.sqlite", folder / f"log{size}.sqlite"
    Database.for_writing(str(bare_file)).close()
    bare, ours = [], []
    with (
        closing(sqlite3.connect(bare_file, isolation_level=None)) as connection,
        Database.for_writing(str(log_file)) as database,
    ):
        connection.execute("PRAGMA synchronous = FULL")
        log = EventLog(database)
        log.append("game", events, expected=0, command_id="start", kind="bench")
        for number in range(ROUNDS):
            commands = _commands(events, number)
            bare.append(_rate(partial(_insert, connection, commands), commands))
            ours.append(_rate(partial(_append, log, events, commands), commands))
    rates = median(bare), median(ours)
    ratio = median(mine / theirs for mine, theirs in zip(ours, bare, strict=True))
    return Row(size, *rates, ratio, REQUIRED[size])


def _commands(events: list[NewEvent], number: int) -> list[list[Record]]:
    commands, head, count = [], GENESIS, len(events)
    size = EVENTS_A_ROUND[len(events)]
    count += number * size
    for at in range(count, count + size, len(events)):
        records = chain(
            "game",
            events,
            count=at,
            head=head,
            recorded_at="2026-01-31T12:00:00.000000Z",
            command_id=f"command-{at:012}-0123456789abcdef",
        )
        commands.append(records)
        head = records[-1].hash
    return commands


def _insert(connection: sqlite3.Connection, commands: list[list[Record]]) -> None:
    statement = f"INSERT INTO events ({', '.join(Record._fields)}) VALUES ({', '.join('?' * len(Record._fields))})"
    for records in commands:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, records)
        connection.execute("COMMIT")


def _append(log: EventLog, events: list[NewEvent], commands: list[list[Record]]) -> None:
    for records in commands:
        first = records[0]
        log.append("game", events, expected=first.seq - 1, command_id=first.command_id)


def _rate(work: Callable[[], None], commands: list[list[Record]]) -> float:
    start = time.perf_counter()
    work()
    return sum(map(len, commands)) / (time.perf_counter() - start)


def main() -> None:
    print(f"{'events a transaction':>20} {'bare sqlite3':>14} {'pokersvc':>14} {'ratio':>7} {'required':>9}")
    for row in run():
        print(
            f"{row.events_a_transaction:>20} {row.bare:>12,.0f}/s {row.pokersvc:>12,.0f}/s "
            f"{row.ratio:>7.2f} {row.required:>9}"
        )


if __name__ == "__main__":
    main()
