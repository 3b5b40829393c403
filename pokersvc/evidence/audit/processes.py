"""The audit of games in several processes."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.evidence.audit.audit import Progress, audit, compared
from pokersvc.evidence.audit.coverage import with_coverage
from pokersvc.evidence.audit.integrity import check_integrity
from pokersvc.evidence.audit.report import Audited
from pokersvc.evidence.audit.tallies import RandomSums, TalliedGames
from pokersvc.system.workers import workers

GAMES_AT_ONCE: Final = 16
"""The number of games that a process is given at once."""


def audit_in_processes(
    url: str,
    processes: int,
    game_ids: Iterable[object] | None = None,
    *,
    checkpoint: Path | None = None,
    only_chain: bool = False,
    progress: Progress | None = None,
) -> Iterator[Audited]:
    """Audit games as `audit` does, with results in the same order, but with the games divided among processes.

    Different processes use different snapshots.
    """
    game_ids = None if game_ids is None else list(game_ids)
    with (
        Database.for_reading(url) as database,
        workers(processes, get_context("spawn")) as pool,
        database.read() as connection,
    ):
        if checkpoint is not None:
            yield compared(checkpoint, connection, game_ids)
        sums = RandomSums()
        games = TalliedGames(connection, sums)
        asked = partial(_Asked, url, only_chain, sums.secret)
        ids = Snapshot(connection).ids() if game_ids is None else game_ids
        spread = _spread(pool, asked, games, 2 * processes, ids)
        for result in with_coverage(games.through(spread), checkpoint, game_ids):
            if progress is not None:
                progress(result.events)
            yield result
        if game_ids is None:
            yield check_integrity(database, connection, games, only_chain=only_chain)


class _Asked(NamedTuple):
    """The games that a process is to audit; ``secret`` makes the random numbers equal in all processes."""

    url: str
    only_chain: bool
    secret: bytes
    game_ids: list[object]
    tallied: dict[object, int]
    """Game id → the number of its rounds in the tallies."""


def _spread(
    pool: Executor,
    asked: Callable[[list[object], dict[object, int]], _Asked],
    games: TalliedGames,
    most: int,
    game_ids: Iterable[object],
) -> Iterator[Audited]:
    """Have a pool of processes audit games, few of them queued at a time to bound memory, and yield the results."""
    waiting: deque[Future[list[Audited]]] = deque()
    left = iter(game_ids)
    while True:
        while len(waiting) < most and (batch := list(islice(left, GAMES_AT_ONCE))):
            waiting.append(pool.submit(_audited, asked(batch, games.rounds_of(batch))))
        if not waiting:
            return
        yield from waiting.popleft().result()


def _audited(asked: _Asked) -> list[Audited]:
    url, only_chain, secret, game_ids, tallied = asked
    with Database.for_reading(url) as database:
        return list(audit(database, game_ids, only_chain=only_chain, sums=RandomSums(secret), tallied=tallied))
