"""The events of a game as its state keeps them, and the part that a viewer has seen: the ``record`` of a view."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain, islice
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar, cast

from pokersvc.core.event import AUDITOR, Viewer, redact

ROUNDS: Final = 1000
"""The number of past rounds that are kept."""
_SLACK: Final = 250
"""Further past rounds that are kept for a while, because deleting many rounds at a time costs less."""

ItemT = TypeVar("ItemT")


class Extent(NamedTuple):
    """How far a record reaches: the number of past rounds, including deleted ones, and of events in the current one."""

    rounds: int
    events: int


class Round(Generic[ItemT]):
    """The events of a finished round."""

    __slots__ = ("_seen", "items")

    def __init__(self, items: Iterable[ItemT]) -> None:
        self.items = tuple(items)
        self._seen: dict[Viewer, tuple[ItemT, ...]] | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether the other round had the same events."""
        return self.items == other.items if isinstance(other, Round) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # never looked up in a set or dict

    def __deepcopy__(self, memo: object) -> Self:
        """Return the round itself, since its events never change."""
        return self

    def seen(self, viewer: Viewer) -> tuple[ItemT, ...]:
        """Return the events of the round as the viewer saw them, from a cache after the first call."""
        if viewer == AUDITOR:
            return self.items
        if self._seen is None:
            self._seen = {}
        if (found := self._seen.get(viewer)) is None:
            found = self._seen[viewer] = _seen(self.items, viewer)
        return found


def _seen(items: Iterable[ItemT], viewer: Viewer) -> tuple[ItemT, ...]:
    """Return events as the viewer may know them; an auditor may see everything, and gets any items unchanged."""
    if viewer == AUDITOR:
        return tuple(items)
    hide = cast("Callable[[ItemT, Viewer], ItemT]", redact)
    return tuple([hide(item, viewer) for item in items])


class _Begun(NamedTuple, Generic[ItemT]):
    """A round and the rounds before it; only the round in progress still gets events."""

    items: "list[ItemT] | deque[ItemT]"
    rounds: list[Round[ItemT]]
    """The rounds before this round, in a list to which later rounds may have been added (see `stop`)."""
    stop: int
    """The number of items of ``rounds`` that came before this round."""
    number: int
    """The number of rounds before this round, including deleted ones."""


class GameRecord(Generic[ItemT]):
    """The part of a game's state that records events, or other notes, round by round.

    ``State.apply`` adds each event to ``events``, and calls `turn` when a round begins. Existing entries never change,
    so the part that a viewer has `Seen` stays as it was, and costs nothing to give away.
    """

    __slots__ = ("__weakref__", "_beside", "_kept", "begun", "events", "looked_back")

    def __init__(self) -> None:
        self._beside: list[GameRecord[Any]] = []
        self._kept = 0
        self.looked_back: set[Viewer] = set()
        """The viewers who have looked at past rounds; every past round is cached once more for each of them."""
        self.events: list[ItemT] | deque[ItemT] = []
        """The events of the current round."""
        self.begun: _Begun[ItemT] = _Begun(self.events, [], 0, 0)
        """The current round and the rounds before it."""

    @property
    def number(self) -> int:
        """The number of rounds before the current one."""
        return self.begun.number

    @property
    def round(self) -> int:
        """The number of the round that the last event belongs to, from 1; not exact after `stop`.

        An event before the first round belongs to it, and an event between two rounds to the earlier one.
        """
        return max(self.begun.number + bool(self.events), 1)

    @property
    def rounds(self) -> list[Round[ItemT]]:
        """The rounds before the current one: at least the last `ROUNDS`."""
        return self.begun.rounds

    @property
    def kept(self) -> int:
        """The number of events and notes kept in memory, computed without iterating over them."""
        here = self._kept * (1 + len(self.looked_back)) + len(self.events)
        return here + sum([other.kept for other in self._beside])

    def beside(self) -> "GameRecord[Any]":
        """Return a new record linked to this one: both begin rounds and stop at the same time."""
        self._beside.append(found := GameRecord[Any]())
        return found

    def turn(self) -> None:
        """Begin a round."""
        for other in self._beside:
            other.turn()
        items, rounds, stop, number = self.begun
        if not isinstance(items, deque):
            if stop == ROUNDS + _SLACK:
                self._kept -= sum([len(one.items) for one in rounds[:_SLACK]])
                rounds, stop = rounds[_SLACK:], ROUNDS  # a new list, because each `Seen` still refers to the old one
            rounds.append(Round(items))
            self._kept += len(items)
            self.events, stop = [], stop + 1
        self.begun = _Begun(self.events, rounds, stop, number + 1)

    def stop(self) -> None:
        """Stop keeping events, for readers of a long log who ask for no view."""
        for other in self._beside:
            other.stop()
        self.events = deque(maxlen=0)
        self.begun, self._kept = _Begun(self.events, [], 0, self.number), 0

    def seen(self, viewer: Viewer) -> "Seen[ItemT]":
        """Return the events so far as the viewer has seen them."""
        return Seen(self, viewer)

    def __eq__(self, other: object) -> bool:
        """Return whether the other record has the same events, as far as both still keep them."""
        if not isinstance(other, GameRecord):
            return NotImplemented
        if isinstance(self.events, deque) or isinstance(other.events, deque):
            return self.number == other.number
        return (self.number, self.events, self.rounds[-ROUNDS:]) == (other.number, other.events, other.rounds[-ROUNDS:])

    __hash__ = None  # type: ignore[assignment]  # it grows


class Seen(Generic[ItemT]):
    """The events of a game that a viewer has seen: an immutable value; iterating gives all of them, the oldest first.

    The events are redacted when they are first read. Until then, a `Seen` holds all events with their hidden parts, so
    it costs nothing to give one to a built-in bot. Anybody else must get a copy without hidden parts: one made by
    `without_secrets`, or by pickling.
    """

    __slots__ = ("_begun", "_count", "_of", "_past", "_round", "_viewer")

    def __init__(self, happened: GameRecord[ItemT], viewer: Viewer) -> None:
        self._of = happened
        self._viewer = viewer
        self._begun = begun = happened.begun
        self._count = len(begun[0])

    @classmethod
    def of_events(cls, past: Iterable[Iterable[ItemT]], now: Iterable[ItemT]) -> "Seen[ItemT]":
        """Return a `Seen` from the events of the past rounds and of the current one, as they were seen."""
        happened: GameRecord[ItemT] = GameRecord()
        extend(happened, [*past, now])
        return cls(happened, AUDITOR)

    @property
    def round(self) -> tuple[ItemT, ...]:
        """The events of the current round, in order; between two rounds, the events since the last round began."""
        try:
            return self._round
        except AttributeError:
            self._round: tuple[ItemT, ...] = _seen(islice(self._begun.items, self._count), self._viewer)
            return self._round

    @property
    def past(self) -> tuple[tuple[ItemT, ...], ...]:
        """The events of each past round, the oldest round first; at most the last 1,000 rounds."""
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
        """The number of past rounds in this record, and of events in the current round."""
        return min(self._begun.stop, ROUNDS), self._count

    def last(self, count: int) -> list[ItemT]:
        """Return the last ``count`` events at most, the oldest first."""
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
        """Iterate over the events of the past rounds, then of the current one."""
        return chain(chain.from_iterable(self.past), self.round)

    def __eq__(self, other: object) -> bool:
        """Return whether the other record shows the same events."""
        if not isinstance(other, Seen):
            return NotImplemented
        if self._length != other._length:
            return False
        if self._begun is other._begun and self._viewer == other._viewer:
            return True
        return self.round == other.round and self.past == other.past

    def __hash__(self) -> int:
        """Return a hash of the record's length, which is the same for equal records."""
        return hash(self._length)

    def __repr__(self) -> str:
        """Show the current round in full, and the number of past rounds."""
        return f"Seen(<{self._length[0]} past rounds>, {self.round!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the events as the viewer saw them."""
        return Seen.of_events, (self.past, self.round)

    def alone(self) -> "Seen[ItemT]":
        """Return a copy without hidden parts of events, which may be given to anybody."""
        happened: GameRecord[ItemT] = GameRecord()
        happened.events.extend(self.round)
        rounds = [Round(kept.seen(self._viewer)) for kept in self._kept()]
        happened.begun = _Begun(happened.events, rounds, len(rounds), self._begun.number)
        return Seen(happened, AUDITOR)

    # What is new since an earlier record.

    @property
    def of(self) -> tuple[GameRecord[ItemT], Viewer]:
        """The record of the whole game from which this part was taken, and the viewer of this part."""
        return self._of, self._viewer

    @property
    def extent(self) -> Extent:
        """How far this record reaches, for a later call of `since`."""
        return Extent(self._begun.number, self._count)

    def since(self, extent: Extent) -> "list[tuple[ItemT, ...]] | None":
        """Return the events after ``extent``: the rest of the round where it ends, then each later round.

        None if this record ends before ``extent``, or if rounds between were deleted.
        """
        over = self._begun.number - extent.rounds
        if not over:
            return [self._after(extent.events)] if extent.events <= self._count else None
        if not 0 < over <= self._length[0]:
            return None
        first, *others = [_seen(kept.items, self._viewer) for kept in self._kept()[-over:]]
        return [first[extent.events :], *others, self.round]

    def _after(self, events: int) -> tuple[ItemT, ...]:
        """Return the events of the current round after the first ``events``, without redacting those before."""
        return _seen(islice(self._begun.items, events, self._count), self._viewer)

    def all(self) -> list[tuple[ItemT, ...]]:
        """Return all events, in the form that `since` uses: a tuple for each round."""
        return [*[_seen(kept.items, self._viewer) for kept in self._kept()], self.round]


def without_secrets(view: Any) -> Any:
    """Return a copy of a view that may be given to anybody: its records hold nothing hidden from its viewer."""
    records = {
        field.name: record.alone() for field in fields(view) if isinstance(record := getattr(view, field.name), Seen)
    }
    return replace(view, **records)


def extend(happened: GameRecord[ItemT], news: Sequence[Iterable[ItemT]]) -> None:
    """Add events to a record; ``news`` has the form that `Seen.since` returns, a tuple for each round."""
    for number, items in enumerate(news):
        if number:
            happened.turn()
        happened.events.extend(items)
