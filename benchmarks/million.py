"""A database of a million imported hands: the time of commands that read lists and tallies.

Some thousand hands are played, written, imported and counted, which shows the time and the disk space of a hand. A
million would take an hour to import. So SQL copies the rows of the first hands, a session, until there are a million,
with other IDs, other opponents and other days. It copies what lists and statistics read: the list of games, their
players, the rows for sessions, the first two events of each game, and the tallies. So commands that read these take as
long as with a million imported hands. The logs of the copies end after two events: no audit and no replay is measured
here.

One player, the hero, is in all hands. The others are in one session each: some 60,000 people in all, as in real
databases of that size. Ten sessions are played per day.
"""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.histories import _hands
from benchmarks.table import markdown
from pokersvc import EventLog, Service, open_database
from pokersvc.histories.checking import check
from pokersvc.histories.importing import Became, store
from pokersvc.service.read_models.tallies import tally

HANDS: Final = 1_000_000
IMPORTED: Final = 3_000
"""Hands on which the import is measured."""
SESSION: Final = 50
"""Hands that are copied."""
SESSIONS_A_DAY: Final = 10
REQUIRED: Final = 2.0
"""Seconds that ``stats`` may take."""
HERO: Final = "Player1"
"""The player in every hand; all others have another name in each session."""
OTHER: Final = "Player2-7"
IMPORTED_HERE: Final = "GAME"
"""In a command, this stands for a game of the imported session, whose logs are complete."""
ASKED: Final[tuple[tuple[str, ...], ...]] = (
    ("stats", HERO),
    ("stats", HERO, "--by", "position"),
    ("stats", HERO, "--by", "opponents"),
    ("stats", HERO, "--by", "house"),
    ("stats", HERO, "--by", "day"),
    ("stats", HERO, "--by", "opponent"),
    ("stats", HERO, "--by", "opponent", "--only", OTHER),
    ("stats", OTHER),
    ("stats",),
    ("stats", "--by", "position"),
    ("stats", OTHER, "--list"),
    ("games", "--last", "30"),
    ("games", "--last", "30", "--player", HERO),
    ("games", "--player", OTHER),
    ("games", "--open"),
    ("games", "--game", "kalah"),
    ("games", "--last", "30", "--house", "no-limit"),
    ("games",),
    ("sessions", "--player", HERO),
    ("sessions", "--player", OTHER),
    ("export", "--session", IMPORTED_HERE, "--format", "phh"),
)
"""Commands, each run until it ends."""
BEGUN: Final[tuple[tuple[str, ...], ...]] = (("games",), ("games", "--json"), ("games", "--since", "2020-01-01"))
"""Commands that are ended once their first line has been read, as by `head`."""
TURNS: Final = 3
LONG: Final = 5.0
"""Seconds after which a command is not run again."""


class Took(NamedTuple):
    """The time that one run of a command took."""

    seconds: float
    """Wall-clock time, with Python's own start."""
    processor: float


def run(*, quick: bool = False) -> str:
    """Make the database and return the table of the commands' times."""
    imported, session, hands = (100, 20, 2_000) if quick else (IMPORTED, SESSION, HANDS)
    with tempfile.TemporaryDirectory() as folder:
        texts = _hands(Path(folder), imported)
        each, counting, size = _import(Path(folder, "measured.sqlite"), texts)
        path = Path(folder, "hands.sqlite")
        _import(path, texts[:session])
        _multiply(path, hands // session)
        table: list[tuple[str, ...]] = [
            ("`import`, a hand", f"{each:.4f}", ""),
            ("to put a hand into the tallies", f"{counting:.4f}", ""),
            (f"both for {hands:,} hands, at that rate", f"{(each + counting) * hands:,.0f}", ""),
        ]
        imported_game = _imported_game(path)
        for command in ASKED:
            took = _best(path, [imported_game if word == IMPORTED_HERE else word for word in command])
            required = f" (required: {REQUIRED:g}{'' if took.seconds <= REQUIRED else ', missed'})"
            said = f"{took.seconds:.2f}{required if command[0] == 'stats' else ''}"
            table.append((f"`{' '.join(command)}`", said, f"{took.processor:.2f}"))
        for command in BEGUN:
            first = min(_begun(path, command) for _ in range(TURNS))
            table.append((f"`{' '.join(command)}`, to the first line", f"{first:.2f}", ""))
        copied = path.stat().st_size / hands
    return markdown(
        f"A database of {hands:,} hands of 4 players, in SQLite",
        ("what", "seconds", "of the processor"),
        table,
        f"The best of up to {TURNS} runs. {imported:,} hands were imported, and take {size / imported / 1e3:.1f} kB"
        f" each. {session} of them were copied, with {copied / 1e3:.1f} kB each, as all but two events are left out.",
    )


def _import(path: Path, texts: Sequence[str]) -> tuple[float, float, int]:
    """Import hands; return the seconds to import one and to count one, and the size of the database file."""
    file = path.with_suffix(".phhs")
    file.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1)), "utf-8")
    with open_database(str(path)) as database:
        start = perf_counter()
        found = [one.became for one in store(Service(EventLog(database)), check([file]))]
        stored = perf_counter()
        assert found == [Became.STORED] * len(texts)
        tally(database)
        counted = perf_counter()
    return (stored - start) / len(texts), (counted - stored) / len(texts), path.stat().st_size


def _imported_game(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        return str(database.execute("SELECT game_id FROM events ORDER BY position LIMIT 1").fetchone()[0])


def _program(path: Path, command: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "pokersvc", "--db", str(path), *command]


def _best(path: Path, command: Sequence[str]) -> Took:
    """Return the fastest of some runs: other work of the machine only adds to their times."""
    runs = [_took(path, command)]
    while len(runs) < TURNS and runs[-1].seconds < LONG:
        runs.append(_took(path, command))
    return Took(*map(min, zip(*runs, strict=True)))


def _took(path: Path, command: Sequence[str]) -> Took:
    start = perf_counter()
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(_program(path, command), check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(perf_counter() - start, processor)


def _begun(path: Path, command: Sequence[str]) -> float:
    """Return the seconds until a command's first line can be read."""
    start = perf_counter()
    with subprocess.Popen(_program(path, command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        took = perf_counter() - start
        process.kill()
    return took


_TABLES: Final = ("games", "game_summaries", "game_players", "played_rounds", "events", "tallies")


def _multiply(path: Path, copies: int) -> None:
    """Copy the rows that lists, sessions and tallies read, until there are ``copies`` of each."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -500000")
        [played] = database.execute("SELECT max(value) FROM tallies WHERE dimension = 'day'").fetchone()
        columns = {table: _columns(database, table) for table in _TABLES}
        for table in _TABLES:
            which = " WHERE seq <= 2 ORDER BY position" if table == "events" else ""
            database.execute(f"CREATE TEMP TABLE first_{table} AS SELECT * FROM {table}{which}")
        database.execute("BEGIN")
        for copy in range(1, copies):
            days, place = divmod(copy - 1, SESSIONS_A_DAY)
            day = (date.fromisoformat(played) - timedelta(days=1 + days)).isoformat()
            _copy(database, columns, copy, played, day, 2 * place)
        figures = ", ".join(f"{name} = {name} * {copies}" for name in columns["tallies"][6:])
        database.execute(
            f"UPDATE tallies SET {figures} WHERE player = ? AND dimension NOT IN ('day', 'opponent')", (HERO,)
        )
        database.execute("COMMIT")


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def _copy(
    database: sqlite3.Connection, columns: dict[str, list[str]], copy: int, played: str, day: str, hour: int
) -> None:
    def others(column: str) -> str:
        """Return a column in which everybody but the hero has another name."""
        for seat in (2, 3, 4):
            for name in (f"Player{seat}", f"player{seat}"):
                column = f"replace({column}, '{name}', '{name}-{copy}')"
        return column

    changed = {
        "game_id": f"printf('%06d', {copy}) || substr(game_id, 7)",
        "seats": others("seats"),
        "player": others("player"),
        "position": "NULL",
        "count": "2",
        "recorded_at": f"replace(recorded_at, '{played}', '{day}')",
        "started_at": f"replace(started_at, '{played}', '{day}')",
        "at": f"'{day}T{hour:02}' || substr(at, 14)",
        "payload": f"replace({others('payload')}, '\"utc\":\"' || substr(payload, instr(payload, '{played}T'), 13),"
        f' \'"utc":"{day}T{hour:02}\')',
        "value": f"CASE dimension WHEN 'day' THEN '{day}' WHEN 'opponent' THEN {others('value')} ELSE value END",
    }
    for table in _TABLES[:-1]:
        values = ", ".join(changed.get(name, f'"{name}"') for name in columns[table])
        database.execute(f"INSERT INTO {table} SELECT {values} FROM first_{table}")
    values = ", ".join(changed.get(name, f'"{name}"') for name in columns["tallies"])
    added = ", ".join(f"{name} = {name} + excluded.{name}" for name in columns["tallies"][6:])
    database.execute(
        f"INSERT INTO tallies SELECT {values} FROM first_tallies"
        f" WHERE player <> '{HERO}' OR dimension IN ('day', 'opponent')"
        f" ON CONFLICT DO UPDATE SET {added}"
    )
