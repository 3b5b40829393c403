"""Whole hands in memory: the cost of one decision here and in PokerKit.

Both sides shuffle, deal, bet, draw and pay out at four seats. A decision is a player's bet, check, call or discard, and
its time includes its share of all that the dealer does. Nobody raises or folds: in ``rising-ante`` the first seat must
bet, so it makes the minimum bet and the others call; in PokerKit all check or call. Everyone discards 0 to 4 cards at
random, at the same positions on both sides. One row keeps nothing for views, as an audit does; the other keeps the
record of the last 1,000 rounds, which views are made from.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks import pokerkit_hands
from benchmarks.long_game import SEATS, choose, random_draws, started
from benchmarks.table import markdown, verdict
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.games.draw_poker import DRAW_POKER

REQUIRED: Final = 8.0


def play(hands: int, draws: Iterator[tuple[int, ...]], *, keeping: bool = False) -> int:
    """Play hands through the contract of a game, as the service does; return the number of decisions."""
    source = EntropySource.fresh()
    entropy = source.entropy()
    state = DRAW_POKER.new(started(source, rounds=hands))
    if not keeping:
        state.record.stop()
    decisions = 0
    while True:
        event = state.dealer_event(entropy)
        if event is None:
            seat = state.to_act
            if seat is None:
                return decisions
            event = state.decide(choose(state, seat, state.legal(seat), draws))
            decisions += 1
        state.apply(event)


def run(*, quick: bool = False) -> str:
    """Measure both sides in turn, many times over, and return the table of medians."""
    repetitions, our_hands, their_hands = (5, 300, 30) if quick else (25, 1500, 150)
    draws = random_draws(10_007)
    sides: dict[str, tuple[Callable[[int, Iterator[tuple[int, ...]]], int], int]] = {
        "pokersvc, rising-ante": (play, our_hands),
        "the same, keeping the record for views": (partial(play, keeping=True), our_hands),
        "PokerKit, no-limit single draw": (pokerkit_hands.play, their_hands),
    }
    times: dict[str, list[float]] = {side: [] for side in sides}
    decisions = dict.fromkeys(sides, 0)
    for playing, hands in sides.values():  # warm up
        playing(hands // 10, cycle(draws))
    for _ in range(repetitions):
        for side, (playing, hands) in sides.items():
            start = perf_counter()
            made = playing(hands, cycle(draws))
            times[side].append((perf_counter() - start) / made)
            decisions[side] += made
    theirs = times["PokerKit, no-limit single draw"]
    ratios = {side: median(slow / fast for fast, slow in zip(own, theirs, strict=True)) for side, own in times.items()}
    rows = [
        (
            side,
            f"{hands * repetitions:,}",
            f"{decisions[side]:,}",
            f"{median(times[side]) * 1e6:.2f}",
            "1" if times[side] is theirs else verdict(ratios[side], REQUIRED),
        )
        for side, (_, hands) in sides.items()
    ]
    return markdown(
        f"Whole hands at {SEATS} seats, events made and applied in memory",
        ("side", "hands", "decisions", "µs per decision", "ratio"),
        rows,
        f"Medians of {repetitions} repetitions, both sides in turn.",
    )
