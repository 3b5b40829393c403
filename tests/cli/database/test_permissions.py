"""Files with hands and seeds are created for their owner only, whatever the umask; existing files keep their mode."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.program import TWO_MINIMUM, Program
from tests.eventlog.support import AS_SCHEMA_0001

UMASKS = [0o000, 0o022, 0o077]


@pytest.fixture
def umask(tmp_path: Path) -> Iterator[Callable[[int], None]]:
    """Set the umask for the test, once the test's own folder exists."""
    before = os.umask(0o077)

    def set_(mask: int) -> None:
        os.umask(mask)

    yield set_
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of everything in a folder, and of itself."""
    found = [folder, *sorted(folder.rglob("*"))]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in found}


def is_private(found: dict[str, int], *, but: str = "") -> bool:
    return all(mode in (0o600, 0o700) for name, mode in found.items() if not but or not name.endswith(but))


@pytest.mark.parametrize("mask", UMASKS)
def test_a_database_and_what_lies_beside_it_are_their_owners_alone(
    program: Program, umask: Callable[[int], None], mask: int
) -> None:
    umask(mask)
    terminal = program.terminal("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
    terminal.question()
    found = modes(program.home / ".local")
    terminal.type("quit")
    terminal.end()
    ours = "share/pokersvc/pokerdb.sqlite"
    assert {ours, f"{ours}-wal", f"{ours}-shm", f"{ours}-mark"} <= found.keys()
    assert is_private(found, but=".lock"), found  # which is empty
    assert (program.database.parent / "pokerdb.sqlite.lock").stat().st_size == 0


@pytest.mark.parametrize("mask", UMASKS)
def test_copies_results_and_exports_with_secrets_are_their_owners_alone(
    program: Program, umask: Callable[[int], None], mask: int
) -> None:
    umask(mask)
    program.run(*TWO_MINIMUM, "--rounds", "1", "--seed", "demo")
    program.run("db", "backup", "backup.sqlite")
    for name, options in {"seat": ["--as", "1"], "auditor": ["--as", "auditor"], "opened": ["--open", "1"]}.items():
        program.run("export", "last", "-o", name, "--force", *options)
    program.run("keygen", "house.key")
    program.run("tournament", "--player", "A=minimum", "--player", "B=minimum", "--deals", "1", "--processes", "1")
    program.sql(
        *AS_SCHEMA_0001,
    )
    program.ended("db", "upgrade")
    for name in ("backup.sqlite", "seat", "auditor", "opened", "house.key"):
        assert stat.S_IMODE((program.home / name).stat().st_mode) == 0o600, name
    found = modes(program.home / ".local")
    assert any(name.endswith(".schema-0001") for name in found)
    assert any(name.startswith("share/pokersvc/tournaments/") for name in found)
    assert is_private(found, but=".lock"), found


@pytest.mark.parametrize("mask", UMASKS)
def test_what_everyone_may_read_follows_the_umask(program: Program, umask: Callable[[int], None], mask: int) -> None:
    program.run(*TWO_MINIMUM, "--rounds", "1", "--seed", "demo")
    umask(mask)
    program.run("export", "last", "-o", "public")
    program.run("checkpoint", "-o", "checkpoint")
    game = program.json("games")[0]["game"]
    program.run("prove", game, "--checkpoint", "checkpoint", "-o", "proof")
    program.run("keygen", "key")
    for name in ("public", "checkpoint", "proof", "key.pub"):
        assert stat.S_IMODE((program.home / name).stat().st_mode) == 0o666 & ~mask, name


def test_what_was_there_keeps_its_permissions_and_is_warned_of(program: Program, played: Program) -> None:
    folder = program.home / "shared"
    folder.mkdir()
    database = folder / "games.sqlite"
    shutil.copy(played.database, database)
    database.chmod(0o644)
    folder.chmod(0o755)
    program.run("--db", database, *TWO_MINIMUM, "--rounds", "1")
    results = folder / "results"
    results.touch()
    results.chmod(0o640)
    program.run(
        "tournament", "--player", "A=minimum", "--player", "B=minimum", "--deals", "1", "--processes", "1",
        "--results", results,
    )  # fmt: skip
    found = modes(folder)
    beside = {"games.sqlite-mark": 0o644, "games.sqlite.lock": 0o644}
    assert found == {".": 0o755, "games.sqlite": 0o644, "results": 0o640} | beside
    ended = program.ended("--db", database, "db", "check")
    assert (ended.code, ended.out) == (0, f"{database} is intact.\n")
    of_file, of_mark, of_lock, of_folder = ended.err.splitlines()
    assert of_file == (
        f"Warning: {database} may be read by others on this machine, but holds hands and seeds: chmod 600 {database}."
    )
    for name, said in zip(beside, (of_mark, of_lock), strict=True):
        file = folder / name
        assert said == f"Warning: {file} may be used by others on this machine: chmod 600 {file}."
        file.chmod(0o600)
    assert of_folder.startswith(
        f"Warning: The folder {folder} may be read by others on this machine: chmod 700 {folder}"
    )
    database.chmod(0o600)
    folder.chmod(0o700)
    assert program.ended("--db", database, "db", "check").err == ""


def test_a_write_ahead_log_that_others_may_read_is_warned_of(program: Program) -> None:
    program.run("db", "upgrade")
    wal = program.database.with_name(f"{program.database.name}-wal")
    with closing(sqlite3.connect(program.database)) as connection:
        connection.execute("PRAGMA user_version = 7")
        wal.chmod(0o644)
        (warning,) = program.ended("db", "check").err.splitlines()
        assert warning == f"Warning: {wal} may be used by others on this machine: chmod 600 {wal}."
        wal.chmod(0o600)
        assert program.ended("db", "check").err == ""


def test_copies_of_an_older_pokersvc_are_warned_of(program: Program, played: Program) -> None:
    program.database.parent.mkdir(0o700, parents=True)
    shutil.copy(played.database, program.database)
    for name in ("pokerdb.sqlite.schema-0001", "pokerdb.sqlite.schema-0001.2"):
        shutil.copy(played.database, program.database.with_name(name))
    program.database.with_name("pokerdb.sqlite.schema-0001").chmod(0o640)
    (warning,) = program.ended("db", "check").err.splitlines()
    assert warning.startswith(f"Warning: {program.database}.schema-0001 may be read by others on this machine")
