"""Estimates of how a game will end, with which `pokersvc.tournament.aivat` takes the luck out of results."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from math import fsum
from typing import Any, Generic, Protocol, TypeAlias

from typing_extensions import TypeVar

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import Event
from pokersvc.core.state import State, StateT

Gains: TypeAlias = tuple[float, ...]
"""An estimated result for each seat, in the game's unit; only differences between estimates of one game matter."""
_StateT_contra = TypeVar("_StateT_contra", contravariant=True, default=Any)


class Estimate(Protocol[_StateT_contra]):
    """Estimates a game's results, knowing all secrets. Bad estimates leave more luck in, but no bias."""

    def value(self, state: _StateT_contra) -> Gains:
        """Return the estimated result in a state."""
        ...

    def mean(self, state: _StateT_contra) -> Gains | None:
        """Return the exact mean of `value` after the dealer's next event, over all that chance may bring.

        None if chance does not decide the next event, or if the luck of that event stays in the results.
        """
        ...

    def looks_ahead(self, state: _StateT_contra) -> bool:
        """Return whether the policy of the awaited player, if there is one, should be used for the choice."""
        ...


class EnumeratedEstimate(ABC, Generic[StateT]):
    """An estimate for a small game: every outcome of chance is tried."""

    @abstractmethod
    def value(self, state: StateT) -> Gains:
        """Return the estimated result in a state."""

    def looks_ahead(self, state: StateT) -> bool:
        """Return True: a small game is followed to the next outcome of chance, or to its end."""
        return True

    @abstractmethod
    def outcomes(self, state: StateT) -> Sequence[tuple[Event, float]]:
        """Return what the dealer's next event may be, with probabilities; empty if chance does not decide the event."""

    def mean(self, state: StateT) -> Gains | None:
        """Return the mean of `value` over the outcomes; None if chance does not decide the next event."""
        found = [(probability, self.value(after(state, event))) for event, probability in self.outcomes(state)]
        return mixed(found) if found else None


def after(state: StateT, event: Event) -> StateT:
    """Return a copy of a state to which an event was applied."""
    copied = deepcopy(state)
    copied.apply(event)
    return copied


def made(state: State, action: Action) -> Event | None:
    """Return the event of an action; None if the action is illegal, because a policy may name any action."""
    try:
        return state.decide(action)
    except IllegalAction:
        return None


def mixed(weighted: Sequence[tuple[float, Gains]]) -> Gains:
    """Return the mean of results weighted by their probabilities, which need not add up to exactly 1.

    >>> mixed([(0.25, (4.0, -4.0)), (0.75, (0.0, 0.0))])
    (1.0, -1.0)
    """
    total = fsum(weight for weight, _ in weighted)
    return tuple(
        fsum(weight * gain for weight, gain in zip((weight for weight, _ in weighted), of_seat, strict=True)) / total
        for of_seat in zip(*(gains for _, gains in weighted), strict=True)
    )
