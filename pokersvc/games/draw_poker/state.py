"""The state of a game of draw poker, as the contract of a game asks for it."""

from typing import Any

from pokersvc.games.draw_poker import betting, dealer, events
from pokersvc.games.draw_poker.apply import HANDLERS
from pokersvc.games.draw_poker.table import Table
from pokersvc.games.draw_poker.view import DrawPokerView, entry_of, view_of
from pokersvc.games.event import Event, Viewer
from pokersvc.games.game import Entry, Outcome


class DrawPokerState(Table):
    """A game of draw poker in progress; see `pokersvc.games.game.State` for what its methods promise."""

    __slots__ = ()

    dealer_event = dealer.dealer_event
    legal = betting.legal
    decide = betting.decide

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def playing(self, seat: int) -> bool:
        """Tell whether the seat is in the game."""
        return self.seated >> seat & 1 == 1

    def apply(self, event: Any) -> None:
        """Change the state by a recorded event."""
        self.cached_legal = None
        HANDLERS[event.__class__](self, event)

    def view(self, viewer: Viewer) -> DrawPokerView:
        """Return what the viewer may know."""
        return view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event ended as a line of history."""
        return entry_of(self, viewer) if isinstance(event, events.RoundEnded) else None

    @property
    def outcome(self) -> Outcome | None:
        """Who won, once the game is over; the score is the stack."""
        return None if self.ended is None else Outcome.by_score(tuple(self.stacks[1:]))
