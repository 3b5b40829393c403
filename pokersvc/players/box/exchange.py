"""The file system made for one choice: the question, the events before it, the answer, and scratch space.

A new file system is mounted when a choice has ended, and it is filled when the next question has come. So no file,
number, time or lock in it is older than the question, and a choice finds no trace of the one before.
"""

import fcntl
import os
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pokersvc.players import messages
from pokersvc.players.box import kernel, spec
from pokersvc.players.box.inside import SAID
from pokersvc.players.box.limits import SCRATCH, SCRATCH_FILES
from pokersvc.players.box.view import staged

_FLAGS: Final = kernel.NO_SETUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS
_OF_OURS: Final = 8
"""The number of files that the exchange itself needs besides scratch files, with some to spare."""
_PAGE: Final = 4096
_MOST_HELD: Final = 256
_LONGEST: Final = 0.05
"""Seconds to wait for the lock; if a box holds the lock longer, it can signal to others only through device numbers."""
_PLACE, _QUESTION, _RECORDS, _ANSWER, _PRINTED, _SCRATCH = (
    str(staged(name)) for name in (spec.EXCHANGE, spec.QUESTION, spec.RECORDS, spec.ANSWER, spec.PRINTED, spec.SCRATCH)
)
"""The mount point of a choice's file system, and the files in it: as texts, because making `Path` objects takes longer
than making the files."""


@contextmanager
def numbers_held() -> Iterator[None]:
    """Keep other boxes from mounting during the context, so that none takes a device number that is freed there."""
    common = os.open("/proc/self/exe", os.O_RDONLY | os.O_CLOEXEC)  # a file that all boxes on this machine can read
    try:
        latest = time.monotonic() + _LONGEST
        while True:
            try:
                fcntl.flock(common, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < latest:
                    time.sleep(0.0001)
                    continue
            break
        yield
    finally:
        os.close(common)


class Exchange:
    """The folder in which each choice in turn finds its question and puts its answer; choices run as ``user``."""

    def __init__(self, user: int, *, logged: bool) -> None:
        self._user, self._logged = user, logged
        self._kept: dict[int, bytearray] = {}
        self.answers = self.printed = -1
        """Descriptors of the pipes with the choice's answer and with what it prints; -1 if there is none."""
        self._mount()
        self.device = os.stat(_PLACE).st_dev

    def hand(self, question: bytes) -> int:
        """Make the file system for a question from `pokersvc.players.questions`; return the number of views in it."""
        forgotten, news, body, views = pickle.loads(question)  # noqa: S301 - from the program itself
        places, records = {}, bytearray()
        for number, items in news:
            kept = self._kept.setdefault(number, bytearray())
            kept += items
            places[number] = (len(records), len(kept))
            records += kept
        for number in forgotten:
            self._kept.pop(number, None)
        self.make(pickle.dumps((places, body)), records)
        return int(views)

    def make(self, question: bytes = b"", records: bytes | bytearray = b"") -> None:
        """Make the file system with this question and these records in it."""
        self._mount(kernel.REMOUNT, sum(-(-len(held) // _PAGE) * _PAGE for held in (question, records)))
        os.utime(_PLACE)  # otherwise its time would reveal when the previous choice ended
        for path, content in ((_QUESTION, question), (_RECORDS, records)):
            _write(path, content)
        self.answers = self._pipe(_ANSWER)
        if self._logged:
            self.printed = self._pipe(_PRINTED)
        os.mkdir(_SCRATCH)
        os.chown(_SCRATCH, self._user, self._user)
        os.chmod(_SCRATCH, 0o700)

    def _pipe(self, path: str) -> int:
        os.mkfifo(path, 0o600)
        os.chown(path, self._user, self._user)
        # Opened to read and to write, so that the pipe does not end when the player closes it.
        return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def clear(self) -> None:
        """Replace the file system by an empty one after a choice has ended."""
        for end in {self.answers, self.printed} - {-1}:
            os.close(end)
        self.answers = self.printed = -1
        with numbers_held():
            kernel.unmount(_PLACE)
            self._mount_as_before()

    def _mount_as_before(self) -> None:
        """Mount a new file system with the same device number as the first file system.

        The kernel assigns the lowest free number, which would reveal when other boxes free their numbers.
        """
        held: list[int] = []
        try:
            while True:
                self._mount()
                if os.stat(_PLACE).st_dev >= self.device or len(held) == _MOST_HELD:
                    return
                kernel.unmount(_PLACE)
                held.append(kernel.file_system_of_nobody())
        finally:
            for one in held:
                os.close(one)

    def _mount(self, again: int = 0, room: int = 0) -> None:
        options = f"mode=555,size={SCRATCH + room},nr_inodes={SCRATCH_FILES + _OF_OURS}"
        kernel.mount("tmpfs", _PLACE, "tmpfs", _FLAGS | again, options)


def _write(path: str, content: bytes | bytearray) -> None:
    """Make a file of this content, which all may read and nobody may change."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(file, left) :]
        os.fchmod(file, 0o444)
    finally:
        os.close(file)


def goes_on(said: bytes) -> bool:
    """Return whether a choice has written only the beginning of a batch's answers, which do not fit into one write."""
    if len(said) < SAID.size:
        return False
    kind, length = SAID.unpack(said[: SAID.size])
    return bool(kind.upper() == messages.BATCH and len(said) - SAID.size < length <= messages.MOST_OF_A_BATCH)


def answer_in(said: bytes) -> tuple[bytes, bytes]:
    """Return the kind of the answer that a choice wrote first, and the answer; `RAISED` if there is no answer."""
    head, rest = said[: SAID.size], said[SAID.size :]
    if len(head) == SAID.size:
        kind, length = SAID.unpack(head)
        if kind in messages.OF_CHOICES and length <= len(rest):
            return kind, rest[:length]
    return messages.RAISED, b""
