"""Files of JSON lines: a file that is not canonical is refused in one sentence, and files are written atomically."""

import errno
import os
import sys
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.evidence import jsonl
from pokersvc.evidence.jsonl import MAX_DEPTH, MAX_LINE, FileExists, InvalidFile, line_of, lines_in, opened, written
from pokersvc.system.files import FileNotWritten

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
NOT_CANONICAL = {
    "a space": b'{"a": 1}\n',
    "a carriage return": b'{"a":1}\r\n',
    "a byte order mark": b'\xef\xbb\xbf{"a":1}\n',
    "another order": b'{"b":1,"a":1}\n',
    "a member twice": b'{"a":1,"a":1}\n',
    "a float": b'{"a":1.0}\n',
    "a float with an exponent": b'{"a":1e2}\n',
    "not a number": b'{"a":NaN}\n',
    "minus zero": b'{"a":-0}\n',
    "a leading zero": b'{"a":01}\n',
    "an escape that need not be": b'{"a":"\\u0041"}\n',
    "UTF-8": '{"a":"ë"}\n'.encode(),
    "not UTF-8": b'{"a":"\xff"}\n',
    "UTF-16": '{"a":1}\n'.encode("utf-16"),
    "a NUL": b'{"a":1}\0\n',
    "half": b'{"a":\n',
    "no object": b"[1]\n",
    "a number of thousands of digits": b'{"a":' + b"9" * 10_000 + b"}\n",
    "deep": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "an empty line": b"\n",
}


def read(content: bytes) -> list[jsonl.Fields]:
    return list(lines_in(BytesIO(content), "file"))


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), values, max_size=4))
def test_what_is_written_is_read_as_it_was(members: dict[str, object]) -> None:
    (line,) = read(line_of(members))
    for name, value in members.items():
        assert line.take(name, "anything", lambda _: True) == value
    line.end()


@pytest.mark.parametrize("content", NOT_CANONICAL.values(), ids=NOT_CANONICAL)
def test_a_line_that_is_not_canonical_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidFile, match=r"^file, line 2, is (not canonical JSON|cut off)"):
        read(b"{}\n" + content)


def nested(depth: int) -> bytes:
    return b'{"n":' + b"[" * depth + b"]" * depth + b"}\n"


def test_a_line_that_is_nested_too_deep_is_refused_before_anybody_asks_for_what_it_says() -> None:
    for depth in (MAX_DEPTH, MAX_DEPTH + 1, 500, *range(sys.getrecursionlimit() - 200, sys.getrecursionlimit(), 5)):
        with pytest.raises(InvalidFile, match=r"^file, line 1, is (nested more than 50 deep|not canonical JSON)"):
            read(nested(depth))
    with pytest.raises(InvalidFile, match=r"has 'n' = .*; it must be a number of 1 or more"):
        read(nested(MAX_DEPTH - 1))[0].number("n")


@given(st.binary(max_size=60))
def test_any_bytes_are_canonical_or_refused(content: bytes) -> None:
    try:
        found = read(content)
    except InvalidFile:
        return
    assert b"".join(line_of(line._members) for line in found) == content


def test_a_line_without_its_end_is_refused() -> None:
    with pytest.raises(InvalidFile, match="line 1, is truncated"):
        read(b'{"a":1}')


class Endless(BytesIO):
    """An endless file of one line, which counts the bytes read from it."""

    taken = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "a line is read up to a limit"
        self.taken += size
        return b"{" * size


def test_a_line_without_an_end_is_read_up_to_a_limit() -> None:
    file = Endless()
    with pytest.raises(InvalidFile, match=f"line 1, is longer than {MAX_LINE} bytes"):
        list(lines_in(file, "file"))
    assert file.taken == MAX_LINE + 1


def test_no_line_is_written_that_could_not_be_read() -> None:
    rest = MAX_LINE - len(line_of({"a": ""}))
    assert len(read(line_of({"a": "x" * rest}))) == 1
    with pytest.raises(InvalidFile, match="cannot be written"):
        line_of({"a": "x" * (rest + 1)})


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "has no 'n'; it must be a number of 1 or more"),
        ({"n": 0}, "has 'n' = 0; it must be a number of 1 or more"),
        ({"n": True}, "has 'n' = true;"),
        ({"n": "1"}, "has 'n' = \"1\";"),
        ({"n": 2**63}, "has 'n' = 9223372036854775808;"),
        ({"n": "x" * 500}, f"has 'n' = \"{'x' * 79}…; it"),
        ({"n": 1, "more": 1}, "has 'more', which does not belong there"),
    ],
)
def test_a_wrong_member_is_named_in_a_sentence(members: dict[str, object], said: str) -> None:
    def take(line: jsonl.Fields) -> None:
        line.number("n")
        line.end()

    with pytest.raises(InvalidFile) as caught:
        take(*read(line_of(members)))
    assert said in str(caught.value)


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, said in (
        ("pipe", "not a file"),
        ("", "a folder"),
        ("missing", "There is no file"),
        ("a\0b", "the name of a file"),
    ):
        with pytest.raises(InvalidFile, match=said), opened(tmp_path / name):
            pass


def test_a_file_gets_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with written(path) as file:
        file.write(b"all of it")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"all of it"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_fails_half_way_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"), written(tmp_path / "file") as file:
        fail(file)
    assert list(tmp_path.iterdir()) == []

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = f"^{tmp_path}/file cannot be written: No space"
    with pytest.raises(FileNotWritten, match=said), written(tmp_path / "file") as file:
        file.write(b"all")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    with pytest.raises(FileExists, match="is not overwritten"), written(path):
        pass
    other = tmp_path / "other"
    with pytest.raises(FileExists), written(other):
        other.write_bytes(b"somebody else's")
    assert (path.read_bytes(), other.read_bytes()) == (b"before", b"somebody else's")
    assert sorted(tmp_path.iterdir()) == [path, other]


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExists), written(link):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_system_without_links_gets_the_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with written(tmp_path / "file") as file:
        file.write(b"all")
    assert (tmp_path / "file").read_bytes() == b"all"
