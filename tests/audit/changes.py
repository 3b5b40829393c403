"""Changes that somebody who can write the database can make, one at a time."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pokersvc.eventlog.record import Record
from pokersvc.service.read_models.history import rebuild

from .played import COLUMNS, Tampered, rehashed


class Change(NamedTuple):
    """One change: its class in the table of docs/audit-validation.md, a description, and a function that makes it."""

    kind: str
    words: str
    make: Callable[[Tampered], object]


ONE_COMMAND, COMMAND_FOR_EACH = "one command", "a command for each event"
OTHER_TEXT = {"type": "Checked", "recorded_at": "2025-12-24T18:00:00.000000Z", "command_id": "another"}


def other_values(record: Record, column: str) -> Iterator[Any]:
    """Yield values that the column of an event may be changed to."""
    value = getattr(record, column)
    match column:
        case "game_id":
            yield from ("nim" if value != "nim" else "no-limit", "nowhere", b"\xff")
        case "seq":
            yield from (1000, -1, "one", None)
        case "version" | "n":
            yield from (value + 1, 0, "x", None)
        case "type" | "recorded_at" | "command_id":
            yield from (OTHER_TEXT[column] if value != OTHER_TEXT[column] else "Folded", "", value + "x", b"\xff\xfe")
        case "payload":
            yield from (value.replace(":", ": ", 1), "{}", "[", b"\xff", None)
            yield from (json.dumps(other, separators=(",", ":"), sort_keys=True) for other in others(json.loads(value)))
        case "secret":
            if value is not None:
                yield from (None, value + " ", "{}", b"\xff")
                yield from (json.dumps(o, separators=(",", ":"), sort_keys=True) for o in others(json.loads(value)))
            else:
                yield "{}"
        case "salt":
            yield from ((bytes(16),) if value is None else (bytes(16), value[:-1], None, "x" * 16))
        case "hash":
            yield from (bytes([value[0] ^ 1]) + value[1:], bytes(32), value[:-1], "x")


def others(value: Any) -> Iterator[Any]:
    """Yield variants of a JSON value, each with one value changed or removed, or with one list reversed."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, 10**12)
        case str():
            yield from (value[:-1] + ("c" if value[-1:] != "c" else "d"), value + "a")
        case None:
            yield 1
        case dict():
            for key in value:
                yield from ({**value, key: other} for other in others(value[key]))
                yield {name: kept for name, kept in value.items() if name != key}
        case list():
            for at in range(len(value)):
                yield from ([*value[:at], other, *value[at + 1 :]] for other in others(value[at]))
            yield value[:-1]
            yield value[::-1]


def some(values: Iterator[Any], seq: int, most: int) -> list[Any]:
    """Return a few of the values, a different selection for each event."""
    found = list(values)
    first = seq * most
    return [found[(first + at) % len(found)] for at in range(min(most, len(found)))]


def each_column(records: list[Record]) -> Iterator[Change]:
    """Yield a change of each column of each event, one at a time, without recomputing the hashes."""
    for record in records:
        for column in (*COLUMNS, "position"):
            if column == "position":
                values = [10**6 if record.seq % 2 else 0]
            else:
                values = some(other_values(record, column), record.seq, 3 if column in ("payload", "secret") else 1)
            for value in values:
                if column == "position" or value != getattr(record, column):
                    yield Change(f"{column} of an event", _words(record, column, value), _update(record, column, value))


def _words(record: Record, column: str, value: Any) -> str:
    return f"{column} of event {record.seq} ({record.type}) of {record.game_id} is {str(value)[:60]!r}"


def _update(record: Record, column: str, value: Any) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        # What a constraint of the table forbids, a forger who writes the file itself can do.
        tampered.without_constraints()
        where = "WHERE game_id = ? AND seq = ?"
        text = isinstance(value, bytes) and column not in ("salt", "hash")
        mark = "CAST(? AS TEXT)" if text else "?"
        tampered.sql(f"UPDATE events SET {column} = {mark} {where}", [value, record.game_id, record.seq])

    return make


def rows(records: list[Record]) -> Iterator[Change]:
    """Yield changes that remove, add, swap and move rows, with the hashes unchanged or recomputed."""
    game_id = records[0].game_id
    for at, record in enumerate(records):
        seq = record.seq

        def delete(tampered: Tampered, seq: int = seq) -> None:
            tampered.sql("DELETE FROM events WHERE game_id = ? AND seq = ?", [game_id, seq])

        yield Change("an event deleted", f"event {seq} of {game_id} deleted", delete)

        def close_up(tampered: Tampered, at: int = at) -> None:
            tampered.rewrite(game_id, records[:at] + records[at + 1 :])

        if len(records) > 1:
            yield Change("an event deleted, hashes recomputed", f"event {seq} of {game_id} deleted, rehashed", close_up)

        def double(tampered: Tampered, at: int = at) -> None:
            tampered.rewrite(game_id, [*records[: at + 1], *records[at:]])

        yield Change("an event inserted, hashes recomputed", f"event {seq} of {game_id} doubled, rehashed", double)
        if at + 1 < len(records):

            def swap(tampered: Tampered, seq: int = seq) -> None:
                tampered.without_constraints()
                for old, new in ((seq, -1), (seq + 1, seq), (-1, seq + 1)):
                    tampered.sql("UPDATE events SET seq = ? WHERE game_id = ? AND seq = ?", [new, game_id, old])

            yield Change("two events swapped", f"events {seq} and {seq + 1} of {game_id} swapped", swap)

            def swap_anew(tampered: Tampered, at: int = at) -> None:
                tampered.rewrite(game_id, [*records[:at], records[at + 1], records[at], *records[at + 2 :]])

            yield Change(
                "two events swapped, hashes recomputed", f"events {seq} and {seq + 1} of {game_id} swapped", swap_anew
            )

            def cut(tampered: Tampered, seq: int = seq) -> None:
                tampered.sql("DELETE FROM events WHERE game_id = ? AND seq > ?", [game_id, seq])

            yield Change("the end cut off", f"{game_id} cut off after event {seq}", cut)

            def cut_anew(tampered: Tampered, at: int = at) -> None:
                tampered.rewrite(game_id, records[: at + 1])

            yield Change("the end cut off, count and head adjusted", f"{game_id} ends at {seq}", cut_anew)

            def cut_all(tampered: Tampered, at: int = at) -> None:
                tampered.rewrite(game_id, records[: at + 1])
                rebuild(tampered.database)

            if records[at + 1].n == 1:
                yield Change(
                    "the end cut off after a command, everything adjusted", f"{game_id} ends at {seq}", cut_all
                )


def each_value_rehashed(records: list[Record]) -> Iterator[Change]:
    """Yield changes of each value in the events' payloads, of times and of command IDs, with all hashes recomputed."""
    for at, record in enumerate(records):
        for column in ("type", "version", "payload", "secret", "salt"):
            values = [v for v in other_values(record, column) if _can_be_hashed(record, column, v)]
            for value in some(iter(values), record.seq, 4 if column in ("payload", "secret") else 1):
                yield Change(
                    f"{column} of an event, hashes recomputed",
                    f"{_words(record, column, value)}, rehashed",
                    _rewriting(records, range(at, at + 1), column, value),
                )
        if record.n == 1:
            end = next((a for a in range(at + 1, len(records)) if records[a].n == 1), len(records))
            for column in ("recorded_at", "command_id"):
                yield Change(
                    f"{column} of a command, hashes recomputed",
                    f"{_words(record, column, OTHER_TEXT[column])}, with its whole command, rehashed",
                    _rewriting(records, range(at, end), column, OTHER_TEXT[column]),
                )


def boundaries(records: list[Record]) -> Iterator[Change]:
    """Yield changes of the borders between commands: all events of a game in one command, or each in its own."""
    game_id = records[0].game_id
    at, command = records[0].recorded_at, records[0].command_id
    one = [record._replace(recorded_at=at, command_id=command) for record in records]
    each = [record._replace(command_id=f"{record.command_id}/{record.n}") for record in records]
    for words, forged in ((ONE_COMMAND, one), (COMMAND_FOR_EACH, each)):

        def make(tampered: Tampered, forged: list[Record] = forged) -> None:
            tampered.rewrite(game_id, forged)

        if rehashed(forged) != records:
            yield Change("command boundaries changed, hashes recomputed", f"{game_id} is {words}, rehashed", make)


def _can_be_hashed(record: Record, column: str, value: Any) -> bool:
    fits = type(value) is type(getattr(record, column)) and value != getattr(record, column)
    return fits and (column != "salt" or len(value) == 16)


def _rewriting(records: list[Record], where: range, column: str, value: Any) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        forged = [r._replace(**{column: value}) if at in where else r for at, r in enumerate(records)]
        tampered.rewrite(records[0].game_id, forged)

    return make


# The games table and the lists.

OTHER_ROWS: dict[str, dict[str, list[Any]]] = {
    "games": {
        "game_id": ["elsewhere", None, b"\xffA"],
        "kind": ["nim", "draw", "chess", None, b"\xffA"],
        "count": [1, 10**6, "many", b"\xffA"],
        "head": [bytes(32), "x" * 32, None, b"\xffA"],
    },
    "game_summaries": {
        "game_id": ["elsewhere"],
        "kind": ["nim", "draw"],
        "facts": ['{"house":"another"}'],
        "started_at": ["2025-12-24T18:00:00.000000Z"],
        "seats": ["[]", None, "not JSON"],
        "rounds": [0, 10**6, "many"],
        "outcome": [None, "{}", "not JSON"],
    },
    "history_entries": {
        "game_id": ["elsewhere", "nim"],
        "number": [10**6, -1, "one"],
        "seq": [1, None],
        "facts": ["{}", "not JSON", None],
    },
}


def other_tables(tampered: Tampered) -> Iterator[Change]:
    """Each column of each row of the games table and of the lists; rows removed and added."""
    for table, columns in OTHER_ROWS.items():
        for row in tampered.sql(f"SELECT rowid, * FROM {table} ORDER BY rowid"):
            held = dict(zip(["rowid", *tampered.columns(table)], row, strict=True))
            for column, values in columns.items():
                for value in values:
                    if value != held[column]:
                        yield Change(
                            f"{column} in {table}",
                            f"{column} in {table} of {held['game_id']} is {value!r}",
                            _setting(table, column, value, held["rowid"]),
                        )
            if table != "games":
                yield Change(f"a row of {table} deleted", f"{held}", _dropping(table, held["rowid"]))
    for table, copied in (
        ("history_entries", "SELECT game_id, 1000 + number, seq, facts FROM history_entries"),
        (
            "game_summaries",
            "SELECT 'nowhere', kind, facts, started_at, seats, rounds, outcome, counted, house FROM game_summaries",
        ),
        ("games", "SELECT 'nowhere', kind, count, head FROM games"),
    ):
        yield Change(f"a row of {table} added", table, _running(f"INSERT INTO {table} {copied} LIMIT 1"))
    for id_ in ("CAST(game_id AS BLOB)", "NULL"):
        added = f"INSERT INTO games SELECT {id_}, kind, count, head FROM games LIMIT 1"
        yield Change("a row of games added", f"{id_} as an id", _running(added, freely=True))
    for table in (*OTHER_ROWS, "events"):
        for (rowid,) in tampered.sql(f"SELECT min(rowid) FROM {table} GROUP BY game_id"):
            yield Change(f"a row of {table} duplicated", f"row {rowid} of {table} duplicated", doubling(table, rowid))


def doubling(table: str, rowid: int) -> Callable[[Tampered], object]:
    """Return a change that duplicates a row of a table whose keys were removed."""

    def make(tampered: Tampered) -> None:
        tampered.without_keys(table)
        tampered.sql(f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1 OFFSET ?", [rowid - 1])

    return make


def _setting(table: str, column: str, value: Any, rowid: int) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        tampered.without_constraints()
        mark = "CAST(? AS TEXT)" if isinstance(value, bytes) and len(value) < 32 else "?"
        tampered.sql(f"UPDATE {table} SET {column} = {mark} WHERE rowid = ?", [value, rowid])

    return make


def _dropping(table: str, rowid: int) -> Callable[[Tampered], object]:
    return _running(f"DELETE FROM {table} WHERE rowid = {rowid}")


def _running(statement: str, *, freely: bool = False) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        if freely:
            tampered.without_constraints()
        tampered.sql(statement)

    return make


# Whole games.


def whole_games(tampered: Tampered) -> Iterator[Change]:
    """Yield changes that remove or replace a whole game, with everything else made consistent."""
    for (game_id,) in tampered.sql("SELECT game_id FROM games"):
        for thorough in (False, True):
            how = ", positions renumbered" if thorough else ""
            yield Change(f"a game removed{how}", f"{game_id} removed{how}", _removing(game_id, thorough))
        for (other,) in tampered.sql("SELECT game_id FROM games WHERE game_id > ?", [game_id])[:3]:
            yield Change(
                "positions of two games swapped", f"{game_id} and {other} exchanged", _exchanging(game_id, other)
            )
        (kind,) = tampered.sql("SELECT kind FROM games WHERE game_id = ?", [game_id])[0]
        for (other,) in tampered.sql("SELECT game_id FROM games WHERE kind = ? AND game_id <> ?", [kind, game_id])[:3]:
            yield Change("a game replaced by another", f"{game_id} is {other}", _replacing(game_id, other))


def _removing(game_id: str, thorough: bool) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        for table in ("history_entries", "game_players", "played_rounds", "game_summaries", "events", "games"):
            tampered.sql(f"DELETE FROM {table} WHERE game_id = ?", [game_id])
        if thorough:
            tampered.renumber_positions()

    return make


def _exchanging(game_id: str, other: str) -> Callable[[Tampered], object]:
    """Return a change that swaps two games in the order of their starts."""

    def make(tampered: Tampered) -> None:
        order = [found for (found,) in tampered.sql("SELECT game_id FROM events WHERE seq = 1 ORDER BY position")]
        places = {game_id: order.index(other), other: order.index(game_id)}
        ids = sorted(order, key=lambda found: places.get(found, order.index(found)))
        rows = [
            row for id_ in ids for row in tampered.sql("SELECT * FROM events WHERE game_id = ? ORDER BY seq", [id_])
        ]
        tampered.sql("DELETE FROM events")
        marks = ", ".join("?" * len(rows[0]))
        for position, (_, *rest) in enumerate(rows, 1):
            tampered.sql(f"INSERT INTO events VALUES ({marks})", [position, *rest])

    return make


def _replacing(game_id: str, other: str) -> Callable[[Tampered], object]:
    def make(tampered: Tampered) -> None:
        tampered.rewrite(game_id, [record._replace(game_id=game_id) for record in tampered.records(other)])
        for table in ("history_entries", "game_players", "played_rounds", "game_summaries"):
            tampered.sql(f"DELETE FROM {table} WHERE game_id = ?", [game_id])
            columns = tampered.columns(table)
            values = ", ".join("?1" if name in ("game_id", "table_name") else name for name in columns)
            tampered.sql(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE game_id = ?2", [game_id, other])

    return make


def every_change(tampered: Tampered) -> Iterator[tuple[str, Change]]:
    """Yield every change, each with the game that it is about."""
    for (game_id,) in tampered.sql("SELECT game_id FROM games ORDER BY game_id"):
        records = tampered.records(game_id)
        for changes in (each_column, rows, each_value_rehashed, boundaries):
            yield from ((game_id, change) for change in changes(records))
    yield from (("", change) for change in [*other_tables(tampered), *whole_games(tampered)])
