"""Protocols for a game's own events: the attributes that betting reads from them, such as seats and amounts."""

from collections.abc import Sequence
from typing import Protocol


class OfSeat(Protocol):
    """An event that concerns one seat."""

    @property
    def seat(self) -> int:
        """The seat, from 1."""


class OfChips(OfSeat, Protocol):
    """An event that moves chips of a seat: the seat puts them in, gets them or brings them to the table."""

    @property
    def amount(self) -> int:
        """The number of chips."""


class ToPrice(OfChips, Protocol):
    """An event in which a seat raises the price: what a seat must have put into the betting round to stay in."""

    @property
    def to(self) -> int:
        """The new price."""


class OfName(OfChips, Protocol):
    """An event in which a person sits down with chips."""

    @property
    def name(self) -> str | None:
        """The new name of the seat; None if its name stays."""


class OfPurchase(OfChips, Protocol):
    """An event in which a person asks to buy chips."""

    @property
    def name(self) -> str | None:
        """The new name of the seat, if somebody sits down with the purchase; None if its name stays."""

    @property
    def person(self) -> int | None:
        """The number of the person who sits down with the purchase; None for a person already seated."""


class OfPot(Protocol):
    """An event in which the house takes rake from a pot."""

    @property
    def amount(self) -> int:
        """The number of chips."""

    @property
    def pot(self) -> int:
        """The number of the pot; 1 is the main pot."""


class OfShares(Protocol):
    """An event in which a pot is paid out."""

    @property
    def shares(self) -> Sequence[OfChips]:
        """The share of each winner."""
