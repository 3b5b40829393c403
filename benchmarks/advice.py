"""Exact discards compared with Monte Carlo, in batches and over all deals, and the cost of the tables at first use.

The Monte Carlo in plain Python does what the founding programs do: for each of 32 discards, it draws live cards 20,000
times, ranks each final hand and adds up the linear values.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, combinations
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from benchmarks.table import markdown, verdict
from pokersvc.cards import CARDS, Card, arrays, ranking, strength
from pokersvc.cards.discards import (
    DISCARDS,
    SIZES,
    batch_best,
    batch_totals,
    category_counts,
    code_values,
    linear_values,
    rank_values,
    totals,
)
from pokersvc.cards.opponents import MOST_OPPONENTS, win_values
from pokersvc.cards.sampling import sampled
from pokersvc.cards.subsets import subsets_of_the_deck

SAMPLES: Final = 20_000
PLAIN_REQUIRED: Final = 30_000.0
VECTORISED_REQUIRED: Final = 1_000.0
BATCH_REQUIRED: Final = 5.0
ALL_HANDS_SECONDS: Final = 5.0
TABLES_SECONDS: Final = 2.0
TABLES_MIB: Final = 80e6 / 2**20


class Built(NamedTuple):
    """The cost of building every table, in a process that had only imported what it needs."""

    seconds: float
    resident: float
    """The growth of resident memory, in MiB."""
    peak: float
    """The largest growth while building, in MiB."""


def plain_monte_carlo(hand: Sequence[Card], samples: int, random: Random) -> list[float]:
    """Return the mean linear value of each discard, by random draws, one at a time in Python."""
    linear = ranking.by_strength().linear
    live = [card for card in CARDS if card not in hand]
    means = []
    for mask in range(DISCARDS):
        kept = [card for bit, card in enumerate(hand) if not mask >> bit & 1]
        size = SIZES[mask]
        total = sum(linear[strength(kept + random.sample(live, size))] for _ in range(samples))
        means.append(total / samples)
    return means


def build() -> Built:
    """Build every table that there is, and return what it cost."""
    before = _memory("VmRSS")
    start = perf_counter()
    ranking.by_strength()
    arrays.strengths([[0, 1, 2, 3, 4]])
    subsets_of_the_deck()
    for values in (linear_values(), code_values(), rank_values(), *map(win_values, range(1, MOST_OPPONENTS + 1))):
        totals(CARDS[:5], values)
    totals(CARDS[:5], win_values(1, (), CARDS[:5]))
    category_counts(CARDS[:5])
    return Built(perf_counter() - start, _memory("VmRSS") - before, _memory("VmHWM") - before)


def _memory(name: str) -> float:
    """Return a figure of this process's memory in MiB, or NaN if there is no /proc."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024


def own_chances(hand: Sequence[Card]) -> object:
    """Return the chances of a hand's discards against three opponents, whose deck lacks the hand's cards."""
    return totals(hand, win_values(3, (), hand))


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def run(*, quick: bool = False) -> str:
    """Measure everything and return the table of medians."""
    repetitions, plain_samples = (3, 1_000) if quick else (7, SAMPLES)
    random = Random(7)
    hands = [random.sample(CARDS, 5) for _ in range(2_000)]
    many = np.random.default_rng(7).permuted(np.tile(np.arange(52, dtype=np.uint8), (10_000, 1)), axis=1)[:, :5].copy()
    numbers = chain.from_iterable(combinations(range(52), 5))
    deals = np.fromiter(numbers, np.uint8, 5 * 2_598_960).reshape(-1, 5)
    linear = linear_values()
    times: dict[str, list[float]] = {name: [] for name in ("one", "plain", "vectorised", "batch", "own", "deals")}
    for repetition in range(repetitions + 1):
        hand = hands[repetition]
        times["one"].append(_timed(lambda: [totals(each, linear) for each in hands]) / len(hands))
        times["vectorised"].append(_timed(partial(sampled, hand, linear, SAMPLES, np.random.default_rng(7))))
        times["batch"].append(_timed(lambda: batch_totals(many, linear)) / len(many))
        times["own"].append(_timed(partial(own_chances, hand)))
        if repetition % 3 == 1:  # these take seconds
            plain = _timed(partial(plain_monte_carlo, hand, plain_samples, random))
            times["plain"].append(plain * SAMPLES / plain_samples)
            times["deals"].append(_timed(lambda: batch_best(deals, linear)))
    one, plain, vectorised, batch, own, all_deals = (
        median(of[1:] if len(of) > repetitions else of)
        for of in times.values()  # the first measurement of each warms up
    )
    built = _built(3 if quick else 7)
    rows = [
        ("32 exact values of one hand", f"{one * 1e6:.2f} µs", "1"),
        (f"plain Python, 32 × {SAMPLES:,} draws", f"{plain:.2f} s", verdict(plain / one, PLAIN_REQUIRED)),
        (
            f"vectorised in NumPy, 32 × {SAMPLES:,} draws",
            f"{vectorised * 1e3:.2f} ms",
            verdict(vectorised / one, VECTORISED_REQUIRED),
        ),
        ("a batch of 10,000 hands, each", f"{batch * 1e6:.2f} µs", verdict(one / batch, BATCH_REQUIRED)),
        ("chances to win that know the hand", f"{own * 1e3:.2f} ms", ""),
        ("best discard of all 2,598,960 deals", f"{all_deals:.2f} s", _limit(all_deals, ALL_HANDS_SECONDS, "s")),
        ("every table, at first use", f"{built.seconds:.2f} s", _limit(built.seconds, TABLES_SECONDS, "s")),
        ("resident memory they take", f"{built.resident:.1f} MiB", _limit(built.resident, TABLES_MIB, "MiB")),
        ("the peak while building", f"{built.peak:.1f} MiB", _limit(built.peak, TABLES_MIB, "MiB")),
    ]
    scaled = f" Plain Python drew {plain_samples:,} times and is scaled up." if plain_samples != SAMPLES else ""
    return markdown(
        "Advice on discards",
        ("what", "median", "ratio, or limit"),
        rows,
        f"Medians of {repetitions} repetitions, all in turn; of plain Python and all deals {len(times['plain'])}."
        f" Tables are those of every objective, of 1 to {MOST_OPPONENTS} opponents, built in fresh processes.{scaled}",
    )


def _built(times: int) -> Built:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        built = [pool.submit(build).result() for _ in range(times)]
    return Built(*(median(figures) for figures in zip(*built, strict=True)))


def _limit(measured: float, limit: float, unit: str) -> str:
    return f"required: under {limit:.3g} {unit}{'' if measured < limit else ', missed'}"
