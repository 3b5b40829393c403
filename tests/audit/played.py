"""Finished games of every kind and house, in a database that can be changed behind the program's back."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from pokersvc.core.actions import Forfeit, Leave
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, event_hash, secret_digest
from pokersvc.evidence.audit import Audited, audit
from pokersvc.evidence.findings import Finding
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.service import Service
from tests.clock import ticking
from tests.sending import send

from ..logs.write import carried, reshuffled

NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
HOUSES: Final = tuple(preset_names())
COLUMNS: Final = Record._fields


def play(service: Service, game_id: str) -> None:
    """Play a game to its end; people choose at random, and the first person leaves after the second round."""
    random = Random(game_id)
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            view = service.view(game_id, 1)
            leaves = view.round == 2 and view.seat(1).standing != "out"
            service.act(game_id, Leave(1)) if leaves else service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            assert status.to_act is not None
            turn = service.turn(game_id, status.to_act)
            service.act(game_id, RandomPlayer().choose(turn.view, turn.legal, random))
        else:
            service.step(game_id)


def seats(*kinds: str) -> tuple[Seat, ...]:
    return tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))


def write(service: Service) -> None:
    """Record games that cover carried chips, side pots, reshuffles, and people who leave."""
    for house in HOUSES:
        setup = Setup(seats("random", "random", "random"), EntropySource.from_text(house), 2, {"rules": house})
        play(service, service.start("draw", setup, game_id=house)[0])
    people = Setup(seats(HUMAN, "steady", "minimum"), EntropySource.from_text("people"), 4, {"rules": "rising-ante"})
    play(service, service.start("draw", people, game_id="people")[0])
    for famous in (carried, reshuffled):
        famous(service)
    market = Setup(seats("random", "greedy", "random"), EntropySource.from_text("market"), 2, {"markets": 2})
    play(service, service.start("market", market, game_id="market")[0])
    kalah = Setup(seats("bad", "random"), EntropySource.from_text("kalah"), options={"holes": 3, "beans": 2})
    play(service, service.start("kalah", kalah, game_id="kalah")[0])
    nim = Setup(seats("careful", "careless"), EntropySource.from_text("nim"), 2)
    send(service, service.start("nim", nim, game_id="nim")[0], Forfeit(1, "timeout"))
    play(service, "nim")


def in_one_file(write: Callable[[Service], object]) -> bytes:
    """Return the database as the bytes of a single file that is not in WAL mode.

    The clock goes on by itself, so that what an audit finds does not depend on how fast this machine plays.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, "played.sqlite")
        with Database.for_writing(str(path)) as database:
            write(Service(EventLog(database), clock=ticking()))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        return path.read_bytes()


@cache
def written() -> bytes:
    """The database of all these games."""
    return in_one_file(write)


class Tampered:
    """A copy of the database in memory, to change and audit; each change starts from the original."""

    def __init__(self, database: Database, connection: sqlite3.Connection, content: bytes) -> None:
        self.database = database
        self.connection = connection
        self._content = content

    def restore(self) -> None:
        """Undo all changes, and drop the triggers that protect the log."""
        self.connection.deserialize(self._content)
        for trigger in ("events_refuse_update", "events_refuse_delete"):
            self.connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for pragma in ("ignore_check_constraints = ON", "foreign_keys = OFF"):
            self.connection.execute(f"PRAGMA {pragma}")

    def without_constraints(self) -> None:
        """Allow column values that the table definitions forbid."""
        self.connection.execute("PRAGMA writable_schema = ON")
        self.connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
        self.connection.execute("PRAGMA writable_schema = RESET")

    def without_keys(self, table: str) -> None:
        """Rebuild a table without keys, so that it can hold duplicate rows."""
        self.sql(f"CREATE TABLE made_anew AS SELECT * FROM {table}")
        given = self.sql("SELECT seq FROM sqlite_sequence WHERE name = ?", [table])
        self.sql(f"DROP TABLE {table}")
        self.sql(f"ALTER TABLE made_anew RENAME TO {table}")
        for (seq,) in given:
            self.sql("INSERT INTO sqlite_sequence VALUES (?, ?)", [table, seq])

    def sql(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        return self.connection.execute(statement, values).fetchall()

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.sql(f"PRAGMA table_info({table})")]

    def audit(self, *game_ids: str) -> list[Finding]:
        return [finding for audited in self.audited(*game_ids) for finding in audited.findings]

    def audited(self, *game_ids: str) -> list[Audited]:
        return list(audit(self.database, game_ids or None))

    def records(self, game_id: str) -> list[Record]:
        columns = ", ".join(COLUMNS)
        rows = self.sql(f"SELECT {columns} FROM events WHERE game_id = ? ORDER BY seq", [game_id])
        return list(map(Record._make, rows))

    def rewrite(self, game_id: str, records: Sequence[Record]) -> None:
        """Put other records in the place of a game's, numbered and hashed as if they had been written so."""
        self.sql("DELETE FROM events WHERE game_id = ?", [game_id])
        at = self.sql("SELECT coalesce(max(position), 0) FROM events")[0][0]
        marks = ", ".join("?" * (len(COLUMNS) + 1))
        fresh = rehashed(records)
        for position, record in enumerate(fresh, at + 1):
            self.sql(f"INSERT INTO events VALUES ({marks})", (position, *record))
        self.sql("UPDATE games SET count = ?, head = ? WHERE game_id = ?", [len(fresh), fresh[-1].hash, game_id])
        self.renumber_positions()

    def renumber_positions(self) -> None:
        """Renumber the rows so that removed rows leave no gap, as a thorough forger would."""
        rows = self.sql("SELECT position FROM events ORDER BY position")
        for new, (old,) in enumerate(rows, 1):
            if new != old:
                self.sql("UPDATE events SET position = ? WHERE position = ?", [new, old])
        self.sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'", [len(rows)])


def rehashed(records: Sequence[Record]) -> list[Record]:
    """Renumber records and recompute their hashes, as an attacker would."""
    fresh: list[Record] = []
    head = bytes(32)
    for seq, record in enumerate(records, 1):
        while (not fresh or fresh[-1].command_id != record.command_id) and any(
            record.command_id == before.command_id for before in fresh
        ):
            record = record._replace(command_id=f"{record.command_id}/again")
        n = fresh[-1].n + 1 if fresh and fresh[-1].command_id == record.command_id else 1
        head = event_hash(
            head,
            seq=seq,
            n=n,
            game_id=record.game_id,
            type=record.type,
            version=record.version,
            recorded_at=record.recorded_at,
            command_id=record.command_id,
            payload=record.payload,
            digest=secret_digest(record.salt, record.secret),
        )
        fresh.append(record._replace(seq=seq, n=n, hash=head))
    return fresh


@contextmanager
def tampering(content: bytes) -> Iterator[Tampered]:
    """Give a copy of the database that can be changed."""
    with Database.for_writing(":memory:") as database, database.read() as opened:
        driver = opened.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        opened.rollback()
        opened.close()
        tampered = Tampered(database, driver, content)
        tampered.restore()
        yield tampered
