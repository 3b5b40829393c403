"""Recordings of what chance gave at another table, which enter a game instead of chance."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from pokersvc.core.event import EventT
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.state import Entry, Outcome


class FollowedGame(NamedTuple):
    """The history and the outcome of a game that was followed to its end, so that nobody need follow it again."""

    entries: tuple[tuple[int, Entry], ...]
    """The lines of history that events completed, as everyone may know them, each with the event's number."""
    outcome: Outcome


class Recordings(ABC):
    """Gives the dealer events whose content was recorded, in addition to seeds."""

    @abstractmethod
    def recorded(self, type_: type[EventT]) -> EventT | None:
        """Return the next recorded event if it is of this type, otherwise None."""


def recorded_by(entropy: Entropy, type_: type[EventT]) -> EventT | None:
    """Return the next recorded event; None if it is of another type, or if ``entropy`` has only seeds."""
    return entropy.recorded(type_) if isinstance(entropy, Recordings) else None
