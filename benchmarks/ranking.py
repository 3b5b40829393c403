"""Ranking hands: a million at once compared with phevaluator, and one in plain Python compared with treys."""

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

import numpy as np
import treys
from phevaluator import evaluate_cards

from benchmarks.table import markdown, verdict
from pokersvc.cards import CARDS, strength
from pokersvc.cards.arrays import strengths

REQUIRED_ARRAYS: Final = 20.0
REQUIRED_ONE: Final = 1.0


def run(*, quick: bool = False) -> str:
    """Measure all sides in turn and return the table of medians."""
    repetitions, many, few = (5, 100_000, 5_000) if quick else (15, 1_000_000, 50_000)
    random = Random(7)
    hands = [random.sample(range(52), 5) for _ in range(few)]
    array = np.random.default_rng(7).permuted(np.tile(np.arange(52, dtype=np.uint8), (many, 1)), axis=1)[:, :5].copy()
    cards = [[CARDS[number] for number in hand] for hand in hands]
    theirs = [[treys.Card.new(card.notation) for card in hand] for hand in cards]
    evaluate = treys.Evaluator().evaluate
    boards = [(hand[:2], hand[2:]) for hand in theirs]  # treys takes two cards of a player and a board
    sides: dict[str, tuple[Callable[[], object], int]] = {
        f"pokersvc, an array of {many:,}": (partial(strengths, array), many),
        "phevaluator, evaluate_cards on integers": (lambda: [evaluate_cards(*hand) for hand in hands], few),
        "pokersvc, one hand in Python": (lambda: [strength(hand) for hand in cards], few),
        "treys, evaluate on its own integers": (lambda: [evaluate(hand, board) for hand, board in boards], few),
    }
    times: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(repetitions + 1):
        for side, (work, count) in sides.items():
            start = perf_counter()
            work()
            times[side].append((perf_counter() - start) / count)
    measured = [of[1:] for of in times.values()]  # the first measurement of each warms up
    ratios = [median(slow / fast for fast, slow in zip(measured[at], measured[at + 1], strict=True)) for at in (0, 2)]
    verdicts = [verdict(ratios[0], REQUIRED_ARRAYS), "1", verdict(ratios[1], REQUIRED_ONE), "1"]
    rows = [(side, f"{median(of) * 1e9:,.1f}", said) for side, of, said in zip(sides, measured, verdicts, strict=True)]
    return markdown(
        "Ranking hands",
        ("side", "ns per hand", "ratio"),
        rows,
        f"Medians of {repetitions} repetitions, all sides in turn; each pair is compared.",
    )
