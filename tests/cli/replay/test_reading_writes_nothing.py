"""Reading commands leave the database and its folder unchanged, byte for byte."""

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.program import Program, beside, fingerprint

EXAMPLE = Path(__file__).parents[3] / "pokerdb.sqlite.example"
FORMS: tuple[tuple[str, ...], ...] = (
    ("games",), ("games", "--json"),
    ("history", "last"), ("history", "last", "--hands"), ("history", "last", "--json"),
    ("history", "last", "--hands", "--as", "1", "--force"), ("history", "last", "--as", "auditor", "--force", "--json"),
    ("replay", "last"), ("replay", "last", "--json"), ("replay", "last", "--to", "5", "--as", "2", "--force"),
    ("replay", "last", "--round", "1"), ("replay", "last", "--as", "auditor", "--force"),
    ("events", "last"), ("events", "last", "--json"), ("events", "last", "--as", "1", "--force", "--json"),
    ("events", "last", "--as", "auditor", "--force"),
    ("db", "current"), ("db", "current", "--json"),
)  # fmt: skip
REFUSED = (
    ("history", "zzz"),
    ("events", "last", "--as", "nobody"),
    ("events", "last", "--as", "1"),
    ("replay", "last", "--to", "99999"),
)


@pytest.fixture(params=["WAL", "DELETE"])
def database(request: pytest.FixtureRequest, played: Program, tmp_path: Path) -> Path:
    """A copy of a played database, in the journal mode that `play` makes and in that of the example."""
    path = tmp_path / "folder" / "games.sqlite"
    path.parent.mkdir()
    shutil.copy(played.database, path)
    assert Program(tmp_path).sql(f"PRAGMA journal_mode = {request.param}", path=path) == [(request.param.lower(),)]
    return path


@pytest.mark.parametrize(
    ("database", "how"),
    [
        ("WAL", "inside this process"),
        ("DELETE", "inside this process"),
        pytest.param("WAL", "as a program", marks=pytest.mark.slow),
        pytest.param("DELETE", "as a program", marks=[pytest.mark.slow, pytest.mark.exhaustive]),
    ],
    indirect=["database"],
)
def test_every_reading_command_writes_nothing(database: Path, program: Program, how: str) -> None:
    program.forked = how == "as a program"
    before, changed = beside(database), database.stat().st_mtime_ns
    assert list(before) == ["games.sqlite"]
    for form in FORMS:
        program.run("--db", database, *form)
        assert beside(database) == before, form
    for form in REFUSED:
        program.refused("--db", database, *form)
        assert beside(database) == before, form
    assert database.stat().st_mtime_ns == changed
    assert not program.database.exists()


def test_a_folder_that_may_not_be_written_is_read_all_the_same(database: Path, program: Program) -> None:
    database.chmod(0o444)
    database.parent.chmod(0o555)
    before = beside(database)
    try:
        assert program.run("--db", database, "history", "last", powerless=True).startswith("Unfinished after round 1")
    finally:
        database.parent.chmod(0o755)
    assert beside(database) == before


def test_an_interrupted_reader_leaves_nothing(database: Path, program: Program) -> None:
    before = beside(database)
    child = program.terminal("--db", database, "replay", "last", "--step")
    child.until("    1  ")
    child.press_ctrl_c()
    assert child.end() == 130
    assert {name for name in beside(database) if not name.endswith(("-wal", "-shm"))} == set(before)
    assert fingerprint(database) == before["games.sqlite"]


def test_the_example_is_read_where_it_lies_and_stays_as_it_was(program: Program) -> None:
    def state() -> dict[str, str]:
        return {path.name: fingerprint(path) for path in EXAMPLE.parent.glob(f"{EXAMPLE.name}*")}

    before = state()
    assert list(before) == [EXAMPLE.name]
    for form in FORMS:
        program.read("--db", EXAMPLE, *form)
        assert state() == before, form


def test_a_reading_command_without_a_database_makes_none(program: Program) -> None:
    for form in FORMS:
        if form[0] == "db" or "--json" not in form:
            continue
        assert program.refused(*form).startswith(f"There is no database {program.database}: `pokersvc play` makes one")
    assert list(program.home.iterdir()) == []


def test_readers_do_not_disturb_a_game_that_is_played(program: Program) -> None:
    terminal = program.terminal("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
    terminal.question()
    with Path(os.devnull).open("r+b") as nothing:
        readers = [program.start("replay", "last", streams=(nothing.fileno(),) * 3) for _ in range(3)]
    terminal.type("bet 50")
    terminal.question()
    assert [reader.wait(60) for reader in readers] == [0, 0, 0]
    terminal.type("quit")
    assert terminal.end() == 0
    assert program.run("replay", "last").count("bets 50") == 1
