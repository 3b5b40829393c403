"""A full audit compared with PokerKit loading and replaying PHH files; the chain alone compared with `eventsourcing`.

The hands are alike: four seats, nobody raises or folds (in ``rising-ante`` the first seat makes the minimum bet), and
everyone draws 0 to 4 cards at random. PokerKit's hands are its no-limit single draw, written by PokerKit as one PHH
file; its time is that of loading the file and going through the states of every hand. The audit's hands are one game
in SQLite; its time is that of all that `pokersvc audit` does: six checks and the check of the file itself. The
aggregate is that of the benchmark `read`.
"""

import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from pokerkit import HandHistory, NoLimitDeuceToSevenLowballSingleDraw

from benchmarks.long_game import SEATS, choose, random_draws, started
from benchmarks.pokerkit_hands import AUTOMATIONS, finish
from benchmarks.read import aggregate
from benchmarks.table import markdown, verdict
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.service.read_models.history import rebuild

REQUIRED: Final = 1.5
CHAIN_REQUIRED: Final = 4.0
_EVENTS_A_HAND: Final = 25
_BATCH: Final = 10_000


def _played(hands: int) -> Iterator[Event]:
    """Yield the events of a game with this number of hands, from its start to its end."""
    source = EntropySource.fresh()
    entropy, draws = source.entropy(), cycle(random_draws(10_007))
    yield (start := started(source, rounds=hands))
    state = DRAW_POKER.new(start)
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None:
            seat = state.to_act
            assert seat is not None
            event = state.decide(choose(state, seat, state.legal(seat), draws))
        state.apply(event)
        yield event


def _write(database: Database, hands: int) -> int:
    """Write a game to a log, with its lists; return its number of events."""
    log, count = EventLog(database), 0
    batch: list[NewEvent] = []

    def flush() -> None:
        log.append("game", batch, expected=count, command_id=f"command-{count}", kind=DRAW_POKER.kind)

    for event in _played(hands):
        batch.append(NewEvent(*DRAW_POKER.codec.encode(event)))
        if len(batch) == _BATCH:
            flush()
            count, batch = count + len(batch), []
    if batch:
        flush()
    rebuild(database)
    return count + len(batch)


def _write_phh(path: Path, hands: int) -> None:
    """Write hands as PokerKit writes them."""
    game = NoLimitDeuceToSevenLowballSingleDraw(AUTOMATIONS, True, 0, (1, 2), 2)
    draws, histories = cycle(random_draws(10_007)), []
    for _ in range(hands):
        state = game(200, SEATS)
        finish(state, draws)
        histories.append(HandHistory.from_game_state(game, state))
    with path.open("wb") as file:
        HandHistory.dump_all(histories, file)


def _load_phh(path: Path) -> int:
    hands = 0
    with path.open("rb") as file:
        for hand in HandHistory.load_all(file):
            hands += 1
            for _ in hand:
                pass
    return hands


def _audited(database: Database, *, only_chain: bool = False) -> int:
    results = list(audit(database, ["game"] if only_chain else None, only_chain=only_chain))
    assert all(result.passed for result in results)
    return sum(result.events for result in results)


def run(*, quick: bool = False) -> str:
    """Measure both comparisons and return two tables of medians."""
    return f"{_whole(quick)}\n\n{_chain(quick)}"


def _whole(quick: bool) -> str:
    repetitions, count, kit_hands = (3, 20_000, 50) if quick else (3, 1_000_000, 500)
    hands = count // _EVENTS_A_HAND
    with tempfile.TemporaryDirectory() as folder, Database.for_writing(str(Path(folder, "log.sqlite"))) as database:
        phh = Path(folder, "hands.phhs")
        _write_phh(phh, kit_hands)
        events = _write(database, hands)
        ours, theirs = [], []
        for _ in range(repetitions):
            start = perf_counter()
            assert _load_phh(phh) == kit_hands
            theirs.append((perf_counter() - start) / kit_hands)
            start = perf_counter()
            assert _audited(database) == events
            ours.append((perf_counter() - start) / hands)
    ratio = median(slow / fast for fast, slow in zip(ours, theirs, strict=True))
    return markdown(
        f"A full audit of a game in SQLite at {SEATS} seats",
        ("side", "hands", "events", "µs per hand", "µs per event", "ratio"),
        [
            (
                "pokersvc audit, all checks",
                f"{hands:,}",
                f"{events:,}",
                f"{median(ours) * 1e6:.0f}",
                f"{median(ours) * hands / events * 1e6:.2f}",
                verdict(ratio, REQUIRED),
            ),
            ("PokerKit, PHH loaded and replayed", f"{kit_hands:,}", "", f"{median(theirs) * 1e6:.0f}", "", "1"),
        ],
        f"Medians of {repetitions} repetitions, both sides in turn.",
    )


def _chain(quick: bool) -> str:
    repetitions, count = (5, 2_000) if quick else (15, 10_000)
    with tempfile.TemporaryDirectory() as folder, Database.for_writing(str(Path(folder, "log.sqlite"))) as database:
        app, aggregate_id = aggregate(Path(folder, "aggregate.sqlite"), count)
        events = _write(database, count // _EVENTS_A_HAND)

        def get() -> int:
            version: int = app.repository.get(aggregate_id).version
            return version

        sides: dict[str, Callable[[], int]] = {
            "pokersvc audit --chain": lambda: _audited(database, only_chain=True),
            "eventsourcing, repository.get": get,
        }
        times: dict[str, list[float]] = {side: [] for side in sides}
        for _ in range(repetitions):
            for side, reading in sides.items():
                start = perf_counter()
                read = reading()
                times[side].append((perf_counter() - start) / read)
        app.close()
    chain, theirs = times.values()
    ratio = median(slow / fast for fast, slow in zip(chain, theirs, strict=True))
    rows = [
        (side, f"{events if taken is chain else count:,}", f"{median(taken) * 1e6:.2f}", told)
        for (side, taken), told in zip(times.items(), (verdict(ratio, CHAIN_REQUIRED), "1"), strict=True)
    ]
    return markdown(
        "The chain alone, from SQLite",
        ("side", "events", "µs per event", "ratio"),
        rows,
        f"Medians of {repetitions} repetitions, both sides in turn.",
    )
