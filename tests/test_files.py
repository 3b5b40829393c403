"""Files and folders readable by their owner only, and errors that name the requested path."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.eventlog.backup import back_up
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import keys
from pokersvc.evidence.jsonl import written
from pokersvc.system.files import FileNotWritten, draft_of, make, make_folders, naming, publish
from tests.eventlog.support import record


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o277, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """Set the umask until the test ends, when its own folder is there."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("wanted", [0o600, 0o644, 0o660])
def test_a_file_has_the_permissions_that_are_wanted_whatever_the_umask(tmp_path: Path, wanted: int) -> None:
    os.close(make(tmp_path / "file", wanted))
    assert mode(tmp_path / "file") == wanted


@pytest.mark.usefixtures("umask")
def test_at_no_moment_is_more_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fchmod", lambda *_: None)
    os.close(make(tmp_path / "file"))
    assert mode(tmp_path / "file") & 0o077 == 0


@pytest.mark.usefixtures("umask")
def test_every_folder_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    make_folders(there / "a" / "b" / "c")
    assert [mode(there / name) for name in (".", "a", "a/b", "a/b/c")] == [0o755, 0o700, 0o700, 0o700]
    make_folders(there)
    assert mode(there) == 0o755


@pytest.mark.usefixtures("umask")
def test_what_the_service_makes_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    path = folder / "games.sqlite"
    with Database.for_writing(str(path)) as database:
        record(EventLog(database))
        assert {name.name: mode(name) for name in folder.iterdir()} == dict.fromkeys(
            ("games.sqlite", "games.sqlite-wal", "games.sqlite-shm", "games.sqlite-mark"), 0o600
        )
    back_up(str(path), str(folder / "backup"))
    with written(folder / "secret", private=True) as file:
        file.write(b"seed")
    keys.make(folder / "key")
    assert [mode(folder / name) for name in ("backup", "secret", "key")] == [0o600] * 3
    assert [mode(tmp_path / name) for name in ("new", "new/folder")] == [0o700, 0o700]


def test_a_file_system_without_permissions_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", refuse)
    before = os.umask(0o777)
    try:
        os.close(make(tmp_path / "file"))
    finally:
        os.umask(before)
    assert (tmp_path / "file").exists()


def test_a_folder_where_a_file_lies_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Ann")
    for place in (tmp_path / "letter", tmp_path / "letter" / "a"):
        with pytest.raises(OSError, match="letter"):
            make_folders(place)
    assert [path.name for path in tmp_path.iterdir()] == ["letter"]


def test_a_name_that_is_taken_is_left_to_whom_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft, path = draft_of(tmp_path / "file"), tmp_path / "file"
    draft.write_bytes(b"mine")
    path.write_bytes(b"theirs")
    assert publish(draft, path) is False
    monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(errno.EPERM, "Not permitted")))
    assert publish(draft, path) is False
    assert path.read_bytes() == b"theirs"


def test_what_the_system_refuses_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    said = r"^mine\.jsonl cannot be written: No space left on device\.$"
    with pytest.raises(FileNotWritten, match=said), naming(Path("mine.jsonl")):
        raise OSError(errno.ENOSPC, "No space left on device", str(draft_of(tmp_path / "mine.jsonl")))


FAILING = ["open", "fsync", "link"]


@pytest.mark.parametrize("call", FAILING)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.ENAMETOOLONG])
@pytest.mark.parametrize("private", [False, True])
def test_a_draft_is_never_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, private: bool
) -> None:
    def fail(path: object, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    path = tmp_path / "mine.jsonl"
    monkeypatch.setattr(os, call, fail)
    if call == "link":
        monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(FileNotWritten) as said, written(path, private=private) as file:
        file.write(b"all")
    assert str(said.value) == f"{path} cannot be written: {os.strerror(number)}."
    assert list(tmp_path.iterdir()) == []
