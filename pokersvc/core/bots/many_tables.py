"""Many tables of one game, whose rules are applied to all of them at once in arrays."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pokersvc.core.event import Event
from pokersvc.errors import InvalidValue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WriteEvent: TypeAlias = Callable[[bool, Event], list[int]]
"""Returns an event as numbers: for True as the seat of the event's secret sees it, for False as the others do."""


class NotVectorised(InvalidValue):
    """A game or a table that has no vectorised form."""

    code = "not_vectorised"


class ManyTables(ABC):
    """Tables of a game of one round, in which chance only orders pieces; tables are counted from 0, seats from 1.

    At each table one seat acts. Its choices, figures and record are those of the game's `NumberedGame`.
    """

    pieces: int
    """The number of pieces that chance puts in order; a piece is its number, from 0."""
    dealt: int
    """The number of pieces, from the first, that a game may need."""

    @property
    @abstractmethod
    def seats(self) -> "NDArray[np.int64]":
        """The seat whose turn it is, for each table."""

    @abstractmethod
    def deal(self, tables: "NDArray[np.intp]", orders: "NDArray[np.int64]") -> None:
        """Begin a new game at each of these tables, with the first ``dealt`` pieces of its order."""

    @abstractmethod
    def masks(self) -> "NDArray[np.int8]":
        """Return a mask of the choices that the seat to act has now (1: legal), for each table."""

    @abstractmethod
    def features(self) -> "NDArray[np.int64]":
        """Return the figures of each table, as the seat to act sees it."""

    @abstractmethod
    def records(self) -> "NDArray[np.int64]":
        """Return the record of each table as the seat to act has seen it, padded with 0."""

    @abstractmethod
    def step(self, numbers: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], NDArray[np.bool_]]":
        """Take a legal choice at every table; return the seats' gains where games ended, and a mask of these tables.

        A table whose game is over must be dealt a new game before any other call.
        """
