"""What auditors ask of a game."""

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
    """Checks what was recorded elsewhere, event by event, as far as it is known."""

    def take(self, event: Event, state: _StateT_contra) -> Iterable[Mismatch]:
        """Note an event that was applied; return what in it contradicts the events before it."""
        ...

    @property
    def unchecked(self) -> Mapping[str, int]:
        """What could not be checked: each kind in words, of one, with its number."""
        ...


class Auditable(Rules[StartT, StateT]):
    """Rules by which the log of a game can be checked."""

    dealt: ClassVar[frozenset[type[Event]]] = frozenset()
    """The dealer's events that say what chance gave."""
    seeded: ClassVar[frozenset[type[Event]]] = frozenset()
    """The events whose secret is a seed, in the field ``seed``, and nothing else: no two have the same."""

    def seed_of(self, event: Event) -> bytes | None:
        """Return the seed that an event recorded, None for one that records none."""
        seed: bytes | None = getattr(event, "seed", None) if type(event) in self.seeded else None
        return seed

    def seed_shown(self, event: Event, last: int) -> int | None:
        """Return the seed of whose chance an event shows something, as `Entropy.seed` counts them; None if of none.

        ``last`` is the seed that was taken last. An event whose secrets are withheld shows nothing.
        """
        return None

    def contradictions(self, started: StartT) -> Iterator[Mismatch]:
        """Yield what in the event that starts a game is impossible."""
        yield from self.wrong_engine(started.engine)
        yield from wrong_source(started.reproducible, started.entropy)

    def unplayable(self, started: StartT) -> Iterator[Mismatch]:
        """Yield what in the event that starts a game makes it unplayable today.

        An earlier version may have played by it, so this is asked only if following the game fails.
        """
        yield from ()

    def longest_name(self, started: StartT) -> int:
        """Return how long a player's name may be."""
        return MAX_NAME

    def record_check(self, started: StartT) -> RecordCheck[StateT] | None:
        """Return what checks the inputs of a game that were recorded elsewhere; None where seeds give them all."""
        return None

    def books(self, started: StartT) -> Books[StateT]:
        """Return the books before the first event after the start; empty ones where the game counts nothing."""
        return NoBooks()
