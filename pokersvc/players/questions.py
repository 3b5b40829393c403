"""Questions as bytes, which contain only the new part of each record.

The asker knows how much of each record was sent to the process, and the process keeps that. Both start with nothing.
"""

import copyreg
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple, NoReturn
from weakref import ref

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.record import Extent, GameRecord, Seen, extend

KEPT: Final = 12
"""The number of records that a process keeps for each view of its largest batch: the most recently used."""

_Record = GameRecord[Any]
_Seen = Seen[Any]
_News = list[tuple[int, bytes]]
"""Pairs of a record's number and the record's new part, as returned by `Seen.since` and pickled."""


class _Sent(NamedTuple):
    """The part of a record that was sent to a process: the record, its identity and the viewer, and the extent."""

    happened: "ref[_Record]"
    place: tuple[int, Viewer]
    extent: Extent


class Questions:
    """Writes the questions for one process, which must read all of them in this order."""

    def __init__(self) -> None:
        self._sent: dict[int, _Sent] = {}
        """Record number → the part of the record that was sent, the most recently sent last."""
        self._places: dict[tuple[int, Viewer], int] = {}
        """The identity of a record and the viewer → the record's number."""
        self._ended: list[int] = []
        """The numbers of records that no longer exist."""
        self._number = 0
        self._most = KEPT

    def write(self, question: object, views: int = 1) -> bytes:
        """Return a question about ``views`` as bytes; it may contain any number of records (`Seen`)."""
        numbering, body = _Numbering(self._sent, self._places, self._number, self._ended), BytesIO()
        writing = pickle.Pickler(body, pickle.HIGHEST_PROTOCOL)
        # Not a `persistent_id`, which is asked about every number and text in a view.
        writing.dispatch_table = copyreg.dispatch_table | {Seen: numbering.numbered}
        writing.dump(question)
        self._most = max(self._most, KEPT * views)
        self._number = numbering.number
        self._places |= numbering.places
        for number, one in numbering.sent.items():
            self._sent.pop(number, None)
            self._sent[number] = one
        forgotten = tuple(self._forgotten())
        return pickle.dumps((forgotten, numbering.news, body.getvalue(), views), pickle.HIGHEST_PROTOCOL)

    def _forgotten(self) -> Iterator[int]:
        """Forget records that no longer exist and, of the others, those that were sent first; yield their numbers."""
        while self._ended:
            if (number := self._ended.pop()) in self._sent:
                yield self._forget(number)
        while len(self._sent) > self._most:
            yield self._forget(next(iter(self._sent)))

    def _forget(self, number: int) -> int:
        place = self._sent.pop(number).place
        if self._places.get(place) == number:  # skip if another record has this identity by now
            del self._places[place]
        return number


class _Numbering:
    """The records of a question being written: each is replaced by its number, and ``news`` holds their new parts."""

    def __init__(
        self, before: dict[int, _Sent], placed: dict[tuple[int, Viewer], int], number: int, ended: list[int]
    ) -> None:
        self.news, self.number = _News(), number
        self.sent: dict[int, _Sent] = {}
        self.places: dict[tuple[int, Viewer], int] = {}
        self._before, self._placed, self._ended = before, placed, ended

    def numbered(self, obj: _Seen) -> tuple[Callable[[int], NoReturn], tuple[int]]:
        """Return the pickled form of a record: its number, and a function that the reader replaces by its own."""
        return record_numbered, (self._number_of(obj),)

    def _number_of(self, obj: _Seen) -> int:
        happened, viewer = obj.of
        place = id(happened), viewer
        number = self.places.get(place) or self._placed.get(place, 0)
        sent = self.sent.get(number) or self._before.get(number)
        news = obj.since(sent.extent) if sent is not None and sent.happened() is happened else None
        if sent is None or news is None:
            self.number = number = self.places[place] = self.number + 1
            news, kept = obj.all(), ref(happened, partial(_note, self._ended, number))
        else:
            kept = sent.happened
        self.news.append((number, pickle.dumps(news, pickle.HIGHEST_PROTOCOL)))
        self.sent.pop(number, None)
        self.sent[number] = _Sent(kept, place, obj.extent)
        return number


def _note(ended: list[int], number: int, _: object) -> None:
    ended.append(number)


def record_numbered(number: int) -> NoReturn:
    """Stand in for the reader's own function (see `_Reading`), which returns the record with this number."""
    raise pickle.UnpicklingError(f"The record {number} stands in another part of the question.")


class QuestionReader:
    """Reads the questions that this process is asked."""

    def __init__(self) -> None:
        self._kept: dict[int, _Record] = {}

    def read(self, data: bytes) -> Any:
        """Return a question from its bytes, which come from pokersvc itself."""
        forgotten, news, body, _ = pickle.loads(data)  # noqa: S301 - from the program itself
        for number, items in news:
            extend(self._kept.setdefault(number, GameRecord()), pickle.loads(items))  # noqa: S301 - likewise
        question = _Reading(body, lambda number: self._kept[number].seen(AUDITOR)).load()
        for number in forgotten:
            self._kept.pop(number, None)
        return question


def asked(question: bytes, records: str) -> Any:
    """Return the question for a choice in a box, as `pokersvc.players.box.exchange` writes it.

    The file ``records`` holds the earlier events. It is read only if the player looks at them, which few do.
    """
    places, body = pickle.loads(question)  # noqa: S301 - from the program itself
    return _Reading(body, partial(_when_read, places, records)).load()


def _when_read(places: dict[int, tuple[int, int]], records: str, number: int) -> "_SeenWhenRead":
    return _SeenWhenRead(partial(_record_in, records, *places[number]))


def _record_in(records: str, start: int, size: int) -> _Record:
    """Return the record that begins at this position in a file."""
    with open(records, "rb") as file:  # noqa: PTH123 - in a process that has just been started
        file.seek(start)
        news, happened = BytesIO(file.read(size)), _Record()
    while news.tell() < size:
        extend(happened, pickle.load(news))  # noqa: S301 - from the program itself
    return happened


class _SeenWhenRead(_Seen):
    """A record that is read on first access."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], _Record]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        if name not in {"_begun", "_count", "_of", "_viewer"}:
            raise AttributeError(name)
        super().__init__(self._read(), AUDITOR)
        return getattr(self, name)


class _Reading(pickle.Unpickler):
    """A question being read: each number is replaced by its record, all that its viewer saw and nothing more."""

    def __init__(self, body: bytes, record: Callable[[int], _Seen]) -> None:
        self._record = record
        super().__init__(BytesIO(body))

    def find_class(self, module: str, name: str) -> Any:
        """Return the object with this name; for `record_numbered`, the function that returns a record."""
        if (found := _named.get((module, name))) is None:
            found = _named[module, name] = super().find_class(module, name)
        return self._record if found is record_numbered else found


_named: Final[dict[tuple[str, str], object]] = {}
"""Objects by module and name, so that none is imported again for each choice."""
