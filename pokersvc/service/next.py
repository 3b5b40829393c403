"""The next step for one client of a game: an event, a question, a wait or the end (`Session.next`)."""

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
    """Whether no person was in the game any more when its command began, and none has come in by it."""
    entry: Entry | None
    """The line of history that the event completed, as the viewer may know it."""
    event: Event
    record: Record | SharedRecord
    state: State
    """The game after the event, as the viewer may know it. It is the same object each time: read it at once."""


@dataclass(frozen=True, slots=True)
class Choose(Generic[ViewT, LegalT]):
    """One of this client's seats must choose; answer with `Session.act`."""

    count: int
    """The number of the game's events, which the answer may name as ``expected``."""
    legal: LegalT
    """The choices of the seat: the game's own ``LegalActions``."""
    seat: int
    view: ViewT
    """The seat's view of the game."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The game is between two rounds, and one of this client's people plays on: `Session.go_on` or `Session.leave`.

    If people come and go, clients whose people are not in the game and may sit down get it too.
    """

    beforehand: Mapping[int, tuple[str, ...]]
    """Seat → lines that it should know, as it will not be asked in the next round (`Words.before_round`)."""
    count: int
    leaving: tuple[int, ...]
    """The seats of this client that may leave now."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The game waits for others, or its table is paused; ask again when something may have been recorded."""

    count: int
    seats: tuple[int, ...]
    """The seats that the game waits for: those that must choose or, between two rounds, may leave or go on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over, and all of it was shown."""

    count: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Stopped:
    """This session has had bots play as many rounds alone as its limit allows; the game is not over."""

    count: int
    rounds: int
    """The number of rounds that bots played alone in this session."""


Next: TypeAlias = Shown | Choose | Pause | Waiting | Over | Stopped
