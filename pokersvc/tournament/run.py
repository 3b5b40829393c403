"""Runs a tournament's games: in this process, in several, or on a Dask cluster, with the same results."""

import logging
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players import Programs, Spent, close_memory
from pokersvc.system.workers import workers
from pokersvc.tournament.grouped import run_groups, takes_many
from pokersvc.tournament.kept import game_id, programs_of, release, service_of
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import Played, play
from pokersvc.tournament.results import Results

if TYPE_CHECKING:
    from pokersvc.service import Service

BATCH_SECONDS: Final = 0.5
"""Target duration of a batch in seconds: so short that losing a batch costs little and progress looks smooth."""
MOST_IN_A_BATCH: Final = 10_000
SLOTS: Final = 2
"""Number of batches submitted per process, so that no process waits for its next batch."""


class TournamentStopped(PokersvcError):
    """A tournament cannot continue now; the games that were played are kept."""

    code = "tournament_stopped"


class Workers(NamedTuple):
    """The processes that play the games: an executor, or None for this process, and the number of games at once."""

    executor: Executor | None
    at_once: int


class GameResults(Protocol):
    """Where the results of games go as they are played, such as a file."""

    @property
    def missing(self) -> list[int]:
        """The numbers of the games that have not been played yet."""

    def add(self, played: Iterable[Played], spent: Mapping[str, Spent]) -> None:
        """Store the results of games on the disk before returning; ``spent``: custom players' choices and time."""


class Batch(NamedTuple):
    """Games that were played together, and the seconds they took."""

    played: list[Played]
    took: float
    spent: dict[str, Spent]
    """Kind of a custom player → the time that its choices took."""


def run(
    tournament: Tournament,
    results: Results,
    workers: Workers,
    *,
    store: str | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Play the games that are missing in the results, and add them there.

    ``store`` is a database in which the games' events are recorded; ``progress`` is called with the number of games
    played.
    """
    try:
        if results.missing and takes_many(tournament, workers.executor):
            run_groups(tournament, results, workers.executor, workers.at_once, store=store, progress=progress)
        else:
            run_batches(tournament, results, workers, store, progress)
    except BrokenProcessPool:
        raise stopped() from None


def stopped() -> TournamentStopped:
    """Return the error for a process that ended while it played."""
    return TournamentStopped(
        "A process of the tournament ended unexpectedly; what was played is kept: start it again to continue."
    )


def run_batches(
    tournament: Tournament, results: GameResults, workers: Workers, store: str | None, progress: Callable[[int], None]
) -> None:
    """Play the games that are missing in the results, in any order; ask each player about one game at a time."""
    missing = iter(results.missing)
    size = 1

    def batch() -> list[int]:
        return list(islice(missing, size))

    def keep(done: Batch) -> int:
        results.add(done.played, done.spent)
        progress(len(done.played))
        fitting = int(BATCH_SECONDS * len(done.played) / max(done.took, 1e-9))
        return max(1, min(size * 2, fitting, MOST_IN_A_BATCH))

    if workers.executor is None:
        while indices := batch():
            size = keep(play_batch(tournament, indices, store))
        return
    under_way: set[Future[Batch]] = set()
    try:
        while True:
            while len(under_way) < workers.at_once * SLOTS and (indices := batch()):
                under_way.add(workers.executor.submit(play_batch, tournament, indices, store))
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                size = keep(future.result())
    finally:
        for future in under_way:
            future.cancel()


def play_batch(tournament: Tournament, indices: Sequence[int], store: str | None) -> Batch:
    """Play games and return their results; this function runs in other processes and on other machines."""
    began = perf_counter()
    programs = programs_of(tournament)
    played = [play_one(tournament, index, programs, None if store is None else service_of(store)) for index in indices]
    return Batch(played, perf_counter() - began, programs.spent())


def play_one(tournament: Tournament, index: int, programs: Programs, service: "Service | None") -> Played:
    """Play a game and return its result; a service, if given, continues the game from recorded events and stores it."""
    if service is None:
        return play(tournament, index, programs)[0]
    name = game_id(tournament, index)
    recorded = service.with_secrets.kept(name)
    one, events = play(tournament, index, programs, recorded)
    if len(events) > len(recorded):
        service.keep(name, tournament.game.kind, events)
    return one


_CLOSED: Final = "pokersvc.players.closed"
"""Name of a module that shuts other processes out of the memory of the process that imports it; not imported here."""


@contextmanager
def processes(count: int, *modules: str) -> Iterator[Workers]:
    """Yield workers: ``count`` processes of this machine with the modules preloaded, or for 1 this process itself."""
    if count < 1:
        raise InvalidValue(f"{count} processes cannot play; use 1 or more.")
    if count == 1:
        try:
            yield Workers(None, 1)
        finally:
            release()
        return
    context = multiprocessing.get_context("forkserver")  # its processes share the modules that it has loaded
    # A custom player may already be running. So the forkserver is closed at its start, and with it the processes that
    # it forks, before they learn a seed; until then, and in the resource tracker, no environment variable tells where
    # the database is.
    context.set_forkserver_preload([_CLOSED, *modules, __name__])
    with _withheld() as variables, workers(count, context, prepare=partial(_prepare, variables)) as executor:
        yield Workers(executor, count)


def _prepare(variables: dict[str, str]) -> None:
    close_memory()
    os.environ.update(variables)


@contextmanager
def _withheld() -> Iterator[dict[str, str]]:
    """Withhold pokersvc's own environment variables from processes started in the block; yield the variables."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("POKERSVC_")}
    for name in variables:
        del os.environ[name]
    try:
        yield variables
    finally:
        os.environ.update(variables)


@contextmanager
def cluster(scheduler: str) -> Iterator[Workers]:
    """Yield the workers of a Dask cluster by its scheduler's address, such as ``tcp://127.0.0.1:8786``."""
    try:
        import distributed
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise InvalidValue(
            "A tournament on a cluster needs Dask; install pokersvc with the extra `cluster`."
        ) from error
    with ExitStack() as stack:
        stack.enter_context(_quiet("distributed", "tornado"))
        try:
            client: Any = distributed.Client(scheduler, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]  # Dask says no types
        except (OSError, ValueError, TypeError) as error:
            raise InvalidValue(
                f"No Dask scheduler answers at {scheduler!r}; give an address such as tcp://HOST:PORT."
            ) from error
        stack.enter_context(client)
        threads = sum(client.nthreads().values())
        if not threads:
            raise InvalidValue(f"The scheduler at {scheduler!r} has no workers; start one or more.")
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, threads)
        except (CancelledError, CommClosedError, KilledWorker):
            raise TournamentStopped(
                f"The cluster at {scheduler!r} lost the games; what was played is kept: start it again to continue."
            ) from None
        finally:
            executor.shutdown(wait=False)


@contextmanager
def _quiet(*libraries: str) -> Iterator[None]:
    """Keep libraries from logging; this program reports their problems in one sentence."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in libraries and not logger.disabled
    ]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False
