"""A table as it is drawn: pieces of text, and what each is. How that looks is for the terminal, or the page, to say."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from pokersvc.text import cells


class Tone(StrEnum):
    """What a piece of text is, for who gives it a colour; the text alone must say the same without any."""

    PLAIN = "plain"
    QUIET = "quiet"
    """What frames the rest: labels, what is over, what cannot be done."""
    STRONG = "strong"
    """What a person looks for first."""
    TURN = "turn"
    """Whose turn it is."""
    MINE = "mine"
    """What belongs to who looks."""
    CHIPS = "chips"
    """An amount on the table."""
    GOOD = "good"
    """What was won."""
    BAD = "bad"
    """What was lost, and what may not be done."""
    KEY = "key"
    """What may be typed."""
    BLACK = "black"
    """What is printed in a colour on a part of the game; a dark terminal shows black as white."""
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    HIDDEN = "hidden"
    """What the viewer may not see."""


class Piece(NamedTuple):
    """A run of text of one tone, within one line."""

    text: str
    tone: Tone = Tone.PLAIN


Line: TypeAlias = tuple[Piece, ...]
"""One line of a drawing, without its end."""


class Room(NamedTuple):
    """How much room there is for a drawing, in cells of a terminal."""

    columns: int
    rows: int


class Shortcut(NamedTuple):
    """A short command of the moment, and what it does, such as ``c`` and ``call 20``."""

    typed: str
    does: str


def width(line: Line) -> int:
    """Return how many cells a line takes."""
    return sum(cells(piece.text) for piece in line)


def plain(lines: list[Line]) -> list[str]:
    """Return lines without their tones, and without spaces at their ends."""
    return ["".join(piece.text for piece in line).rstrip() for line in lines]
