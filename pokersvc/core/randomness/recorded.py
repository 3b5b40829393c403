"""Outcomes of chance that were recorded elsewhere, such as at another site; a game uses them instead of seeds."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from pokersvc.core.event import EventT
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.state import Entry, Outcome


class FollowedGame(NamedTuple):
    """The history and the outcome of a game that was already replayed to its end, to save another replay."""

    entries: tuple[tuple[int, Entry], ...]
    """The public lines of history, each with the number of the event that completed it."""
    outcome: Outcome


class Recordings(ABC):
    """Gives the dealer the events that were recorded, and seeds for everything that was not."""

    @abstractmethod
    def recorded(self, type_: type[EventT]) -> EventT | None:
        """Return the next recorded event if it is of this type, or None."""


def recorded_by(entropy: Entropy, type_: type[EventT]) -> EventT | None:
    """Return the next recorded event; None if it is of another type, or if ``entropy`` has only seeds."""
    return entropy.recorded(type_) if isinstance(entropy, Recordings) else None
