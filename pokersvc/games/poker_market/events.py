"""The events of the Poker Market. Seats, rounds and markets count from 1; fields stand in alphabetical order.

Rounds are numbered through the whole game: with five rounds a market, the second market begins with round 6.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from pokersvc.cards import Card
from pokersvc.core import common_events
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number, Started
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import Seed
from pokersvc.games.poker_market.rules import PokerMarketRules

FiveCards: TypeAlias = tuple[Card, Card, Card, Card, Card]
GameClosed: TypeAlias = common_events.GameClosed
Forfeited: TypeAlias = common_events.Forfeited
"""A bot gave no legal answer: on its own turn it passes, and a proposal to it is declined."""


RoundForgone: TypeAlias = common_events.RoundForgone
"""A seat whose share of the common shuffle is missing is out of the market: no turns, no swaps, no points."""
Points: TypeAlias = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    """A game began."""

    game: Literal["market"]
    rules: PokerMarketRules
    shuffle: Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The deck of a market was shuffled into the order that follows from the seed."""

    market: Number
    seed: Annotated[Seed | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The hand of a seat, which everyone sees."""

    cards: FiveCards
    seat: Number


@dataclass(frozen=True, slots=True)
class HandsDealt(Event):
    """Every seat was dealt its hand, in the order of turns."""

    hands: tuple[DealtHand, ...]
    market: Number


@dataclass(frozen=True, slots=True)
class SwapProposed(Event):
    """A seat proposed: my card ``gives`` for your card ``gets``."""

    gets: Card
    gives: Card
    partner: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class SwapAccepted(Event):
    """The partner agreed, and the cards changed hands."""

    seat: Number


@dataclass(frozen=True, slots=True)
class SwapDeclined(Event):
    """The partner declined."""

    seat: Number


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """A seat proposed nothing."""

    seat: Number


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """Every seat has had its turn."""

    market: Number
    round: Number


@dataclass(frozen=True, slots=True)
class RankedHand:
    """A hand at the end of a market, and its points."""

    cards: FiveCards
    points: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class HandsRanked(Event):
    """A market is over: its hands from the best to the worst, without those of seats that are out of it."""

    hands: tuple[RankedHand, ...]
    market: Number


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """All markets are over, or the game was closed; ``scores`` has each seat's points, 0 if the seat was in none."""

    scores: tuple[Points, ...]
    winners: tuple[Number, ...]


EVENT_TYPES: Final[EventTypes] = {
    ("GameStarted", 2): GameStarted,
    ("DeckShuffled", 1): DeckShuffled,
    ("HandsDealt", 1): HandsDealt,
    ("SwapProposed", 1): SwapProposed,
    ("SwapAccepted", 1): SwapAccepted,
    ("SwapDeclined", 1): SwapDeclined,
    ("TurnPassed", 1): TurnPassed,
    ("Forfeited", 1): Forfeited,
    ("RoundForgone", 1): RoundForgone,
    ("RoundEnded", 1): RoundEnded,
    ("HandsRanked", 1): HandsRanked,
    ("GameClosed", 1): GameClosed,
    ("GameEnded", 2): GameEnded,
}
