"""The events that leave a service, as one viewer may know them."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple, TypeAlias

from pokersvc.core import replay
from pokersvc.core.event import AUDITOR, Event, Viewer, may_see, withhold
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.replay import check_viewer
from pokersvc.core.seats import Seat
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, SharedRecord, shared
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.service.errors import NotForAuditors

Step: TypeAlias = replay.Step[Record | SharedRecord]
"""One step of a replay: an event's stored record, the event as the viewer may know it, and the state after it."""


class Recorded(NamedTuple):
    """One event: its stored record and the event itself, both without secrets that the viewer may not see."""

    record: Record | SharedRecord
    event: Event


class StoredEvent(NamedTuple):
    """One event: its stored record and the event itself, both with all secrets."""

    record: Record
    event: Event

    def to(self, viewer: Viewer) -> Recorded:
        """Return the event as the viewer may know it."""
        record, event = self
        if record.secret is None or may_see(event, viewer):
            return Recorded(record, event)
        return Recorded(_withheld(record), withhold(event))


def _withheld(record: Record) -> Record | SharedRecord:
    return shared(record, opened=False)


def stored_events(game: Game, records: Iterable[Record]) -> list[StoredEvent]:
    """Decode a game's records; return each record with its event."""
    return [StoredEvent(r, game.codec.decode(r.type, r.version, r.payload, r.secret)) for r in records]


def replayed(log: EventLog, game_id: str, viewer: Viewer, upto: int | None) -> Iterator[Step]:
    """Yield a game's events, oldest first; see `Service.replay`."""
    with log.snapshot() as snapshot:
        head = snapshot.head(game_id)
        if head is None:
            raise UnknownGame(f"There is no game {game_id}.")
        with closing(snapshot.read(game_id, upto=upto)) as records:
            yield from replay.Replay(game_of(head.kind), viewer).steps(records, _withheld)


def check_player(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    """Raise `NotForAuditors` for an auditor, and `InvalidValue` for a viewer that is neither a seat nor everyone."""
    if viewer == AUDITOR:
        raise NotForAuditors
    check_viewer(viewer, seats)


def shown_to(viewer: Viewer, recorded: list[StoredEvent]) -> list[Recorded]:
    """Return events as a viewer may know them."""
    return [one.to(viewer) for one in recorded]
