"""Which files of its owner a player takes into its box: found by reading its source, and copied."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pokersvc.players import UnusablePlayer
from pokersvc.players.box.files import RefusedFileError, copies
from tests.players.boxes.support import asking


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "pokerdb.sqlite").write_bytes(b"SQLite format 3\0")
    (tmp_path / "private.txt").write_text("secret")
    return tmp_path


def taken(home: Path, source: str) -> list[str]:
    (home / "mine.py").write_text(source)
    return sorted(name for name, _ in copies(home / "mine.py"))


def test_a_player_takes_its_file_and_nothing_else_of_its_folder(home: Path) -> None:
    assert taken(home, "class Mine: pass") == ["/player/mine.py"]


def test_it_takes_the_modules_that_it_imports_and_those_that_they_import(home: Path) -> None:
    (home / "one.py").write_text("def f():\n    import two.three as x\n")
    (home / "two").mkdir()
    (home / "two" / "__init__.py").write_text("from four import *\n")
    (home / "two" / "three.py").touch()
    (home / "two" / "notes.db").touch()
    (home / "four.py").touch()
    (home / "five.py").touch()
    assert taken(home, "import os, numpy\ntry:\n    from one import f\nexcept ImportError: pass") == [
        "/player/four.py", "/player/mine.py", "/player/one.py", "/player/two/__init__.py", "/player/two/three.py",
    ]  # fmt: skip


@pytest.mark.parametrize("written", ["FILES = ['a.txt', 'b/c.txt']", "FILES: list[str] = ['a.txt', 'b/c.txt']",
                                     "FILES = ('a.txt', 'b/c.txt', 'a.txt')"])  # fmt: skip
def test_it_takes_the_data_that_it_names(home: Path, written: str) -> None:
    (home / "b").mkdir()
    (home / "a.txt").write_text("a")
    (home / "b" / "c.txt").write_text("c")
    assert taken(home, written) == ["/player/a.txt", "/player/b/c.txt", "/player/mine.py"]


def test_what_it_names_is_read_without_running_it(home: Path) -> None:
    with pytest.raises(RefusedFileError, match=r'must be a list of names, such as FILES = \["table.npz"\]'):
        taken(home, f"FILES = [open({str(home / 'ran')!r}, 'w').name]")
    assert not (home / "ran").exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("pokerdb.sqlite", b"", "by its name a database or a key"),
        ("data.bin", b"SQLite format 3\0...", "which is a database"),
        ("pokerdb.sqlite-wal", b"", "by its name"),
        ("results.jsonl", b'{"tournament": "1234", "label": ""}\n', "the results of a tournament"),
        ("game.jsonl", b'{"created_at": "2026", "format": "pokersvc/export/1"}\n', "an export"),
        ("signing", b"-----BEGIN PRIVATE KEY-----\n", "a key"),
        ("missing.npy", None, "there is no such file beside it"),
        ("../outside.npy", b"", "leads out of the player's folder"),
        ("linked.npy", "/etc/passwd", "leads out of the player's folder"),
        ("/etc/passwd", None, "leads out of the player's folder"),
        ("a\0b", None, "there is no such file beside it"),
    ],
)
def test_what_no_player_may_read_is_refused_by_its_name(
    home: Path, name: str, content: bytes | str | None, said: str
) -> None:
    (folder := home / "folder").mkdir()
    if isinstance(content, str):
        (folder / name).symlink_to(content)
    elif content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(RefusedFileError, match=said) as refused:
        taken(folder, f"FILES = [{name!r}]")
    assert repr(Path(name).name)[1:-1] in str(refused.value)


DEEP = ["-" * 200_000 + "1", "(" * 5000 + ")" * 5000, "\0", "x = 1\n" * 50_000]


@pytest.mark.parametrize(
    "source", [*DEEP[:3], pytest.param(DEEP[3], marks=pytest.mark.slow)], ids=["signs", "brackets", "zero", "lines"]
)
def test_a_source_made_to_deceive_is_no_harm(home: Path, source: str) -> None:
    assert taken(home, source) == ["/player/mine.py"]


def test_a_module_that_leads_elsewhere_is_refused(home: Path) -> None:
    (folder := home / "folder").mkdir()
    (folder / "private.py").symlink_to(home / "private.txt")
    with pytest.raises(RefusedFileError, match="leads out"):
        taken(folder, "import private")


def test_a_refusal_is_a_sentence_of_the_players(home: Path) -> None:
    said = r"mine.py:Mine cannot be used: FILES names 'pokerdb.sqlite', which is .*: no player may read that\."
    with pytest.raises(UnusablePlayer, match=said), asking(home, "pass", "FILES = ['pokerdb.sqlite']"):
        pass


@pytest.mark.slow
def test_threads_may_start_players_at_once(home: Path) -> None:
    """Where threads parse at once, CPython 3.11 may fail with a SystemError."""
    source = "".join(f"def f{number}(a, b): return [a + {number} * (b - {number})]\n" for number in range(200))
    with ThreadPoolExecutor(4) as threads:
        for number in range(4):
            (home / f"{number}.py").write_text(source)
        found = threads.map(lambda number: list(copies(home / f"{number % 4}.py")), range(200))
        assert all(len(files) == 1 for files in found)
