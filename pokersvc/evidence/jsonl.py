"""Files of evidence: canonical JSON, one object per line; checked strictly, and written completely or not at all.

Every line is the only valid way to write its content (ASCII, members sorted by name, no spaces, ended by a line feed),
so that no byte of a file can change without changing its content.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EACCES, EINVAL, EISDIR
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.record import is_moment
from pokersvc.system import files
from pokersvc.system.files import draft_of, make, naming, publish

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAX_LINE: Final = 1 << 20
"""Maximum bytes in a line, with its line feed: more than any event of any game needs, and little to hold in memory."""
MAX_NUMBER: Final = 2**63 - 1
MAX_DEPTH: Final = 50
"""The maximum nesting of a line's values: no file of pokersvc exceeds 3, and Python's own limit is never reached."""

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


class InvalidFile(PokersvcError):
    """The file is invalid: another kind of file, truncated, or changed by hand."""

    code = "invalid_file"


class FileExists(PokersvcError):
    """The file exists and would be overwritten."""

    code = "file_exists"


class Fields:
    """The members of a JSON object, each taken and checked by name; `end` refuses members that were not taken."""

    def __init__(self, members: dict[str, Any], where: str) -> None:
        self._members = members
        self.where = where

    def has(self, name: str) -> bool:
        """Return whether there is a member with this name."""
        return name in self._members

    def get(self, name: str) -> Any:
        """Return a member's value without checking or taking it; None if there is no such member."""
        return self._members.get(name)

    def take(self, name: str, right: str, fits: Callable[[Any], bool]) -> Any:
        """Take a member and return its value; unless it ``fits``, raise `InvalidFile`, which says what is ``right``."""
        if name not in self._members:
            raise InvalidFile(f"{self.where} has no {name!r}; it must be {right}.")
        value = self._members.pop(name)
        if not fits(value):
            said = json.dumps(value)
            said = said if len(said) <= 80 else f"{said[:80]}…"
            raise InvalidFile(f"{self.where} has {name!r} = {said}; it must be {right}.")
        return value

    def number(self, name: str, *, least: int = 1) -> int:
        """Take a whole number."""
        return int(
            self.take(
                name, f"a number of {least} or more", lambda value: type(value) is int and least <= value <= MAX_NUMBER
            )
        )

    def text(self, name: str) -> str:
        """Take a text."""
        return str(self.take(name, "a text", lambda value: isinstance(value, str)))

    def constant(self, name: str, value: str) -> None:
        """Take a text that must be equal to ``value``."""
        self.take(name, f'"{value}"', lambda found: bool(found == value))

    def id(self, name: str) -> str:
        """Take an id or a name: printable, and not empty."""
        return str(self.take(name, "printable text", is_id))

    def moment(self, name: str) -> str:
        """Take a moment as the log writes it."""
        right = "a moment such as 2026-01-31T12:00:00.000000Z"
        return str(self.take(name, right, is_moment))

    def bytes(self, name: str, size: int) -> bytes:
        """Take bytes, written in hexadecimal."""
        right = f"{size} bytes in lower-case hexadecimal"
        return bytes.fromhex(self.take(name, right, lambda value: is_hex(value, size)))

    def end(self) -> None:
        """Raise `InvalidFile` if a member is left that was not taken."""
        if self._members:
            raise InvalidFile(f"{self.where} has {min(self._members)[:80]!r}, which does not belong there.")


def is_id(value: object) -> bool:
    """Return whether a value is an id: printable text, not empty."""
    return isinstance(value, str) and value != "" and value.isprintable()


def is_hex(value: object, size: int) -> bool:
    """Return whether a value is ``size`` bytes in lower-case hexadecimal."""
    return isinstance(value, str) and len(value) == 2 * size and bool(_HEX.fullmatch(value))


def line_of(members: Mapping[str, object]) -> bytes:
    r"""Encode members as a line of a file.

    >>> line_of({"seq": 1, "name": "Zoë"})
    b'{"name":"Zo\\u00eb","seq":1}\n'
    """
    line = _written(members) + b"\n"
    if len(line) > MAX_LINE:
        raise InvalidFile(f"A line of {len(line)} bytes cannot be written; readers take {MAX_LINE} at most.")
    return line


def lines_in(file: BinaryIO, name: str) -> Iterator[Fields]:
    """Yield the members of each line of a file; raise `InvalidFile` at the first line that is not canonical JSON.

    Time and memory are bounded by the length of a line.
    """
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        yield Fields(_members(line, f"{name}, line {number},"), f"{name}, line {number},")


def _members(line: bytes, where: str) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise InvalidFile(f"{where} is longer than {MAX_LINE} bytes; this is not a file of pokersvc.")
    if not line.endswith(b"\n"):
        raise InvalidFile(f"{where} is truncated; every line ends with a line feed.")
    try:
        found = json.loads(line.decode("ascii"), parse_float=_refused, parse_constant=_refused)
        canonical = isinstance(found, dict) and _written(found) + b"\n" == line
    except (ValueError, RecursionError):  # not JSON, not ASCII, a number of thousands of digits, or nested too deeply
        canonical = False
    if not canonical:
        raise InvalidFile(f"{where} is not canonical JSON; pokersvc did not write it.")
    assert isinstance(found, dict)
    if _is_deeper(found, MAX_DEPTH):
        raise InvalidFile(f"{where} is nested more than {MAX_DEPTH} deep; this is not a file of pokersvc.")
    return found


def _is_deeper(value: object, depth: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return depth == 0 or any(_is_deeper(inner, depth - 1) for inner in value)


def _refused(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")


def _written(members: Mapping[str, object]) -> bytes:
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode("ascii")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; raise `InvalidFile` if it is not a file, and OSError if it may not be read."""
    try:
        file = files.opened(path)
    except ValueError as error:
        raise InvalidFile(f"{str(path)!r} cannot be the name of a file.") from error
    except FileNotFoundError as error:
        raise InvalidFile(f"There is no file {path}.") from error
    except OSError as error:
        if error.errno not in (EINVAL, EISDIR):
            raise
        what = "a folder" if error.errno == EISDIR else "not a file"
        raise InvalidFile(f"{path} is {what}; name a file that pokersvc wrote.") from error
    with file:
        yield file


@contextmanager
def written(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file to write, which appears at ``path`` once it is complete and on the disk; never overwrite a file.

    Only its owner may read a ``private`` file, with any umask. Raises FileNotWritten, which names ``path``, if
    its folder may not be written or the disk is full.
    """
    check_new(path)
    with naming(path):
        draft = draft_of(path)
        descriptor = make(draft) if private else _public(draft)
    try:
        with BufferedWriter(_Draft(descriptor, path)) as file:
            yield file
            file.flush()
            with naming(path):
                os.fsync(descriptor)
        with naming(path):
            if not publish(draft, path):
                raise _taken(path)
    finally:
        draft.unlink(missing_ok=True)


def check_new(path: Path) -> None:
    """Raise the error that `written` would raise if no file can be made at ``path``; call it before long work."""
    refuse_taken(path)
    with naming(path):
        if not path.parent.is_dir():
            raise InvalidFile(f"{path} cannot be written: there is no folder {path.parent}.")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))


def _public(draft: Path) -> int:
    return os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


class _Draft(FileIO):
    """An unfinished file under a temporary name; errors in writing it name the final path.

    The writer may be reading a database at the same time, which is not the cause of these errors.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        super().__init__(descriptor, "wb")
        self._path = path

    def write(self, content: "Buffer", /) -> int:
        with naming(self._path):
            return super().write(content)


def refuse_taken(path: Path) -> None:
    """Raise `FileExists` if there is something at ``path``."""
    if os.path.lexists(path):
        raise _taken(path)


def _taken(path: Path) -> FileExists:
    return FileExists(f"{path} already exists and is not overwritten; name another file, or remove it first.")
