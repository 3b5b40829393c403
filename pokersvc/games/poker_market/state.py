"""The state of a game of the Poker Market, in the form that the contract of a game asks for."""

from pokersvc.core.event import Event, ImpossibleEvent, Viewer
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.poker_market import dealer, events, trading
from pokersvc.games.poker_market.actions import LegalActions
from pokersvc.games.poker_market.apply import HANDLERS
from pokersvc.games.poker_market.market import Market
from pokersvc.games.poker_market.phases import TURN
from pokersvc.games.poker_market.view import PokerMarketView, entry_of, view_of


class PokerMarketState(Market, State[PokerMarketView, LegalActions]):
    """A game of the Poker Market in progress; see `pokersvc.core.state.State` for what its methods promise."""

    __slots__ = ()

    dealer_event = dealer.dealer_event
    contradiction = dealer.contradiction
    deals_to = dealer.deals_to
    legal = trading.legal
    decide = trading.decide
    default_action = trading.default_action

    def __repr__(self) -> str:
        """Return where the game stands, as text.

        >>> from pokersvc.core.randomness.chance import EntropySource
        >>> from pokersvc.core.seats import Seat
        >>> from pokersvc.core.setup import Setup
        >>> from pokersvc.games.poker_market import POKER_MARKET
        >>> seats = (Seat("human", "Ann"), Seat("rank", "Bob"))
        >>> POKER_MARKET.new(POKER_MARKET.start(Setup(seats, EntropySource.from_text("a seed"))))
        <Poker Market, market 0, round 0, SHUFFLE; points: Ann 0, Bob 0; the dealer to act>
        """
        points = ", ".join(f"{name} {points}" for name, points in zip(self.names[1:], self.points[1:], strict=True))
        to_act = "" if self.ended is not None else f"; {self.names[self.actor] or 'the dealer'} to act"
        return f"<Poker Market, market {self.number}, round {self.round}, {self.phase.name}; points: {points}{to_act}>"

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if any."""
        return (self.actor,) if self.actor else ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, or None."""
        return self.actor or None

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event; raise `ImpossibleEvent` if this state cannot take it."""
        try:
            handler = HANDLERS[self.phase][event.__class__]
        except KeyError:
            raise ImpossibleEvent(event, f"the phase is {self.phase.name}") from None
        self.cached_legal = None
        handler(self, event)
        self.record.events.append(event)
        if event.__class__ is events.RoundEnded and self.phase is TURN:
            self.record.turn()

    def view(self, viewer: Viewer) -> PokerMarketView:
        """Return what the viewer may know."""
        return view_of(self, viewer)

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the round that the event completed, if any; the last round of a market ends with the ranking."""
        completed = isinstance(event, events.RoundEnded) and event.round % self.rules.rounds != 0
        return entry_of(self) if completed or isinstance(event, events.HandsRanked) else None

    @property
    def outcome(self) -> Outcome | None:
        """The result once the game is over; the score is the points of all markets."""
        return None if self.ended is None else Outcome.by_score(tuple(self.points[1:]))
