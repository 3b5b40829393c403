"""Acknowledged games lost with the write-ahead log: every command reports the loss, and none writes."""

import shutil
from pathlib import Path

import pytest

from tests.cli.program import TWO_MINIMUM, Program, beside


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home with two finished rounds of a game, and another game whose program was killed."""
    program = Program(tmp_path_factory.mktemp("killed"))
    program.run(*TWO_MINIMUM, "--rounds", "1", "--seed", "demo")
    terminal = program.terminal("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
    terminal.question()
    terminal.type("bet 50")
    terminal.question()
    terminal.process.kill()
    terminal.end()
    return program


@pytest.fixture
def lost(program: Program, killed: Program) -> Program:
    """The same home with its write-ahead log deleted."""
    shutil.copytree(killed.home, program.home, dirs_exist_ok=True)
    for suffix in ("-wal", "-shm"):
        Path(f"{program.database}{suffix}").unlink()
    return program


SAID = "lacks events that were recorded: found the end after event "


def test_what_writes_is_refused_and_says_what_to_do(lost: Program) -> None:
    before = beside(lost.database)
    for command in (("resume", "last"), TWO_MINIMUM, ("db", "rebuild")):
        sentence = lost.refused(*command)
        assert sentence.startswith(f"{lost.database} {SAID}")
        assert f"as {lost.database}-mark says; put back the pokerdb.sqlite-wal that belongs to it" in sentence
        assert sentence.endswith("or accept it with `pokersvc db check --accept`.")
    assert beside(lost.database) == before


def test_what_reads_goes_on_after_a_warning(lost: Program) -> None:
    before = beside(lost.database)
    for command in (("games",), ("history", "last"), ("export", "last"), ("db", "upgrade"), ("db", "backup", "copy")):
        ended = lost.ended(*command)
        assert ended.code == 0
        assert ended.out
        (warning,) = ended.err.splitlines()
        assert warning.startswith(f"Warning: {lost.database} {SAID}"), command
    assert beside(lost.database) == before


@pytest.mark.slow
def test_check_and_audit_find_it(lost: Program) -> None:
    check = lost.ended("db", "check")
    assert (check.code, check.err) == (3, "")
    assert check.out.startswith("Found the end after event ")
    audit = lost.ended("audit")
    assert audit.code == 3
    assert "The database: found the end after event " in audit.out
    assert "(storage)" in audit.out
    spread = lost.ended("audit", "--processes", "2")
    assert spread.out == audit.out


def test_what_is_accepted_is_played_on(lost: Program) -> None:
    said = lost.run("db", "check", "--accept").splitlines()
    assert said[0].startswith(f"{lost.database} is accepted as it is: its last event is number ")
    assert said[1] == f"{lost.database} is intact."
    lost.run(*TWO_MINIMUM, "--rounds", "1")
    lost.run("db", "check")
    again = lost.ended("db", "check", "--accept", "--json")
    assert (again.code, again.out) == (0, "[]\n")
    assert again.err.startswith(f"{lost.database} is accepted as it is: ")


def test_what_is_put_back_is_played_on(lost: Program, killed: Program) -> None:
    shutil.copy(f"{killed.database}-wal", lost.database.parent)
    assert "The game is saved" in lost.run("resume", "last", typed="quit\n")
    assert "Ann bets 50" in lost.run("replay", "last")
    lost.run("db", "check")


def test_a_backup_in_the_place_of_the_database_is_played_on(program: Program, killed: Program) -> None:
    """As docs/backups.md describes: without the files beside the old database; the mark may stay."""
    shutil.copytree(killed.home, program.home, dirs_exist_ok=True)
    program.run("db", "backup", "copy")
    program.run("resume", "last", typed="check\nquit\n")
    for suffix in ("-wal", "-shm"):
        Path(f"{program.database}{suffix}").unlink(missing_ok=True)
    (program.home / "copy").replace(program.database)
    assert "The game is saved" in program.run("resume", "last", typed="quit\n")
    assert "Ann bets 50" in program.run("replay", "last")
    program.run("db", "check")


def test_what_a_server_keeps_has_no_mark_to_accept(program: Program) -> None:
    sentence = program.refused("--db", "postgresql+psycopg://me:secret@localhost:1/games", "db", "check", "--accept")
    assert "secret" not in sentence
