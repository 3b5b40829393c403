"""Appending: whole or not at all, once, in order, for ever."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Barrier, Thread

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, insert

from pokersvc.errors import InvalidValue
from pokersvc.eventlog import tables
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.log import CommandRepeated, ConcurrentUpdate, EventLog, NewGame
from pokersvc.eventlog.record import GENESIS, ChainBroken, NewEvent, Record, chain
from pokersvc.eventlog.snapshot import Head, UnknownGame
from pokersvc.service.read_models.projections import history_entries

from .support import COMMAND, PUBLIC, SECRET, OnServer, Place, record, run

AT = "2026-01-31T12:00:00.000000Z"


def nothing_changed(log: EventLog, records: list[Record]) -> bool:
    head = log.head("game")
    assert head is not None
    return list(log.read("game")) == records and head.count == len(records)


def test_what_was_appended_is_what_is_read(log: EventLog) -> None:
    moment = datetime(2026, 1, 31, 12, tzinfo=UTC)
    first = log.append("game", [PUBLIC, SECRET], expected=0, command_id="a", kind="draw", recorded_at=moment)
    second = log.append("game", [SECRET], expected=2, command_id="b")
    assert list(log.read("game")) == first + second
    assert [r.seq for r in first + second] == [1, 2, 3]
    assert [r.n for r in first + second] == [1, 2, 1]
    assert {r.recorded_at for r in first} == {"2026-01-31T12:00:00.000000Z"}
    assert [(r.type, r.version, r.payload, r.secret) for r in first] == [PUBLIC, SECRET]
    assert log.head("game") == Head("draw", 3, second[-1].hash)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(payload=st.text(st.characters(exclude_categories=["Cs"])), secret=st.none() | st.text("\0 aé😀\n"))
def test_texts_are_kept_byte_for_byte(log: EventLog, place: Place, payload: str, secret: str | None) -> None:
    if isinstance(place, OnServer):  # what it may not store is refused; see test_postgres.py
        payload, secret = payload.replace("\0", ""), secret and secret.replace("\0", "")
    head = log.head("game")
    count = 0 if head is None else head.count
    log.append("game", [NewEvent("T", 1, payload, secret)], expected=count, command_id=f"c{count}", kind="test")
    *_, last = log.read("game")
    assert (last.payload, last.secret) == (payload, secret)


def test_a_stale_command_is_refused_and_nothing_is_written(log: EventLog) -> None:
    records = record(log, commands=2)
    for expected in (3, 5, 7):
        with pytest.raises(ConcurrentUpdate) as caught:
            log.append("game", COMMAND, expected=expected, command_id="new")
        assert (caught.value.expected, caught.value.found) == (expected, 6)
    assert nothing_changed(log, records)


def test_a_game_is_started_once(log: EventLog) -> None:
    records = record(log)
    with pytest.raises(ConcurrentUpdate) as caught:
        log.append("game", COMMAND, expected=0, command_id="another", kind="test")
    assert (caught.value.expected, caught.value.found) == (0, 3)
    assert nothing_changed(log, records)


@pytest.mark.parametrize("expected", [0, 3, 6])
def test_a_repeated_command_gets_what_was_recorded(log: EventLog, expected: int) -> None:
    records = record(log, commands=2)
    with pytest.raises(CommandRepeated) as caught:
        log.append("game", [PUBLIC], expected=expected, command_id="c1", kind="test")
    assert caught.value.records == records[3:] == log.command("game", "c1")
    assert nothing_changed(log, records)


def test_a_command_id_belongs_to_its_game(log: EventLog) -> None:
    record(log)
    record(log, "other")
    assert log.command("game", "c0") != log.command("other", "c0")
    assert log.command("game", "c9") == log.command("nobody", "c0") == []


def test_a_command_that_was_changed_is_not_repeated(log: EventLog, place: Place) -> None:
    record(log, commands=2)
    place.tamper("UPDATE events SET payload = '{}' WHERE seq = 5")
    with pytest.raises(ChainBroken, match="event 5"):
        log.append("game", COMMAND, expected=6, command_id="c1")


def test_an_unknown_game_cannot_go_on(log: EventLog) -> None:
    with pytest.raises(UnknownGame, match="nobody"):
        log.append("nobody", COMMAND, expected=3, command_id="c")
    assert log.head("nobody") is None


REFUSED: list[tuple[str, str, Sequence[NewEvent], int, str | None]] = [
    ("game", "c", [], 0, "test"),
    ("", "c", COMMAND, 0, "test"),
    ("a\0b", "c", COMMAND, 0, "test"),
    ("\udc80", "c", COMMAND, 0, "test"),
    ("game", "", COMMAND, 0, "test"),
    ("game", "a\n", COMMAND, 0, "test"),
    ("game", "c", COMMAND, -1, "test"),
    ("game", "c", COMMAND, 0, None),
]


def test_what_cannot_be_recorded_is_refused(log: EventLog) -> None:
    for game_id, command_id, events, expected, kind in REFUSED:
        with pytest.raises(InvalidValue):
            log.append(game_id, events, expected=expected, command_id=command_id, kind=kind)
    assert list(log.games()) == []


def note(connection: Connection, records: Sequence[Record]) -> None:
    row = {"game_id": records[0].game_id, "number": records[0].seq, "seq": records[-1].seq, "facts": "{}"}
    connection.execute(insert(history_entries), row)


def test_what_belongs_to_the_events_is_written_with_them(log: EventLog, place: Place) -> None:
    log.append("game", COMMAND, expected=0, command_id="a", kind="test", project=note)
    assert place.raw("SELECT number, seq FROM history_entries") == [(1, 3)]


def test_an_error_beside_the_events_takes_them_along(log: EventLog, place: Place) -> None:
    records = record(log)

    def fail(connection: Connection, appended: Sequence[Record]) -> None:
        note(connection, appended)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        log.append("game", COMMAND, expected=3, command_id="b", project=fail)
    assert nothing_changed(log, records)
    assert place.raw("SELECT * FROM history_entries") == []
    record_after = log.append("game", COMMAND, expected=3, command_id="b", project=note)
    assert record_after[0].seq == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = '{}' WHERE seq = 2",
        "UPDATE events SET position = 100 WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "DELETE FROM events",
    ],
)
def test_the_database_refuses_to_change_an_event(log: EventLog, place: Place, statement: str) -> None:
    records = record(log)
    refused = "events are append-only|only be updated to DEFAULT"  # PostgreSQL keeps the positions for itself
    with pytest.raises((sqlite3.IntegrityError, psycopg.Error), match=refused):
        place.raw(statement)
    assert nothing_changed(log, records)


def test_an_event_needs_its_game(database: Database) -> None:
    (event,) = chain("nobody", [PUBLIC], count=0, head=GENESIS, recorded_at=AT, command_id="c")
    with pytest.raises(DatabaseDamaged, match=r"(?i)foreign key"), database.write() as connection:
        connection.execute(insert(tables.events), event._asdict())


def test_positions_are_never_used_again(log: EventLog, place: Place) -> None:
    record(log)
    place.tamper("DELETE FROM events WHERE seq = 3")
    place.raw("UPDATE games SET count = 2")
    log.append("game", [PUBLIC], expected=2, command_id="b")
    assert place.raw("SELECT max(position) FROM events") == [(4,)]


def test_of_threads_that_append_at_once_one_wins_each_count(log: EventLog) -> None:
    record(log)
    barrier, won, lost = Barrier(4), [], []

    def play(name: str) -> None:
        barrier.wait()
        for expected in range(3, 13):
            try:
                log.append("game", [SECRET], expected=expected, command_id=f"{name}/{expected}")
                won.append(expected)
            except ConcurrentUpdate:
                lost.append(expected)

    threads = [Thread(target=play, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == list(range(3, 13))
    assert len(lost) == 30
    assert [r.seq for r in log.read("game")] == list(range(1, 14))


PLAYER = """
import sys
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import NewEvent
won = 0
with Database.for_writing(sys.argv[1]) as database:
    log = EventLog(database)
    for expected in range(3, 33):
        try:
            log.append("game", [NewEvent("A", 1, "{}")], expected=expected, command_id=f"{sys.argv[2]}/{expected}")
            won += 1
        except ConcurrentUpdate:
            pass
print(won)
"""


def test_of_processes_that_append_at_once_one_wins_each_count(log: EventLog, place: Place) -> None:
    record(log)
    results: list[int] = []
    threads = [Thread(target=lambda name=name: results.append(int(run(PLAYER, place.url, name)))) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(results) == 30
    assert [r.seq for r in log.read("game")] == list(range(1, 34))


COLUMNS = {
    "game_id": "other",
    "seq": 9,
    "type": "Called",
    "version": 3,
    "recorded_at": "2026-01-31T12:00:00.000001Z",
    "command_id": "c9",
    "n": 7,
    "payload": '{"seat":2,"to":20}',
    "secret": '{"cards":["AS","9D"]}',
    "salt": bytes(16),
    "hash": bytes(32),
}


def test_a_change_of_any_column_is_found_on_reading(log: EventLog, place: Place) -> None:
    record(log, "other")
    for column, value in COLUMNS.items():
        record(log, column, commands=2)
        place.tamper(f"UPDATE events SET {column} = ? WHERE game_id = '{column}' AND seq = 5", [value])
    for column in COLUMNS:
        with pytest.raises(ChainBroken) as caught:
            list(log.read(column))
        assert caught.value.seq == 5, column


def test_an_end_that_was_cut_off_is_found_by_the_head(log: EventLog, place: Place) -> None:
    record(log, commands=2)
    place.tamper("DELETE FROM events WHERE seq = 6")
    with pytest.raises(ChainBroken, match="6 events") as caught:
        list(log.read("game"))
    assert caught.value.seq == 6


@pytest.mark.parametrize(
    ("change", "value"), [("head", bytes(32)), ("count", 5), ("count", 7)], ids=["head", "fewer", "more"]
)
def test_a_changed_head_is_found(log: EventLog, place: Place, change: str, value: object) -> None:
    record(log, commands=2)
    place.raw(f"UPDATE games SET {change} = ?", values=[value])
    with pytest.raises(ChainBroken):
        list(log.read("game"))
    with pytest.raises((ConcurrentUpdate, DatabaseDamaged)):
        log.append("game", COMMAND, expected=5, command_id="new")


def test_an_append_onto_a_lowered_count_is_refused(log: EventLog, place: Place) -> None:
    records = record(log, commands=2)
    place.raw("UPDATE games SET count = 5")
    with pytest.raises(DatabaseDamaged, match=r"(?i)unique"):
        log.append("game", COMMAND, expected=5, command_id="new")
    assert place.raw("SELECT count(*) FROM events") == [(len(records),)]


def new_game(game_id: str, payload: str = "{}") -> NewGame:
    return NewGame(game_id, "test", [NewEvent("Played", 1, payload)], f"command of {game_id}", datetime.now(UTC))


def test_of_whole_games_those_that_are_new_are_recorded_once(log: EventLog) -> None:
    record(log)
    told: list[list[list[Record] | None]] = []
    games = [new_game(name) for name in ("one", "game", "two")] + [new_game("one", '{"changed":1}'), new_game("three")]
    found = log.start_all(games, lambda _, recorded: told.append(list(recorded)))
    assert told == [found], "who writes beside the events is told of the same games"
    assert [records and records[0].game_id for records in found] == ["one", None, "two", None, "three"]
    for name, records in zip(("one", "two", "three"), found[::2], strict=True):
        assert list(log.read(name)) == records
        assert log.head(name) == Head("test", 1, records[0].hash) if records else None
    assert [record.payload for record in log.read("one")] == ["{}"]
    assert len(list(log.read("game"))) == len(COMMAND)


@pytest.mark.parametrize("games", [[], ["game"], ["game", "game"]])
def test_where_no_game_is_new_nothing_is_written_beside_them(log: EventLog, games: list[str]) -> None:
    records = record(log)
    told: list[object] = []
    assert log.start_all([new_game(name) for name in games], lambda *about: told.append(about)) == [None] * len(games)
    assert told == []
    assert nothing_changed(log, records)
