"""What stands on a drawn screen: the table, what just happened, the question, what may be typed, as far as it fits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from pokersvc.core.drawing import Line, Piece, Room, Shortcut, Tone, width
from pokersvc.text import cells

LEAST_NEWS = 3
"""Rows of what just happened, however large the table is drawn."""
GAP = "   "


def _no_table(room: Room) -> list[Line]:
    return []


def _no_clock() -> list[str]:
    return []


@dataclass(frozen=True)
class Asking:
    """A question to one person, and what belongs to it on a drawn screen."""

    draw: Callable[[Room], list[Line]] = _no_table
    shortcuts: Sequence[Shortcut] = ()
    keys: Sequence[Shortcut] = ()
    """Keys that mean the same at each question, such as ``?``."""
    completions: Sequence[str] = ()
    picked: Callable[[str], Line] | None = None
    """What is picked with what is typed so far; None where a choice is no picking."""
    clock: Callable[[], list[str]] = _no_clock


@dataclass
class Scene:
    """A drawn screen, without its last row, which is the prompt."""

    title: str = ""
    asking: Asking = field(default_factory=Asking)
    question: str = ""
    log: list[str] = field(default_factory=list)
    """What happened, as everybody at this terminal may know it."""
    seen: int = 0
    """How many lines of it were there when the person who looks chose last."""
    notes: list[Line] = field(default_factory=list)
    """What the person asked to see, or why something may not be done."""

    def lines(self, room: Room, typed: str) -> list[Line]:
        """Return exactly as many lines as there are rows."""
        picked = [] if self.asking.picked is None else [self.asking.picked(typed)]
        below = [*self._asked(room.columns), *cut(picked, room.columns)][: max(room.rows - 1, 0)]
        middle = room.rows - 1 - len(below)
        notes = self.notes[: max(middle - LEAST_NEWS, LEAST_NEWS)]
        spare = middle - max(len(notes), LEAST_NEWS)
        drawn = cut(self.asking.draw(Room(room.columns, spare))[:spare] if spare > 0 else [], room.columns)
        left = middle - len(drawn) - len(notes)
        rules = [_rule(room.columns)] * (left > LEAST_NEWS)
        above = [_rule(room.columns)] * (bool(drawn) and left > LEAST_NEWS + 1)
        news = self._news(Room(room.columns, max(left - len(rules) - len(above), 0)))
        gap: list[Line] = [()] * (left - len(rules) - len(above) - len(news))
        return [self._heading(room.columns), *drawn, *above, *gap, *news, *rules, *notes, *below][: room.rows]

    def rows_for_notes(self, room: Room) -> int:
        """Return how many lines of notes stand beside the question, if the table makes room for them."""
        return max(room.rows - 2 - len(self._asked(room.columns)) - LEAST_NEWS - LEAST_NEWS, LEAST_NEWS)

    def _heading(self, columns: int) -> Line:
        return cut([(Piece(self.title, Tone.STRONG),)], columns)[0]

    def _news(self, room: Room) -> list[Line]:
        """Return what happened, the newest last, as much as fits; what the person has seen already is quiet."""
        found: list[Line] = []
        for number in range(len(self.log) - 1, -1, -1):
            if len(found) >= room.rows:
                break
            tone = Tone.PLAIN if number >= self.seen else Tone.QUIET
            part = [(Piece(line, tone),) for line in folded(self.log[number], room.columns)]
            found = [*part, *found]
        return found[-room.rows :] if room.rows else []

    def _asked(self, columns: int) -> list[Line]:
        lines: list[Line] = [(Piece(said, Tone.QUIET),) for said in self.asking.clock()]
        for part in self.question.split("\n"):
            lines += [(Piece(line, Tone.TURN),) for line in folded(part, columns)]
        lines += in_rows(self.asking.shortcuts, columns, Tone.PLAIN)
        return lines + in_rows(self.asking.keys, columns, Tone.QUIET)


def _rule(columns: int) -> Line:
    return (Piece("─" * columns, Tone.QUIET),)


def folded(text: str, columns: int) -> list[str]:
    """Return a text in lines that fit; words stay whole."""
    found: list[str] = []
    for line in text.split("\n"):
        found += wrap(
            line, max(columns, 10), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        ) or [""]
    return found


def in_rows(shortcuts: Iterable[Shortcut], columns: int, tone: Tone) -> list[Line]:
    """Return short commands with what they do, as many to a line as fit."""
    rows: list[list[Piece]] = []
    room = 0
    for typed, does in shortcuts:
        needed = cells(f"{typed} {does}")
        pieces = [Piece(typed, Tone.KEY), Piece(f" {does}", tone)]
        if rows and needed + len(GAP) <= room:
            rows[-1] += [Piece(GAP), *pieces]
            room -= needed + len(GAP)
        else:
            rows.append(pieces)
            room = columns - needed
    return [tuple(row) for row in rows]


def cut(lines: Iterable[Line], columns: int) -> list[Line]:
    """Return lines without what is beyond the edge, so that nothing moves to the next row."""
    return [line if width(line) <= columns else tuple(_cut(line, columns)) for line in lines]


def _cut(line: Line, columns: int) -> list[Piece]:
    found: list[Piece] = []
    for text, tone in line:
        kept = ""
        for character in text:
            if cells(kept + character) > columns:
                break
            kept += character
        found.append(Piece(kept, tone))
        columns -= cells(kept)
    return found


def said(lines: Iterable[str], columns: int, tone: Tone = Tone.PLAIN) -> list[Line]:
    """Return sentences as lines that fit."""
    return [(Piece(part, tone),) for line in lines for part in folded(line, columns)]
