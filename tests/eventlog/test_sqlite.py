"""Features of SQLite only: rows that replace others, any type in any column, any bytes in a text."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import ChainBroken, Record

from .support import COMMAND, raw, record, tamper, written


def test_our_connections_refuse_to_replace_an_event(log: EventLog, database: Database, path: Path) -> None:
    records = record(log)
    replace = (
        "INSERT OR REPLACE INTO events SELECT position, game_id, seq, type, version, recorded_at, command_id, n, "
        "'{}', secret, salt, hash FROM events WHERE seq = 2"
    )
    with pytest.raises(Exception, match="DELETE is refused"), database.write() as connection:
        connection.exec_driver_sql(replace)
    assert list(log.read("game")) == records


ODD = [None, "text", b"blob", 7, 1.5]


@pytest.mark.parametrize("column", Record._fields[2:])
def test_a_value_of_any_type_in_any_column_is_found(log: EventLog, path: Path, column: str) -> None:
    games = {str(number): value for number, value in enumerate(ODD)}
    found = {game_id: record(log, game_id, commands=2)[4] for game_id in games}
    tamper(path, "PRAGMA writable_schema = ON")
    raw(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'events'",
    )
    for game_id, value in games.items():
        tamper(path, f"UPDATE events SET {column} = ? WHERE game_id = '{game_id}' AND seq = 5", [value])
        kept = raw(path, f"SELECT {column} FROM events WHERE game_id = '{game_id}' AND seq = 5")
        if kept == [(getattr(found[game_id], column),)]:
            continue
        with pytest.raises(ChainBroken) as caught:
            list(log.read(game_id))
        assert caught.value.seq == 5, value


def test_a_text_that_is_not_utf8_is_found_with_its_event(log: EventLog, path: Path) -> None:
    record(log, commands=3)
    tamper(path, "UPDATE events SET payload = CAST(x'7bff7d' AS TEXT) WHERE seq = 5")
    reading = log.read("game")
    assert [next(reading).seq for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(ChainBroken, match="not UTF-8") as caught:
        next(reading)
    assert caught.value.seq == 5


def test_a_text_that_is_not_utf8_is_damage_where_no_chain_is_read(log: EventLog, path: Path) -> None:
    record(log)
    raw(path, "UPDATE games SET kind = CAST(x'ff' AS TEXT)")
    with pytest.raises(DatabaseDamaged, match="not UTF-8"):
        log.head("game")


@pytest.mark.parametrize(
    "change", ["head = zeroblob(32)", "head = 'text'", "count = 5", "count = 7", "count = 'many'", "head = NULL"]
)
def test_a_head_that_was_changed_to_anything_is_found(log: EventLog, path: Path, change: str) -> None:
    record(log, commands=2)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        try:
            connection.execute(f"UPDATE games SET {change}")
        except sqlite3.IntegrityError:
            assert change == "head = NULL"
            return
    with pytest.raises(ChainBroken):
        list(log.read("game"))
    with pytest.raises((ChainBroken, ConcurrentUpdate, DatabaseDamaged)):
        log.append("game", COMMAND, expected=5, command_id="new")
    if "head" in change:
        try:
            log.append("game", COMMAND, expected=6, command_id="new")
        except ChainBroken:
            assert "text" in change


def test_a_schema_that_names_an_unknown_function_is_damage(path: Path) -> None:
    written(path)
    raw(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'length(', 'lengtl(')",
    )
    with (
        Database.for_reading(str(path)) as database,
        pytest.raises(DatabaseDamaged, match="unknown function"),
        database.read() as connection,
    ):
        connection.exec_driver_sql("PRAGMA integrity_check").all()
