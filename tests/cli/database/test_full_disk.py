"""A disk that is full: one sentence, and the game is as it was before the command that did not fit."""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.program import TWO_MINIMUM, Program, lines_of, the_sentence

PERSON = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")


def check(program: Program, database: Path) -> list[int]:
    """Check that a database is intact, and return the number of events of each game."""
    assert program.sql("PRAGMA integrity_check", path=database) == [("ok",)]
    games = program.json("--db", database, "games")
    return [len(program.json("--db", database, "events", game["game"])) for game in games]


@pytest.mark.parametrize("size", [0, 1, 5_000, 30_000])
def test_a_database_that_does_not_fit_is_not_made(program: Program, size: int) -> None:
    folder = program.home / "disk"
    folder.mkdir()
    sentence = program.refused("--db", folder / "games.sqlite", *TWO_MINIMUM, size=size)
    assert str(folder / "games.sqlite") in sentence
    assert [path.name for path in folder.iterdir()] in ([], ["games.sqlite"])
    if (folder / "games.sqlite").exists():
        assert check(program, folder / "games.sqlite") == []


def test_a_game_that_fills_the_disk_is_kept_as_far_as_it_was_recorded(program: Program) -> None:
    database = program.home / "games.sqlite"
    program.run("--db", database, "db", "upgrade")
    size = database.stat().st_size + 100_000
    two = ("--player", "Ann=steady", "--player", "Bob=steady")
    ended = program.ended("--db", database, "play", "--auto", *two, "--seed", "demo", size=size)
    sentence = the_sentence(ended, 1)
    assert "the last change was not recorded" in sentence
    assert "the game so far is saved, resume with: pokersvc --db" in sentence
    (count,) = check(program, database)
    assert count > 20
    said = program.run("--db", database, "resume", "last")
    assert " wins with $" in said


def test_a_persons_answer_that_does_not_fit_can_be_given_again(program: Program) -> None:
    database = program.home / "games.sqlite"
    program.ended("--db", database, *PERSON, typed=lines_of("bet 50"))
    typed = lines_of("1 2", "check", "call", "", "fold", "", "fold")
    ended = program.ended("--db", database, "resume", "last", typed=typed, size=33_000)
    assert "resume with: pokersvc --db" in the_sentence(ended, 1)
    check(program, database)
    told = [event["text"] for event in program.json("--db", database, "replay", "last", "--as", "Ann", "--force")]
    shown = [line for line in ended.out.splitlines() if re.match(r"(Ann|Bob) (discards|draws|checks|bets|calls)", line)]
    assert shown == told[-len(shown) :], "what was shown as done is recorded, and nothing else is"
    again = program.run("--db", database, "resume", "last", typed=lines_of("quit"))
    assert "The game is saved" in again


def test_output_that_does_not_fit_is_a_sentence(program: Program, played: Program) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("wb") as full:
        for command in (["replay", "last"], ["games", "--json"], ["--help"]):
            ended = played.ended(*command, out=full.fileno())
            assert ended.code == 1
            assert ended.err == "pokersvc: The operating system refused: [Errno 28] No space left on device.\n"


WRITERS = {
    "an export": ("export", "last", "-o", "FILE"),
    "a seat's export": ("export", "last", "--as", "1", "--force", "-o", "FILE"),
    "a checkpoint": ("checkpoint", "-o", "FILE"),
    "a proof": ("prove", "GAME", "--checkpoint", "CHECKPOINT", "-o", "FILE"),
    "keys": ("keygen", "FILE"),
    "a backup": ("db", "backup", "FILE"),
    "results": (
        "tournament", "--player", "A=minimum", "--player", "B=minimum", "--deals", "1", "--processes", "1",
        "--results", "FILE",
    ),
}  # fmt: skip


QUICK = ("an export", "a backup")
FEW = [what if what in QUICK else pytest.param(what, marks=pytest.mark.slow) for what in WRITERS]


def arguments(program: Program, what: str, file: Path) -> list[str]:
    """Return the arguments of a command that writes a file from the home's games."""
    checkpoint = program.home / "checkpoint"
    if "CHECKPOINT" in WRITERS[what] and not checkpoint.exists():
        program.run("checkpoint", "-o", checkpoint)
    ids = {"FILE": str(file), "CHECKPOINT": str(checkpoint), "GAME": program.json("games")[0]["game"]}
    return [ids.get(word, word) for word in WRITERS[what]]


@pytest.fixture
def with_games(program: Program, played: Program) -> Iterator[Program]:
    """A home with games that another process writes too, so that a reader need not create files beside the database."""
    program.database.parent.mkdir(parents=True)
    shutil.copy(played.database, program.database)
    with closing(sqlite3.connect(program.database)) as connection:
        connection.execute("UPDATE games SET count = count")
        connection.commit()
        yield program


@pytest.mark.parametrize("what", FEW)
def test_a_file_that_does_not_fit_is_named_and_not_its_draft_or_the_database(with_games: Program, what: str) -> None:
    file = with_games.home / "folder" / "asked-for"
    file.parent.mkdir()
    words = arguments(with_games, what, file)
    sentence = with_games.refused(*words, size=40)
    assert str(file) in sentence
    assert "was not recorded" not in sentence
    assert ".asked-for" not in sentence
    assert "pokerdb.sqlite" not in sentence
    assert [path.name for path in file.parent.iterdir()] in ([], ["asked-for"]), "no draft stays"


@pytest.mark.slow
@pytest.mark.parametrize("what", FEW)
def test_a_folder_that_may_not_be_written_is_said_of_the_file_in_it(with_games: Program, what: str) -> None:
    folder = with_games.home / "locked"
    folder.mkdir()
    words = arguments(with_games, what, folder / "asked-for")
    folder.chmod(0o555)
    try:
        sentence = with_games.refused(*words, powerless=True)
    finally:
        folder.chmod(0o755)
    assert str(folder / "asked-for") in sentence
    assert ".asked-for" not in sentence
    assert "pokerdb.sqlite" not in sentence


def test_an_export_into_a_full_output_is_not_blamed_on_the_database(with_games: Program) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("wb") as full:
        for command in (["export", "last"], ["checkpoint"]):
            ended = with_games.ended(*command, out=full.fileno())
            assert ended.err == "pokersvc: The operating system refused: [Errno 28] No space left on device.\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, 320 KB in size."""
    disk = tmp_path / "small-disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.getuid() != 0:
        pytest.skip("needs to mount a file system")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", "size=320k", "tmpfs", disk], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("may not mount a file system")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.slow
def test_a_small_disk_that_fills_up_loses_nothing(program: Program, small_disk: Path) -> None:
    database = small_disk / "games.sqlite"
    for number in range(20):
        ended = program.ended("--db", database, "play", "--auto", "--seed", f"{number}")
        if ended.code:
            break
    assert "disk" in the_sentence(ended, 1)
    counts = check(program, database)
    assert counts
    elsewhere = program.home / "elsewhere"
    shutil.copytree(small_disk, elsewhere)
    assert check(program, elsewhere / "games.sqlite") == counts
    assert " wins with $" in program.run("--db", elsewhere / "games.sqlite", "resume", "last")
