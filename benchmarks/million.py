"""A database of a million imported hands: what commands take that read lists and tallies.

Some thousand hands are played, written, imported and counted. All others are their rows again, by SQL, with other ids,
other opponents and other days: the list of games, the first two events of each (where the list and `sessions` look) and
the tallies. So what reads these takes as long as with a million hands that were imported, which takes hours. Logs of
the copies end after two events: no audit and no replay is measured here.
"""

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.histories import _hands
from benchmarks.table import markdown
from pokersvc import EventLog, Service, open_database
from pokersvc.histories.checking import check
from pokersvc.histories.importing import Became, store
from pokersvc.service.tallies import tally

HANDS: Final = 1_000_000
IMPORTED: Final = 2_000
REQUIRED: Final = 2.0
"""Seconds that ``stats`` may take."""
HERO: Final = "Player1"
"""Who plays in every hand; all others have another name in each copy."""
ASKED: Final[tuple[tuple[tuple[str, ...], int], ...]] = (
    (("stats", HERO), 3),
    (("stats", HERO, "--by", "position"), 3),
    (("stats", HERO, "--by", "day"), 3),
    (("stats", HERO, "--by", "opponent"), 3),
    (("stats",), 3),
    (("games",), 1),
    (("games", "--player", "Player2-7"), 1),
    (("sessions", "--player", HERO), 1),
    (("sessions", "--player", "Player2-7"), 1),
)
"""Commands, and how often each is run."""


def run(*, quick: bool = False) -> str:
    """Make the database and return the table of what commands take."""
    imported, hands = (100, 2_000) if quick else (IMPORTED, HANDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hands.sqlite")
        file = Path(folder, "hands.phhs")
        texts = _hands(Path(folder), imported)
        file.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1)), "utf-8")
        with open_database(str(path)) as database:
            start = perf_counter()
            found = [one.became for one in store(Service(EventLog(database)), check([file]))]
            each = (perf_counter() - start) / imported
            assert found == [Became.STORED] * imported
            start = perf_counter()
            tally(database)
            counting = (perf_counter() - start) / imported
        copies = hands // imported
        _multiply(path, copies)
        rows = [
            ("`import`, a hand", f"{each:.4f}"),
            (f"`import` of {hands:,} hands at that rate", f"{each * hands:,.0f}"),
            ("to put a hand into the tallies", f"{counting:.4f}"),
        ]
        table: list[tuple[str, ...]] = [(*row, "") for row in rows]
        for command, times in ASKED:
            took, processor = map(median, zip(*[_took(path, command) for _ in range(times)], strict=True))
            required = f" (required: {REQUIRED:g}{'' if took <= REQUIRED else ', missed'})"
            said = f"{took:.2f}{required if command[0] == 'stats' else ''}"
            table.append((f"`{' '.join(command)}`", said, f"{processor:.2f}"))
        size = path.stat().st_size
    return markdown(
        f"A database of {copies * imported:,} hands of 4 players, in SQLite",
        ("what", "seconds", "of the processor"),
        table,
        f"{imported:,} hands were imported; the others are their rows again. The file has {size / 1e9:.1f} GB.",
    )


def _took(path: Path, command: tuple[str, ...]) -> tuple[float, float]:
    """Return how long a command takes, Python's own start included, and how long a processor works for it."""
    start, before = perf_counter(), getrusage(RUSAGE_CHILDREN)
    program = [sys.executable, "-m", "pokersvc", "--db", str(path), *command]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _multiply(path: Path, copies: int) -> None:
    """Make copies of the rows that lists, sessions and tallies read, until there are so many of each."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        [played] = database.execute("SELECT max(value) FROM tallies WHERE dimension = 'day'").fetchone()
        columns = {table: _columns(database, table) for table in ("games", "game_summaries", "events", "tallies")}
        database.execute("CREATE TEMP TABLE first_two AS SELECT * FROM events WHERE seq <= 2 ORDER BY position")
        for table in ("games", "game_summaries", "tallies"):
            database.execute(f"CREATE TEMP TABLE first_{table} AS SELECT * FROM {table}")
        database.execute("BEGIN")
        for copy in range(1, copies):
            day = (date.fromisoformat(played) - timedelta(days=copy)).isoformat()
            _copy(database, columns, copy, played, day)
        figures = ", ".join(f"{name} = {name} * {copies}" for name in columns["tallies"][6:])
        database.execute(
            f"UPDATE tallies SET {figures} WHERE player = ? AND dimension NOT IN ('day', 'opponent')", (HERO,)
        )
        database.execute("COMMIT")


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def _copy(database: sqlite3.Connection, columns: dict[str, list[str]], copy: int, played: str, day: str) -> None:
    def others(column: str) -> str:
        """Return a column in which everybody but the hero has another name."""
        for seat in (2, 3, 4):
            column = f"replace({column}, 'Player{seat}', 'Player{seat}-{copy}')"
        return column

    changed = {
        "game_id": f"printf('%06d', {copy}) || substr(game_id, 7)",
        "seats": others("seats"),
        "player": others("player"),
        "position": "NULL",
        "count": "2",
        "recorded_at": f"replace(recorded_at, '{played}', '{day}')",
        "started_at": f"replace(started_at, '{played}', '{day}')",
        "payload": f"replace({others('payload')}, '{played}', '{day}')",
        "value": f"CASE dimension WHEN 'day' THEN '{day}' WHEN 'opponent' THEN {others('value')} ELSE value END",
    }
    sources = {"games": "first_games", "game_summaries": "first_game_summaries", "events": "first_two"}
    for table, source in sources.items():
        values = ", ".join(changed.get(name, f'"{name}"') for name in columns[table])
        database.execute(f"INSERT INTO {table} SELECT {values} FROM {source}")
    values = ", ".join(changed.get(name, f'"{name}"') for name in columns["tallies"])
    database.execute(
        f"INSERT INTO tallies SELECT {values} FROM first_tallies"
        f" WHERE player <> '{HERO}' OR dimension IN ('day', 'opponent')"
    )
