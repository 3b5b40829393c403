"""Killed at any moment, the program loses nothing that it has shown, and resumes the game correctly.

A process is killed by its own number at a random moment of what it does: play, resume, migrate, make a backup. The
same is shown of a disk that is full at any moment.
"""

import pickle
import re
import shutil
import signal
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.server.tables.schema import SERVER_TABLES
from pokersvc.service import Service
from pokersvc.tournament.ladder.schema import LADDER_TABLES
from tests.cli.program import MAIN, Program
from tests.forks import Run, forks
from tests.service.sender import GAME, SETUP, script, send
from tests.service.support import as_the_log_says, told

SENDER = "tests.service.sender:main"
PLAY = (
    "play", "--auto", "--player", "Player1=steady", "--player", "Player2=steady", "--player", "Player3=steady",
    "--rounds", "6",
)  # fmt: skip
KILLED = -signal.SIGKILL


@pytest.fixture
def forked(program: Program) -> Callable[..., Run]:
    """Run a function in a forked process."""
    return partial(forks().run, **program.place)


@pytest.fixture
def database(program: Program) -> Path:
    program.run("db", "upgrade")
    return program.database


def shown(run: Run) -> tuple[list[str], list[str]]:
    """Return the sentences and the hashes of a game that a run has shown."""
    heads = [line.removeprefix("  head ") for line in run.lines if line.startswith("  head ")]
    hints = r"Game |Resume any time|Player\d wins with |Round \d+(,| --) |Unfinished|\s|Player\d \[|$"
    return [line for line in run.lines if not re.match(hints, line)], heads


def check(program: Program, run: Run, game: str) -> None:
    """Check that a database is intact and holds everything that a run has shown of a game."""
    assert program.sql("PRAGMA integrity_check") == [("ok",)]
    told = program.json("replay", game)
    facts = program.json("events", game)
    texts, (sentences, heads) = [each["text"].split("\n")[0] for each in told], shown(run)
    first = texts.index(sentences[0]) if sentences else 0
    ends = [number for number in range(first, len(texts)) if texts[number : number + len(sentences)] == sentences]
    assert ends or not sentences, "what was shown is in the log, in its order"
    assert set(heads) <= {fact["hash"] for fact in facts}
    commands = [fact["command_id"] for fact in facts]
    assert len(dict.fromkeys(commands)) == sum(fact["n"] == 1 for fact in facts)
    with Database.for_reading(str(program.database)) as opened:
        state = Service(EventLog(opened)).status(game)
    assert state.to_act is not None or state.pausing or state.outcome, "the dealer has done all of the command"


@pytest.mark.slow
@pytest.mark.parametrize("kills", [30, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_a_game_that_is_killed_again_and_again_is_the_game_that_would_have_been(
    program: Program, database: Path, forked: Callable[..., Run], kills: int
) -> None:
    chance = Random(kills)
    wholes = [forked(MAIN, *PLAY, "--seed", f"{number}") for number in range(3)]
    assert [whole.code for whole in wholes] == [0, 0, 0], wholes
    expected = [program.facts(game["game"]) for game in reversed(program.json("games"))]
    longest = min(whole.seconds for whole in wholes)  # without what only the first one has to wait for
    killed = finished = 0
    for number in count():
        if killed >= kills:
            break
        known = {game["game"] for game in program.json("games")}
        command: tuple[str, ...] = (*PLAY, "--seed", f"{number % 3}")
        game = ""
        for _ in range(200):
            run = forked(MAIN, *command, after=chance.uniform(0, longest) if killed < kills else None)
            killed += run.code == KILLED
            assert run.code in (0, KILLED), run
            new = {each["game"] for each in program.json("games")} - known
            game = game or next(iter(new), "")
            if not game:
                assert not shown(run)[0], "a game that was shown is there"
                continue
            check(program, run, game)
            if run.code == 0:
                break
            command = ("resume", game)
            if program.json("games")[0]["finished"]:
                break
        assert program.facts(game) == expected[number % 3]
        program.run("db", "check")
        finished += 1
    assert finished > 0


@pytest.mark.slow
@pytest.mark.parametrize("kills", [30, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_a_command_that_is_sent_again_after_a_kill_is_not_played_twice(
    program: Program, database: Path, forked: Callable[..., Run], kills: int
) -> None:
    chance, killed = Random(kills), 0
    commands, pickled = script(), program.home / "script"
    pickled.write_bytes(pickle.dumps(commands))
    with Database.for_writing(":memory:") as memory:
        service, log = Service(EventLog(memory)), EventLog(memory)
        service.start("draw", SETUP, game_id=GAME)
        for action in commands:
            send(service, action)
        expected = told(log, GAME)
    longest = forked(SENDER, database, pickled, 0).seconds
    longest = min(longest, 0.5)  # not what only the first process has to wait for
    while killed < kills:
        for path in database.parent.iterdir():
            path.unlink()
        program.run("db", "upgrade")
        acknowledged = -1
        while acknowledged < len(commands) - 1:
            first = max(0, acknowledged - chance.randint(0, 3))
            run = forked(SENDER, database, pickled, first, after=chance.uniform(0, longest))
            killed += run.code == KILLED
            assert run.code in (0, KILLED), run
            acknowledged = max([acknowledged, *map(int, run.lines)])
            with Database.for_reading(str(database)) as opened:
                log = EventLog(opened)
                if log.head(GAME) is None:
                    assert acknowledged < 0
                    continue
                recorded = told(log, GAME)
                assert recorded == expected[: len(recorded)], "no command is missing, and none is there twice"
                for number in range(acknowledged + 1):
                    assert log.command(GAME, f"c{number}"), "what was acknowledged is recorded"
        with Database.for_writing(str(database)) as opened:
            assert told(EventLog(opened), GAME) == expected
            assert as_the_log_says(Service(EventLog(opened)), EventLog(opened), GAME)


@pytest.fixture
def older(program: Program, forked: Callable[..., Run]) -> Path:
    """A database with games that the first release wrote, without read models."""
    for number in range(3):
        assert forked(MAIN, *PLAY, "--seed", f"{number}").code == 0
    path = program.home / "older.sqlite"
    shutil.copy(program.database, path)
    program.sql(
        *(f"DROP TABLE {table.name}" for table in (*LADDER_TABLES, *SERVER_TABLES)),
        "DROP TABLE tallies",
        "DROP TABLE history_entries",
        "DROP TABLE played_rounds",
        "DROP TABLE game_players",
        "DROP TABLE game_summaries",
        "UPDATE alembic_version SET version_num = '0001'",
        path=path,
    )
    return path


READ_MODELS = ("history_entries", "game_players", "played_rounds", "game_summaries")


def read_models(program: Program) -> list[list[Any]]:
    return [program.sql(f"SELECT * FROM {table} ORDER BY 1, 2") for table in READ_MODELS]


def start_over(program: Program, older: Path) -> None:
    for path in program.database.parent.iterdir():
        path.unlink()
    shutil.copy(older, program.database)


def check_copies(program: Program, older: Path) -> int:
    """Check that each backup made by a migration is the complete older database; return their number."""
    copies = list(program.database.parent.glob("pokerdb.sqlite.schema-*"))
    rows = "SELECT * FROM events ORDER BY position"
    for copy in copies:
        assert program.sql("PRAGMA integrity_check", path=copy) == [("ok",)]
        assert program.sql(rows, path=copy) == program.sql(rows, path=older)
        assert program.sql("SELECT version_num FROM alembic_version", path=copy) == [("0001",)]
    return len(copies)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [40])
def test_a_migration_that_is_killed_is_done_by_the_next_one(
    program: Program, older: Path, forked: Callable[..., Run], kills: int
) -> None:
    before, rows = read_models(program), "SELECT * FROM events ORDER BY position"
    events = program.sql(rows)
    chance, killed, copied = Random(kills), 0, 0
    start_over(program, older)
    longest = min(forked(MAIN, "db", "upgrade").seconds, 0.5)
    while killed < kills:
        start_over(program, older)
        for _ in range(chance.randint(1, 3)):
            run = forked(MAIN, "db", "upgrade", after=chance.uniform(0, longest))
            killed += run.code == KILLED
            assert program.sql("PRAGMA integrity_check") == [("ok",)]
            assert program.sql(rows) == events
            copied += check_copies(program, older)
        last = forked(MAIN, *PLAY, "--seed", "new")
        assert last.code == 0, last
        program.run("db", "check")
        game = program.json("games")[0]["game"]
        program.sql(*(f"DELETE FROM {table} WHERE game_id = '{game}'" for table in READ_MODELS))
        assert read_models(program) == before
    assert copied > 0 or kills < 40  # so few may all fall before a copy is made


@pytest.mark.slow
@pytest.mark.parametrize("steps", [15])
def test_a_disk_that_is_full_at_any_moment_loses_nothing_that_was_shown(
    program: Program, database: Path, forked: Callable[..., Run], steps: int
) -> None:
    """File sizes are limited, so that each limit is met at another point of the program."""
    whole = forked(MAIN, *PLAY, "--seed", "full")
    expected = program.facts(program.json("games")[0]["game"])
    assert whole.code == 0, whole
    refused = 0
    for step in range(steps):
        for path in database.parent.iterdir():
            path.unlink()
        program.run("db", "upgrade")
        run = forked(MAIN, *PLAY, "--seed", "full", size=database.stat().st_size + step * (100_000 // steps))
        assert run.code in (0, 1), run
        if run.code:
            refused += 1
            assert re.fullmatch(r"pokersvc: .*(disk|written|space).*\n", run.err), run.err
        games = program.json("games")
        if not games:
            assert not shown(run)[0]
            assert program.run("db", "check")
            continue
        check(program, run, games[0]["game"])
        if run.code:
            assert forked(MAIN, "resume", "last").code == 0
        assert program.facts(games[0]["game"]) == expected
    assert refused > 1


@pytest.mark.slow
@pytest.mark.parametrize("steps", [12])
def test_a_migration_on_a_full_disk_changes_nothing_or_is_done(
    program: Program, older: Path, forked: Callable[..., Run], steps: int
) -> None:
    rows = "SELECT * FROM events ORDER BY position"
    events, size, refused = program.sql(rows), older.stat().st_size, 0
    for step in range(steps):
        start_over(program, older)
        run = forked(MAIN, "db", "upgrade", size=step * 2 * size // steps)
        assert run.code in (0, 1), run
        refused += run.code
        assert program.sql("PRAGMA integrity_check") == [("ok",)]
        assert program.sql(rows) == events
        check_copies(program, older)
        program.ended("db", "upgrade")
        program.run("db", "check")
    assert refused > 1
