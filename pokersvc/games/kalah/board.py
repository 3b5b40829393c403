"""The board: the beans in its holes and pots, how they are sown, and what a last bean captures.

Holes are numbered from 1 on both sides, from left to right; South's pot is on the right, North's on the left. Hole 0
stands for a side's pot.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.rules import check_size

POT: Final = 0
"""The number of a side's pot; holes are counted from 1."""


class Side(IntEnum):
    """One side of the board; its number is that of the seat that plays it."""

    SOUTH = 1
    NORTH = 2

    @property
    def other(self) -> "Side":
        """The opposite side."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH

    @property
    def label(self) -> str:
        """The name of the side.

        >>> Side.SOUTH.label
        'South'
        """
        return self.name.capitalize()


STORED_SIDES: Final = {Side.SOUTH: "South", Side.NORTH: "North"}
"""A side's name as stored in the history, which never changes; `Side.label` is the name that people see."""


class ImpossibleMove(InvalidValue):
    """The hole is not on the board, or has no beans."""

    code = "impossible_move"


class Sowing(NamedTuple):
    """The result of sowing: the board, and where the last bean fell (hole 0 is the sower's pot)."""

    board: "Board"
    side: Side
    hole: int


@dataclass(frozen=True, slots=True)
class Board:
    """Beans in holes and pots. Immutable: every change returns a new board."""

    south: tuple[int, ...]
    """South's holes, from hole 1."""
    north: tuple[int, ...]
    """North's holes, from hole 1; each lies opposite South's hole of the same number."""
    pots: tuple[int, int] = (0, 0)
    """South's pot and North's."""

    @classmethod
    def start(cls, holes: int, beans: int) -> "Board":
        """Return the board before the first move; raise `InvalidValue` for an impossible size.

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
        """The number of holes per side."""
        return len(self.south)

    @property
    def total(self) -> int:
        """The number of all beans, in holes and pots."""
        return sum(self.south) + sum(self.north) + sum(self.pots)

    def row(self, side: Side) -> tuple[int, ...]:
        """Return a side's holes, from hole 1."""
        return self.south if side is Side.SOUTH else self.north

    def pot(self, side: Side) -> int:
        """Return the number of beans in a side's pot."""
        return self.pots[side - 1]

    def beans(self, side: Side, hole: int) -> int:
        """Return the beans in a hole, or in the pot for hole 0; raise `ImpossibleMove` if there is no such hole."""
        self._check(hole, least=POT)
        return self.row(side)[hole - 1] if hole else self.pot(side)

    def in_play(self, side: Side) -> int:
        """Return the number of beans in a side's holes."""
        return sum(self.row(side))

    @property
    def over(self) -> bool:
        """Whether one side has no beans in its holes, which ends the game."""
        return not any(self.south) or not any(self.north)

    def margin(self, side: Side) -> int:
        """Return the beans in a side's pot less those in the other's."""
        return self.pot(side) - self.pot(side.other)

    def moves(self, side: Side) -> tuple[int, ...]:
        """Return the holes from which a side may sow."""
        return tuple(hole for hole, count in enumerate(self.row(side), 1) if count)

    def sow(self, side: Side, hole: int) -> Sowing:
        """Return the result of sowing the beans of a hole, before any capture.

        The beans are sown one by one, counterclockwise: into the side's own pot but never into the other, and again
        into the hole they came from if they get round to it. Raise `ImpossibleMove` if the hole does not exist or has
        no beans.
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
        """Return how many beans a last bean captures, given where it fell: itself and all opposite, or none."""
        where, hole = last
        if hole == POT or where is not side or self.beans(side, hole) != 1:
            return 0
        opposite = self.beans(side.other, hole)
        return opposite + 1 if opposite or empty_capture else 0

    def capture(self, side: Side, hole: int) -> "Board":
        """Return the board after the beans of a side's hole and of the opposite hole are moved to the side's pot."""
        return self.moved_to_pot(side, hole, side).moved_to_pot(side.other, hole, side)

    def swept_side(self, side: Side) -> "Board":
        """Return the board after the beans left in one side's holes are moved to that side's pot."""
        rows = self.south, self.north
        kept = [(0,) * self.holes if side is row_side else row for row_side, row in zip(Side, rows, strict=True)]
        pots = [pot + (sum(row) if side is its else 0) for its, pot, row in zip(Side, self.pots, rows, strict=True)]
        return Board(kept[0], kept[1], (pots[0], pots[1]))

    def swept(self) -> "Board":
        """Return the board after the beans left in the holes are moved to the pots of the sides on which they lie."""
        south, north = self.pots
        return Board((0,) * self.holes, (0,) * self.holes, (south + sum(self.south), north + sum(self.north)))

    def moved_to_pot(self, side: Side, hole: int, owner: Side) -> "Board":
        """Return the board after the beans of a hole are moved to the owner's pot."""
        self._check(hole, least=1)
        beans = self.beans(side, hole)
        return self._with({(side, hole): 0, (owner, POT): self.pot(owner) + beans})

    def with_beans(self, side: Side, hole: int, beans: int) -> "Board":
        """Return the board with the given number of beans in a hole, or in the pot for hole 0."""
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
    """Return the places into which a side sows, counterclockwise, beginning with its own first hole."""
    south = [(Side.SOUTH, hole) for hole in range(1, holes + 1)]
    north = [(Side.NORTH, hole) for hole in range(holes, 0, -1)]
    own, others = (south, north) if side is Side.SOUTH else (north, south)
    return [*own, (side, POT), *others]
