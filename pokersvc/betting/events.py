"""The attributes that betting reads from a game's own events: their seats and amounts, under these names."""

from collections.abc import Sequence
from typing import Protocol


class OfSeat(Protocol):
    """An event of a seat."""

    @property
    def seat(self) -> int:
        """The seat, from 1."""


class OfChips(OfSeat, Protocol):
    """An event by which a seat puts in, gets or brings chips."""

    @property
    def amount(self) -> int:
        """The number of chips."""


class ToPrice(OfChips, Protocol):
    """An event by which a seat raises the price."""

    @property
    def to(self) -> int:
        """The new price."""


class OfName(OfChips, Protocol):
    """An event by which somebody sits down with chips."""

    @property
    def name(self) -> str | None:
        """The new name of the seat; None if it keeps its own."""


class OfPot(Protocol):
    """An event by which the house takes chips out of a pot."""

    @property
    def amount(self) -> int:
        """The number of chips."""

    @property
    def pot(self) -> int:
        """The number of the pot; 1 is the main pot."""


class OfShares(Protocol):
    """An event by which a pot is paid out."""

    @property
    def shares(self) -> Sequence[OfChips]:
        """The share of each winner."""
