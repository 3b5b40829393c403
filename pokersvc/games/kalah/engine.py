"""Where searches run: the kernels as plain Python, and compiled by numba (extra ``fast``), with the same answers."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import comb
from threading import Lock
from typing import Any, ClassVar, Final, NamedTuple

from pokersvc.core.compiled import compile_kernels
from pokersvc.errors import PokersvcError
from pokersvc.games.kalah import kernels
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.kernels import LIMIT, PAUSED, SOWN

COMPILED: Final = (
    "sow", "perft", "rank", "endgame", "slot_of", "find", "bounds_at", "store", "rehash", "expand", "put_first",
    "at_least",
)  # fmt: skip
"""The kernels that numba compiles, each after those that it calls."""

WORD: Final = 62
"""Bits that the holes of a side may take to be searched by compiled kernels."""
MOST_ENDGAMES: Final = 150_000
"""How many positions an endgame table may have: with 6 holes a side, all of up to 8 beans."""
MOST_FINISHED: Final = 31_000_000
"""How many positions there may be of as many beans as a player searches to the end: 16 beans with 6 holes a side."""
ROOM: Final = 2048
"""How many sowings from the root a search has room for at first; the room doubles as games turn out longer."""
MOST_COUNTED: Final = 10_000_000
"""How many sequences kernels may count in one call: a moment's work when compiled."""
GROW: Final = 4
NEVER: Final = 1 << 60

SLOTS: Final = tuple(1 << bits for bits in range(12, 27, 2))
"""The sizes of a table in entries of 24 bytes: it grows fourfold, to 1.5 GiB at most."""

Watch = Callable[[int], None]
"""Called from time to time with the sowings made so far; what it raises ends the search."""


class LineTooLong(PokersvcError):
    """A game that goes on for longer than compiled code can follow."""

    code = "line_too_long"


class Position(NamedTuple):
    """A board as its mover sees it, for the kernels; see there."""

    own: int
    theirs: int
    beans: int


class Refinements(NamedTuple):
    """What makes a search faster and never changes its values, the endgame table apart: see `Engine.at_least`."""

    ordered: bool = True
    table: bool = True
    endgames: bool = True


REFINED: Final = Refinements()


class Variant(NamedTuple):
    """What a search has to know of what is played: its holes a side, all its beans, and its rule."""

    holes: int
    beans: int
    empty_capture: bool = False

    @property
    def width(self) -> int:
        """How many bits a hole takes."""
        return max(1, self.beans.bit_length())

    @property
    def endgame_beans(self) -> int:
        """The most beans in play of which an endgame table knows."""
        return self._fewest(MOST_ENDGAMES)

    @property
    def finishing_beans(self) -> int:
        """The most beans in play with which a player always sees the end: about as much work as 8 sowings ahead."""
        return self._fewest(MOST_FINISHED)

    def _fewest(self, positions: int) -> int:
        """Return the most beans of which there are so many positions at most."""
        most = 0
        while most < self.beans and comb(most + 1 + 2 * self.holes, 2 * self.holes) <= positions:
            most += 1
        return most

    @property
    def compilable(self) -> bool:
        """Whether compiled kernels have room for a side."""
        return self.holes * self.width <= WORD

    def pack(self, board: Board, side: Side) -> Position:
        """Return a board as a side sees it that is to move."""
        own, theirs = (self._word(self.sown_first(board.row(each), each)) for each in (side, side.other))
        return Position(own, theirs, board.in_play(side) + board.in_play(side.other))

    def sown_first(self, row: Sequence[int], side: Side) -> Sequence[int]:
        """Return a row from the hole farthest from the side's pot to the nearest."""
        return row if side is Side.SOUTH else row[::-1]

    def hole(self, index: int, side: Side) -> int:
        """Return the number on the board of a hole by its index in the kernels."""
        return index + 1 if side is Side.SOUTH else self.holes - index

    def _word(self, counts: Sequence[int]) -> int:
        return sum(count << (index * self.width) for index, count in enumerate(counts))

    def sowings(self) -> list[int]:
        """Return what each sowing does, as `kernels` has it."""
        found: list[int] = []
        around = 2 * self.holes + 1
        for hole in range(self.holes):
            own = theirs = gain = 0
            at = hole
            found += (0, 0, 0, -1)
            for beans in range(1, self.beans + 1):
                at = (at + 1) % around
                if at < self.holes:
                    own += 1 << (at * self.width)
                elif at == self.holes:
                    gain += 1
                else:
                    theirs += 1 << ((at - self.holes - 1) * self.width)
                found += (own - (beans << (hole * self.width)), theirs, gain, at if at <= self.holes else -1)
        return found


class Engine:
    """The kernels on one kind of numbers, for one game; it remembers what it has searched."""

    slice = 10_000
    """Sowings between two calls of a watch."""
    interruptible = True
    """Whether signals, as that of Ctrl-C, are heard within a slice."""
    most_room: int | None = None
    """The most sowings from the root that there can be room for."""

    def __init__(
        self,
        game: Variant,
        functions: Any = kernels,
        numbers: Callable[[list[int]], Any] = list,
        *,
        refinements: Refinements = REFINED,
        most_slots: int = SLOTS[4],
    ) -> None:
        self.game = game
        self._run, self._numbers, self._most_slots = functions, numbers, most_slots
        self._table_wanted = refinements.table
        few = game.endgame_beans if refinements.endgames else -1
        places = 2 * game.holes
        binomials = [comb(place, index + 1) for place in range(few + places) for index in range(places)]
        self._rules = (
            numbers(
                [
                    game.holes,
                    game.width,
                    (1 << game.width) - 1,
                    int(game.empty_capture),
                    game.beans + 1,
                    few,
                    0,
                    int(refinements.ordered),
                ]
            ),
            numbers(game.sowings()),
            numbers(binomials or [0]),
        )
        self._room = ROOM
        self._make_room()
        self._tallies = numbers([0, 0, 0, NEVER, 0])
        self._endgames = numbers([kernels.UNKNOWN] * comb(few + places, places) if few >= 0 else [0])
        self.clear()

    @property
    def nodes(self) -> int:
        """How many sowings were made since the engine is there."""
        return int(self._tallies[SOWN])

    @property
    def horizons(self) -> int:
        """How many positions were given up at a horizon since the engine is there."""
        return int(self._tallies[kernels.HORIZON])

    def clear(self) -> None:
        """Forget what was searched, but for endgames."""
        self._set_table(SLOTS[0] if self._table_wanted else 0)

    def _double_room(self) -> None:
        if self._room == self.most_room:
            raise LineTooLong(f"Compiled code cannot follow a game for more than {self._room:,} sowings.")
        self._room *= 2
        self._make_room()

    def _make_room(self) -> None:
        self._work = self._numbers([0] * (self._room * self.game.holes * kernels.CHILD))

    def _set_table(self, slots: int) -> None:
        self._table = self._numbers([0] * (3 * (slots + 1)))
        self._rules[0][kernels.SLOTS] = slots
        self._tallies[kernels.STORED] = 0

    @property
    def _slots(self) -> int:
        return int(self._rules[0][kernels.SLOTS])

    @property
    def _memory(self) -> tuple[Any, ...]:
        return self._table, self._work, self._tallies, self._endgames

    def at_least(self, position: Position, depth: int, target: int, watch: Watch | None = None) -> int:
        """Return a bound of the value of a position that is not over: see `kernels.at_least`.

        Positions with few beans have their exact value at every depth, unless the engine is without endgames.
        `LineTooLong` where there is no room for a longer line.
        """
        while True:  # a search that paused goes on from the root: what it has found is in the table
            self._grow()
            self._tallies[LIMIT] = self.nodes + self._pause_after(watched=watch is not None)
            with _DeepRecursion(self._room):
                found = int(self._run.at_least(self._rules, self._memory, *position, depth, target, 0))
            paused, self._tallies[PAUSED] = int(self._tallies[PAUSED]), 0
            if not paused:
                return found
            if paused == kernels.TOO_LONG:
                self._double_room()
            if watch is not None:
                watch(self.nodes)

    def _pause_after(self, *, watched: bool) -> int:
        if not self._slots:
            return NEVER  # nothing would be left of what was found
        growing = self._slots if self._slots < self._most_slots else NEVER
        return min(growing, self.slice if watched or not self.interruptible else NEVER)

    def _grow(self) -> None:
        if 0 < self._slots < self._most_slots and self._tallies[kernels.STORED] * GROW > self._slots:
            old = self._table
            self._set_table(next(size for size in SLOTS if size > self._slots))
            self._run.rehash(old, self._memory, self._slots)

    def perft(self, position: Position, depth: int) -> int:
        """Return how many sequences of exactly so many sowings (1 or more) there are; the position is not over."""
        return self._perft(position.own, position.theirs, depth)

    def _perft(self, own: int, theirs: int, depth: int) -> int:
        holes, width = self.game.holes, self.game.width
        if holes**depth <= MOST_COUNTED:
            return int(self._run.perft(self._rules, own, theirs, depth))
        numbers, sowings, _ = self._rules
        total = 0
        for hole in range(holes):
            if own >> (hole * width) & ((1 << width) - 1):
                mine, yours, _, again = self._run.sow(numbers, sowings, own, theirs, hole)
                if mine and yours:
                    total += self._perft(mine, yours, depth - 1) if again else self._perft(yours, mine, depth - 1)
        return total


class _DeepRecursion:
    """Lets plain Python follow a line of so many sowings; the limit is that of all threads."""

    _lock: ClassVar = Lock()
    _wanted: ClassVar[list[int]] = []
    _before: ClassVar = 0

    def __init__(self, sowings: int) -> None:
        self._limit = sowings + 2000

    def __enter__(self) -> None:
        with self._lock:
            if not self._wanted:
                _DeepRecursion._before = sys.getrecursionlimit()
            self._wanted.append(self._limit)
            self._set()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._wanted.remove(self._limit)
            self._set()

    def _set(self) -> None:
        sys.setrecursionlimit(max(self._before, *self._wanted, 0))


class CompiledEngine(Engine):
    """An engine on kernels that numba has compiled."""

    slice = 200_000
    interruptible = False
    most_room = 4 * ROOM  # half of what a stack of 8 MiB bears, and eight times the longest games seen

    def __init__(self, game: Variant, *, refinements: Refinements = REFINED, most_slots: int = SLOTS[5]) -> None:
        import numpy as np

        functions = compiled()
        assert functions is not None
        super().__init__(
            game,
            functions,
            lambda numbers: np.array(numbers, np.int64),
            refinements=refinements,
            most_slots=most_slots,
        )

    def _set_table(self, slots: int) -> None:
        import numpy as np

        super()._set_table(0)
        self._table = np.zeros(3 * (slots + 1), np.int64)
        self._rules[0][kernels.SLOTS] = slots


@cache
def compiled() -> Any | None:
    """Return the kernels that numba compiles, or None where numba is not installed."""
    return compile_kernels(kernels, COMPILED)


def fast(game: Variant) -> bool:
    """Tell whether a game can be searched by compiled kernels here."""
    return game.compilable and compiled() is not None


def engine(game: Variant, *, most_slots: int | None = None) -> Engine:
    """Return the fastest engine that there is for a game, with a table that grows to so many entries."""
    kind = CompiledEngine if fast(game) else Engine
    return kind(game) if most_slots is None else kind(game, most_slots=most_slots)


class Engines:
    """Engines for the threads that search: one is with one thread at a time, and the last two used wait for others."""

    def __init__(self, make: Callable[[Variant], Engine]) -> None:
        self._make = make
        self._lock = Lock()
        self._idle: list[Engine] = []

    @contextmanager
    def of(self, game: Variant) -> Iterator[Engine]:
        """Give an engine for a game, with what it remembers if there is one, while the context lasts."""
        found = self._taken(game) or self._make(game)
        try:
            yield found
        finally:
            with self._lock:
                self._idle = [*self._idle, found][-2:]

    def _taken(self, game: Variant) -> Engine | None:
        with self._lock:
            found = next((engine for engine in reversed(self._idle) if engine.game == game), None)
            if found is not None:
                self._idle.remove(found)
            return found

    def clear(self) -> None:
        """Forget the engines that wait."""
        with self._lock:
            self._idle = []
