"""Commands by the number of active tables: the cost of each, and the memory that the games take.

Each number of tables has its own process. The service plays bursts of commands at one table after the other. That is
the worst order for a memory in which not all tables fit: each table comes back after all others have had their turn.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

from benchmarks.long_game import SEATS, events
from benchmarks.table import markdown
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.earlier_events import HandDealt
from pokersvc.games.draw_poker.events import RoundStarted
from pokersvc.service import OpenGame, Service
from pokersvc.service.opening import open_database

FLAT: Final = 1.25
"""The largest allowed ratio of a command's cost with most tables to that with fewest; also of growth to set memory."""
BURST: Final = 3
"""Commands at a table, one after the other."""
BURSTS: Final = 500
"""The least number of bursts that are measured; at least one at each table."""
WARM: Final = 200
"""Commands at another table, to warm up."""
BATCH: Final = 10_000
ROOMY: Final = 10**12


class _Size(NamedTuple):
    rounds: int
    tables: tuple[int, ...]


FULL: Final = (_Size(10, (10, 100, 255, 300, 1000, 2000)), _Size(1000, (10, 100, 255, 300, 1000, 2000)))
"""The second size takes some 12 GB of disk, 6 GB of memory and three quarters of an hour."""
QUICK: Final = (_Size(10, (10, 100, 300)), _Size(1000, (10, 30)))


class _Played(NamedTuple):
    seconds: float
    """Processor time of a command, without the time to read games again."""
    replay: float
    """Processor time of a game that was read again."""
    replays: float
    """Games read again per burst."""
    most_replays: int
    """The most games read again in one burst."""
    growth: int
    """Bytes by which the process grew since it had no game."""
    bytes: int
    """Bytes that the service counts for its games."""


def _play(file: str, tables: int, memory: int) -> _Played:
    """Bring all tables into memory, as far as they fit, then play bursts at one after the other."""
    replays: list[float] = []
    load = OpenGame.of

    def loaded(*arguments: Any) -> OpenGame:
        began = process_time()
        found = load(*arguments)
        replays.append(process_time() - began)
        return found

    OpenGame.of = loaded  # type: ignore[assignment,method-assign]  # counted in this process, which ends after it
    with Database.for_writing(file) as database:
        service = Service(EventLog(database), memory=memory)
        games = [_name(number) for number in range(tables)]
        for _ in range(WARM):  # so that memory that every process takes when it plays is not counted
            service.step(_name(tables))
        gc.collect()
        before, bytes_before = _resident(), service._open_games.bytes
        for game_id in games:
            service.status(game_id)
        del replays[:]
        bursts, most, seconds = max(BURSTS, tables), 0, 0.0
        for number in range(bursts):
            so_far = len(replays)
            began = process_time()
            for _ in range(BURST):
                service.step(games[number % tables])
            seconds += process_time() - began
            most = max(most, len(replays) - so_far)
        gc.collect()
        return _Played(
            (seconds - sum(replays)) / bursts / BURST,
            sum(replays) / len(replays) if replays else 0.0,
            len(replays) / bursts,
            most,
            _resident() - before,
            service._open_games.bytes - bytes_before,
        )


def _game(rounds: int) -> list[NewEvent]:
    """Return a game with ``rounds`` rounds played, up to the first choice of the next."""
    played: list[NewEvent] = []
    begun = dealt = 0
    for event in events():
        played.append(NewEvent(*DRAW_POKER.codec.encode(event)))
        begun += isinstance(event, RoundStarted)
        dealt += begun > rounds and isinstance(event, HandDealt)
        if dealt == SEATS:
            break
    return played


def _store(log: EventLog, game_id: str, played: Sequence[NewEvent]) -> None:
    for written in range(0, len(played), BATCH):
        batch = played[written : written + BATCH]
        log.append(game_id, batch, expected=written, command_id=f"command-{written}", kind=DRAW_POKER.kind)


def _resident() -> int:
    """Return the bytes that this process has in memory."""
    if not sys.platform.startswith("linux"):
        return 0
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _name(number: int) -> str:
    return f"table-{number}"


def run(*, quick: bool = False) -> str:
    """Write the games; continue at some, at more, at all, and at all with half of the memory that they need."""
    rows: list[Sequence[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for rounds, tables in QUICK if quick else FULL:
            rows += _curve(str(Path(folder, f"{rounds}.sqlite")), rounds, tables)
    return markdown(
        f"Commands by the number of active tables, {SEATS} players each",
        ("rounds played", "tables", "memory set, MB", "process grew, MB", "µs a command", "ratio", "replays a burst"),
        rows,
        f"Processor time of one run: commands of bots recorded in SQLite, in bursts of {BURST} at one table after the"
        " other. Where memory is set to half of what all tables take, a command is counted without the replays, whose"
        f" number and time the last column has. Required: at most {FLAT:g} × the time of the first line with as many"
        f" rounds, growth of at most {FLAT:g} × the memory set, and at most 1 replay in any burst.",
    )


def _curve(file: str, rounds: int, tables: Sequence[int]) -> list[Sequence[str]]:
    with open_database(Path(file)) as database:
        log, played = EventLog(database), _game(rounds)
        for number in range(tables[-1] + 1):
            _store(log, _name(number), played)
    rows, first, last = [], 0.0, None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for count in tables:
            last = pool.submit(_play, file, count, ROOMY).result()
            first = first or last.seconds
            rows.append(_row(rounds, count, None, last, first))
        assert last is not None
        half = last.bytes // 2
        rows.append(_row(rounds, tables[-1], half, pool.submit(_play, file, tables[-1], half).result(), first))
    return rows


def _row(rounds: int, tables: int, memory: int | None, played: _Played, first: float) -> Sequence[str]:
    ratio = played.seconds / first
    missed = "" if ratio <= FLAT else " (missed)"
    grew, replays = f"{played.growth / 1e6:,.1f}", "0"
    if memory is not None:
        much = "" if played.growth <= FLAT * memory else " (missed)"
        grew = f"{grew}, {played.growth / memory:.2f} × what was set{much}"
    if played.replays:
        replays = f"{played.replays:.2f} of {played.replay * 1e3:,.1f} ms, at most {played.most_replays}"
    else:
        grew = f"{grew} ({played.bytes / 1e6:,.1f} counted)"
    return (
        f"{rounds:,}", f"{tables:,}", "all" if memory is None else f"{memory / 1e6:,.1f}", grew,
        f"{played.seconds * 1e6:,.0f}", f"{ratio:.2f} ×{missed}", replays,
    )  # fmt: skip
