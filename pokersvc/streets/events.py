"""The attributes that streets read from a game's own events: seats and cards, under these names; None if hidden."""

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
    """An event that concerns a number of a seat's cards."""

    @property
    def count(self) -> int:
        """The number of cards."""


class OfCards(OfCount, Protocol):
    """An event that concerns cards of a seat; they may be hidden, or unknown if the terms allow it."""

    @property
    def cards(self) -> tuple[AnyCard, ...] | None:
        """The cards."""


class OfBoard(Protocol):
    """An event that concerns cards that everybody sees."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards."""


class OfHand(OfSeat, OfBoard, Protocol):
    """A seat's cards that everybody sees."""


class OfHands(Protocol):
    """An event that shows hands."""

    @property
    def hands(self) -> Sequence[OfHand]:
        """The hands, each with its seat."""


class OfNewDeck(Protocol):
    """An event by which cards out of play become the deck."""

    @property
    def count(self) -> int:
        """The number of cards."""

    @property
    def number(self) -> int:
        """The number of this new deck in the round, from 1."""
