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
    """One event, as the viewer may know it. Every event is shown once, in order."""

    alone: bool
    """Whether only bots were in the game when the event's command began, and no person has joined in that command."""
    entry: Entry | None
    """The line of history that the event completed, as the viewer may know it."""
    event: Event
    record: Record | SharedRecord
    state: State
    """The game after the event, as the viewer may know it; later events change this same object, so read it at once."""


@dataclass(frozen=True, slots=True)
class Choose(Generic[ViewT, LegalT]):
    """One of this client's seats must choose; answer with `Session.act`."""

    count: int
    """The number of the game's events; `Session.act` takes it as ``expected``."""
    legal: LegalT
    """The choices of the seat: the game's own ``LegalActions``."""
    seat: int
    view: ViewT
    """The seat's view of the game."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The game is between two rounds; this client may begin the next (`Session.go_on`) or leave (`Session.leave`).

    If people come and go, clients whose people are not in the game but may sit down get this step too.
    """

    beforehand: Mapping[int, tuple[str, ...]]
    """Seat → lines to show its player before a round in which the seat has no choice (`Words.before_round`)."""
    count: int
    leaving: tuple[int, ...]
    """The seats of this client that may leave now."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The game waits for others, or its table is paused; call `Session.next` again when others may have acted."""

    count: int
    seats: tuple[int, ...]
    """The seats that the game waits for: those that must choose or, between two rounds, may leave or go on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over, and all its events were shown."""

    count: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Stopped:
    """Bots have played as many rounds without people as this session's limit allows; the game is not over."""

    count: int
    rounds: int
    """The number of rounds that bots played alone in this session."""


Next: TypeAlias = Shown | Choose | Pause | Waiting | Over | Stopped
