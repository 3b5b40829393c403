"""A check of endgame databases by independent code, which sows bean by bean and takes no value from a search.

A value is right if it is the best move's, by the values of the positions after the moves. Values of positions that are
over follow from the rules, and every move leads to fewer beans in play or brings the mover's beans nearer to its pot.
So if this holds for every position, all values are right.
"""

import sys
from collections.abc import Callable
from functools import cache
from math import comb
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeAlias

from pokersvc.core.compiled import compile_kernels
from pokersvc.games.kalah.engine import compiled
from pokersvc.games.kalah.perfect_play.endgames import Endgames, WrongEndgames

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.int64]"
"""An array of whole numbers."""
Values: TypeAlias = "NDArray[np.int8]"
"""The values of positions, by their ranks."""
COMPILED: Final = ("rank_of", "sown", "best_of", "first_wrong")
"""The functions that numba compiles, each after those that it calls."""


def rank_of(counts: Numbers, binomials: Numbers) -> int:
    """Return the rank of a position from the beans in its holes."""
    total = found = 0
    for hole in range(len(counts)):
        total += counts[hole]
        found += binomials[total + hole, hole + 1]
    return found


def sown(counts: Numbers, hole: int, empty_capture: bool, after: Numbers) -> int:
    """Sow from one of the mover's holes; write the resulting holes to ``after``, as the mover sees them.

    Return the beans that came into the mover's pot, less 1,000 if the mover moves again.
    """
    places = len(counts)
    holes = places // 2
    for at in range(places):
        after[at] = counts[at]
    after[hole] = 0
    at, gain = hole, 0
    for _ in range(counts[hole]):
        at = (at + 1) % (places + 1)
        if at == holes:
            gain += 1
        else:
            after[at if at < holes else at - 1] += 1
    if at == holes:
        return gain - 1000
    if at < holes and after[at] == 1:
        across = places - 1 - at
        if after[across] > 0 or empty_capture:
            gain += 1 + after[across]
            after[at] = after[across] = 0
    return gain


def best_of(
    counts: Numbers, values: Values, binomials: Numbers, empty_capture: bool, after: Numbers, turned: Numbers
) -> int:
    """Return the value of a position by those of the positions after its moves."""
    places = len(counts)
    holes = places // 2
    own = theirs = 0
    for hole in range(holes):
        own += counts[hole]
        theirs += counts[holes + hole]
    if own == 0 or theirs == 0:
        return int(own - theirs)
    best = -1000
    for hole in range(holes):
        if counts[hole] == 0:
            continue
        gain = sown(counts, hole, empty_capture, after)
        if gain < 0:
            gain += 1000
            value = gain + values[rank_of(after, binomials)]
        else:
            for at in range(places):
                turned[at] = after[(at + holes) % places]
            value = gain - values[rank_of(turned, binomials)]
        best = max(best, value)
    return best


def first_wrong(
    counts: Numbers, values: Values, binomials: Numbers, empty_capture: bool, after: Numbers, turned: Numbers
) -> int:
    """Return the rank of a wrong value among the positions with as many beans as ``counts`` has; -1 if none is wrong.

    In ``counts``, all beans lie in the first hole.
    """
    while True:
        at = rank_of(counts, binomials)
        if values[at] != best_of(counts, values, binomials, empty_capture, after, turned):
            return int(at)
        hole = 0
        while hole < len(counts) - 1 and counts[hole] == 0:
            hole += 1
        if hole == len(counts) - 1:
            return -1
        left = counts[hole] - 1
        counts[hole] = 0
        counts[0] = left
        counts[hole + 1] += 1


def check(endgames: Endgames, told: Callable[[int], object] | None = None) -> None:
    """Compute every value of a database again, from the values after its moves; raise `WrongEndgames` if any differs.

    ``told`` is given the number of positions checked, after each layer.
    """
    import numpy as np

    of, places = endgames.of, 2 * endgames.of.holes
    values = endgames.known(compiled=True).values
    binomials = np.array([[comb(top, below) for below in range(places + 1)] for top in range(of.beans + places)])
    functions = _compiled() if compiled() is not None else None
    run = first_wrong if functions is None else functions.first_wrong
    for beans in range(of.beans + 1):
        counts, after, turned = (np.zeros(places, np.int64) for _ in range(3))
        counts[0] = beans
        wrong = run(counts, values, binomials, of.empty_capture, after, turned)
        if wrong >= 0:
            raise WrongEndgames(
                f"In {of.name} the value {values[wrong]} of position {wrong:,} is not that of its best move;"
                " remove the file, and build it again."
            )
        if told is not None:
            told(of.before(beans + 1))


@cache
def _compiled() -> SimpleNamespace | None:
    return compile_kernels(sys.modules[__name__], COMPILED)
