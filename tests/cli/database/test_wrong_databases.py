"""An unusable database is reported in one sentence, and left unchanged."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.program import TWO_MINIMUM, Program, beside, the_sentence
from tests.eventlog.support import AS_SCHEMA_0001

PLAY = (*TWO_MINIMUM, "--rounds", "1")


def no_database(path: Path) -> str:
    path.write_bytes(b"This is a letter, and no database.\n" * 100)
    return "is not a database: name one that pokersvc made, or a new file."


def a_folder(path: Path) -> str:
    path.mkdir()
    return "is a folder: name a database in it."


def of_another_program(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    return "is another program's database: name one that pokersvc made, or a new file."


def of_another_program_that_says_so(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 252006674")
    return "is another program's database: name one that pokersvc made, or a new file."


def newer(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 0x706b7376")
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    return "has schema 9999, but this pokersvc knows only up to 0"


@pytest.mark.parametrize("command", [("games",), PLAY], ids=["games", "play"])
@pytest.mark.parametrize("make", [no_database, a_folder, of_another_program, of_another_program_that_says_so, newer])
def test_what_is_no_database_of_ours_is_refused_untouched(
    program: Program, make: Callable[[Path], str], command: tuple[str, ...]
) -> None:
    path = program.home / "there"
    said = make(path)
    before = beside(path)
    sentence = program.refused("--db", path, *command)
    assert sentence.startswith(f"{path} {said}")
    assert beside(path) == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "The name of the database is empty; give --db a file or a URL."),
        (
            "oracle2://localhost/games",
            "oracle2://localhost/games is not supported: write sqlite:///FILE, or postgresql+psycopg://",
        ),
        ("sqlite://games.sqlite", "cannot be used: write sqlite:///FILE, with three slashes"),
        ("http:///x", "http:///x is not supported: write sqlite:///FILE"),
        ("://", "cannot be read: write sqlite:///FILE"),
        (
            "postgresql+psycopg://me:secret@localhost:1/games",
            "//me@localhost:1/games cannot be reached",
        ),
        (
            "postgresql+psycopg2://me:secret@localhost:1/games",
            "//me@localhost:1/games is not supported",
        ),
        (":memory:", ":memory: cannot be used: it would be lost when the program ends; give --db a file"),
    ],
    ids=lambda value: value[:12],
)
def test_a_url_that_names_no_database_is_refused(program: Program, name: str, said: str) -> None:
    sentence = program.refused("--db", name, "games")
    assert said in sentence
    assert "secret" not in sentence
    program.variables["POKERSVC_DATABASE_URL"] = name
    if name:  # an empty variable is none
        assert program.refused("games") == sentence


def test_a_missing_database_is_not_made_by_reading(program: Program) -> None:
    assert program.refused("games") == (
        f"There is no database {program.database}: `pokersvc play` makes one, or name another with --db."
    )
    for command in (("history", "last"), ("resume", "last"), ("db", "current"), ("db", "rebuild")):
        assert program.refused("--db", "no.sqlite", *command).startswith("There is no database no.sqlite:")
    assert list(program.home.iterdir()) == []


def test_a_database_in_a_folder_that_is_not_there_is_made_with_it(program: Program) -> None:
    program.run("--db", "new/folder/games.sqlite", *PLAY)
    assert [game["rounds"] for game in program.json("--db", "new/folder/games.sqlite", "games")] == [1]


def test_a_file_where_a_folder_should_be_is_a_sentence(program: Program) -> None:
    (program.home / "letter").write_text("Dear Ann", "utf-8")
    for command in (("games",), PLAY):
        assert "letter/games.sqlite" in program.refused("--db", "letter/games.sqlite", *command)


def test_an_empty_file_becomes_a_database_when_one_plays(program: Program) -> None:
    path = program.home / "empty.sqlite"
    path.touch()
    assert "run `pokersvc db upgrade`" in program.refused("--db", path, "games")
    assert path.stat().st_size == 0
    ended = program.ended("--db", path, *PLAY)
    assert ended.code == 0
    assert len(program.json("--db", path, "games")) == 1


@pytest.fixture
def older(program: Program, played: Program) -> Path:
    """A database with games that the first release wrote, without read models."""
    path = program.home / "older" / "games.sqlite"
    path.parent.mkdir()
    shutil.copy(played.database, path)
    program.sql(
        *AS_SCHEMA_0001,
        path=path,
    )
    return path


def test_reading_an_older_schema_says_what_to_run(program: Program, older: Path) -> None:
    before = beside(older)
    for command in (("games",), ("history", "last"), ("replay", "last"), ("events", "last", "--json")):
        sentence = program.refused("--db", older, *command)
        assert sentence.startswith(f"{older} has schema 0001, but ")
        assert sentence.endswith("run `pokersvc db upgrade` on it.")
    assert beside(older) == before


def test_playing_migrates_an_older_schema_after_a_copy(program: Program, played: Program, older: Path) -> None:
    ended = program.ended("--db", older, *PLAY)
    assert ended.code == 0
    assert ended.err.startswith(f"{older} was migrated from schema 0001 to ")
    assert program.json("--db", older, "games")[1:] == played.json("games")
    copy = older.with_name("games.sqlite.schema-0001")
    assert program.sql("SELECT version_num FROM alembic_version", path=copy) == [("0001",)]
    assert program.sql("SELECT count(*) FROM games", path=copy) == [(3,)]


def test_upgrading_migrates_once(program: Program, played: Program, older: Path) -> None:
    ended = program.ended("--db", older, "db", "upgrade")
    assert ended.code == 0
    assert ended.err.startswith(f"{older} was migrated from schema 0001 to ")
    assert ended.out.startswith(f"{older} uses schema ")
    assert program.run("--db", older, "db", "upgrade") == ended.out
    assert program.json("--db", older, "games") == played.json("games")
    assert sorted(path.name for path in older.parent.glob("*schema*")) == ["games.sqlite.schema-0001"]


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_database_that_may_not_be_written_is_read_but_not_played_on(
    program: Program, played: Program, what: str
) -> None:
    path = program.home / "folder" / "games.sqlite"
    path.parent.mkdir()
    shutil.copy(played.database, path)
    locked = path if what == "file" else path.parent
    locked.chmod(0o444 if what == "file" else 0o555)
    before = beside(path)
    try:
        which = "it" if what == "file" else "its folder"
        for command in (PLAY, ("resume", "last"), ("db", "rebuild")):
            assert program.refused("--db", path, *command, powerless=True) == (
                f"{path} may not be written: change the permissions of {which}, or name another with --db."
            )
        assert program.run("--db", path, "games", powerless=True)
    finally:
        locked.chmod(0o755)
    assert beside(path) == before


def test_what_may_not_be_read_or_made_is_a_sentence(program: Program, played: Program) -> None:
    secret = program.home / "secret.sqlite"
    shutil.copy(played.database, secret)
    secret.chmod(0)
    folder = program.home / "folder"
    folder.mkdir(mode=0o555)
    assert program.refused("--db", secret, "games", powerless=True) == (
        f"{secret} may not be read: change its permissions, or name another."
    )
    for path in (folder / "games.sqlite", folder / "new" / "games.sqlite"):
        sentence = program.refused("--db", path, *PLAY, powerless=True)
        assert sentence.startswith(str(path))
        assert "permissions" in sentence
    assert list(folder.iterdir()) == []


def test_a_damaged_database_is_a_sentence(program: Program, played: Program) -> None:
    path = program.home / "damaged.sqlite"
    content = bytearray(played.database.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    for command in (("games",), ("history", "last"), PLAY, ("resume", "last")):
        assert str(path) in the_sentence(program.ended("--db", path, *command), 1)


def test_an_event_that_was_changed_is_a_sentence_with_its_number(program: Program, played: Program) -> None:
    path = program.home / "changed.sqlite"
    shutil.copy(played.database, path)
    game = played.json("games")[1]["game"]
    program.sql(
        "DROP TRIGGER events_refuse_update",
        f"UPDATE events SET payload = replace(payload, '50', '60') WHERE game_id = '{game}' AND type = 'Bet'",
        path=path,
    )
    for command in (("replay", game), ("events", game, "--json"), ("history", game, "--as", "auditor")):
        ended = program.ended("--db", path, *command)
        assert ended.code == 1
        assert "event 8" in ended.err
        assert ended.err.count("\n") == 1
