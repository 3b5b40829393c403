"""A base for the states of most games: the seats, the record, and the actions that every game has."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Generic

from pokersvc.core.actions import Action, Forfeit, IllegalAction, Lapse, Leave
from pokersvc.core.common_events import Forfeited, PlayerLeft, Started, forfeited
from pokersvc.core.event import Event, Viewer
from pokersvc.core.record import GameRecord
from pokersvc.core.seats import HUMAN, Seat, SeatSeen, seats_seen
from pokersvc.core.state import State
from pokersvc.core.typevars import LegalT, ViewT


@dataclass(slots=True)
class SeatedState(State[ViewT, LegalT], Generic[ViewT, LegalT]):
    """A base class for a game's state, to which a game adds its fields and the effects of its actions and events.

    A subclass is a dataclass too, with ``slots=True``, and is made from the start alone: its fields have defaults or
    are ``init=False``.
    """

    started: Started = field(repr=False)
    """The event that started the game."""
    record: GameRecord[Event] = field(default_factory=GameRecord, init=False)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at the start: the players' names and kinds."""
        return self.started.seats

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple([number for number, seat in enumerate(self.seats, 1) if seat.kind == HUMAN])

    def seats_seen(self, viewer: Viewer) -> tuple[SeatSeen, ...]:
        """Return the name and kind at each seat as the viewer may know them; hidden kinds are shown after the game."""
        return seats_seen(self.seats, viewer, hidden=self.started.hidden_kinds and self.outcome is None)

    def decide(self, action: Action) -> Event:
        """Return the event of an action, or raise `IllegalAction`."""
        if isinstance(action, Forfeit):
            return self.forfeit(action)
        if isinstance(action, Lapse):
            return self.lapse(action)
        return self.leave(action) if isinstance(action, Leave) else self.choice(action)

    @abstractmethod
    def choice(self, action: Action) -> Event:
        """Return the event of one of the game's own actions; raise `IllegalAction` if it is illegal or unknown."""

    def unknown(self, action: Action) -> IllegalAction:
        """Return the error for an action that the game does not have."""
        return IllegalAction("unknown_action", f"{type(action).__name__} is not an action of this game.")

    def check_awaited(self, seat: int) -> None:
        """Raise `IllegalAction` for a seat that need not choose now."""
        if seat not in self.awaited:
            raise IllegalAction("not_your_turn", f"It is not the turn of seat {seat!r}.")

    def forfeit(self, action: Forfeit) -> Event:
        """Return the event of a bot's forfeit; raise `IllegalAction` for a person, or if the bot need not choose."""
        self.check_awaited(action.seat)
        if action.seat in self.people:
            raise IllegalAction("not_a_program", f"Seat {action.seat} is a person; only bots forfeit choices.")
        return forfeited(action, Forfeited)

    def lapse(self, action: Lapse) -> Event:
        """Return the forfeit of a seat whose time is over; a game with a default move overrides `default_action`."""
        self.check_awaited(action.seat)
        return Forfeited("timeout", action.seat)

    def leave(self, action: Leave) -> Event:
        """Return the event of a person who leaves while the game is `pausing`; raise `IllegalAction` otherwise."""
        if not self.pausing or action.seat not in self.people or not self.playing(action.seat):
            raise IllegalAction("cannot_leave", "A person can only leave between two rounds.")
        return PlayerLeft(action.seat)

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event, and add the event to the record."""
        self.change(event)
        self.record.events.append(event)

    @abstractmethod
    def change(self, event: Event) -> None:
        """Change the game's own fields by an event, and call ``record.turn`` if a round begins."""
