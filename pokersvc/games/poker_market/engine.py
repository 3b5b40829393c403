"""Runs `kernels` in plain Python or, once a process has played many turns out, compiled by numba (extra ``fast``).

Both give the same answers and differ only in time. A process that makes only a few choices, such as a game at a
terminal, never waits for numba; and what numba has compiled is kept on the disk for the next process.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import Any, Final, NamedTuple

from pokersvc.cards.arrays import tables
from pokersvc.core.compiled import compile_kernels
from pokersvc.games.poker_market import kernels
from pokersvc.games.poker_market.trader import kernels as trader_kernels

COMPILED: Final = (
    "fill_rests", "with_card", "points_of", "points_after", "begin", "exchange", "judge", "appraise", "best_swap",
    "takes", "play_out", "weigh", "search", "place_after", "settled", "keep_better", "next_changing", "search_all",
)  # fmt: skip
"""The kernels that numba compiles."""
COMPILED_FOR_TRADER: Final = ("play_ahead", "look_ahead")
"""The kernels of the bot `trader` that numba compiles; they call the others."""

PATIENCE: Final = 200_000
"""The number of turns that a process plays out in plain Python, in some seconds, before it switches to numba."""


class KernelMarket(NamedTuple):
    """A market as three sequences of numbers, which the functions of `kernels` take: see `kernels.begin`."""

    cards: Any
    rests: Any
    keys: Any

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.keys)


class Appraisal(NamedTuple):
    """A swap as its proposer judges it, in the five numbers of `kernels.appraise`."""

    swap: int
    mine: int
    its: int
    gain: int
    passing: int


class Futures(NamedTuple):
    """Possible continuations of a market: each player's style, the random seed, and a weight."""

    styles: Sequence[Sequence[int]]
    """The style of each place, for each future."""
    heeds: Sequence[Sequence[int]]
    """How many times out of 32,768 each place, before the last round, accepts a swap that its style would accept."""
    chances: Sequence[int]
    """The seed of all random choices, 31 bits, for each future."""
    weights: Sequence[int]
    """How much each future counts."""


class Engine:
    """The kernels together with the kind of numbers they run on: Python's lists, or NumPy's arrays if compiled."""

    def __init__(
        self,
        functions: Any,
        look_ahead: Callable[..., int],
        known: tuple[Any, ...],
        numbers: Callable[[Sequence[int]], Any],
        rows: Callable[..., Any],
    ) -> None:
        self._run, self._look_ahead = functions, look_ahead
        self._tables, self._numbers, self._rows = known, numbers, rows

    def market(self, cards: Sequence[int]) -> KernelMarket:
        """Return a market from card numbers, five for each place in the order of turns."""
        players = len(cards) // 5
        found = KernelMarket(self._numbers(cards), *self._rows(1, 2 * len(cards)), *self._rows(1, players))
        self._run.begin(self._tables, *found)
        return found

    def after(self, market: KernelMarket, mover: int, swap: int) -> KernelMarket:
        """Return the market after a swap."""
        found = KernelMarket(*(part.copy() for part in market))
        self._run.exchange(self._tables, *found, mover, swap)
        return found

    def best_swap(self, market: KernelMarket, mover: int, styles: Sequence[int]) -> int:
        """Return the swap that the mover proposes if it knows the styles of all players; see `kernels.best_swap`."""
        return int(self._run.best_swap(self._tables, *market, mover, self._numbers(styles)))

    def appraise(self, market: KernelMarket, mover: int, least: int = 0) -> list[Appraisal]:
        """Return the appraisal of each swap that gives the mover a worth (`kernels.WORTH`) of at least ``least``."""
        (found,) = self._rows(1, 25 * 5 * (market.players - 1))
        count = self._run.appraise(self._tables, *market, mover, least, found)
        flat = self._flat(found[: 5 * count])
        return [Appraisal(*flat[at : at + 5]) for at in range(0, len(flat), 5)]

    @staticmethod
    def _flat(numbers: Any) -> list[int]:
        found: list[int] = numbers if isinstance(numbers, list) else numbers.tolist()
        return found

    def worth(self, market: KernelMarket, place: int) -> int:
        """Return a player's worth now: its points first, then the strength of its hand; see `kernels.WORTH`."""
        return int(kernels.points_of(market.keys, place) * kernels.WORTH + market.keys[place] // 16)

    def weigh(
        self,
        market: KernelMarket,
        mover: int,
        swaps: Sequence[int],
        styles: Sequence[int],
        chances: Sequence[int],
        turn: int,
        turns: int,
    ) -> list[int]:
        """Return, for each swap, each player's worth at the end, summed over the playouts; see `kernels.weigh`."""
        numbers, players = self._numbers, market.players
        (found,) = self._rows(1, len(swaps) * players)
        scratch = tuple(self._rows(1, len(part))[0] for part in (*market, market.keys))
        self._run.weigh(
            self._tables, *market, mover, numbers(swaps), numbers(styles), numbers(chances), turn, turns, scratch, found
        )
        return self._flat(found)

    def search(
        self,
        market: KernelMarket,
        mover: int,
        swaps: Sequence[int],
        styles: Sequence[int],
        turn: int,
        turns: int,
        nodes: int,
    ) -> list[int]:
        """Return, for each swap, twice each player's worth if the last turns are played perfectly: `kernels.search`."""
        numbers, players = self._numbers, market.players
        stack = self._stack(market, turns)
        (found,) = self._rows(1, len(swaps) * players)
        self._run.search_all(
            self._tables, *market, mover, numbers(swaps), numbers(styles), turn, turns, nodes, stack, found
        )
        return self._flat(found)

    def _stack(self, market: KernelMarket, turns: int) -> tuple[Any, ...]:
        levels, players = turns + 1, market.players
        rows = (*(len(part) for part in market), players, players)
        return (*(self._rows(levels, row) for row in rows), *self._rows(1, levels))

    def look_ahead(
        self,
        market: KernelMarket,
        mover: int,
        swaps: Sequence[int],
        futures: Futures,
        turn: int,
        turns: int,
        searched: int,
        work: int,
    ) -> list[list[float]]:
        """Return, for each swap, each player's mean worth at the end, in points; see `trader.kernels.look_ahead`."""
        numbers, players = self._numbers, market.players
        (found,) = self._rows(1, len(swaps) * players)
        styles, heeds = (numbers([one for row in rows for one in row]) for rows in (futures.styles, futures.heeds))
        weight = self._look_ahead(
            self._tables, *market, mover, numbers(swaps), styles, heeds, numbers(futures.chances),
            numbers(futures.weights), turn, turns, searched, work,
            self._stack(market, searched), (*self._rows(4, players),), found,
        )  # fmt: skip
        share = 1 / (2 * kernels.WORTH * weight)
        flat = [total * share for total in self._flat(found)]
        return [flat[at : at + players] for at in range(0, len(flat), players)]


def _rows_of_lists(count: int, length: int) -> list[list[int]]:
    return [[0] * length for _ in range(count)]


@cache
def plain() -> Engine:
    """Return the engine that needs only Python."""
    pairs, triples, strengths, width = tables()
    known = (pairs.tolist(), triples.tolist(), array("H", strengths.tobytes()), width)
    return Engine(kernels, trader_kernels.look_ahead, known, list, _rows_of_lists)


@cache
def compiled() -> Engine | None:
    """Return the engine compiled by numba, or None if numba is not installed."""
    functions = compile_kernels(kernels, COMPILED)
    if functions is None:
        return None
    for_trader = compile_kernels(trader_kernels, COMPILED_FOR_TRADER, functions)
    assert for_trader is not None  # as numba is installed
    import numpy as np

    return Engine(
        functions,
        for_trader.look_ahead,
        tuple(tables()),
        lambda numbers: np.array(numbers, np.int64),
        lambda count, length: np.zeros((count, length), np.int64),
    )


class _Patience:
    left: float = PATIENCE


def be_patient(turns: int | None) -> None:
    """Set how many turns this process plays out before it switches to numba: 0 to switch at once, None for never."""
    _Patience.left = inf if turns is None else turns


def engine(work: int) -> Engine:
    """Return the engine to play ``work`` turns out: plain until this process has used up `PATIENCE`, then compiled."""
    if _Patience.left > 0:
        _Patience.left -= work
        return plain()
    return compiled() or plain()
