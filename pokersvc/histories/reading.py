"""Hands out of files, one at a time, in whatever encoding and dialect; what cannot be read is told in one sentence."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from errno import EINVAL, EISDIR
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pokersvc.errors import printable
from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects import DIALECTS
from pokersvc.histories.encodings import CUT, UNREADABLE, lines_of
from pokersvc.histories.hand import ToldHand, UnreadableHand
from pokersvc.system.files import opened
from pokersvc.text import counted, listed, ordinal

_HEAD: Final = 8_192
"""Characters, at least, in which a dialect is looked for."""

_LONGEST_HAND: Final = 1 << 25
"""Characters after which no more is read in search of a hand's end."""

_MOST_DEALT_IN: Final = 10
_LONGEST_NAME: Final = 200  # characters of a text in an event
_LONGEST_CODE: Final = 16  # of a currency

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_TEXT: Final = re.compile(f"[{UNREADABLE}]")


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read of a file: a hand, or all of it."""

    path: Path
    line: int | None
    """The first line that is wrong; None for a file of which nothing can be read."""
    why: str
    """One sentence."""
    other: bool = False
    """Whether it is a file of something else than hands, as may lie in a folder of them."""


class HistoryFile:
    """A file of hand histories, read block by block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = opened(path)
        self.size = os.fstat(self._file.fileno()).st_size
        """In bytes."""
        self._unfinished = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def position(self) -> int:
        """How many bytes were read."""
        return self._file.tell()

    def blocks(self) -> Iterator[tuple[Dialect, Block] | Unread]:
        """Yield the blocks of the hands with their dialect, so that another process can read them."""
        lines = lines_of(self._file)
        head: list[str] = []
        characters = 0
        for line in lines:
            head.append(line)
            characters += len(line)
            if characters >= _HEAD:
                break
        dialect = dialect_of("".join(head))
        if dialect is None:
            known = listed([one.name for one in DIALECTS])
            why = f"is not a hand history that is read: {known} are." if characters else "is empty."
            yield Unread(self.path, None, f"{printable(self.path)} {why}", other=True)
            return
        try:
            for block in dialect.blocks(self._bounded(head, lines)):
                self._unfinished = 0
                yield dialect, block
        except UnreadableHand as error:
            yield Unread(self.path, error.line, str(error))

    def _bounded(self, head: list[str], lines: Iterator[str]) -> Iterator[str]:
        """Yield the lines; `UnreadableHand` after too many characters without a hand's end."""
        for number, line in enumerate(chain(head, lines), 1):
            self._unfinished += len(line)
            if self._unfinished > _LONGEST_HAND:
                raise UnreadableHand(
                    number, f"No hand ends for a long time before line {number}: the rest of the file is not read."
                )
            yield line


def dialect_of(head: str) -> Dialect | None:
    """Return the dialect of a text that begins so, None if it is none that is read."""
    return next((dialect for dialect in DIALECTS if dialect.recognises(head)), None)


def hand_of(path: Path, dialect: Dialect, block: Block) -> ToldHand | Unread:
    """Return the hand of a block, or why it cannot be read."""
    try:
        _refuse_what_is_no_text(block)
        hand = dialect.read(block)
        _refuse_too_many(hand)
        _refuse_names(hand)
    except UnreadableHand as error:
        return Unread(path, error.line, _of_another(dialect, block) or str(error))
    return hand


def _of_another(dialect: Dialect, block: Block) -> str | None:
    """Return that a block is of another dialect than its file, if it is."""
    other = dialect_of(block.text.partition("\n")[0])
    if other in (None, dialect):
        return None
    said = f"Line {block.first_line} begins a hand of {other.name}, and the file is of {dialect.name}"
    return f"{said}: put the hands of each into a file of their own."


def hands_in(path: Path) -> Iterator[ToldHand | Unread]:
    """Yield the hands of a file in their order, and what of it cannot be read; one is in memory at a time."""
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
    """Yield files that are named, and those in folders that are named, by name; links to folders are not followed."""
    for path in paths:
        if stat.S_ISDIR(_mode(path)):
            yield from _files_below(path)
        else:
            yield path


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
                there = _mode(path) != 0  # a link to nothing may have been one to a file of hands
                yield Unread(path, None, f"{printable(path)} is not a file.", other=there)
        folders += reversed(below)


def _mode(path: Path) -> int:
    """Return what a path leads to, 0 if that cannot be said: reading it then says why."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def not_opened(path: Path, error: OSError | ValueError) -> Unread:
    """Return why a file cannot be read."""
    named = printable(path)
    if isinstance(error, ValueError):  # a NUL in the name
        return Unread(path, None, f"{named} cannot be the name of a file.")
    if isinstance(error, FileNotFoundError):
        return Unread(path, None, f"There is no file {named}.")
    if error.errno in (EINVAL, EISDIR):
        return Unread(path, None, f"{named} is not a file.")
    return Unread(path, None, f"{named} cannot be read: {error.strerror}.")


def _refuse_what_is_no_text(block: Block) -> None:
    if block.text.isascii() and "\0" not in block.text:  # as most are, which is seen at once
        return
    found = _NO_TEXT.search(block.text)
    if found is None:
        return
    line = block.first_line + block.text.count("\n", 0, found.start())
    if found[0] == CUT:
        raise UnreadableHand(line, f"Line {line} is too long to be read.")
    raise UnreadableHand(line, f"Line {line} has bytes that are not text in UTF-8, UTF-16 or Windows-1252.")


def _refuse_names(hand: ToldHand) -> None:
    """Refuse what no game can store: a site or number that is none, names that are no text, and those that are long.

    JSON and TOML can escape anything.
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


def _refuse_too_many(hand: ToldHand) -> None:
    dealt_in = hand.dealt_in()
    if len(dealt_in) > _MOST_DEALT_IN:
        one_more = dealt_in[_MOST_DEALT_IN]
        raise UnreadableHand(
            one_more.line,
            f"Line {one_more.line} has the {ordinal(_MOST_DEALT_IN + 1)} player who is dealt in:"
            f" at most {counted(_MOST_DEALT_IN, 'player')} can be.",
        )
