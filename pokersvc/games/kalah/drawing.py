"""The board as the founding document draws it: North above, its pot at the left, South's at the right."""

from collections.abc import Sequence
from typing import Final

from pokersvc.games.kalah.board import Board, Side

WIDTH: Final = 79
_LABEL: Final = "hole"


def draw(board: Board, north: str = "North", south: str = "South") -> list[str]:
    r"""Return the board as lines of at most 79 columns; a wider board is split into parts, from the left.

    >>> print("\n".join(draw(Board((4, 0, 6), (12, 1, 2), (10, 9)))))
           North
    hole   1   2   3
          12   1   2
       9              10
           4   0   6
    hole   1   2   3
           South
    """
    cell = 2 + max(len(str(count)) for count in (*board.south, *board.north, *board.pots, board.holes))
    fitting = (WIDTH - 2 * max(cell, len(_LABEL))) // cell
    parts = [range(first, min(first + fitting, board.holes + 1)) for first in range(1, board.holes + 1, fitting)]
    lines: list[str] = []
    for number, part in enumerate(parts):
        lines += [""] * (number > 0) + _part(board, part, cell, north, south)
    return lines


def _part(board: Board, holes: range, cell: int, north: str, south: str) -> list[str]:
    left = str(board.pot(Side.NORTH)) if holes[0] == 1 else ""
    right = str(board.pot(Side.SOUTH)) if holes[-1] == board.holes else ""
    width, side = cell * len(holes), max(cell, len(_LABEL))
    numbers = _LABEL.ljust(side) + _row(list(holes), cell)
    rows = [" " * side + _row([board.beans(row, hole) for hole in holes], cell) for row in (Side.NORTH, Side.SOUTH)]
    names = [" " * side + name.center(width) for name in (north, south)]
    pots = left.rjust(side) + " " * width + right.rjust(side)
    return [line.rstrip() for line in (names[0], numbers, rows[0], pots, rows[1], numbers, names[1])]


def _row(counts: Sequence[int], cell: int) -> str:
    return "".join(str(count).rjust(cell) for count in counts)
