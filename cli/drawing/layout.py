"""The layout of a drawn screen: the table, the news, the question and the short commands, as far as they fit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pokersvc.cli.drawing.wrapping import newest, said
from pokersvc.core.drawing import Line, Piece, Room, Shortcut, Tone, flowed, plain, width
from pokersvc.text import cells

LEAST_NEWS = 3
"""The number of rows kept for the news, for a table of any size."""
GAP = "   "


def _no_table(room: Room) -> list[Line]:
    return []


def _none_picked(typed: str, room: Room) -> None:
    return None


def no_notes(columns: int) -> list[Line]:
    """Return no lines, for a screen without notes."""
    return []


def _no_clock() -> list[str]:
    return []


@dataclass(frozen=True)
class Asking:
    """The parts of a drawn screen that belong to one question: the table, the commands and the clock."""

    draw: Callable[[Room], list[Line]] = _no_table
    shortcuts: Sequence[Shortcut] = ()
    keys: Sequence[Shortcut] = ()
    """Keys that mean the same at every question, such as ``?``."""
    completions: Sequence[str] = ()
    draw_picked: Callable[[str, Room], list[Line] | None] = _none_picked
    """Draws the table and marks the pieces, such as cards, that the typed text selects; None if it selects nothing."""
    clock: Callable[[], list[str]] = _no_clock


@dataclass
class Scene:
    """The content of a drawn screen, without its last row, which is the prompt."""

    title: str = ""
    asking: Asking = field(default_factory=Asking)
    question: str = ""
    log: list[str] = field(default_factory=list)
    """The news, as everyone at this terminal may know it."""
    seen: int = 0
    """The length of the log when the person at the screen last chose."""
    notes: Callable[[int], list[Line]] = no_notes
    """Returns the notes for a number of columns: a requested explanation, or the reason why an answer was refused."""

    def lines(self, room: Room, typed: str) -> list[Line]:
        """Return the lines of the screen, exactly as many as the room has rows."""
        below = self._asked(room.columns)[: max(room.rows - 1, 0)]
        middle = room.rows - 1 - len(below)
        notes = within(self.notes(room.columns), room.columns)[: max(middle - LEAST_NEWS, LEAST_NEWS)]
        spare = middle - max(len(notes), LEAST_NEWS)
        drawn = cut(self._table(Room(room.columns, max(spare, 0)), typed), room.columns)
        left = middle - len(drawn) - len(notes)
        rules = [_rule(room.columns)] * (left > LEAST_NEWS)
        above = [_rule(room.columns)] * (bool(drawn) and left > LEAST_NEWS + 1)
        news = self._news(Room(room.columns, max(left - len(rules) - len(above), 0)), {*plain(notes)})
        gap: list[Line] = [()] * (left - len(rules) - len(above) - len(news))
        return [self._heading(room.columns), *drawn, *above, *gap, *news, *rules, *notes, *below][: room.rows]

    def rows_for_notes(self, room: Room) -> int:
        """Return the number of rows of notes that fit if the table leaves room for them."""
        return max(room.rows - 2 - len(self._asked(room.columns)) - LEAST_NEWS - LEAST_NEWS, LEAST_NEWS)

    def _table(self, room: Room, typed: str) -> list[Line]:
        if not room.rows:
            return []
        picked = self.asking.draw_picked(typed, room)
        return (self.asking.draw(room) if picked is None else picked)[: room.rows]

    def _heading(self, columns: int) -> Line:
        return cut([(Piece(self.title, Tone.STRONG),)], columns)[0]

    def _news(self, room: Room, noted: set[str]) -> list[Line]:
        """Return the newest entries of the log that fit, newest last; entries seen by the person have the quiet tone.

        The last entries are left out if the notes below repeat them word for word.
        """
        last = len(self.log)
        while last and noted.issuperset(plain(said([self.log[last - 1]], room.columns))):
            last -= 1
        return newest(self._happened(room.columns, last), room.rows, new=max(last - self.seen, 0))

    def _happened(self, columns: int, last: int) -> Iterator[list[Line]]:
        """Yield each sentence of the first ``last`` entries of the log as a list of lines, newest first."""
        for number in range(last - 1, -1, -1):
            tone = Tone.PLAIN if number >= self.seen else Tone.QUIET
            yield from (said([sentence], columns, tone) for sentence in reversed(self.log[number].split("\n")))

    def _asked(self, columns: int) -> list[Line]:
        lines = said(self.asking.clock(), columns, Tone.QUIET)
        lines += said([self.question], columns, Tone.TURN)
        lines += in_rows(self.asking.shortcuts, columns, Tone.PLAIN)
        return lines + in_rows(self.asking.keys, columns, Tone.QUIET)


def _rule(columns: int) -> Line:
    return (Piece("─" * columns, Tone.QUIET),)


def in_rows(shortcuts: Iterable[Shortcut], columns: int, tone: Tone) -> list[Line]:
    """Return short commands with their meanings as lines: several commands per line if they fit, a long one wrapped."""
    return within(
        packed([(Piece(typed, Tone.KEY), Piece(f" {does}", tone)) for typed, does in shortcuts], columns), columns
    )


def packed(items: Iterable[Line], columns: int | None, before: str = "") -> list[Line]:
    """Pack items into lines, or into one line if ``columns`` is None; the first line begins with ``before``."""
    rows: list[Line] = []
    for item in items:
        if rows and (columns is None or width(rows[-1]) + len(GAP) + width(item) <= columns):
            rows[-1] = (*rows[-1], Piece(GAP), *item)
        else:
            lead = " " * cells(before) if rows else before
            rows.append((Piece(lead), *item) if lead else item)
    return rows


def cut(lines: Iterable[Line], columns: int) -> list[Line]:
    """Cut lines off at the right edge, so that no line wraps to the next row."""
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


def within(lines: Iterable[Line], columns: int) -> list[Line]:
    """Break each line that is too wide into several, between words."""
    return [part for line in lines for part in ([line] if width(line) <= columns else flowed(line, columns))]
