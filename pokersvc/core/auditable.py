"""The facet of a game that auditors need."""

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Protocol, TypeVar

from pokersvc.core.books import Books, Mismatch, NoBooks
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import wrong_source
from pokersvc.core.rules import Rules
from pokersvc.core.seats import MAX_NAME
from pokersvc.core.state import StateT
from pokersvc.core.typevars import StartT

_StateT_contra = TypeVar("_StateT_contra", contravariant=True)


class RecordCheck(Protocol[_StateT_contra]):
    """Checks the events of a game recorded elsewhere, one by one; data missing in the recording cannot be checked."""

    def take(self, event: Event, state: _StateT_contra) -> Iterable[Mismatch]:
        """Take an event that was just applied; return its contradictions to earlier events."""
        ...

    @property
    def unchecked(self) -> Mapping[str, int]:
        """Map each kind of thing that could not be checked, as a singular noun, to the number of such things."""
        ...


class Auditable(Rules[StartT, StateT]):
    """Rules by which the log of a game can be checked."""

    dealt: ClassVar[frozenset[type[Event]]] = frozenset()
    """The types of the dealer's events that record an outcome of chance."""
    seeded: ClassVar[frozenset[type[Event]]] = frozenset()
    """The types of events whose secret is only a seed, in the field ``seed``; no two such events have the same seed."""

    def seed_of(self, event: Event) -> bytes | None:
        """Return the seed that an event records; None if it records none."""
        seed: bytes | None = getattr(event, "seed", None) if type(event) in self.seeded else None
        return seed

    def seed_shown(self, event: Event, last: int) -> int | None:
        """Return the number (see `Entropy.seed`) of the seed that determined the content of an event, or None.

        ``last`` is the number of the latest seed taken. An event whose secrets are withheld shows nothing.
        """
        return None

    def contradictions(self, started: StartT) -> Iterator[Mismatch]:
        """Yield everything that is impossible in the start event of a game."""
        yield from self.wrong_engine(started.engine)
        yield from wrong_source(started.reproducible, started.entropy)

    def unplayable(self, started: StartT) -> Iterator[Mismatch]:
        """Yield everything in the start event that keeps this version of pokersvc from playing the game.

        An earlier version may have played such a game, so this method is called only if following the game fails.
        """
        yield from ()

    def longest_name(self, started: StartT) -> int:
        """Return the maximum length of a player's name in a game."""
        return MAX_NAME

    def record_check(self, started: StartT) -> RecordCheck[StateT] | None:
        """Return the check for a game recorded elsewhere; None if all its chance comes from seeds."""
        return None

    def books(self, started: StartT) -> Books[StateT]:
        """Return the books (accounts of chips, stones or beans) of a game just started; `NoBooks` if it needs none."""
        return NoBooks()
