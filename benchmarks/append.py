"""Appending to the log, compared with the bare driver: the same finished rows, each commit synced to the disk.

The bare side inserts rows whose hashes and salts were made before; pokersvc guards the game's count, looks for the
command, makes salts and hashes, and moves the head. Both sides take turns, round by round, each in its own database:
SQLite, with WAL and FULL on both sides, and PostgreSQL, if POKERSVC_TEST_POSTGRES_URL names a server.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import psycopg

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS, NewEvent, Record, chain
from tests.postgres import Server, text

REQUIRED: Final = {1: 0.4, 10: 0.3, 100: 0.2}
REQUIRED_ON_POSTGRES: Final = {1: None, 10: 0.4, 100: None}
ROUNDS = 15
EVENTS_A_ROUND = {1: 300, 10: 2_000, 100: 10_000}

Bare = Callable[[list[list[Record]]], None]

# One event in ten has a secret, about as many as in a hand of draw poker with four seats.
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
    required: float | None


def run() -> list[Row]:
    """Measure each number of events per transaction in SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        return [_in_files(Path(folder), size, required) for size, required in REQUIRED.items()]


def run_on(server: Server) -> list[Row]:
    """Measure each number of events per transaction in PostgreSQL."""
    return [_on_server(server, size, required) for size, required in REQUIRED_ON_POSTGRES.items()]


def _in_files(folder: Path, size: int, required: float) -> Row:
    bare, ours = folder / f"bare{size}.sqlite", folder / f"log{size}.sqlite"
    Database.for_writing(str(bare)).close()
    with (
        closing(sqlite3.connect(bare, isolation_level=None)) as connection,
        Database.for_writing(str(ours)) as database,
    ):
        connection.execute("PRAGMA synchronous = FULL")
        return _measure(database, partial(_insert_by_sqlite3, connection), size, required)


def _on_server(server: Server, size: int, required: float | None) -> Row:
    with server.empty() as bare, server.empty() as ours:
        Database.for_upgrading(text(bare)).close()
        with (
            psycopg.connect(text(bare.set(drivername="postgresql"))) as connection,
            Database.for_upgrading(text(ours)) as database,
        ):
            connection.execute("INSERT INTO games VALUES ('game', 'bench', 1, %s)", [GENESIS])
            connection.commit()
            return _measure(database, partial(_insert_by_psycopg, connection), size, required)


def _measure(database: Database, insert: Bare, size: int, required: float | None) -> Row:
    events = [_EVENTS[i % len(_EVENTS)] for i in range(size)]
    log = EventLog(database)
    log.append("game", events, expected=0, command_id="start", kind="bench")
    bare, ours = [], []
    for number in range(ROUNDS):
        commands = _commands(events, number)
        bare.append(_rate(partial(insert, commands), commands))
        ours.append(_rate(partial(_append, log, events, commands), commands))
    rates = median(bare), median(ours)
    ratio = median(mine / theirs for mine, theirs in zip(ours, bare, strict=True))
    return Row(size, *rates, ratio, required)


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


def _insert_by_sqlite3(connection: sqlite3.Connection, commands: list[list[Record]]) -> None:
    statement = f"INSERT INTO events ({', '.join(Record._fields)}) VALUES ({', '.join('?' * len(Record._fields))})"
    for records in commands:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, records)
        connection.execute("COMMIT")


def _insert_by_psycopg(connection: "psycopg.Connection[Any]", commands: list[list[Record]]) -> None:
    names, values = ", ".join(Record._fields), ", ".join(["%s"] * len(Record._fields))
    cursor = connection.cursor()
    for records in commands:
        cursor.executemany(f"INSERT INTO events ({names}) VALUES ({values})", records)
        connection.commit()


def _append(log: EventLog, events: list[NewEvent], commands: list[list[Record]]) -> None:
    for records in commands:
        first = records[0]
        log.append("game", events, expected=first.seq - 1, command_id=first.command_id)


def _rate(work: Callable[[], None], commands: list[list[Record]]) -> float:
    start = time.perf_counter()
    work()
    return sum(map(len, commands)) / (time.perf_counter() - start)
