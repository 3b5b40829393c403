"""Reads hands from files one by one, in any encoding and dialect, and says in one sentence what cannot be read."""

import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from errno import EFBIG, EINVAL, EISDIR
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from pokersvc.errors import printable
from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects import DIALECTS
from pokersvc.histories.encodings import CUT, HALF, UNREADABLE, lines_of
from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.system.files import opened
from pokersvc.text import counted, listed, ordinal

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_HEAD: Final = 8_192
"""Characters read before the dialect is recognised, rounded up to a whole line; fewer if the file is shorter."""

_LONGEST_HAND: Final = 1 << 25
"""Characters after which the search for a hand's end is given up."""

_LONGEST_RUN: Final = 1 << 27
"""Bytes without a line end after which reading stops."""
_MOST_BEYOND: Final = 1 << 24
"""Bytes that a file may have beyond its reported size: it may be written to while it is read."""

_MOST_DEALT_IN: Final = 10
_LONGEST_NAME: Final = 200  # characters of a text in an event
_LONGEST_CODE: Final = 16  # characters of a currency's code

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_TEXT: Final = re.compile(f"[{UNREADABLE}]")


@dataclass(frozen=True, slots=True)
class Unread:
    """A hand, or a whole file, that could not be read."""

    path: Path
    line: int | None
    """The first wrong line; None if nothing of the file can be read."""
    why: str
    """The reason, in one sentence."""
    other: bool = False
    """Whether the file has something other than hands, as a file in a folder of hands may."""


class NoTextFile(OSError):
    """Raised when reading a file stops early because it has no lines or no end."""


class _Ending(io.RawIOBase):
    """A raw file that raises `NoTextFile` if it exceeds its reported size, or has no line end for too long.

    Some files of the kernel report that they are empty and yield gigabytes, and a file may be one large hole.
    """

    def __init__(self, file: io.RawIOBase, size: int) -> None:
        self._file = file
        self._left = size + _MOST_BEYOND
        self._run = 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        """Read the next bytes."""
        count = self._file.readinto(buffer)
        if not count:
            return count
        read = bytes(memoryview(buffer)[:count])
        self._left -= count
        last = read.rfind(b"\n")
        self._run = self._run + count if last < 0 else count - last - 1
        if self._run > _LONGEST_RUN:
            raise NoTextFile(EFBIG, f"no line ends in {counted(_LONGEST_RUN, 'byte')} of it")
        if self._left < 0:
            raise NoTextFile(EFBIG, f"it continues for {counted(_MOST_BEYOND, 'byte')} after its reported end")
        return count

    def readable(self) -> bool:
        """Return True: the file is readable."""
        return True

    def seekable(self) -> bool:
        """Return True: the file is seekable."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to another position."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the position."""
        return self._file.tell()

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._file.fileno()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def opened_text(path: Path) -> BinaryIO:
    """Open a file that should be a finite text; reading it raises `NoTextFile` once it turns out not to be one."""
    raw = opened(path).detach()  # type: ignore[attr-defined]  # of a buffered reader
    return io.BufferedReader(_Ending(raw, os.fstat(raw.fileno()).st_size))


class HistoryFile:
    """A file of hand histories, read block by block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = opened_text(path)
        self.size = os.fstat(self._file.fileno()).st_size
        """The size in bytes when the file was opened."""
        self._unfinished = 0
        self._stopped: NoTextFile | None = None
        """The reason why reading stopped early."""
        self._half: int | None = None
        """The number of the last line, if the file ends with half a character."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def position(self) -> int:
        """The number of bytes read."""
        return self._file.tell()

    def blocks(self) -> Iterator[tuple[Dialect, Block] | Unread]:
        """Yield the dialect and the block of each hand, so that another process can read the hand."""
        lines = lines_of(self._file)
        head: list[str] = []
        characters = 0
        try:
            for line in lines:
                head.append(line)
                characters += len(line)
                if characters >= _HEAD:
                    break
        except NoTextFile:
            characters += 1
        dialect = dialect_of("".join(head))
        if dialect is None:
            known = listed([one.name for one in DIALECTS])
            why = f"is not a hand history in a known format: those of {known} are read." if characters else "is empty."
            yield Unread(self.path, None, f"{printable(self.path)} {why}", other=True)
            return
        last: Block | None = None  # held back until the end of the file is known
        unread: Unread | None = None
        try:
            for block in dialect.blocks(self._bounded(head, lines)):
                self._unfinished = 0
                if last is not None:
                    yield dialect, last
                last = block
        except UnreadableHand as error:
            unread = Unread(self.path, error.line, str(error))
        if self._stopped is not None:
            unread = not_opened(self.path, self._stopped)
        if last is not None:
            yield dialect, last if self._half is None else last._replace(notes=(_half_a_character(self._half),))
        if unread is not None:
            yield unread

    def _bounded(self, head: list[str], lines: Iterator[str]) -> Iterator[str]:
        """Yield the lines; raise `UnreadableHand` after too many characters without a hand's end."""
        for number, line in enumerate(chain(head, self._while_text(lines)), 1):
            self._unfinished += len(line)
            if self._unfinished > _LONGEST_HAND:
                raise UnreadableHand(
                    number, f"No hand has ended for a long time at line {number}: the rest of the file is not read."
                )
            if line.endswith(HALF):
                self._half = number
            yield line.removesuffix(HALF)

    def _while_text(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield the lines until reading stops, perhaps early; all hands before that point are complete."""
        try:
            yield from lines
        except NoTextFile as error:
            self._stopped = error


def _half_a_character(line: int) -> tuple[int, str]:
    return line, "The file ends with one byte, half a character of UTF-16, which is left out."


def dialect_of(head: str) -> Dialect | None:
    """Return the dialect of a text by its beginning; None if no dialect recognises it."""
    return next((dialect for dialect in DIALECTS if dialect.recognises(head)), None)


def hand_of(path: Path, dialect: Dialect, block: Block) -> HandHistory | Unread:
    """Return the hand of a block, or an `Unread` with the reason why it cannot be read."""
    try:
        _refuse_what_is_no_text(block)
        hand = dialect.read(block)
        _refuse_too_many(hand)
        _refuse_names(hand)
    except UnreadableHand as error:
        return Unread(path, error.line, _of_another(dialect, block) or str(error))
    return replace(hand, warnings=hand.warnings + block.notes) if block.notes else hand


def _of_another(dialect: Dialect, block: Block) -> str | None:
    """Return an error message if a block is of another dialect than its file, else None."""
    other = dialect_of(block.text.partition("\n")[0])
    if other in (None, dialect):
        return None
    said = f"Line {block.first_line} begins a hand of {other.name}, but the file is of {dialect.name}"
    return f"{said}: put the hands of each into a separate file."


def hands_in(path: Path) -> Iterator[HandHistory | Unread]:
    """Yield the hands of a file in order, and the parts that cannot be read; one hand is in memory at a time."""
    try:
        file = HistoryFile(path)
    except (OSError, ValueError) as error:
        yield not_opened(path, error)
        return
    with file:
        try:
            for found in file.blocks():
                yield found if isinstance(found, Unread) else hand_of(path, *found)
        except OSError as error:
            yield not_opened(path, error)


def files_in(paths: Iterable[Path]) -> Iterator[Path | Unread]:
    """Yield the given files, and all files below the given folders by name; links to folders are not followed."""
    for path in paths:
        if _is_root(path):
            yield Unread(
                path, None, f"{printable(path)} is the whole file system: name a folder of hand histories in it."
            )
        elif stat.S_ISDIR(_mode(path)):
            yield from _files_below(path)
        else:
            yield path


def _is_root(path: Path) -> bool:
    """Return whether a path leads to the root of the file system, which would take hours to read."""
    try:
        return path.samefile(path.absolute().anchor)
    except (OSError, ValueError):
        return False


def _files_below(top: Path) -> Iterator[Path | Unread]:
    folders = [top]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield not_opened(folder, error)
            continue
        below = []
        for entry in inside:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                below.append(path)
            elif stat.S_ISDIR(_mode(path)):
                yield Unread(path, None, f"{printable(path)} is a link to a folder: name that folder itself.")
            elif stat.S_ISREG(_mode(path)):
                yield path
            else:
                there = _mode(path) != 0  # a broken link may have pointed to a file of hands
                yield Unread(path, None, f"{printable(path)} is not a file.", other=there)
        folders += reversed(below)


def _mode(path: Path) -> int:
    """Return the mode of the file at a path; 0 if there is none, which reading the file will report."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def not_opened(path: Path, error: OSError | ValueError) -> Unread:
    """Return an `Unread` with the reason why a file cannot be opened or read."""
    named = printable(path)
    if isinstance(error, ValueError):  # a NUL in the name
        return Unread(path, None, f"{named} cannot be the name of a file.")
    if isinstance(error, FileNotFoundError):
        return Unread(path, None, f"There is no file {named}.")
    if error.errno in (EINVAL, EISDIR):
        return Unread(path, None, f"{named} is not a file.")
    return Unread(path, None, f"{named} cannot be read: {error.strerror}.")


def _refuse_what_is_no_text(block: Block) -> None:
    if block.text.isascii() and "\0" not in block.text:  # most texts are, and the check is fast
        return
    found = _NO_TEXT.search(block.text)
    if found is None:
        return
    line = block.first_line + block.text.count("\n", 0, found.start())
    if found[0] == CUT:
        raise UnreadableHand(line, f"Line {line} is too long to be read.")
    raise UnreadableHand(line, f"Line {line} has bytes that are not text in UTF-8, UTF-16 or Windows-1252.")


def _refuse_names(hand: HandHistory) -> None:
    """Refuse names that no game can store: those that are empty, too long, or have control characters.

    In JSON and TOML, a name can have any character, because every character can be escaped.
    """
    tournament, played = hand.tournament, hand.played
    paid_in = None if tournament is None else tournament.currency.code
    for what, name, most in (
        ("site", hand.site, _LONGEST_NAME),
        ("hand's number", hand.number, _LONGEST_NAME),
        ("table", hand.table or "none", _LONGEST_NAME),
        ("tournament's number", (tournament and tournament.number) or "none", _LONGEST_NAME),
        ("tournament's level", (tournament and tournament.level) or "none", _LONGEST_NAME),
        ("moment", (played and played.text) or "none", _LONGEST_NAME),
        ("zone", (played and played.zone) or "none", _LONGEST_NAME),
        ("currency", hand.currency.code or "none", _LONGEST_CODE),
        ("tournament's currency", paid_in or "none", _LONGEST_CODE),
    ):
        if not name.strip():
            raise UnreadableHand(hand.first_line, f"The {what} is empty.")
        if len(name) > most:
            said = f"The {what} is {printable(repr(name[:40]))} and more: it has {counted(len(name), 'character')}"
            raise UnreadableHand(hand.first_line, f"{said}, and at most {most} are stored.")
        if _CONTROL.search(name):
            said = f"The {what} is {printable(repr(name[:40]))}, which has a character that no name has."
            raise UnreadableHand(hand.first_line, said)


def _refuse_too_many(hand: HandHistory) -> None:
    dealt_in = hand.dealt_in()
    if len(dealt_in) > _MOST_DEALT_IN:
        one_more = dealt_in[_MOST_DEALT_IN]
        raise UnreadableHand(
            one_more.line,
            f"Line {one_more.line} has the {ordinal(_MOST_DEALT_IN + 1)} player who is dealt in, but at most"
            f" {counted(_MOST_DEALT_IN, 'player')} can be dealt in.",
        )
