"""The drawing of a table as pieces of text, each with a tone; the terminal or web page chooses the tone's colour."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from pokersvc.text import cells


class Tone(StrEnum):
    """The role of a piece of text, for a terminal or page that colours it; the text alone must say the same."""

    PLAIN = "plain"
    QUIET = "quiet"
    """Less important text: labels, past events, unavailable choices."""
    STRONG = "strong"
    """The text that a person looks for first."""
    TURN = "turn"
    """The player whose turn it is."""
    MINE = "mine"
    """Something that belongs to the viewer."""
    CHIPS = "chips"
    """An amount on the table."""
    GOOD = "good"
    """A gain."""
    BAD = "bad"
    """A loss, or a forbidden action."""
    KEY = "key"
    """Text that the person may type."""
    BLACK = "black"
    """The colour printed on a part of the game; a dark terminal shows black as white."""
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    HIDDEN = "hidden"
    """A placeholder for something that the viewer may not see."""


class Piece(NamedTuple):
    """A run of text of one tone, within one line."""

    text: str
    tone: Tone = Tone.PLAIN


Line: TypeAlias = tuple[Piece, ...]
"""One line of a drawing, without a line break."""


class Room(NamedTuple):
    """The space available for a drawing, in cells of a terminal."""

    columns: int
    rows: int


class Shortcut(NamedTuple):
    """A short command that may be typed now, such as ``c``, and its effect, such as ``call 20``."""

    typed: str
    does: str

    @property
    def said(self) -> str:
        """The command and its effect in one text, such as ``c call 20``."""
        return f"{self.typed} {self.does}"


def width(line: Line) -> int:
    """Return the width of a line in cells."""
    return sum(cells(piece.text) for piece in line)


def plain(lines: list[Line]) -> list[str]:
    """Return lines without their tones and trailing spaces."""
    return ["".join(piece.text for piece in line).rstrip() for line in lines]


def fits(lines: list[Line], room: Room) -> bool:
    """Return whether the lines fit into the room."""
    return len(lines) <= room.rows and all(width(line) <= room.columns for line in lines)


def fitted(drawings: Iterable[list[Line]], room: Room) -> list[Line]:
    """Return the first of the drawings (most detailed first) that fits the room; if none fits, cut the last to fit."""
    lines: list[Line] = []
    for lines in drawings:
        if fits(lines, room):
            return lines
    return [_cut(line, room.columns) for line in lines[: room.rows]]


def _cut(line: Line, columns: int) -> Line:
    """Cut a line before the first word that does not fit."""
    kept: list[Piece] = []
    for word in _words(line):
        if width((*kept, word)) > columns:
            break
        kept.append(word)
    return tuple(kept)


def _words(line: Line) -> Iterator[Piece]:
    """Yield each word and each run of spaces of a line as a piece of its own, with its tone unchanged."""
    for text, tone in line:
        yield from (Piece(part, tone) for part in re.findall(r" +|[^ ]+", text))


def flowed(line: Line, columns: int) -> list[Line]:
    """Wrap a line between words into lines of at most ``columns`` cells; a wider word has a line of its own.

    >>> plain(flowed((Piece("You would be "), Piece("first", Tone.STRONG), Piece(".")), 15))
    ['You would be', 'first.']
    """
    lines: list[list[Piece]] = [[]]
    for word in _glued(line):
        spaces = all(not piece.text.strip() for piece in word)
        if lines[-1] and width((*lines[-1], *word)) > columns and not spaces:
            lines.append([])
        if lines[-1] or not spaces:
            lines[-1] += word
    return [tuple(line) for line in lines]


def _glued(line: Line) -> Iterator[list[Piece]]:
    """Yield the words of a line and the spaces between them; a word may consist of several pieces without spaces."""
    word: list[Piece] = []
    for piece in _words(line):
        if not piece.text.strip() or (word and not word[-1].text.strip()):
            if word:
                yield word
            word = []
        word.append(piece)
    if word:
        yield word


def clipped(text: str, most: int) -> str:
    """Return a name in at most ``most`` cells, with an ellipsis if it does not fit.

    >>> clipped("Lord of The Manor", 8), clipped("Ann", 8)
    ('Lord of…', 'Ann')
    """
    if cells(text) <= most:
        return text
    while cells(text) >= max(most, 1):
        text = text[:-1]
    return text.rstrip() + "…"


def clipped_apart(names: Sequence[str], most: int) -> list[str]:
    """Shorten names to at most ``most`` cells each; names that would become alike also keep their last letters.

    >>> clipped_apart(["Player1", "Player10", "Lord of The Manor"], 7)
    ['Player1', 'Play…10', 'Lord o…']
    """
    return [
        next((short for short in _shortened(name, most) if _is_only(short, name, names)), clipped(name, most))
        for name in names
    ]


def _shortened(name: str, most: int) -> Iterator[str]:
    """Yield shortened forms of a name that keep ever less of its start and more of its end; numbers stay whole."""
    yield clipped(name, most)
    number = len(name) - len(name.rstrip("0123456789"))
    for end in (name[-count:] for count in range(max(number, 1), len(name))):
        if cells(end) > most - 2:
            break
        yield clipped(name, most - cells(end)) + end


def _is_only(short: str, name: str, names: Sequence[str]) -> bool:
    """Return whether a shortened name fits only one of the names."""
    if short == name:
        return True
    start, _, end = short.partition("…")
    return not any(other.startswith(start) and other.endswith(end) for other in names if other != name)
