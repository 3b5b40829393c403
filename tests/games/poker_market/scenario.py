"""A game to try rules at: given hands, when a seat acts, then an event or a refusal."""

from collections.abc import Sequence
from typing import Any, Final

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Action
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.randomness.chance import Entropy, EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from pokersvc.games.poker_market.state import PokerMarketState
from pokersvc.games.poker_market.view import PokerMarketView

SOURCE: Final = EntropySource.from_text("market")
HANDS: Final = ("KD KH 7C 4S 2D", "3C 3H KS 9D 8C", "QS QH QD 6C 5D")
"""A pair of kings, a pair of threes, three queens."""


def setup(players: int, *, rounds: int | None = None, markets: int = 1, kind: str = "human", text: str = "x") -> Setup:
    seats = tuple(Seat(kind, f"Player{number}") for number in range(1, players + 1))
    return Setup(seats, EntropySource.from_text(text), rounds, {"markets": markets})


def new(players: int = 3, *, rounds: int | None = None, markets: int = 1, text: str = "x") -> PokerMarketState:
    return POKER_MARKET.new(POKER_MARKET.start(setup(players, rounds=rounds, markets=markets, text=text)))


class Scenario:
    """A game that keeps a list of its events."""

    def __init__(self, state: PokerMarketState, entropy: Entropy | None = None) -> None:
        self.state = state
        self.entropy = entropy or SOURCE.entropy()
        self.happened: list[Event] = []

    def take(self, event: Event) -> Event:
        self.state.apply(event)
        self.happened.append(event)
        return event

    def deal(self) -> None:
        """Take the dealer's events until a seat must choose or the game is over."""
        while (event := self.state.dealer_event(self.entropy)) is not None:
            self.take(event)

    def act(self, *actions: Action) -> None:
        """Take choices, each with the dealer's events after it."""
        for action in actions:
            self.take(self.state.decide(action))
            self.deal()

    def swap(self, seat: int, gives: str, partner: int, gets: str) -> None:
        self.act(propose(seat, gives, partner, gets), Accept(partner))

    def pass_all(self, *, until: int | None = None) -> None:
        """Pass and decline until it is a given seat's turn or the game is over."""
        while (seat := self.state.to_act) is not None and seat != until:
            self.act(Pass(seat) if self.state.proposal is None else Decline(seat))

    def last(self, kind: type[Any]) -> Any:
        return next(event for event in reversed(self.happened) if isinstance(event, kind))

    @property
    def view(self) -> PokerMarketView:
        return self.state.view(EVERYONE)

    def hand(self, seat: int) -> str:
        return " ".join(map(str, self.view.seat(seat).cards))


def dealt(hands: Sequence[str] = HANDS, *, rounds: int = 1, markets: int = 1) -> Scenario:
    """Return a market after its deal: the hands of the seats from the first."""
    market = Scenario(new(len(hands), rounds=rounds, markets=markets))
    market.take(events.DeckShuffled(1, bytes(32)))
    cards: list[Any] = [parse_cards(hand) for hand in hands]
    market.take(events.HandsDealt(tuple(events.DealtHand(hand, seat) for seat, hand in enumerate(cards, 1)), 1))
    return market


def propose(seat: int, gives: str, partner: int, gets: str) -> Propose:
    return Propose(seat, parse_cards(gives)[0], partner, parse_cards(gets)[0])
