"""Things that a process keeps from one batch of games to the next: the processes of players, and an open database."""

import threading
from typing import TYPE_CHECKING

from pokersvc.players import Programs, close_memory
from pokersvc.tournament.plan import Tournament

if TYPE_CHECKING:
    from pokersvc.service import Service

_own = threading.local()
"""Players and databases that a process, or a thread of a cluster's worker, keeps from one batch to the next."""


def game_id(tournament: Tournament, index: int) -> str:
    """Return the ID under which a game of a tournament is stored."""
    return f"{index + 1}-{tournament.fingerprint}"


def release() -> None:
    """Release everything this thread keeps: end players' processes, close databases."""
    if (programs := getattr(_own, "programs", None)) is not None:
        programs[1].close()
    if (opened := getattr(_own, "opened", None)) is not None:
        opened[1].close()
    _own.__dict__.clear()


def programs_of(tournament: Tournament) -> Programs:
    """Return the tournament's bots, if this process has the version and files that the tournament was planned with.

    The bots of another tournament are closed first, because their files may have changed.
    """
    if any(tournament.contents):  # on a cluster, other players may run on this machine soon
        close_memory()
    tournament.check_here()
    key = tournament.fingerprint, tournament.limit, tournament.walls
    kept = getattr(_own, "programs", None)
    if kept is None or kept[0] != key:
        if kept is not None:
            kept[1].close()
        kept = _own.programs = (key, Programs(tournament.limit, tournament.folder, tournament.walls))
    programs: Programs = kept[1]
    return programs


def service_of(store: str) -> "Service":
    """Return the service of a database, which stays open; if a different one is open, it is closed first."""
    # Imported here, because processes without a database then start twice as fast.
    from pokersvc.eventlog.database import Database
    from pokersvc.eventlog.log import EventLog
    from pokersvc.service import Service

    kept = getattr(_own, "opened", None)
    if kept is None or kept[0] != store:
        if kept is not None:
            kept[1].close()
        database = Database.for_writing(store)
        kept = _own.opened = (store, database, Service(EventLog(database)))
    service: Service = kept[2]
    return service
