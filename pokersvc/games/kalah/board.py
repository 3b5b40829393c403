"""The board: what lies in its holes and pots, how beans are sown, and what a last bean captures.

Holes are numbered from 1 on both sides, from left to right; South's pot is at the right, North's at the left. Hole 0
stands for a side's pot.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.rules import check_size

POT: Final = 0
"""The number of a side's pot, where holes are counted from 1."""


class Side(IntEnum):
    """One side of the board; its number is that of the seat that plays it."""

    SOUTH = 1
    NORTH = 2

    @property
    def other(self) -> "Side":
        """The side opposite."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH

    @property
    def label(self) -> str:
        """The name of the side.

        >>> Side.SOUTH.label
        'South'
        """
        return self.name.capitalize()


STORED_SIDES: Final = {Side.SOUTH: "South", Side.NORTH: "North"}
"""What history stores of a side, and stays as it is; what people call it is `Side.label`."""


class ImpossibleMove(InvalidValue):
    """A hole that is not on the board, or that cannot be emptied."""

    code = "impossible_move"


class Sowing(NamedTuple):
    """What sowing made: the board, and where the last bean fell (hole 0 is the sower's pot)."""

    board: "Board"
    side: Side
    hole: int


@dataclass(frozen=True, slots=True)
class Board:
    """Beans in holes and pots. An immutable value: every change returns a new board."""

    south: tuple[int, ...]
    """South's holes, from hole 1."""
    north: tuple[int, ...]
    """North's holes, from hole 1, which lies opposite South's."""
    pots: tuple[int, int] = (0, 0)
    """South's pot and North's."""

    @classmethod
    def start(cls, holes: int, beans: int) -> "Board":
        """Return the board before the first move; `InvalidValue` for a size that cannot be.

        >>> Board.start(6, 4).total
        48
        """
        check_size(holes, beans)
        return cls((beans,) * holes, (beans,) * holes)

    def __post_init__(self) -> None:
        if len(self.south) != len(self.north) or len(self.pots) != 2:
            raise InvalidValue(f"A board has as many holes on both sides and two pots, not {self!r}.")
        check_size(len(self.south), 0)
        if wrong := [count for count in (*self.south, *self.north, *self.pots) if type(count) is not int or count < 0]:
            raise InvalidValue(f"{wrong[0]!r} beans cannot lie in a hole or a pot; a count is 0 or more.")

    @property
    def holes(self) -> int:
        """How many holes a side has."""
        return len(self.south)

    @property
    def total(self) -> int:
        """All beans, in holes and pots."""
        return sum(self.south) + sum(self.north) + sum(self.pots)

    def row(self, side: Side) -> tuple[int, ...]:
        """Return a side's holes, from hole 1."""
        return self.south if side is Side.SOUTH else self.north

    def pot(self, side: Side) -> int:
        """Return what is in a side's pot."""
        return self.pots[side - 1]

    def beans(self, side: Side, hole: int) -> int:
        """Return what is in a hole, or in the pot for hole 0; `ImpossibleMove` for a hole that is not there."""
        self._check(hole, least=POT)
        return self.row(side)[hole - 1] if hole else self.pot(side)

    def in_play(self, side: Side) -> int:
        """Return how many beans lie in a side's holes."""
        return sum(self.row(side))

    @property
    def over(self) -> bool:
        """Whether a side has no beans in its holes, so that the game is over."""
        return not any(self.south) or not any(self.north)

    def margin(self, side: Side) -> int:
        """Return what is in a side's pot less what is in the other's."""
        return self.pot(side) - self.pot(side.other)

    def moves(self, side: Side) -> tuple[int, ...]:
        """Return the holes that a side may sow from."""
        return tuple(hole for hole, count in enumerate(self.row(side), 1) if count)

    def sow(self, side: Side, hole: int) -> Sowing:
        """Return what sowing the beans of a hole makes, before any capture.

        One by one, counterclockwise, into the own pot but never the other one, and into the hole they came from
        again if they come round to it. `ImpossibleMove` for a hole that is not there or has no beans.
        """
        self._check(hole, least=1)
        beans = self.beans(side, hole)
        if not beans:
            raise ImpossibleMove(f"Hole {hole} of {side.label} has no beans; {self._possible(side)}.")
        way = _way(self.holes, side)
        counts = [self.beans(*place) for place in way]
        at = way.index((side, hole))
        counts[at] = 0
        for _ in range(beans):
            at = (at + 1) % len(way)
            counts[at] += 1
        return Sowing(self._with(dict(zip(way, counts, strict=True))), *way[at])

    def _possible(self, side: Side) -> str:
        holes = ", ".join(map(str, self.moves(side)))
        return f"holes with beans are {holes}" if holes else "no hole of that side has"

    def captured(self, side: Side, last: tuple[Side, int], *, empty_capture: bool = False) -> int:
        """Return how many beans a last bean captures that fell there: itself and all in the hole opposite, or none."""
        where, hole = last
        if hole == POT or where is not side or self.beans(side, hole) != 1:
            return 0
        opposite = self.beans(side.other, hole)
        return opposite + 1 if opposite or empty_capture else 0

    def capture(self, side: Side, hole: int) -> "Board":
        """Return the board with the beans of an own hole and of the one opposite in the side's pot."""
        return self.moved_to_pot(side, hole, side).moved_to_pot(side.other, hole, side)

    def swept_side(self, side: Side) -> "Board":
        """Return the board with what is left in one side's holes in that side's pot."""
        rows = self.south, self.north
        kept = [(0,) * self.holes if side is row_side else row for row_side, row in zip(Side, rows, strict=True)]
        pots = [pot + (sum(row) if side is its else 0) for its, pot, row in zip(Side, self.pots, rows, strict=True)]
        return Board(kept[0], kept[1], (pots[0], pots[1]))

    def swept(self) -> "Board":
        """Return the board with what is left in the holes in the pots of the sides where it lies."""
        south, north = self.pots
        return Board((0,) * self.holes, (0,) * self.holes, (south + sum(self.south), north + sum(self.north)))

    def moved_to_pot(self, side: Side, hole: int, owner: Side) -> "Board":
        """Return the board with the beans of a hole in a pot."""
        self._check(hole, least=1)
        beans = self.beans(side, hole)
        return self._with({(side, hole): 0, (owner, POT): self.pot(owner) + beans})

    def with_beans(self, side: Side, hole: int, beans: int) -> "Board":
        """Return the board with so many beans in a hole, or in the pot for hole 0."""
        self._check(hole, least=POT)
        return self._with({(side, hole): beans})

    def _with(self, counts: dict[tuple[Side, int], int]) -> "Board":
        rows = [
            tuple(counts.get((side, hole), before) for hole, before in enumerate(self.row(side), 1)) for side in Side
        ]
        south, north = (counts.get((side, POT), self.pot(side)) for side in Side)
        return replace(self, south=rows[0], north=rows[1], pots=(south, north))

    def _check(self, hole: int, *, least: int) -> None:
        if type(hole) is not int or not least <= hole <= self.holes:
            pot = ", 0 for the pot" if least == POT else ""
            raise ImpossibleMove(f"There is no hole {hole!r}; holes are 1 to {self.holes}{pot}.")


def _way(holes: int, side: Side) -> list[tuple[Side, int]]:
    """Return the places that a side sows into, counterclockwise, beginning with the first hole of its own."""
    south = [(Side.SOUTH, hole) for hole in range(1, holes + 1)]
    north = [(Side.NORTH, hole) for hole in range(holes, 0, -1)]
    own, others = (south, north) if side is Side.SOUTH else (north, south)
    return [*own, (side, POT), *others]
