"""The files of a database at their edges: the mark, permissions, copies, addresses; and who writes and plays."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pokersvc.eventlog import address, high_water_mark, sqlite
from pokersvc.eventlog.address import Address
from pokersvc.eventlog.changes import Changes
from pokersvc.eventlog.check import Flaw, warnings
from pokersvc.eventlog.claim import GameBeingPlayed, claim
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseReadOnly, InvalidDatabase, SchemaTooNew, SchemaTooOld
from pokersvc.eventlog.high_water_mark import LostEvents, Mark
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.schema import HEAD, REVISIONS, refuse_newer, refuse_older

from .support import raw, tamper, written
from .support import record as recorded

# The mark


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (LostEvents(Mark(1, 9, b""), 0, None), "no event"),
        (LostEvents(Mark(1, 9, b""), 1, None), "the end after event 1 of all"),
        (LostEvents(Mark(1, 9, b""), 9, "00ff"), "the hash 00ff at event 9 of all"),
        (LostEvents(Mark(1, 9, b""), 9, ""), "the hash  at event 9 of all"),
    ],
)
def test_lost_events_are_told_by_what_is_there(lost: LostEvents, said: str) -> None:
    assert lost.found == said


def test_the_newest_mark_is_of_a_copy_with_a_number() -> None:
    marks = [Mark(1, 5, b"a"), Mark(0, 9, b"b"), Mark(2, 7, b"c"), Mark(3, 7, b"d")]
    assert high_water_mark.newest(marks) == Mark(2, 7, b"c")
    assert high_water_mark.newest(marks[1:2]) is None
    assert high_water_mark.newest([]) is None


def test_a_copy_is_never_zero_and_fits_into_31_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def bits(count: int) -> int:
        asked.append(count)
        return 0

    monkeypatch.setattr(high_water_mark, "randbits", bits)
    assert high_water_mark.new_copy() == 1
    assert asked == [31]


@pytest.mark.slow
def test_marks_are_written_in_two_lines_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.touch()
    marker = high_water_mark.Marker(path, -5)
    for position in (1, 2, 2, 1, 3, 7):
        marker.note(position, bytes([position]) * 32)
    marker.close()
    content = high_water_mark.path_of(path).read_bytes()
    assert len(content) == 2 * 111
    assert [found.position for found in high_water_mark.read(path)] == [3, 7]
    assert {(found.copy, found.hash) for found in high_water_mark.read(path)} == {(-5, b"\3" * 32), (-5, b"\7" * 32)}
    assert content[:28] == b"fffffffb 0000000000000000003"
    for cut in range(len(content)):
        high_water_mark.path_of(path).write_bytes(content[:cut])
        assert [found.position for found in high_water_mark.read(path)] == ([3] if cut >= 111 else [])
        assert high_water_mark.says_nothing(path) == (cut < 111)
    high_water_mark.path_of(path).unlink()
    assert not high_water_mark.says_nothing(path)


# Files


@pytest.mark.parametrize("file", ["games.sqlite", "games.sqlite-mark", "games.sqlite.lock", "games.sqlite.schema-0001"])
def test_a_file_that_others_may_read_or_write_is_told(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    path = written(folder / "games.sqlite")
    said = "may be read by others on this machine, but holds hands and seeds"
    if file.endswith(("-mark", ".lock")):
        said = "may be used by others on this machine"
    with Database.for_reading(str(path)) as database:
        assert list(warnings(database)) == []
        (folder / file).touch(0o600)
        for bit in (1 << number for number in range(9)):
            (folder / file).chmod(0o600 | bit)
            expected = [f"{folder / file} {said}: chmod 600 {folder / file}"] if bit & 0o066 else []
            assert [one for one in warnings(database) if "cannot be read" not in one] == expected, oct(bit)


def test_a_folder_that_others_may_read_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o755)
    path = written(folder / "games.sqlite")
    with Database.for_reading(str(path)) as database:
        assert list(warnings(database)) == [
            f"The folder {folder} may be read by others on this machine: chmod 700 {folder}, if all in it is yours"
        ]
    with Database.for_writing(":memory:") as database:
        assert list(warnings(database)) == []


def test_a_flaw_is_a_sentence() -> None:
    assert str(Flaw("this\n", "that")) == "Found this\\n where there should be that."


def test_positions_that_are_gone_are_found(tmp_path: Path) -> None:
    def faults(*statements: str) -> list[tuple[str, str]]:
        path = written(tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite", commands=2)
        for statement in statements:
            tamper(path, statement)
        with Database.for_reading(str(path)) as database, database.read() as connection:
            return list(sqlite.faults(connection))

    assert faults() == []
    assert faults("DELETE FROM events WHERE position = 6") == [
        ("5 as the last position", "6, which was given to an event")
    ]
    assert faults("DELETE FROM events WHERE position = 1") == [
        ("5 events at positions 2 to 6", "positions 1 to 5, as none is ever used again")
    ]
    assert faults("DELETE FROM events WHERE position = 3") == [
        ("5 events at positions 1 to 6", "positions 1 to 5, as none is ever used again")
    ]
    assert faults("DELETE FROM events") == [("0 as the last position", "6, which was given to an event")]
    assert faults("DELETE FROM events", "DELETE FROM sqlite_sequence") == []
    assert faults("DELETE FROM sqlite_sequence") == [("6 as the last position", "0, which was given to an event")]


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
@pytest.mark.parametrize(
    ("make", "left"), [(None, False), (b"", False), (b"x", True), ("folder", True), ("link", True)]
)
def test_what_a_database_left_beside_its_place_is_found(
    tmp_path: Path, suffix: str, make: bytes | str | None, left: bool
) -> None:
    path = tmp_path / "games.sqlite"
    other = tmp_path / f"games.sqlite{suffix}"
    if isinstance(make, bytes):
        other.write_bytes(make)
    elif make == "folder":
        other.mkdir()
    elif make == "link":
        other.symlink_to("nowhere")
    assert sqlite.left_beside(path) == (other if left else None)


def test_copies_beside_a_file_have_numbers_from_two(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite")
    made = [sqlite.copy_beside(path, "schema-0001").name for _ in range(3)]
    assert made == [f"games.sqlite.schema-0001{more}" for more in ("", ".2", ".3")]
    for name in made:
        assert raw(tmp_path / name, "PRAGMA user_version") == [(0,)]
        assert raw(tmp_path / name, "SELECT count(*) FROM events") == [(6,)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (":memory:", Address(":memory:")),
        ("sqlite://", Address(":memory:")),
        ("sqlite:///:memory:", Address(":memory:")),
        ("a b.sqlite", Address("a b.sqlite", Path("a b.sqlite"))),
        ("sqlite:///a", Address("a", Path("a"))),
        ("sqlite+pysqlite:////a", Address("/a", Path("/a"))),
        ("", "'' is not a database: name a file or write a URL."),
        ("a\0b", "'a\\x00b' is not a database: name a file or write a URL."),
        ("://", "The database URL that starts with '' cannot be read: write sqlite:///FILE, or"
         " postgresql+psycopg://USER@HOST/NAME."),
        ("sqlite:///a?mode=ro", "'sqlite:///a?mode=ro' cannot be used: write sqlite:///FILE, with three slashes before"
         " a relative path and four before an absolute one, and no options."),
        ("sqlite://host/a", "'sqlite://host/a' cannot be used: write sqlite:///FILE, with three slashes before"
         " a relative path and four before an absolute one, and no options."),
        ("sqlite+aiosqlite:///a", "'sqlite+aiosqlite:///a' cannot be used: write sqlite:///FILE, with three slashes"
         " before a relative path and four before an absolute one, and no options."),
        ("postgresql://me:p@ss@host/a", "The postgresql URL has two @: write one that belongs to a password as %40."),
        ("mysql://me:word@host/a", "mysql://me@host/a is not supported: write sqlite:///FILE, or"
         " postgresql+psycopg://USER@HOST/NAME."),
    ],
)  # fmt: skip
def test_a_text_is_a_place_or_says_what_to_write(text: str, found: Address | str) -> None:
    if isinstance(found, Address):
        assert address.parse(text) == found
    else:
        with pytest.raises(InvalidDatabase) as caught:
            address.parse(text)
        assert str(caught.value) == found


@pytest.mark.parametrize("driver", ["postgresql", "postgresql+psycopg"])
def test_an_address_on_a_server_shows_no_password(driver: str) -> None:
    found = address.parse(f"{driver}://me:word@host:5/games?sslpassword=a&client_secret=b&connect_timeout=3")
    assert found.label == f"{driver}://me@host:5/games?connect_timeout=3"
    assert found.path is None
    assert found.url is not None
    assert (found.url.drivername, found.url.password) == ("postgresql+psycopg", "word")
    assert dict(found.url.query) == {"sslpassword": "a", "client_secret": "b", "connect_timeout": "3"}


@pytest.mark.parametrize(
    ("refuse", "revision", "said"),
    [
        (refuse_newer, None, None),
        (refuse_newer, REVISIONS[0], None),
        (refuse_newer, HEAD, None),
        (refuse_newer, "9999", f"db has schema 9999, but this pokersvc knows only up to {HEAD}: use the newer pokersvc"
         " that wrote it."),
        (refuse_older, HEAD, None),
        (refuse_older, None, f"db has no schema yet, but {HEAD} is needed: run `pokersvc db upgrade` on it."),
        (refuse_older, "0001", f"db has schema 0001, but {HEAD} is needed: run `pokersvc db upgrade` on it."),
    ],
)  # fmt: skip
def test_a_schema_of_another_program_is_refused(
    refuse: Callable[[str | None, str], None], revision: str | None, said: str | None
) -> None:
    if said is None:
        refuse(revision, "db")
    else:
        with pytest.raises((SchemaTooNew, SchemaTooOld)) as caught:
            refuse(revision, "db")
        assert str(caught.value) == said


# Who writes and who plays


def test_changes_are_told_once(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite")
    with Database.for_writing(str(path)) as database, Changes(database) as changes:
        assert [changes.since_last(), changes.since_last()] == [True, False]
        recorded(EventLog(database), "new")
        assert [changes.since_last(), changes.since_last()] == [True, False]
        changes.close()
        assert [changes.since_last(), changes.since_last()] == [True, True]
    with Database.for_writing(":memory:") as database, Changes(database) as changes:
        assert [changes.since_last(), changes.since_last()] == [True, True]


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_claim_is_of_one_game_and_ends_with_its_context(tmp_path: Path, in_memory: bool) -> None:
    path = tmp_path / "games.sqlite"
    with Database.for_writing(":memory:" if in_memory else str(path)) as database:
        with claim(database, "a"), claim(database, "b"):
            for game_id in ("a", "b"):
                with pytest.raises(GameBeingPlayed) as caught, claim(database, game_id):
                    pass
                assert str(caught.value) == f"Game {game_id} is already being played in this process."
            with claim(database, "c"):
                pass
        with claim(database, "a"), claim(database, "b"), claim(database, "c"):
            pass


def test_a_question_of_the_driver_is_in_no_transaction(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite")
    with Database.for_reading(str(path)) as database:
        with pytest.raises(DatabaseReadOnly), database.read() as connection:
            connection.exec_driver_sql("DELETE FROM games")
        with database.read_once() as connection:
            assert sqlite.number(connection, "SELECT count(*) FROM events") == 6
    with sqlite.watching(path) as watching, pytest.raises(sqlite3.OperationalError):
        watching.execute("DELETE FROM games")
    watching.close()
