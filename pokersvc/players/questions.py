"""Questions as bytes, which contain only the new part of each record.

The asker knows how much of each record the process has, and the process keeps it. Both start with nothing.
"""

import copyreg
import pickle
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple, NoReturn
from weakref import ref

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.record import Extent, Happened, Seen, extend

KEPT: Final = 12
"""The number of records that a process keeps for each view of its largest batch: the most recently used."""

_Record = Happened[Any]
_Seen = Seen[Any]
_News = list[tuple[int, bytes]]
"""Pairs of a record's number and the record's new part, as `Seen.since` returns that, pickled."""


class _Sent(NamedTuple):
    """The part of a record that was sent to a process: the record, the viewer and the extent."""

    happened: "ref[_Record]"
    viewer: Viewer
    extent: Extent


class Questions:
    """Writes the questions for one process, which must read all of them in this order."""

    def __init__(self) -> None:
        self._sent: dict[int, _Sent] = {}
        """Record number → what was sent of the record, the most recently sent last."""
        self._number = 0
        self._most = KEPT

    def write(self, question: object, views: int = 1) -> bytes:
        """Return a question about ``views`` as bytes; it may contain any number of records (`Seen`)."""
        self._most = max(self._most, KEPT * views)
        numbering, body = _Numbering(self._sent, self._number), BytesIO()
        writing = pickle.Pickler(body, pickle.HIGHEST_PROTOCOL)
        # Not a `persistent_id`, which is asked about every number and text in a view.
        writing.dispatch_table = copyreg.dispatch_table | {Seen: numbering.numbered}
        writing.dump(question)
        sent = numbering.sent
        living = [number for number, one in sent.items() if one.happened() is not None]
        kept = {number: sent[number] for number in living[-self._most :]}
        forgotten = tuple(number for number in sent if number not in kept)
        self._sent, self._number = kept, numbering.number
        return pickle.dumps((forgotten, numbering.news, body.getvalue(), views), pickle.HIGHEST_PROTOCOL)


class _Numbering:
    """The records of a question that is being written: each is replaced by its number, and ``news`` has what is new."""

    def __init__(self, sent: dict[int, _Sent], number: int) -> None:
        self.news, self.sent, self.number = _News(), dict(sent), number
        self._places = {(id(one.happened()), one.viewer): number for number, one in sent.items()}

    def numbered(self, obj: _Seen) -> tuple[Callable[[int], NoReturn], tuple[int]]:
        """Return what a record is pickled as: a function that the reader has its own of, and the record's number."""
        return record_numbered, (self._number_of(obj),)

    def _number_of(self, obj: _Seen) -> int:
        happened, viewer = obj.of
        number = self._places.get((id(happened), viewer), 0)
        news = obj.since(self.sent[number].extent) if number else None
        if news is None:
            self.number = number = self._places[id(happened), viewer] = self.number + 1
            news = obj.all()
        self.news.append((number, pickle.dumps(news, pickle.HIGHEST_PROTOCOL)))
        self.sent.pop(number, None)
        self.sent[number] = _Sent(ref(happened), viewer, obj.extent)
        return number


def record_numbered(number: int) -> NoReturn:
    """Stand for the reader's own function (see `_Reading`), which returns the record with this number."""
    raise pickle.UnpicklingError(f"The record {number} stands in another part of the question.")


class QuestionReader:
    """Reads the questions that this process is asked."""

    def __init__(self) -> None:
        self._kept: dict[int, _Record] = {}

    def read(self, data: bytes) -> Any:
        """Return a question from its bytes, which come from pokersvc itself."""
        forgotten, news, body, _ = pickle.loads(data)  # noqa: S301 - from the program itself
        for number, items in news:
            extend(self._kept.setdefault(number, Happened()), pickle.loads(items))  # noqa: S301 - likewise
        question = _Reading(body, lambda number: self._kept[number].seen(AUDITOR)).load()
        for number in forgotten:
            self._kept.pop(number, None)
        return question


def asked(question: bytes, records: str) -> Any:
    """Return the question for a choice in a box, as `pokersvc.players.box.exchange` writes it.

    The file ``records`` holds what has happened before. It is read only when the player looks, which most seldom do.
    """
    places, body = pickle.loads(question)  # noqa: S301 - from the program itself

    def read(number: int) -> _Record:
        start, size = places[number]
        with open(records, "rb") as file:  # noqa: PTH123 - in a process that has just been started
            file.seek(start)
            news, happened = BytesIO(file.read(size)), _Record()
        while news.tell() < size:
            extend(happened, pickle.load(news))  # noqa: S301 - likewise
        return happened

    return _Reading(body, lambda number: _SeenWhenRead(partial(read, number))).load()


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
        own = name == record_numbered.__name__ and module == record_numbered.__module__
        return self._record if own else super().find_class(module, name)
