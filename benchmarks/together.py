"""The cost of a common shuffle: a round of draw poker opened and dealt by the dealer alone, and together.

The service plays both on a database in memory, so the disk counts for neither. The time is the processor time from the
command that begins the next round to the first choice in it. Together, each share is another command. The protocol's
own steps are what `pokersvc.core.randomness.common_shuffle` does for all shares of a round, without a log: it checks
chains and signatures, and makes the seed.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Final, NamedTuple

from benchmarks.table import markdown
from pokersvc.core.randomness.common_shuffle import Awaited
from pokersvc.core.randomness.share_events import opened_event
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from tests.shuffling import TOGETHER, Table, Turned

_PEOPLE: Final = (2, 6)


class _Times(NamedTuple):
    """Processor times in seconds, one for each round."""

    alone: list[float]
    together: list[float]
    steps: list[float]
    device: list[float]
    """One time for each share, on its device."""


def run(*, quick: bool) -> str:
    """Measure both, and return the table."""
    rounds = 30 if quick else 300
    return markdown(
        "A round of draw poker opened and dealt, on a database in memory",
        ("people", "by the dealer alone", "together", "the protocol's steps in it", "a device's work for a share"),
        [_row(people, rounds) for people in _PEOPLE],
        "Processor time, medians.",
    )


def _row(people: int, rounds: int) -> tuple[str, ...]:
    times = _Times([], [], [], [])
    while len(times.together) < rounds:
        _alone(people, times)
        _together(people, times)
    return (str(people), *(f"{1000 * median(some):.2f} ms" for some in times))


def _table(people: int, settings: TableSettings) -> Table:
    clock = Turned()
    service = Service(EventLog(Database.for_writing(":memory:")), clock)
    return Table(service, clock, people=people, bots=0, settings=settings, length=1000)


def _timed(act: Callable[[], object]) -> float:
    begun = process_time()
    act()
    return process_time() - begun


def _alone(people: int, times: _Times) -> None:
    table = _table(people, TableSettings())
    table.play_round()
    while table.service.status(table.game_id).outcome is None:
        times.alone.append(_timed(table.open_round))
        table.play_round()


def _together(people: int, times: _Times) -> None:
    table = _table(people, TOGETHER)
    table.bind()
    while table.service.status(table.game_id).outcome is None:
        spent, steps = _timed(table.open_round), 0.0
        dealing = table.dealing
        for seat in dealing.waiting:
            device = table.devices[seat]
            action = device.open(dealing)
            assert action is not None
            device.signed.clear()
            times.device.append(_timed(partial(device.open, dealing)))
            steps += _timed(partial(dealing.check, opened_event(action), table.replay.state, frozenset(), ()))
            spent += _timed(partial(table.service.open_share, table.game_id, action))
        awaited = dealing.awaited
        assert isinstance(awaited, Awaited)
        awaited.shares = {seat: bytes(32) for seat in awaited.seats}
        steps += _timed(partial(dealing.seed, bytes(32)))
        awaited.shares = {}
        times.together.append(spent)
        times.steps.append(steps)
        table.play_round()
