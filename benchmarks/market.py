"""Markets of four seats and five rounds, played by bots in memory: with numba (extra `fast`) and without.

The time is the processor time of all that a tournament does for a market that it does not store: the dealer's events,
views, legal actions, choices, and applying them. numba compiles before that; the time that it takes is below the table.
"""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Final

from benchmarks.table import markdown
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.poker_market import POKER_MARKET, engine

REPETITIONS: Final = 7
REQUIRED: Final = {
    ("rank", True): "at least 200",
    ("rank", False): "at least 30",
    ("rollout", True): "under 0.15 s",
    ("rollout", False): "under 5 s",
}


def play(kind: str, text: str) -> None:
    """Play a market to its end."""
    source = EntropySource.from_text(text)
    seats = tuple(Seat(kind, f"Player{number}") for number in range(1, 5))
    state = POKER_MARKET.new(POKER_MARKET.start(Setup(seats, source)))
    entropy, player, seq = source.entropy(), POKER_MARKET.players[kind], 1
    while state.outcome is None:
        seq += 1
        if (seat := state.to_act) is None:
            event = state.dealer_event(entropy)
            assert event is not None  # the game is not over
        else:
            action = player().choose(state.view(seat), state.legal(seat), source.program_random(seat, seq))
            event = state.decide(action)
        state.apply(event)


def measured(kind: str, markets: int) -> float:
    """Return the seconds that a market takes: the median of some repetitions."""

    def timed(run: Callable[[], None]) -> float:
        before = process_time()
        run()
        return process_time() - before

    def some() -> None:
        for market in range(markets):
            play(kind, f"market {market}")

    return median(timed(some) for _ in range(REPETITIONS)) / markets


def run(*, quick: bool) -> str:
    """Return the table of both kinds of players, with numba and without."""
    if engine.compiled() is None:
        raise SystemExit("numba is missing; this benchmark needs the extra `fast`.")
    rows = []
    loading = 0.0
    for fast in (True, False):
        engine.be_patient(0 if fast else None)
        before = process_time()
        for kind in ("rank", "rollout"):
            play(kind, "warm")
        loading = loading or process_time() - before
        for kind, markets in (("rank", 40), ("rollout", 4 if fast else 1)):
            seconds = measured(kind, 1 if quick else markets)
            needed = REQUIRED[kind, fast]
            rows.append(
                (
                    kind,
                    "with numba" if fast else "without",
                    f"{seconds * 1000:.2f}" + (f" (required: {needed})" if needed.startswith("under") else ""),
                    f"{1 / seconds:,.1f}" + (f" (required: {needed})" if needed.startswith("at") else ""),
                )
            )
    return markdown(
        "The Poker Market at 4 seats and 5 rounds, one kind of player at all seats",
        ("players", "", "ms a market", "markets/s"),
        rows,
        f"Processor time, medians of {REPETITIONS} repetitions; loading or compiling the kernels took {loading:.1f} s.",
    )
