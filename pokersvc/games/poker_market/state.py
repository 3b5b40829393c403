"""The state of a game of the Poker Market, as the contract of a game asks for it."""

from pokersvc.core.event import Event, Viewer
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.poker_market import dealer, events, trading
from pokersvc.games.poker_market.actions import LegalActions
from pokersvc.games.poker_market.apply import HANDLERS
from pokersvc.games.poker_market.phases import Phase
from pokersvc.games.poker_market.table import Table
from pokersvc.games.poker_market.view import PokerMarketView, entry_of, view_of


class PokerMarketState(Table, State[PokerMarketView, LegalActions]):
    """A game of the Poker Market in progress; see `pokersvc.core.state.State` for what its methods promise."""

    __slots__ = ()

    dealer_event = dealer.dealer_event
    legal = trading.legal
    decide = trading.decide

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if one must."""
        return (self.actor,) if self.actor else ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event."""
        self.cached_legal = None
        kind = event.__class__
        if kind is events.DeckShuffled and self.market:
            self.record.turn()
        HANDLERS[kind](self, event)
        self.record.events.append(event)
        if kind is events.RoundEnded and self.phase is Phase.TURN:
            self.record.turn()

    def view(self, viewer: Viewer) -> PokerMarketView:
        """Return what the viewer may know."""
        return view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event completed; the last round of a market is complete with the ranking."""
        completed = isinstance(event, events.RoundEnded) and event.round % self.rules.rounds != 0
        return entry_of(self) if completed or isinstance(event, events.HandsRanked) else None

    @property
    def outcome(self) -> Outcome | None:
        """Who won, once the game is over; the score is the points of all markets."""
        return None if self.ended is None else Outcome.by_score(tuple(self.points[1:]))
