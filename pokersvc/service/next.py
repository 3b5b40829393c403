"""What comes next for one client of a game: an event, a question, a wait or the end (`Session.next`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias

from pokersvc.core.event import Event
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.core.typevars import LegalT, ViewT
from pokersvc.eventlog.record import Record, SharedRecord


@dataclass(frozen=True, slots=True)
class Shown:
    """One event, as the viewer may know it. Every event comes once, in order."""

    alone: bool
    """Whether its command came when no person was in the game any more, and nobody has come by it."""
    entry: Entry | None
    """The line of history that the event completed, as the viewer may know it."""
    event: Event
    record: Record | SharedRecord
    state: State
    """The game after the event, as the viewer may know it. It is the same object each time: read it at once."""


@dataclass(frozen=True, slots=True)
class Choose(Generic[ViewT, LegalT]):
    """One of this client's seats must choose: `Session.act`."""

    count: int
    """How many events the game has: what the answer may name as ``expected``."""
    legal: LegalT
    """What the seat may choose: the game's own ``LegalActions``."""
    seat: int
    view: ViewT
    """What the seat may know."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The game is between two rounds, and one of this client's people plays on: `Session.go_on` or `Session.leave`.

    Where people come and go, it is so for those as well who are not in the game, and may sit down.
    """

    beforehand: Mapping[int, tuple[str, ...]]
    """What this client's seats should know, as they will not be asked in the next round (`Words.before_round`)."""
    count: int
    leaving: tuple[int, ...]
    """The seats of this client that may leave now."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The game waits for others, or its table is paused; ask again when something may have been recorded."""

    count: int
    seats: tuple[int, ...]
    """The seats it waits for: those that must choose, or between two rounds those who may leave or go on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over, and all of it was shown."""

    count: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Stopped:
    """This session let bots play its limit of rounds; the game is not over."""

    count: int
    rounds: int
    """How many rounds bots played alone in this session."""


Next: TypeAlias = Shown | Choose | Pause | Waiting | Over | Stopped
