"""Engines for searches: the kernels as plain Python or compiled by numba (extra ``fast``), with the same answers."""

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
    "sow", "perft", "rank", "endgame", "next_endgame", "fill_layer", "slot_of", "disguise", "find", "bounds_in",
    "store", "rehash", "expand", "put_first", "at_least",
)  # fmt: skip
"""The kernels that numba compiles, each after the kernels that it calls."""

WORD: Final = 62
"""The maximum number of bits that the holes of a side may take together in compiled kernels."""
MOST_ENDGAMES: Final = 150_000
"""The maximum number of positions in an endgame table: with 6 holes a side, all of up to 8 beans."""
MOST_FINISHED: Final = 31_000_000
"""Bots search to the end once at most this many positions have so few beans in play: with 6 holes a side, 16 beans."""
ROOM: Final = 2048
"""The length in sowings of a line of play for which a search has room at first; doubled when a line is longer."""
MOST_COUNTED: Final = 10_000_000
"""The maximum number of sequences of sowings that a kernel counts in one call: a moment's work if compiled."""
GROW: Final = 4
NEVER: Final = 1 << 60

SLOTS: Final = tuple(1 << bits for bits in range(12, 27, 2))
"""The sizes that a table may have, in entries of 24 bytes; each is four times the one before, the last 1.5 GiB."""

Watch = Callable[[int], None]
"""A function called from time to time with the number of sowings so far; if it raises an exception, the search ends."""


class LineTooLong(PokersvcError):
    """A game lasts longer than compiled code can follow."""

    code = "line_too_long"


class Position(NamedTuple):
    """A board as its mover sees it, for the kernels; see `pokersvc.games.kalah.kernels`."""

    own: int
    theirs: int
    beans: int


class Refinements(NamedTuple):
    """Options that make a search faster; only the endgame table may change its results: see `Engine.at_least`."""

    ordered: bool = True
    table: bool = True
    endgames: bool = True


REFINED: Final = Refinements()


class Variant(NamedTuple):
    """The facts of a game that a search needs: the holes per side, the number of all beans, and the capture rule."""

    holes: int
    beans: int
    empty_capture: bool = False

    @property
    def width(self) -> int:
        """The number of bits that hold the beans of one hole."""
        return max(1, self.beans.bit_length())

    @property
    def endgame_beans(self) -> int:
        """The maximum number of beans in play that the endgame table covers."""
        return self.most_beans(MOST_ENDGAMES)

    @property
    def finishing_beans(self) -> int:
        """The most beans in play with which bots search to the end: about as much work as a search 8 sowings ahead."""
        return self.most_beans(MOST_FINISHED)

    def most_beans(self, positions: int) -> int:
        """Return the largest number n for which at most ``positions`` positions have n beans or fewer in play."""
        most = 0
        while most < self.beans and comb(most + 1 + 2 * self.holes, 2 * self.holes) <= positions:
            most += 1
        return most

    @property
    def compilable(self) -> bool:
        """Whether a side's holes fit into the numbers of compiled kernels."""
        return self.holes * self.width <= WORD

    def pack(self, board: Board, side: Side) -> Position:
        """Return a board as seen by the side to move."""
        own, theirs = (self._word(self.sown_first(board.row(each), each)) for each in (side, side.other))
        return Position(own, theirs, board.in_play(side) + board.in_play(side.other))

    def sown_first(self, row: Sequence[int], side: Side) -> Sequence[int]:
        """Return a side's row in the order of sowing: from the hole farthest from the side's pot to the nearest."""
        return row if side is Side.SOUTH else row[::-1]

    def hole(self, index: int, side: Side) -> int:
        """Return the number that players see on a hole, given its place in the side's order of sowing, from 0."""
        return index + 1 if side is Side.SOUTH else self.holes - index

    def _word(self, counts: Sequence[int]) -> int:
        return sum(count << (index * self.width) for index, count in enumerate(counts))

    def sowings(self) -> list[int]:
        """Return the effect of each sowing, in the form that `kernels` describes."""
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


class KnownEndgames(NamedTuple):
    """Values of all positions with at most ``beans`` beans in play, by rank; those not yet known are `UNKNOWN`."""

    beans: int
    values: Any


class Engine:
    """Searches one game with the kernels, on one kind of numbers; remembers the positions that it has searched."""

    slice = 10_000
    """The maximum number of sowings between two calls of a `Watch`."""
    interruptible = True
    """Whether signals, such as that of Ctrl-C, are handled within a slice."""
    most_room: int | None = None
    """The maximum number of sowings in a line that a search can follow; None for no limit."""

    def __init__(
        self,
        game: Variant,
        functions: Any = kernels,
        numbers: Callable[[list[int]], Any] = list,
        *,
        refinements: Refinements = REFINED,
        most_slots: int = SLOTS[4],
        known: KnownEndgames | None = None,
    ) -> None:
        """Make an engine with an endgame table of its own or, if endgames are ``known``, with those."""
        self.game = game
        self._run, self._numbers, self._most_slots = functions, numbers, most_slots
        self._table_wanted = refinements.table
        few = game.endgame_beans if refinements.endgames else -1
        if known is not None:
            few = known.beans
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
                    -1 if known is None else known.beans,
                ]
            ),
            numbers(game.sowings()),
            numbers(binomials or [0]),
        )
        self._room = ROOM
        self._make_room()
        self._tallies = numbers([0, 0, 0, NEVER, 0])
        if known is None:
            self._endgames = numbers([kernels.UNKNOWN] * comb(few + places, places) if few >= 0 else [0])
        else:
            self._endgames = known.values
        self.clear()

    @property
    def nodes(self) -> int:
        """The number of sowings made since the engine was created."""
        return int(self._tallies[SOWN])

    @property
    def horizons(self) -> int:
        """The number of positions at which searches stopped at their depth limit since the engine was created."""
        return int(self._tallies[kernels.HORIZON])

    def clear(self) -> None:
        """Forget everything searched except endgames."""
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
        """Return a bound of the value of a position that is not over; see `kernels.at_least`.

        Positions with few beans have their exact value at every depth, unless the engine has no endgame table. Raise
        `LineTooLong` if there is no room for a longer line.
        """
        while True:  # a paused search starts again from the root: its results are in the table
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
            return NEVER  # without a table, a pause would lose all results
        growing = self._slots if self._slots < self._most_slots else NEVER
        return min(growing, self.slice if watched or not self.interruptible else NEVER)

    def _grow(self) -> None:
        if 0 < self._slots < self._most_slots and self._tallies[kernels.STORED] * GROW > self._slots:
            self._resize(next(size for size in SLOTS if size > self._slots))

    def _resize(self, slots: int) -> None:
        old = self._table
        self._set_table(slots)
        self._run.rehash(old, self._memory, self._slots)

    def fill_layer(self, beans: int) -> None:
        """Compute the endgames with a number of beans in play; those with fewer have been computed."""
        counts = self._numbers([beans] + [0] * (2 * self.game.holes - 1))
        self._run.fill_layer(self._rules, self._memory, counts)

    def perft(self, position: Position, depth: int) -> int:
        """Return the number of sequences of exactly ``depth`` sowings (1 or more); the position is not over."""
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
    """Raises the recursion limit so that plain Python can follow a line of ``sowings``; all threads share the limit."""

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
    """An engine that runs the kernels compiled by numba."""

    slice = 200_000
    interruptible = False
    most_room = 4 * ROOM  # half of what a stack of 8 MiB holds, and eight times the longest game seen

    def __init__(
        self,
        game: Variant,
        *,
        refinements: Refinements = REFINED,
        most_slots: int = SLOTS[5],
        known: KnownEndgames | None = None,
    ) -> None:
        import numpy as np

        functions = compiled()
        assert functions is not None
        super().__init__(
            game,
            functions,
            lambda numbers: np.array(numbers, np.int64),
            refinements=refinements,
            most_slots=most_slots,
            known=known,
        )

    def twin(self) -> "CompiledEngine":
        """Return another engine of the game, for another thread, which shares the table and the endgames.

        The table first takes its greatest size, because it cannot grow once it is shared.
        """
        if self._slots < self._most_slots:
            self._resize(self._most_slots)
        found = CompiledEngine(self.game, most_slots=self._most_slots, known=KnownEndgames(-1, self._endgames))
        found._rules = (self._rules[0].copy(), *self._rules[1:])
        found._table = self._table
        return found

    def _set_table(self, slots: int) -> None:
        import numpy as np

        super()._set_table(0)
        self._table = np.zeros(3 * (slots + 1), np.int64)
        self._rules[0][kernels.SLOTS] = slots


@cache
def compiled() -> Any | None:
    """Return the kernels compiled by numba, or None if numba is not installed."""
    return compile_kernels(kernels, COMPILED, nogil=True)


def fast(game: Variant) -> bool:
    """Return whether compiled kernels can search a game here."""
    return game.compilable and compiled() is not None


def engine(game: Variant, *, most_slots: int | None = None, known: KnownEndgames | None = None) -> Engine:
    """Return the fastest engine available for a game, with a table that grows up to ``most_slots`` entries."""
    kind = CompiledEngine if fast(game) else Engine
    return kind(game, known=known) if most_slots is None else kind(game, most_slots=most_slots, known=known)


class Engines:
    """A pool of engines for threads: one thread at a time uses an engine, and the last two used are kept."""

    def __init__(self, make: Callable[[Variant], Engine]) -> None:
        self._make = make
        self._lock = Lock()
        self._idle: list[Engine] = []

    @contextmanager
    def of(self, game: Variant) -> Iterator[Engine]:
        """Lend an engine for a game during a ``with`` block: if possible one from the pool, with what it remembers."""
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
        """Drop the engines in the pool."""
        with self._lock:
            self._idle = []
