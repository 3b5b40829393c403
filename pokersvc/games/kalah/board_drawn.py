"""The drawing of the board: holes as boxes with their beans, pots at the ends, and the changes of the last move."""

from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from pokersvc.core.drawing import Line, Piece, Room, Tone, clipped, fitted, flowed
from pokersvc.games.kalah import events
from pokersvc.games.kalah.board import POT, Side
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import cells, counted, does, whose

BEAN: Final = "•"
MOST_DOTS: Final = 3
"""The maximum number of lines of dots in a hole."""
DOTS_WIDE: Final = 5
"""The maximum number of dots in a line."""
FEWEST_DOTS: Final = 3
"""If a line has room for fewer dots than this, no dots are drawn."""
WIDEST: Final = 9
"""The greatest width of a hole between its borders, in columns."""
LONGEST_NAME: Final = 24


def drawn(view: KalahView, room: Room) -> list[Line]:
    """Return the richest drawing of the board that fits the room: boxes with dots, boxes, or rows."""
    return fitted(_drawings(_Drawn(view, room.columns)), room)


def _drawings(board: "_Drawn") -> Iterator[list[Line]]:
    heading, last = board.heading(), board.last_move()
    for changes in (True, False):
        if (box := board.box(changes=changes)) is not None:
            for dots in range(min(MOST_DOTS, box.dots), -1, -1):
                yield [*heading, *board.boxed(box, dots), *last]
            yield [*heading, *board.boxed(box, 0)]
    for size in board.parts():
        yield [*heading, *board.rows(size), *last]
        yield [*heading, *board.rows(size)]
        yield board.rows(size)
        if board.own is not None:
            yield board.rows(size, only=board.own)


class _Box(NamedTuple):
    """The inner widths of the boxes for holes and for pots, and what the boxes show."""

    hole: int
    pot: int
    dots: int
    """The number of lines of dots that the fullest hole needs."""
    changes: bool
    """Whether the numbers show the changes of the last move."""


class _Drawn:
    """A board to be drawn for a viewer, within a number of columns."""

    def __init__(self, view: KalahView, columns: int) -> None:
        self.view, self.columns = view, columns
        self.board = view.board
        self.before = next((board for board, _ in reversed([*view.earlier])), view.board)
        self.own = Side(view.viewer) if view.viewer in (1, 2) else None
        self.sown = next((event for event in reversed(view.record.round) if isinstance(event, events.BeansSown)), None)

    def heading(self) -> list[Line]:
        """Return the number of the move and whose turn it is, or that the game is over."""
        view = self.view
        said: list[Piece] = []
        if any(isinstance(event, events.GameEnded) for event in view.record.last(1)):
            said.append(Piece(f"The game is over after {counted(view.move, 'move')}", Tone.STRONG))
        else:
            said.append(Piece(f"Move {view.move + (view.to_act is not None)}", Tone.STRONG))
        if view.to_act is not None:
            again = " again" if view.again else ""
            name = view.seats[view.to_act - 1].name
            turn = whose(name, "turn")
            said += [Piece(" · ", Tone.QUIET), Piece(f"{turn[0].upper()}{turn[1:]}{again}", Tone.TURN)]
        return flowed(tuple(said), self.columns)

    def last_move(self) -> list[Line]:
        """Return a sentence on the last move, which made the changes beside the numbers."""
        if self.sown is None:
            return []
        name = self.view.seats[self.sown.seat - 1].name
        said = f"{does(name, 'just sowed')} {counted(self.sown.beans, 'bean')} from hole {self.sown.hole}."
        return flowed((Piece(said, Tone.QUIET),), self.columns)

    def change(self, side: Side, hole: int) -> int:
        """Return the change that the last move made to a hole, or to a pot for hole 0."""
        return self.board.beans(side, hole) - self.before.beans(side, hole)

    # In boxes.

    def box(self, *, changes: bool) -> _Box | None:
        """Return the widest boxes that hold all numbers and fit the columns; None if there is no room."""
        holes = self.board.holes
        widest = max(cells(self._said(side, hole, changes)) for side in Side for hole in range(1, holes + 1))
        pot = 2 + max(3, *(cells(self._said(side, POT, changes)) for side in Side))
        least = 2 + max(widest, len(str(holes)))
        most = (self.columns - 2 * (pot + 1) - 1) // holes - 1
        if most < least:
            return None
        hole = max(least, min(most, WIDEST))
        fullest, wide = max(*self.board.south, *self.board.north), min(hole - 2, DOTS_WIDE)
        return _Box(hole, pot, ceil(fullest / wide) if wide >= FEWEST_DOTS else 0, changes)

    def _said(self, side: Side, hole: int, changes: bool) -> str:
        count, change = self.board.beans(side, hole), self.change(side, hole)
        return f"{count} {change:+}" if changes and change else str(count)

    def boxed(self, box: _Box, dots: int) -> list[Line]:
        """Return the board in boxes, with ``dots`` lines of dots in each hole."""
        inside = " " * (box.pot + 1)
        height = 1 + dots
        lines: list[Line] = [self._name(Side.NORTH, box), (Piece(f"{inside} "), *self._numbers(Side.NORTH, box.hole))]
        lines.append(_frame("┌┬┬┐", box, self.board.holes))
        for at in range(2 * height + 1):
            middle = at == height
            left = self._pot(Side.NORTH, box) if middle else (Piece(" " * box.pot),)
            right = self._pot(Side.SOUTH, box) if middle else (Piece(" " * box.pot),)
            if middle:
                row: Line = (Piece("├" + "┼".join(["─" * box.hole] * self.board.holes) + "┤", Tone.QUIET),)
            else:
                side, line = (Side.NORTH, at) if at < height else (Side.SOUTH, at - height - 1)
                row = self._row(side, line, box, dots)
            lines.append((Piece("│", Tone.QUIET), *left, *row, *right, Piece("│", Tone.QUIET)))
        lines.append(_frame("└┴┴┘", box, self.board.holes))
        lines += [(Piece(f"{inside} "), *self._numbers(Side.SOUTH, box.hole)), self._name(Side.SOUTH, box)]
        return lines

    def _row(self, side: Side, line: int, box: _Box, dots: int) -> Line:
        pieces: list[Piece] = []
        for hole in range(1, self.board.holes + 1):
            pieces.append(Piece("│", Tone.QUIET))
            pieces += self._dots(side, hole, line - 1, box, dots) if line else self._count(side, hole, box)
        return (*pieces, Piece("│", Tone.QUIET))

    def _count(self, side: Side, hole: int, box: _Box) -> Line:
        count, _, change = self._said(side, hole, box.changes).partition(" ")
        room = box.hole - len(count)
        after = f" {change}" if change else ""
        left = max(1, (room - (len(after) if room - len(after) < room // 2 + 1 else 0)) // 2)
        tone = Tone.QUIET if count == "0" else Tone.MINE if side is self.own else Tone.PLAIN
        padding = " " * (box.hole - left - len(count) - len(after))
        return Piece(" " * left), Piece(count, tone), Piece(after, Tone.CHIPS), Piece(padding)

    def _dots(self, side: Side, hole: int, line: int, box: _Box, lines: int) -> Line:
        """Return a line of a hole's beans; the last line ends with a plus if the hole has more beans than fit."""
        wide = min(box.hole - 2, DOTS_WIDE)
        count = self.board.beans(side, hole)
        dots = BEAN * max(0, min(wide, count - line * wide))
        if line == lines - 1 and count > lines * wide:
            dots = dots[:-1] + "+"
        left = (box.hole - wide) // 2
        tone = Tone.MINE if side is self.own else Tone.PLAIN
        return Piece(" " * left), Piece(dots, tone), Piece(" " * (box.hole - left - len(dots)))

    def _pot(self, side: Side, box: _Box) -> Line:
        count, _, change = self._said(side, POT, box.changes).partition(" ")
        after = f" {change}" if change else ""
        left = (box.pot - len(count) - len(after)) // 2
        tone = Tone.MINE if side is self.own else Tone.STRONG
        rest = " " * (box.pot - left - len(count) - len(after))
        return Piece(" " * left), Piece(count, tone), Piece(after, Tone.GOOD), Piece(rest)

    def _numbers(self, side: Side, cell: int) -> Line:
        """Return the numbers of a side's holes; those that may be typed now have the tone of a key."""
        pieces = []
        for hole in range(1, self.board.holes + 1):
            number = str(hole)
            left = (cell - len(number)) // 2
            pieces += [Piece(" " * left), Piece(number, self._key(side, hole))]
            pieces.append(Piece(" " * (cell - left - len(number) + 1)))
        return tuple(pieces)

    def _key(self, side: Side, hole: int) -> Tone:
        typed = self.view.to_act == side and self.own in (None, side) and self.board.beans(side, hole)
        return Tone.KEY if typed else Tone.QUIET

    def _name(self, side: Side, box: _Box) -> Line:
        """Return a side's name beside its pot, with an arrow in the direction in which it sows."""
        who = clipped(self.view.seats[side - 1].name, LONGEST_NAME)
        said = f"{who} ({side.label})"
        tone = Tone.TURN if self.view.to_act == side else Tone.MINE if side is self.own else Tone.PLAIN
        if side is Side.NORTH:
            return Piece(" ◂ ", Tone.QUIET), Piece(said, tone)
        wide = 2 * (box.pot + 1) + self.board.holes * (box.hole + 1) + 1
        return Piece(" " * max(0, wide - cells(said) - 3)), Piece(said, tone), Piece(" ▸", Tone.QUIET)

    # In rows.

    def parts(self) -> list[int]:
        """Return the number of holes that fit side by side in a row, as the only number in a list."""
        cell = self._cell()
        return [max(1, min(self.board.holes, (self.columns - len("South ") - 2 * cell) // cell))]

    def _cell(self) -> int:
        board = self.board
        least = 1 + max(len(str(count)) for count in (*board.south, *board.north, *board.pots, board.holes))
        return max(least, min(least + 2, (self.columns - len("South ")) // (board.holes + 2)))

    def rows(self, size: int, only: Side | None = None) -> list[Line]:
        """Return the board as rows of numbers, ``size`` holes side by side; with ``only``, the rows of one side."""
        lines: list[Line] = []
        for first in range(1, self.board.holes + 1, size):
            part = range(first, min(first + size, self.board.holes + 1))
            lines.append(self._numbers_of(part, only or self.own or Side.SOUTH))
            lines += [self._side(side, part) for side in (Side.NORTH, Side.SOUTH) if only in (None, side)]
        return lines

    def _numbers_of(self, part: range, side: Side) -> Line:
        cell = self._cell()
        keys = [Piece(str(hole).rjust(cell), self._key(side, hole)) for hole in part]
        return Piece("hole ", Tone.QUIET), Piece(" " * (cell + 1)), *keys

    def _side(self, side: Side, part: range) -> Line:
        cell, board = self._cell(), self.board
        tone = Tone.MINE if side is self.own else Tone.PLAIN
        pot = Piece(str(board.pot(side)).rjust(cell), Tone.STRONG)
        left = pot if side is Side.NORTH and part[0] == 1 else Piece(" " * cell)
        counts = [Piece(str(board.beans(side, hole)).rjust(cell), tone) for hole in part]
        right = [pot] if side is Side.SOUTH and part[-1] == board.holes else []
        label = Tone.TURN if self.view.to_act == side else Tone.QUIET
        return Piece(f"{side.label} ", label), left, *counts, *right


def _frame(corners: str, box: _Box, holes: int) -> Line:
    left, start, between, right = corners[0], corners[1], corners[2], corners[3]
    inner = between.join(["─" * box.hole] * holes)
    return (Piece(f"{left}{'─' * box.pot}{start}{inner}{start}{'─' * box.pot}{right}", Tone.QUIET),)
