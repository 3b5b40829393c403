"""The first process of a box: it has copies of the player made, gives each its question, and ends it.

It runs nothing of the player's. What it does is asked for by the game's process, which keeps the clock and the answers.
"""

import os
import pickle
import select
import signal
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from pokersvc.players.box import inside, kernel, limits
from pokersvc.players.box.forker import Forker, go, shared_with_copies
from pokersvc.players.box.handed import Handed
from pokersvc.players.box.namespaces import NoBoxError
from pokersvc.players.box.spec import Spec
from pokersvc.players.box.view import Scratch, build

HEADER: Final = struct.Struct(">IcI")
"""Of an answer: the question's number, the kind of answer and its length."""
ASKED: Final = struct.Struct(">IQ")
"""Of a question: its number and its length; a length of 0 ends the choice."""
TIMEOUT: Final = b"T"

MOST_LOGGED: Final = 1 << 20
"""Bytes that a choice may print; more are read, so that it can continue, and thrown away."""
_AT_ONCE: Final = 64
"""How often a pipe is read before others are looked at; it holds no more."""
_CHOICE: Final = 100
"""The process id of each choice: without it, the threads of one would count for those after it."""
_PREPARING: Final = 1.0
"""Seconds that a choice has to prepare for its question before it is asked."""
_LAST_ID: Final = "/proc/sys/kernel/ns_last_pid"


class WaysOut(NamedTuple):
    """Open files of the first process that lead out of the box."""

    questions: int
    answers: int
    log: int | None


class OutsideEndedError(Exception):
    """The game's process has ended, or needs the box no more."""


class Box:
    """A box, as its first process has it."""

    def __init__(self, spec: Spec, user: int, ways: WaysOut) -> None:
        self._spec, self._ways = spec, ways
        try:
            build(spec)
            self._scratch = Scratch(user)
            self._last_id = os.open(_LAST_ID, os.O_WRONLY | os.O_CLOEXEC)
        except OSError as error:
            raise NoBoxError(f"its file system cannot be made here ({error})") from error
        self._printed = 0
        self._handed = Handed()
        self._answers, answering = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)  # each write is read by itself
        self._output, printing = os.pipe2(os.O_CLOEXEC)
        for end in (self._answers, self._output):
            os.set_blocking(end, False)
        output = printing if spec.logged else os.open(os.devnull, os.O_WRONLY)
        nothing = os.open(os.devnull, os.O_RDONLY)
        self._files = (nothing, output, output, self._handed.question, self._handed.records, answering)
        self._forker = self._started(user)

    def _started(self, user: int) -> Forker:
        """Start the player's process, which puts up the walls once it is traced."""
        go_ahead, going = os.pipe2(os.O_CLOEXEC)
        if not (pid := os.fork()):
            kernel.prctl(kernel.END_WITH_PARENT, signal.SIGKILL)
            os.read(go_ahead, 1)
            inside.run(self._spec, user, self._files)
        forker = Forker(pid)
        kernel.prctl(kernel.DUMPABLE, 0)  # what this process is asked is for no other of the same user
        os.write(going, b"x")
        for end in (go_ahead, going):
            os.close(end)
        return forker

    # While the player loads.

    def load(self) -> tuple[bytes, bytes]:
        """Return what became of loading the player: done, or why not; `NoBoxError` where a wall lets it out."""
        tried = probing = loaded = False
        with _told_of_stops() as woken:
            while True:
                stopped = self._forker.loading()
                while (said := self._said()) is not None:
                    kind, what = said
                    if kind == inside.NO_BOX:
                        raise NoBoxError(what.decode(errors="replace"))
                    if kind != inside.ANSWER:
                        return kind, what
                    tried, loaded = True, tried
                if not stopped:
                    self._wait(woken)
                    with suppress(BlockingIOError):
                        os.read(woken, 4096)
                elif loaded:
                    return self._parked()
                elif probing:
                    self._forker.refuse()
                else:
                    probing = True
                    self._forker.fork_once()

    def _parked(self) -> tuple[bytes, bytes]:
        """Keep the player where it stands, unless one choice could tell the next something through it."""
        known = [os.fstat(one) for one in self._files]
        if (shared := shared_with_copies(self._forker.pid, known)) is not None:
            return inside.RAISED, shared.encode()
        try:
            self._forker.park()
        except ValueError as error:
            return inside.RAISED, str(error).encode()
        self._scratch.empty()
        return inside.ANSWER, b""

    # Choices.

    def serve(self) -> None:
        """Answer questions until the game needs the box no more; each choice is ready before it is asked for."""
        while True:
            os.pwrite(self._last_id, b"%d" % (_CHOICE - 1), 0)
            choice = self._forker.copy()
            limits.limit_time(choice, self._spec.seconds)
            self._printed = 0
            self._get_ready(choice)
            number, question = self._question()
            self._handed.hand(question)
            self._answer(number, choice)
            self._end(choice)

    def _get_ready(self, choice: int) -> None:
        """Let a choice prepare for its question, for which it then waits, and does nothing meanwhile."""
        go(choice)
        self._wait(self._ways.questions, seconds=_PREPARING)
        self._said()
        os.kill(choice, signal.SIGSTOP)

    def _answer(self, number: int, choice: int) -> None:
        """Let a choice be made, and tell the answer as soon as there is one, or that there is none."""
        ended = os.pidfd_open(choice)
        try:
            os.kill(choice, inside.GO)
            os.kill(choice, signal.SIGCONT)
            while True:
                ready = self._wait(ended)
                said = self._said()
                if said is not None and said[0] != inside.READY:
                    self._log()
                    self.tell(number, *said)
                elif self._ways.questions in ready and self._question(stops=True)[0] == number:
                    self.tell(number, TIMEOUT)
                elif said is None and ended in ready:
                    self.tell(number, self._why_ended(choice))
                else:
                    continue
                return
        finally:
            os.close(ended)

    def _why_ended(self, choice: int) -> bytes:
        """Return why a choice ended without an answer: its processor time was used up, or else it was its own doing."""
        _, status, used = os.wait4(choice, 0)
        used_up = os.WIFSIGNALED(status) and (
            os.WTERMSIG(status) == signal.SIGXCPU or used.ru_utime + used.ru_stime >= self._spec.seconds
        )
        return TIMEOUT if used_up else inside.RAISED

    def _end(self, choice: int) -> None:
        """End a choice with all its threads, and empty what it may have left something in."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(choice, signal.SIGKILL)
            os.waitpid(choice, 0)
        while self._said() is not None:
            pass
        self._log()
        self._scratch.empty()

    # What leads in and out.

    def _wait(self, other: int, seconds: float | None = None) -> list[int]:
        """Wait until something can be read, pass on what the player prints, and return what can be read."""
        poll = select.poll()
        for descriptor in (self._answers, self._output, self._ways.questions, other):
            poll.register(descriptor, select.POLLIN)
        found = dict(poll.poll(seconds and seconds * 1000))
        if found.get(self._ways.questions, 0) & select.POLLHUP and not found[self._ways.questions] & select.POLLIN:
            raise OutsideEndedError
        if self._output in found:
            self._log()
        return list(found)

    def _question(self, *, stops: bool = False) -> tuple[int, bytes]:
        """Return the number of the next question, and the question; with ``stops`` what ends one may come, too."""
        while True:
            number, length = ASKED.unpack(self._read(ASKED.size))
            if length or stops:
                return number, self._read(length)

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            if not (part := os.read(self._ways.questions, min(size, 1 << 20))):
                raise OutsideEndedError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def tell(self, number: int, kind: bytes, what: bytes = b"") -> None:
        """Tell the game's process what became of a question."""
        tell(self._ways.answers, number, kind, what)

    def _said(self) -> tuple[bytes, bytes] | None:
        """Return what the player has said, None if it has said nothing."""
        try:
            said = os.read(self._answers, 1 + inside.MOST)
        except BlockingIOError:
            return None
        kind = said[:1] if said[:1] in inside.KINDS else inside.RAISED
        return kind, said[1:]

    def _log(self) -> None:
        """Pass on what the player has printed."""
        with suppress(BlockingIOError):
            for _ in range(_AT_ONCE):  # so that whoever prints without end is stopped, too
                printed = os.read(self._output, 1 << 16)
                if self._ways.log is not None and self._printed < MOST_LOGGED:
                    os.write(self._ways.log, printed)
                self._printed += len(printed)


@contextmanager
def _told_of_stops() -> Iterator[int]:
    """Give a file that can be read when the process that is traced has stopped."""
    woken, waking = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    before = signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, before)
        os.close(woken)
        os.close(waking)


def tell(answers: int, number: int, kind: bytes, what: bytes) -> None:
    """Write an answer to the game's process."""
    os.write(answers, HEADER.pack(number, kind, len(what)) + what)


def read_spec(questions: int) -> tuple[int, Spec]:
    """Read what the box is to be made of, which is the first question."""
    number, length = ASKED.unpack(os.read(questions, ASKED.size))
    parts = b""
    while len(parts) < length:
        if not (part := os.read(questions, length - len(parts))):
            raise OutsideEndedError
        parts += part
    spec: Spec = pickle.loads(parts)  # noqa: S301 - from the program itself
    return number, spec
