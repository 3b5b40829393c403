"""Ranges: the possible holdings of the other of two seats, given what one seat has seen.

`pokersvc.tournament.response` plays against a player by the player's range (`Competitive.range_of`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Policy
from pokersvc.core.event import Event
from pokersvc.core.state import StateT
from pokersvc.core.typevars import AnyView, ViewT

AskedPolicies: TypeAlias = Callable[[Sequence[AnyView], object], Sequence[Policy]]
"""Returns the other player's policy for each of several views that have the same legal actions; an empty policy
gives no information, and any action fits it."""


class RangeTerms(NamedTuple):
    """The settings of a range, and of the evaluation of actions against it."""

    sizes: tuple[float, ...] = (0.5, 1.0, 2.0)
    """The sizes of bets and raises, in parts of the pot; the smallest and the largest legal ones are weighed too."""
    late: bool = False
    """Whether bets are weighed only in the last betting round, and before it only calling, checking and giving up."""
    samples: int = 200
    """The number of holdings of the other seat that are drawn from all possible ones; a small game takes all."""


class Range(ABC, Generic[StateT, ViewT]):
    """The possible holdings of the other of two seats, each with a weight, given what one seat has seen.

    Every ``state`` is the game as the seat knows it: a copy without what is hidden from the seat. ``chosen`` are the
    choices after the last event taken (`take`) that have led to that state. A result "for each" has one item for each
    holding that the other seat may have, in the same order.
    """

    @abstractmethod
    def weights(self) -> Sequence[float]:
        """Return the weight of each possibility: not negative, proportional to its probability, and not all zero."""

    @abstractmethod
    def views(self, state: StateT, chosen: tuple[Event, ...]) -> Sequence[ViewT]:
        """Return, for each possibility, the view that the other seat would have."""

    @abstractmethod
    def values(self, state: StateT, chosen: tuple[Event, ...]) -> Sequence[float]:
        """Return the seat's result against each possible holding if both only check and call, or after a fold."""

    @abstractmethod
    def narrow(self, state: StateT, event: Event, policies: Sequence[Policy]) -> bool:
        """Update the range by a choice of the other seat, before it is applied; each possibility has its policy.

        Return whether the choice fits the policy for any possibility; if not, the range learns nothing from it.
        """

    @abstractmethod
    def take(self, state: StateT, event: Event) -> None:
        """Update the range by any event, as the seat sees it, after it was applied to the state."""

    @abstractmethod
    def actions(self, state: StateT) -> Sequence[Action]:
        """Return the actions that the seat considers, at least one; only one if the range alone decides the choice."""

    @abstractmethod
    def gives_up(self, state: StateT, action: Action) -> bool:
        """Return whether an action of either seat in the state gives up the pot, as a fold does."""
