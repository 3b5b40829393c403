"""Simulated win rates at every number of opponents, in the first, middle and last seat; stored as JSON.

The table is `late_draws.json`; a test holds the advice to it. Opponents throw away what wins most often by the table
that knows neither their seat nor their cards, and no more than can be dealt; nobody folds. Of each hand those
discards are played that were near the best in a first run of all of them. Cases that the file has are not played again;
more deals, or a removed file, make all anew:

    python -m tests.cards.late_draws [--deals 1200000] [--processes 1]
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import CARDS, parse_cards
from pokersvc.cards.arrays import tables
from pokersvc.cards.discards import SIZES, batch_best
from pokersvc.cards.opponents import win_values
from pokersvc.core.compiled import compile_kernels
from tests.cards import dealt
from tests.cards.full_hands import HANDS as CHOSEN

FILE: Final = Path(__file__).parent / "late_draws.json"
DEALS: Final = 1_200_000
RARE: Final = 100_000
HANDS: Final = (
    *CHOSEN,
    "AC 2D 3H 4S 9C",
    *(" ".join(map(str, Random(f"late draws {number}").sample(CARDS, 5))) for number in range(24)),
)
"""Fifteen hands that are hard to judge, one that was once misjudged in the last seat, and random ones."""

FIRST_RUN: Final = 8_000
NEAR: Final = 0.02
"""Discards that the first run finds less good than the best by no more than this are played."""
AT_MOST: Final = 4


class Case(NamedTuple):
    """A hand, its opponents, how many of them draw before it, and how many cards these drew, if known."""

    hand: str
    opponents: int
    before: int
    drew: tuple[int, ...] = ()


class Won(NamedTuple):
    """The simulated win rate of a discard, with its standard error."""

    mean: float
    error: float


def unconditional() -> Iterator[Case]:
    """Return every hand against 1 to 9 opponents in the first, middle and last seat."""
    for opponents in range(9, 0, -1):
        for before in sorted({0, (opponents + 1) // 2, opponents}):
            for hand in HANDS:
                yield Case(hand, opponents, before)


def conditional() -> Iterator[Case]:
    """Yield cases in the middle and last seat in which it is known how many cards opponents drew."""
    for hand in (*HANDS[:8], *HANDS[15:16]):
        for drew in range(6):
            yield Case(hand, 1, 1, (drew,))
        yield from (Case(hand, 3, len(drew), drew) for drew in ((1, 3, 3), (3, 2, 4), (2,)))
        yield from (Case(hand, 6, len(drew), drew) for drew in ((3, 3, 4, 1), (1, 4)))
        yield Case(hand, 8, 3, (3, 3, 1))
        yield Case(hand, 9, 3, (2, 1, 2))


def dealable(opponents: int) -> int:
    """Return the maximum number of cards a player may draw if nobody has folded."""
    return min(5, 52 - 5 * (opponents + 1))


@cache
def policy(opponents: int) -> NDArray[np.uint8]:
    """Return the discard of good players for every hand, in the order of `dealt.place`, as bits of ascending cards."""
    hands = np.array([hand[::-1] for hand in combinations(range(51, -1, -1), 5)], np.uint8)[::-1]
    return batch_best(hands, win_values(opponents), dealable(opponents))


@cache
def _compiled() -> SimpleNamespace:
    found = compile_kernels(dealt, dealt.COMPILED)
    if found is None:
        raise SystemExit("Deals by the million need numba: pip install 'pokersvc[fast]'.")
    return found


def play(case: Case, masks: Sequence[int], deals: int, seed: int, functions: Any = None) -> list[Won]:
    """Return the simulated win rate of each discard of a case."""
    own = np.array([card.number for card in parse_cards(case.hand)])
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(52)])
    asked = np.array([*case.drew, *[-1] * (case.opponents - len(case.drew))])
    known = tables()
    won, squares = np.zeros(len(masks)), np.zeros(len(masks))
    (functions or _compiled()).play(
        own, np.array(masks), case.opponents, case.before, asked, deals, seed, choose, policy(case.opponents),
        np.array(SIZES), known.pairs, known.triples, known.strengths, known.width, won, squares,
    )  # fmt: skip
    means = won / deals
    return [
        Won(float(mean), sqrt((square / deals - mean**2) / deals)) for mean, square in zip(means, squares, strict=True)
    ]


def near_the_best(case: Case) -> list[int]:
    """Return the discards of a case that may be the best, by a first run of all that are possible."""
    masks = [mask for mask in range(32) if SIZES[mask] <= dealable(case.opponents)]
    won = dict(zip(masks, play(case, masks, FIRST_RUN, 1), strict=True))
    best = max(of.mean for of in won.values())
    near = [mask for mask in masks if won[mask].mean >= best - NEAR]
    return sorted(near, key=lambda mask: -won[mask].mean)[:AT_MOST]


def played(asked: tuple[Case, int]) -> dict[str, Any]:
    """Return a case with its simulated results, as it is stored."""
    case, deals = asked
    masks = near_the_best(case)
    won = play(case, masks, deals, 2)
    return {
        **case._asdict(),
        "deals": deals,
        "won": {str(mask): [round(of.mean, 5), round(of.error, 5)] for mask, of in zip(masks, won, strict=True)},
    }


def kept() -> list[dict[str, Any]]:
    """Return the stored table."""
    rows: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else []
    return rows


def case_of(row: dict[str, Any]) -> Case:
    """Return the case of a row of the table."""
    return Case(row["hand"], row["opponents"], row["before"], tuple(row["drew"]))


def deals_for(case: Case, deals: int) -> int:
    """Return the number of deals for a case; at most `RARE` if its opponents' draws occur in few deals only."""
    rare = len(case.drew) > 2 or {0, 5} & set(case.drew)
    return min(deals, RARE) if rare else deals


def write(rows: Sequence[dict[str, Any]]) -> None:
    """Store the table, one row per line."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")


def main() -> None:
    """Simulate the cases that the stored table lacks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    found = {case_of(row): row for row in kept()}
    cases = [*unconditional(), *conditional()]
    todo = [(case, deals_for(case, chosen.deals)) for case in cases]
    todo = [(case, deals) for case, deals in todo if case not in found or found[case]["deals"] < deals]
    with ProcessPoolExecutor(chosen.processes) as pool:
        for number, row in enumerate(pool.map(played, todo), start=1):
            found[case_of(row)] = row
            if number % 20 == 0 or number == len(todo):
                write([found[case] for case in cases if case in found])
                print(f"{number} of {len(todo)}", flush=True)


if __name__ == "__main__":
    main()
