"""Questions as bytes: only what is new in a record is sent to a player's process.

The asker knows how much of each record the process has; the process keeps it. Both begin with nothing.
"""

import pickle
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple
from weakref import ref

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.record import Extent, Happened, Seen, extend

KEPT: Final = 12
"""How many records a process keeps: those of the last questions."""

_Record = Happened[Any]
_Seen = Seen[Any]
_News = list[tuple[int, bytes]]
"""What is new in records, by their numbers: pickled, as `Seen.since` returns it."""


class _Sent(NamedTuple):
    """What was sent to a process: of which record, for which viewer, and how much."""

    happened: "ref[_Record]"
    viewer: Viewer
    extent: Extent


class Questions:
    """Writes the questions to one process, which has to read all of them, in this order."""

    def __init__(self) -> None:
        self._sent: dict[int, _Sent] = {}
        """By the number of the record; the one sent last is the last."""
        self._number = 0

    def write(self, question: object) -> bytes:
        """Return a question, which may have any number of `Seen` in it."""
        writing = _Writing(self._sent, self._number)
        writing.dump(question)
        sent = writing.sent
        living = [number for number, one in sent.items() if one.happened() is not None]
        kept = {number: sent[number] for number in living[-KEPT:]}
        forgotten = tuple(number for number in sent if number not in kept)
        self._sent, self._number = kept, writing.number
        return pickle.dumps((forgotten, writing.news, writing.body.getvalue()), pickle.HIGHEST_PROTOCOL)


class _Writing(pickle.Pickler):
    """One question being written: each record in it becomes its number, and what is new of it goes before."""

    def __init__(self, sent: dict[int, _Sent], number: int) -> None:
        self.body, self.news, self.sent, self.number = BytesIO(), _News(), dict(sent), number
        super().__init__(self.body, pickle.HIGHEST_PROTOCOL)

    def persistent_id(self, obj: object) -> int | None:
        """Return the number of a record, None for anything else, which is written as it is."""
        if type(obj) is not Seen:
            return None
        happened, viewer = obj.of
        number, news = 0, None
        for known, sent in self.sent.items():
            if sent.happened() is happened and sent.viewer == viewer:
                number, news = known, obj.since(sent.extent)
                break
        if news is None:
            self.number = number = self.number + 1
            news = obj.all()
        self.news.append((number, pickle.dumps(news, pickle.HIGHEST_PROTOCOL)))
        self.sent.pop(number, None)
        self.sent[number] = _Sent(ref(happened), viewer, obj.extent)
        return number


class Heard:
    """Reads the questions to this process."""

    def __init__(self) -> None:
        self._kept: dict[int, _Record] = {}

    def read(self, data: bytes) -> Any:
        """Return a question; it comes from pokersvc itself."""
        forgotten, news, body = pickle.loads(data)  # noqa: S301 - from the program itself
        for number, items in news:
            extend(self._kept.setdefault(number, Happened()), pickle.loads(items))  # noqa: S301 - likewise
        question = _Reading(body, lambda number: self._kept[number].seen(AUDITOR)).load()
        for number in forgotten:
            self._kept.pop(number, None)
        return question


def asked(question: bytes, records: str) -> Any:
    """Return the question of a choice in a box, as `pokersvc.players.box.exchange` writes it.

    What has happened before stands in the file ``records``. It is read when somebody looks: most players seldom do.
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
    """A record that is read when it is first looked at."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], _Record]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        if name not in {"_begun", "_count", "_of", "_viewer"}:
            raise AttributeError(name)
        super().__init__(self._read(), AUDITOR)
        return getattr(self, name)


class _Reading(pickle.Unpickler):
    """A question being read: each number becomes its record."""

    def __init__(self, body: bytes, record: Callable[[int], _Seen]) -> None:
        self._record = record
        super().__init__(BytesIO(body))

    def persistent_load(self, pid: int) -> _Seen:
        """Return the record of a number, as it was seen: nothing in it is hidden."""
        return self._record(pid)
