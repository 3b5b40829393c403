"""What is asked of a game's own events here: their seats and cards, under these names; None where cards are hidden."""

from collections.abc import Sequence
from typing import Protocol

from pokersvc.betting.events import OfSeat
from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard


class OfSeed(Protocol):
    """An event that puts the deck in the order that follows from a seed."""

    @property
    def seed(self) -> bytes | None:
        """The seed, of 32 bytes."""


class OfCount(OfSeat, Protocol):
    """An event of some cards of a seat."""

    @property
    def count(self) -> int:
        """How many."""


class OfCards(OfCount, Protocol):
    """An event of some cards of a seat, which may be hidden, or unknown where the terms say so."""

    @property
    def cards(self) -> tuple[AnyCard, ...] | None:
        """Which."""


class OfBoard(Protocol):
    """An event of cards that everybody sees."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """Which."""


class OfHand(OfSeat, OfBoard, Protocol):
    """A seat's cards that everybody sees."""


class OfHands(Protocol):
    """An event that shows hands."""

    @property
    def hands(self) -> Sequence[OfHand]:
        """Which, each with its seat."""


class OfNewDeck(Protocol):
    """An event by which cards out of play become the deck."""

    @property
    def count(self) -> int:
        """How many."""

    @property
    def number(self) -> int:
        """How many new decks that makes in the round."""
