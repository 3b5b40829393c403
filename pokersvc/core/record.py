"""What has happened in a game, as its state keeps it, and what of that a viewer has seen: the ``record`` of a view."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain, islice
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from pokersvc.core.event import AUDITOR, Viewer, redact

ROUNDS: Final = 1000
"""How many of the rounds before this one are kept."""
_SLACK: Final = 250
"""How many more are kept for a while, because deleting many at a time costs less."""

ItemT = TypeVar("ItemT")


class Extent(NamedTuple):
    """How far a record goes: the number of rounds before this one, deleted ones included, and of events in this one."""

    rounds: int
    events: int


class Round(Generic[ItemT]):
    """What happened in a finished round."""

    __slots__ = ("_seen", "items")

    def __init__(self, items: Iterable[ItemT]) -> None:
        self.items = tuple(items)
        self._seen: dict[Viewer, tuple[ItemT, ...]] | None = None

    def __eq__(self, other: object) -> bool:
        """Equal rounds had the same events."""
        return self.items == other.items if isinstance(other, Round) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # nobody looks one up

    def seen(self, viewer: Viewer) -> tuple[ItemT, ...]:
        """Return the round as the viewer saw it, and keep that for the next time."""
        if viewer == AUDITOR:
            return self.items
        if self._seen is None:
            self._seen = {}
        if (found := self._seen.get(viewer)) is None:
            found = self._seen[viewer] = _seen(self.items, viewer)
        return found


def _seen(items: Iterable[ItemT], viewer: Viewer) -> tuple[ItemT, ...]:
    """Return events as the viewer may know them; an auditor knows all, so then it may be anything."""
    if viewer == AUDITOR:
        return tuple(items)
    return tuple([cast(ItemT, redact(cast(Any, item), viewer)) for item in items])


class _Begun(NamedTuple, Generic[ItemT]):
    """A round, and what was before it: it stays as it is but for what happens in the round."""

    items: "list[ItemT] | deque[ItemT]"
    rounds: list[Round[ItemT]]
    """The rounds before it, and perhaps later ones."""
    stop: int
    """How many of them are before it."""
    number: int
    """How many rounds there were before it, deleted ones included."""


class Happened(Generic[ItemT]):
    """The events of a game round by round, or what else its state notes of it: a part of the state.

    ``apply`` adds each event to ``events``, and calls `turn` where a round begins. What is there is never changed, so
    that what a viewer has `Seen` of it stays as it was, and costs nothing to give.
    """

    __slots__ = ("__weakref__", "_beside", "_kept", "begun", "events", "looked_back")

    def __init__(self) -> None:
        self._beside: list[Happened[Any]] = []
        self._kept = 0
        self.looked_back: set[Viewer] = set()
        """Who has looked at rounds before this one: these are kept as each of them saw them, too."""
        self.events: list[ItemT] | deque[ItemT] = []
        """What has happened in this round."""
        self.begun: _Begun[ItemT] = _Begun(self.events, [], 0, 0)
        """This round, and what was before it."""

    @property
    def number(self) -> int:
        """How many rounds there were before this one."""
        return self.begun.number

    @property
    def round(self) -> int:
        """The number of the round that the last event belongs to, from 1, as long as anything is kept.

        What comes before the first round belongs to it, and what comes between two rounds to the one before.
        """
        return max(self.begun.number + bool(self.events), 1)

    @property
    def rounds(self) -> list[Round[ItemT]]:
        """The rounds before this one; at least the last `ROUNDS` of them."""
        return self.begun.rounds

    @property
    def kept(self) -> int:
        """How many events and notes are in memory for it, counted without going through them."""
        here = self._kept * (1 + len(self.looked_back)) + len(self.events)
        return here + sum([other.kept for other in self._beside])

    def beside(self) -> "Happened[Any]":
        """Return another that begins its rounds with this one, and stops with it."""
        self._beside.append(found := Happened[Any]())
        return found

    def turn(self) -> None:
        """Begin a round."""
        for other in self._beside:
            other.turn()
        items, rounds, stop, number = self.begun
        if not isinstance(items, deque):
            if stop == ROUNDS + _SLACK:
                self._kept -= sum([len(one.items) for one in rounds[:_SLACK]])
                rounds, stop = rounds[_SLACK:], ROUNDS  # a list of its own: what was seen holds the old one
            rounds.append(Round(items))
            self._kept += len(items)
            self.events, stop = [], stop + 1
        self.begun = _Begun(self.events, rounds, stop, number + 1)

    def stop(self) -> None:
        """Stop keeping anything: for readers of a long log that ask for no view."""
        for other in self._beside:
            other.stop()
        self.events = deque(maxlen=0)
        self.begun, self._kept = _Begun(self.events, [], 0, self.number), 0

    def seen(self, viewer: Viewer) -> "Seen[ItemT]":
        """Return what the viewer has seen of it up to now."""
        return Seen(self, viewer)

    def __eq__(self, other: object) -> bool:
        """Equal ones had the same events, as far as both keep them."""
        if not isinstance(other, Happened):
            return NotImplemented
        if isinstance(self.events, deque) or isinstance(other.events, deque):
            return self.number == other.number
        return (self.number, self.events, self.rounds[-ROUNDS:]) == (other.number, other.events, other.rounds[-ROUNDS:])

    __hash__ = None  # type: ignore[assignment]  # it grows


class Seen(Generic[ItemT]):
    """What a viewer has seen of a game: an immutable value; iterating gives everything, the oldest first.

    It is made when it is read. Until then it holds what has happened, hidden parts and all, which costs the programs of
    a game nothing. Who else gets one is given what was seen and no more: by `without_secrets`, or as pickle writes it.
    """

    __slots__ = ("_begun", "_count", "_of", "_past", "_round", "_viewer")

    def __init__(self, happened: Happened[ItemT], viewer: Viewer) -> None:
        self._of = happened
        self._viewer = viewer
        self._begun = begun = happened.begun
        self._count = len(begun[0])

    @classmethod
    def again(cls, past: Iterable[Iterable[ItemT]], now: Iterable[ItemT]) -> "Seen[ItemT]":
        """Return what was seen: the rounds before, and this one."""
        happened: Happened[ItemT] = Happened()
        extend(happened, [*past, now])
        return cls(happened, AUDITOR)

    @property
    def round(self) -> tuple[ItemT, ...]:
        """What happened in this round, in order; between two rounds, in the last one and since."""
        try:
            return self._round
        except AttributeError:
            self._round: tuple[ItemT, ...] = _seen(islice(self._begun.items, self._count), self._viewer)
            return self._round

    @property
    def past(self) -> tuple[tuple[ItemT, ...], ...]:
        """The rounds before this one, the last 1,000 at most, the oldest first: what happened in each, in order."""
        try:
            return self._past
        except AttributeError:
            if self._viewer != AUDITOR:
                self._of.looked_back.add(self._viewer)
            self._past: tuple[tuple[ItemT, ...], ...] = tuple([kept.seen(self._viewer) for kept in self._kept()])
            return self._past

    def _kept(self) -> list[Round[ItemT]]:
        _, rounds, stop, _ = self._begun
        return rounds[max(0, stop - ROUNDS) : stop]

    @property
    def _length(self) -> tuple[int, int]:
        """How much it tells: rounds before this one, and what happened in this one."""
        return min(self._begun.stop, ROUNDS), self._count

    def last(self, count: int) -> list[ItemT]:
        """Return what happened last, so many of it at most, the oldest first."""
        found = [self.round]
        missing = count - self._count
        for kept in reversed(self._kept()):
            if missing <= 0:
                break
            found.append(kept.seen(self._viewer))
            missing -= len(kept.items)
        together = list(chain.from_iterable(reversed(found)))
        return together[-count:] if count else []

    def __iter__(self) -> Iterator[ItemT]:
        """Go through all rounds, then this one."""
        return chain(chain.from_iterable(self.past), self.round)

    def __eq__(self, other: object) -> bool:
        """Equal records show the same."""
        if not isinstance(other, Seen):
            return NotImplemented
        if self._length != other._length:
            return False
        if self._begun is other._begun and self._viewer == other._viewer:
            return True
        return self.round == other.round and self.past == other.past

    def __hash__(self) -> int:
        """Return the same for equal records."""
        return hash(self._length)

    def __repr__(self) -> str:
        """Show this round in full and the number of the others."""
        return f"Seen(<{self._length[0]} past rounds>, {self.round!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only what was seen."""
        return Seen.again, (self.past, self.round)

    def alone(self) -> "Seen[ItemT]":
        """Return a copy that holds only what was seen, to be given away."""
        happened: Happened[ItemT] = Happened()
        happened.events.extend(self.round)
        rounds = [Round(kept.seen(self._viewer)) for kept in self._kept()]
        happened.begun = _Begun(happened.events, rounds, len(rounds), self._begun.number)
        return Seen(happened, AUDITOR)

    # What is new since an earlier record.

    @property
    def of(self) -> tuple[Happened[ItemT], Viewer]:
        """What it was seen of, and by whom."""
        return self._of, self._viewer

    @property
    def extent(self) -> Extent:
        """How far it goes."""
        return Extent(self._begun.number, self._count)

    def since(self, extent: Extent) -> "list[tuple[ItemT, ...]] | None":
        """Return what is new since then: the rest of the round of then, and each round begun since, from its start.

        None where it does not go on from there: it ends before, or what is between is forgotten.
        """
        over = self._begun.number - extent.rounds
        if not over:
            return [self.round[extent.events :]] if extent.events <= self._count else None
        if not 0 < over <= self._length[0]:
            return None
        first, *others = [_seen(kept.items, self._viewer) for kept in self._kept()[-over:]]
        return [first[extent.events :], *others, self.round]

    def all(self) -> list[tuple[ItemT, ...]]:
        """Return everything, in the form in which `since` returns what is new."""
        return [*[_seen(kept.items, self._viewer) for kept in self._kept()], self.round]


def without_secrets(view: Any) -> Any:
    """Return a view to be given away: its records no longer hold anything hidden from its viewer."""
    records = {
        field.name: record.alone() for field in fields(view) if isinstance(record := getattr(view, field.name), Seen)
    }
    return replace(view, **records)


def extend(happened: Happened[ItemT], news: Sequence[Iterable[ItemT]]) -> None:
    """Add what is new, as `Seen.since` returns it."""
    for number, items in enumerate(news):
        if number:
            happened.turn()
        happened.events.extend(items)
