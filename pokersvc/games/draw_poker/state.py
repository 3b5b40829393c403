"""The state of a game of draw poker, as the contract of a game asks for it."""

from pokersvc.core.event import Event, Viewer
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.draw_poker import betting, dealer, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.apply import HANDLERS
from pokersvc.games.draw_poker.table import Table
from pokersvc.games.draw_poker.view import DrawPokerView, entry_again, entry_of, view_of


class DrawPokerState(Table, State[DrawPokerView, LegalActions]):
    """A game of draw poker in progress; see `pokersvc.core.state.State` for what its methods promise."""

    __slots__ = ()

    dealer_event = dealer.dealer_event
    legal = betting.legal
    decide = betting.decide

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if one must."""
        return (self.actor,) if self.actor else ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def playing(self, seat: int) -> bool:
        """Tell whether the seat is in the game."""
        return self.seated >> seat & 1 == 1

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event."""
        self.cached_legal = None
        HANDLERS[event.__class__](self, event)
        self.record.events.append(event)

    def view(self, viewer: Viewer) -> DrawPokerView:
        """Return what the viewer may know."""
        return view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event ended, or whose hands it revealed after the game, as a line of history."""
        if isinstance(event, events.RoundEnded):
            return entry_of(self, viewer)
        return entry_again(self) if isinstance(event, events.HandsRevealed) else None

    @property
    def outcome(self) -> Outcome | None:
        """Who won, once the game is over; the score is the stack, and the winners are those that the end names."""
        return None if self.ended is None else Outcome.won_by(self.ended.winners, tuple(self.stacks[1:]))
