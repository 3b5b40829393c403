"""What was recorded elsewhere and enters a game instead of chance: what chance gave at another table."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from pokersvc.core.event import EventT
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.state import Entry, Outcome


class FollowedGame(NamedTuple):
    """What a state that has taken all events of a game says of it, so that nobody applies them again to ask."""

    entries: tuple[tuple[int, Entry], ...]
    """The lines of history that events completed, as everyone may know them, each with the event's number."""
    outcome: Outcome


class Recordings(ABC):
    """Gives the dealer the events whose content was recorded, beside seeds."""

    @abstractmethod
    def recorded(self, type_: type[EventT]) -> EventT | None:
        """Return what was recorded as the next event, if it is of this type."""


def recorded_by(entropy: Entropy, type_: type[EventT]) -> EventT | None:
    """Return what was recorded as the next event; None where it is of another type, or where there are seeds only."""
    return entropy.recorded(type_) if isinstance(entropy, Recordings) else None
