"""What leaves a service: events as one viewer may know them."""

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import NamedTuple

from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see, withhold
from pokersvc.core.registry import game_of
from pokersvc.core.rules import Rules
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, SharedRecord, shared
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.service.errors import NotForAuditors


class Recorded(NamedTuple):
    """One event as it is stored, a secret that is not the viewer's as its digest, and as the viewer may know it."""

    record: Record | SharedRecord
    event: Event


class Step(NamedTuple):
    """One event of a replay: as it is stored and as the viewer may know it (see `Recorded`), and the state it made."""

    record: Record | SharedRecord
    event: Event
    state: State


class StoredEvent(NamedTuple):
    """One event as it happened and as it is stored, secrets and all."""

    record: Record
    event: Event

    def to(self, viewer: Viewer) -> Recorded:
        """Return the event as the viewer may know it."""
        record, event = self
        if may_see(event, viewer):
            return Recorded(record, event)
        return _withheld(record, event)


def _withheld(record: Record, event: Event) -> Recorded:
    return Recorded(shared(record, opened=False), withhold(event))


def stored_events(game: Rules, records: Iterable[Record]) -> list[StoredEvent]:
    """Return what records say."""
    return [StoredEvent(r, game.codec.decode(r.type, r.version, r.payload, r.secret)) for r in records]


def replayed(log: EventLog, game_id: str, viewer: Viewer, upto: int | None) -> Generator[Step, None, None]:
    """Yield a game's events, oldest first; see `Service.replay`."""
    with log.snapshot() as snapshot:
        head = snapshot.head(game_id)
        if head is None:
            raise UnknownGame(f"There is no game {game_id}.")
        game = game_of(head.kind)
        state: State | None = None
        with closing(snapshot.read(game_id, upto=upto)) as records:
            decode = game.codec.decode
            for whole in records:
                record: Record | SharedRecord = whole
                event = decode(whole.type, whole.version, whole.payload, whole.secret)
                if state is None:
                    check_viewer(viewer, game.seats(event))
                if not may_see(event, viewer):
                    record, event = _withheld(whole, event)
                if state is None:
                    state = game.new(event)
                else:
                    state.apply(event)
                yield Step(record, event, state)


def check_viewer(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    """Raise `InvalidValue` for a seat that is not there, or what is no viewer at all."""
    if viewer not in (EVERYONE, AUDITOR) and (type(viewer) is not int or not 1 <= viewer <= len(seats)):
        raise InvalidValue(
            f"There is no seat {viewer!r} in this game; its seats are 1 to {len(seats)},"
            f" and others look as {EVERYONE!r} or {AUDITOR!r}."
        )


def check_player(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    """Raise `InvalidValue` for who is no seat of the game and not everyone: `NotForAuditors` for an auditor."""
    if viewer == AUDITOR:
        raise NotForAuditors
    check_viewer(viewer, seats)
