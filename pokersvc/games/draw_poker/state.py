"""The state of a game of draw poker, as the contract of a game asks for it."""

from collections.abc import Mapping
from typing import ClassVar

from pokersvc.core.event import Event, ImpossibleEvent, Viewer
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.draw_poker import betting, dealer, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.apply import HANDLERS, Handler
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.seats import has
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import DrawPokerView, entry_again, entry_of, in_a_line, view_of


class DrawPokerState(Situation, State[DrawPokerView, LegalActions]):
    """A game of draw poker in progress; see `pokersvc.core.state.State` for what its methods promise."""

    __slots__ = ()

    handlers: ClassVar[Mapping[Phase, Mapping[type[Event], Handler]]] = HANDLERS
    """Which events each phase can take, and what they change."""
    dealer_event = dealer.dealer_event
    deals_to = dealer.deals_to
    legal = betting.legal
    decide = betting.decide
    default_action = betting.default_action

    def __repr__(self) -> str:
        """Return where the game stands.

        >>> from pokersvc.core.chance import EntropySource
        >>> from pokersvc.core.seats import Seat
        >>> from pokersvc.core.setup import Setup
        >>> from pokersvc.games.draw_poker import DRAW_POKER
        >>> seats = (Seat("human", "Ann"), Seat("steady", "Bob"))
        >>> DRAW_POKER.new(DRAW_POKER.start(Setup(seats, EntropySource.from_text("a seed"))))
        <rising-ante, round 0, between rounds; Ann 1000, Bob 1000; pot 0; the dealer to act>
        """
        return f"<{in_a_line(self)}>"

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if one must."""
        return (self.actor,) if self.actor else ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def seats_now(self) -> tuple[Seat, ...] | None:
        """Return who sits where now; None in a game in which nobody comes later."""
        return self.seats if self.cash else None

    def playing(self, seat: int) -> bool:
        """Tell whether the seat is in the game."""
        return has(self.seated, seat)

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event; `ImpossibleEvent` where this state cannot take it."""
        try:
            handler = self.handlers[self.phase][event.__class__]
        except KeyError:
            raise ImpossibleEvent(event, f"the phase is {self.phase.name}") from None
        self.cached_legal = None
        handler(self, event)
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
        """Who won, once the game is over: the winners are those that the end names.

        The score is the stack; in a cash game it is what the seat won or lost, as stacks were bought and taken away.
        """
        if self.ended is None:
            return None
        scores = self.net() if self.cash else self.stacks
        return Outcome.won_by(self.ended.winners, tuple(scores[1:]), self.still_open)
