"""The events and actions of poker as a list of streets. Seats count from 1; fields stand in alphabetical order."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Forfeited, Number, Started
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import Seed
from pokersvc.core.value import Value

Chips: TypeAlias = Annotated[int, Field(ge=0)]
Cards: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    """A game began; each seat has the same stack."""

    game: str
    rounds: Number
    stack: Number


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """A round began."""

    button: Number
    round: Number


@dataclass(frozen=True, slots=True)
class AntePosted(Event):
    """A seat put its ante into the pot, or all it had."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class BlindPosted(Event):
    """A seat put a blind into the pot, or all it had."""

    amount: Chips
    kind: Literal["small", "big", "extra", "dead", "straddle"]
    seat: Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The deck was put in the order that follows from the seed."""

    seed: Annotated[Seed | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class CardsDealt(Event):
    """A seat was dealt cards face down."""

    cards: Annotated[Cards | None, Audience.SEAT]
    count: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class UpCardsDealt(Event):
    """A seat was dealt cards face up."""

    cards: Cards
    seat: Number


@dataclass(frozen=True, slots=True)
class BoardDealt(Event):
    """Cards were dealt to the board."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """A seat stayed in without a bet."""

    seat: Number


@dataclass(frozen=True, slots=True)
class BetMade(Event):
    """A seat opened the betting."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A seat put in what it lacked to match the price, or all it had."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class Raised(Event):
    """A seat put in ``amount`` and so raised the price to ``to``."""

    amount: Chips
    seat: Number
    to: Chips


@dataclass(frozen=True, slots=True)
class Folded(Event):
    """A seat gave up its hand."""

    seat: Number


@dataclass(frozen=True, slots=True)
class UncalledBetReturned(Event):
    """A seat took back the part of a bet that nobody could call."""

    amount: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class HandShown(Event):
    """A seat showed its hand in the showdown."""

    cards: Cards
    seat: Number


@dataclass(frozen=True, slots=True)
class HandMucked(Event):
    """A seat gave up a beaten hand in the showdown without showing it."""

    seat: Number


@dataclass(frozen=True, slots=True)
class Share(Value):
    """One winner's share of a pot."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class PotAwarded(Event):
    """A pot (1 is the main pot) was paid to its winners."""

    pot: Number
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """A round is over."""

    round: Number


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over."""

    stacks: tuple[Chips, ...]


EVENT_TYPES: Final[EventTypes] = {
    (event.__name__, 1): event
    for event in (
        GameStarted, RoundStarted, AntePosted, BlindPosted, DeckShuffled, CardsDealt, UpCardsDealt, BoardDealt, Checked,
        BetMade, Called, Raised, Folded, Forfeited, UncalledBetReturned, HandShown, HandMucked, PotAwarded, RoundEnded,
        GameEnded,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check(Action):
    """Stay in without putting in chips."""


@dataclass(frozen=True, slots=True)
class Bet(Action):
    """Open the betting."""

    amount: int


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Match the bet."""


@dataclass(frozen=True, slots=True)
class Raise(Action):
    """Raise the price."""

    to: int


@dataclass(frozen=True, slots=True)
class Fold(Action):
    """Give up the hand."""
