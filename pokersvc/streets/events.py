"""Protocols for a game's own events: the attributes that streets read from them; hidden ones are None."""

from collections.abc import Sequence
from typing import Protocol

from pokersvc.betting.events import OfSeat
from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard


class OfSeed(Protocol):
    """An event that shuffles the deck by a seed."""

    @property
    def seed(self) -> bytes | None:
        """The seed of 32 bytes; None if it is hidden."""


class OfCount(OfSeat, Protocol):
    """An event that deals or discards a number of cards of a seat."""

    @property
    def count(self) -> int:
        """The number of cards."""


class OfCards(OfCount, Protocol):
    """A deal to a seat or a discard; its cards may be hidden, or unknown to all if the terms allow that."""

    @property
    def cards(self) -> tuple[AnyCard, ...] | None:
        """The cards; None if they are hidden."""


class OfCommitted(OfCards, Protocol):
    """An event that deals cards to a seat and commits the dealer to each of them."""

    @property
    def digests(self) -> tuple[bytes, ...]:
        """The salted digest of each card."""

    @property
    def salts(self) -> tuple[bytes, ...] | None:
        """The salt of each card; None if the salts are hidden."""


class OfShown(Protocol):
    """An event in which a seat shows cards by its own choice, with the salts by which everybody can check them."""

    @property
    def seat(self) -> int:
        """The seat, from 1."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards."""

    @property
    def salts(self) -> tuple[bytes, ...]:
        """The salt of each card."""


class OfBoard(Protocol):
    """An event that deals cards to the board, or shows cards to everybody."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards."""


class OfHand(OfSeat, OfBoard, Protocol):
    """A seat and its face-up or shown cards."""


class OfHands(Protocol):
    """An event that shows the hands of several seats."""

    @property
    def hands(self) -> Sequence[OfHand]:
        """The hands, each with its seat."""


class OfNewDeck(Protocol):
    """An event that makes a new deck of the cards out of play."""

    @property
    def count(self) -> int:
        """The number of cards."""

    @property
    def number(self) -> int:
        """The number of this new deck in the round, from 1."""
