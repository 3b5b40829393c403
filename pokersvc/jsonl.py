"""Files of evidence: canonical JSON, one object a line; read with suspicion, and written whole or not at all.

Every line is the one way to write what it says (ASCII, members sorted by name, no spaces, ended by a line feed), so
that no byte of a file can change without changing what it says.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn
from uuid import uuid4

from pokersvc.errors import PokersvcError

MAX_LINE: Final = 1 << 20
"""Bytes in a line, with its line feed: more than any event of any game, and little to hold."""
MAX_NUMBER: Final = 2**63 - 1

_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


class InvalidFile(PokersvcError):
    """A file that is not what it has to be: another kind of file, cut off, or changed by hand."""

    code = "invalid_file"


class FileExists(PokersvcError):
    """A file that would be overwritten."""

    code = "file_exists"


class Fields:
    """The members of a JSON object, taken one by one and checked; what is not taken must not be there."""

    def __init__(self, members: dict[str, Any], where: str) -> None:
        self._members = members
        self.where = where

    def has(self, name: str) -> bool:
        """Tell whether there is a member."""
        return name in self._members

    def get(self, name: str) -> Any:
        """Return a member as it is, and leave it there; None where there is none."""
        return self._members.get(name)

    def take(self, name: str, right: str, fits: Callable[[Any], bool]) -> Any:
        """Take a member; `InvalidFile` unless it fits what is ``right``."""
        if name not in self._members:
            raise InvalidFile(f"{self.where} has no {name!r}; it has to be {right}.")
        value = self._members.pop(name)
        if not fits(value):
            said = json.dumps(value)
            said = said if len(said) <= 80 else f"{said[:80]}…"
            raise InvalidFile(f"{self.where} has {name!r} = {said}; it has to be {right}.")
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

    def id(self, name: str) -> str:
        """Take an id or a name: printable, and not empty."""
        return str(self.take(name, "printable text", is_id))

    def moment(self, name: str) -> str:
        """Take a moment as the log writes it."""
        right = "a moment such as 2026-01-31T12:00:00.000000Z"
        return str(self.take(name, right, lambda value: isinstance(value, str) and bool(_MOMENT.fullmatch(value))))

    def bytes(self, name: str, size: int) -> bytes:
        """Take bytes, written in hexadecimal."""
        right = f"{size} bytes in lower-case hexadecimal"
        return bytes.fromhex(self.take(name, right, lambda value: is_hex(value, size)))

    def end(self) -> None:
        """Raise `InvalidFile` for a member that nobody took."""
        if self._members:
            raise InvalidFile(f"{self.where} has {min(self._members)[:80]!r}, which does not belong there.")


def is_id(value: object) -> bool:
    """Tell whether a value is an id: printable text, not empty."""
    return isinstance(value, str) and value != "" and value.isprintable()


def is_hex(value: object, size: int) -> bool:
    """Tell whether a value is ``size`` bytes in lower-case hexadecimal."""
    return isinstance(value, str) and len(value) == 2 * size and bool(_HEX.fullmatch(value))


def line_of(members: Mapping[str, Any]) -> bytes:
    r"""Write a line.

    >>> line_of({"seq": 1, "name": "Zoë"})
    b'{"name":"Zo\\u00eb","seq":1}\n'
    """
    line = _written(members) + b"\n"
    if len(line) > MAX_LINE:
        raise InvalidFile(f"A line of {len(line)} bytes cannot be written; readers take {MAX_LINE} at most.")
    return line


def lines_in(file: BinaryIO, name: str) -> Iterator[Fields]:
    """Read a file line by line; `InvalidFile` names the first line that is not canonical.

    Time and memory are bounded by the length of a line.
    """
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        yield Fields(_members(line, f"{name}, line {number},"), f"{name}, line {number},")


def _members(line: bytes, where: str) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise InvalidFile(f"{where} is longer than {MAX_LINE} bytes; this is no file of pokersvc.")
    if not line.endswith(b"\n"):
        raise InvalidFile(f"{where} is cut off; every line ends with a line feed.")
    try:
        found = json.loads(line.decode("ascii"), parse_float=_refused, parse_constant=_refused)
        canonical = isinstance(found, dict) and _written(found) + b"\n" == line
    except (ValueError, RecursionError):  # no JSON, not ASCII, a number of thousands of digits, too deep
        canonical = False
    if not canonical:
        raise InvalidFile(f"{where} is not canonical JSON; pokersvc wrote no such line.")
    assert isinstance(found, dict)
    return found


def _refused(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")


def _written(members: Mapping[str, Any]) -> bytes:
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode("ascii")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read it; `InvalidFile` for what is no file, and OSError for what may not be read.

    What is there is asked before anything is read: to open a named pipe would wait for somebody to write.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:
        raise InvalidFile(f"{str(path)!r} cannot be a file's name.") from error
    except FileNotFoundError as error:
        raise InvalidFile(f"There is no file {path}.") from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        what = "a folder" if stat.S_ISDIR(mode) else "no file"
        raise InvalidFile(f"{path} is {what}; name a file that pokersvc wrote.")
    with os.fdopen(descriptor, "rb") as file:
        yield file


@contextmanager
def written(path: Path, *, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Give a file to write, which gets its name when everything is in it and on the disk; never overwrite one."""
    refuse_taken(path)
    if not path.parent.is_dir():
        raise InvalidFile(f"{path} cannot be written: there is no folder {path.parent}.")
    draft = path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def refuse_taken(path: Path) -> None:
    """Raise `FileExists` where something has that name."""
    if os.path.lexists(path):
        raise FileExists(f"{path} is there already and is not overwritten; name another file, or remove it first.")


def _publish(draft: Path, path: Path) -> None:
    """Give a finished file its name, durably, unless somebody took it meanwhile."""
    try:
        os.link(draft, path)
    except FileExistsError:
        refuse_taken(path)
        raise
    except OSError:  # a file system without hard links
        refuse_taken(path)
        draft.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put on the disk which files are in a folder, so that a new one is there after a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
