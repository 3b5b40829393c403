"""A custom player's process and the two pipes to it: one for questions, one for answers.

The process may send anything, so its data is only read as an answer of some kind and never unpickled.
"""

import fcntl
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, TypeAlias, TypeVar

from pokersvc.core.bots.seating import Seating
from pokersvc.errors import PokersvcError, quoted
from pokersvc.players import messages, worker
from pokersvc.players.questions import Questions

GRACE: Final = 2.0
"""Seconds beyond a choice's limit after which the whole process is ended, not just the choice."""
QUESTION_AT_ONCE: Final = 1 << 19
"""Bytes of a question that the pipe can hold until the process reads them: enough for a large batch."""
ENDING: Final = 1.0
"""The seconds that a player's process has for ending what the player started, before the process is killed."""
LOG: Final = "POKERSVC_PLAYER_LOG"
"""The environment variable that names a file for what custom players print, tracebacks included."""

T = TypeVar("T")

Code = Literal["raised", "timeout", "illegal"]


class UnusablePlayer(PokersvcError):
    """A custom player that cannot be loaded."""

    code = "unusable_player"


def unusable(kind: str, why: str) -> UnusablePlayer:
    """Return the error for a player that cannot be loaded."""
    return UnusablePlayer(f"The player {kind} cannot be used: {why}.")


class NoAnswerError(Exception):
    """Raised when a process gave no answer and cannot be used again."""

    def __init__(self, code: Code) -> None:
        self.code = code


class Loading(NamedTuple):
    """What to load: a file or a module and the name in it, and the game to play."""

    kind: str
    where: tuple[str, str]
    limit: float
    game: Seating


class PipeWait(NamedTuple):
    """The condition for the next step of asking: a pipe can be read from or written to before a deadline."""

    pipe: int
    event: int
    """`select.POLLIN` or `select.POLLOUT`."""
    deadline: float
    """A time of `time.monotonic`."""


Steps: TypeAlias = Generator[PipeWait, None, T]
"""The steps of asking a process: each yields the condition for the next step; the last returns the result."""


class PendingAnswer:
    """A question to a process that has not answered yet; no thread waits for the answer."""

    def __init__(self, steps: Steps[tuple[bytes, bytes]], popen: "subprocess.Popen[bytes]") -> None:
        self._steps, self._popen = steps, popen
        self._awaited: PipeWait | None = None
        self._poll = select.poll()
        self._late = False
        self._answer: tuple[bytes, bytes] | None = None
        self._step()

    def answer(self, *, wait: bool = False) -> tuple[bytes, bytes] | None:
        """Take all steps that are possible now (all steps with ``wait``); return the answer, or None if none came.

        Raise `NoAnswerError` if none comes in time. An answer that is found after the deadline is taken, because the
        caller may have been busy: a player's own process ends a choice that is late.
        """
        while (awaited := self._awaited) is not None:
            left = awaited.deadline - time.monotonic()
            # Poll in slices: a choice that outlives its process keeps the pipe open, so one long poll would miss the
            # process's end.
            ready = (left > 0 or not self._late) and self._poll.poll(max(0, min(left, 1)) * 1000 if wait else 0)
            if ready:
                self._late = left <= 0
                self._step()
            elif left <= 0:
                self._step(NoAnswerError("timeout"))
            elif wait and self._popen.poll() is not None:
                self._step(NoAnswerError("raised"))
            elif not wait:
                return None
        return self._answer

    def _step(self, error: NoAnswerError | None = None) -> None:
        before = self._awaited
        try:
            self._awaited = now = next(self._steps) if error is None else self._steps.throw(error)
        except StopIteration as end:
            self._awaited, self._answer = None, end.value
            return
        if before is None or before.pipe != now.pipe:
            if before is not None:
                self._poll.unregister(before.pipe)
            self._poll.register(now.pipe, now.event)


class Process(ABC):
    """A process that answers questions until it is ended or this object is garbage-collected."""

    def __init__(self, loading: Loading) -> None:
        self._loading = loading
        asked, self._asking = os.pipe()
        self._answering, answers = os.pipe()
        for end in (self._asking, self._answering):
            os.set_blocking(end, False)
        if sys.platform == "linux":
            with suppress(OSError):  # the system may limit a user's pipe memory
                fcntl.fcntl(self._asking, fcntl.F_SETPIPE_SZ, QUESTION_AT_ONCE)
        try:
            self._popen = self._started(asked, answers)
        finally:
            os.close(asked)
            os.close(answers)
        self.end: Callable[[], object] = weakref.finalize(self, _end, self._popen, self._asking, self._answering)
        self.questions = Questions()
        self.takes_many = False
        """Whether the loaded player answers about many views at once."""
        self._number = 0
        self._unread = b""

    @abstractmethod
    def _started(self, asked: int, answers: int) -> "subprocess.Popen[bytes]":
        """Start the process with its ends of the two pipes."""

    @abstractmethod
    def load(self, seconds: float) -> None:
        """Load the player within `seconds`; raise `UnusablePlayer` if it cannot be loaded."""

    def choose(self, question: bytes, views: int = 1) -> PendingAnswer:
        """Ask a question about this many views; the pending answer is the answer's kind and the answer."""
        return PendingAnswer(self._choosing(question, views), self._popen)

    @abstractmethod
    def _choosing(self, question: bytes, views: int) -> Steps[tuple[bytes, bytes]]:
        """Take the steps of a choice; raise `NoAnswerError` if the process cannot be used again."""

    def loaded(self, kind: bytes, words: bytes) -> None:
        """Unless ``kind`` says that the player was loaded, raise `UnusablePlayer` with the process's own ``words``."""
        name = self._loading.where[1]
        if kind == messages.MISSING:
            raise unusable(self._loading.kind, f"it does not define {name}")
        if kind == messages.NO_CHOICE:
            many = "choose_many(self, views, legals, randoms)"
            needs = f"a method choose(self, view, legal, random), {many} or policy(self, view, legal)"
            raise unusable(self._loading.kind, f"{name} is not a class with {needs}")
        if kind != messages.ANSWERED:
            raise unusable(self._loading.kind, f"when it was loaded, it said {quoted(words.decode(errors='replace'))}")
        self.takes_many = words == b"choose_many"

    def ask(self, question: bytes, seconds: float) -> tuple[bytes, bytes]:
        """Return the answer's kind and the answer; raise `NoAnswerError` if none comes in time."""
        answer = PendingAnswer(self._asked(question, time.monotonic() + seconds), self._popen).answer(wait=True)
        assert answer is not None
        return answer

    def _asked(self, question: bytes, deadline: float) -> Steps[tuple[bytes, bytes]]:
        yield from self._put(question, deadline)
        return (yield from self._answered(deadline))

    def _put(self, question: bytes, deadline: float) -> Steps[None]:
        self._number += 1
        yield from self._send(self._head(question) + question, deadline)

    def _head(self, question: bytes) -> bytes:
        """Return a question's header: the current number and the question's length."""
        return struct.pack(">IQ", self._number, len(question))

    def _answered(self, deadline: float) -> Steps[tuple[bytes, bytes]]:
        while True:
            number, kind, answer = yield from self._frame(deadline)
            if number == self._number:  # another number means a late answer to an earlier choice
                return kind, answer

    def _send(self, data: bytes, deadline: float) -> Steps[None]:
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._asking, left) :]
            except BlockingIOError:
                yield PipeWait(self._asking, select.POLLOUT, deadline)
            except OSError:
                raise NoAnswerError("raised") from None

    def _frame(self, deadline: float) -> Steps[tuple[int, bytes, bytes]]:
        number, kind, length = messages.HEADER.unpack((yield from self._take(messages.HEADER.size, deadline)))
        if (
            length > (messages.MOST_OF_A_BATCH if kind.upper() == messages.BATCH else messages.MOST)
            or kind not in messages.KINDS
        ):
            raise NoAnswerError("raised")
        return number, kind, (yield from self._take(length, deadline))

    def _take(self, size: int, deadline: float) -> Steps[bytes]:
        while len(self._unread) < size:
            yield PipeWait(self._answering, select.POLLIN, deadline)
            try:
                read = os.read(self._answering, 65536)
            except BlockingIOError:
                continue
            if not read:
                raise NoAnswerError("raised")
            self._unread += read
        taken, self._unread = self._unread[:size], self._unread[size:]
        return taken


class TrustedProcess(Process):
    """A process with the user's own rights, which runs `pokersvc.players.worker`."""

    def _started(self, asked: int, answers: int) -> "subprocess.Popen[bytes]":
        with log() as printed:
            return subprocess.Popen(  # noqa: S603 - this Python, on a file of ours
                [sys.executable, "-P", *_QUIET, worker.__file__, str(asked), str(answers)],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                pass_fds=(asked, answers),
                start_new_session=True,  # Ctrl-C then reaches only pokersvc, and the whole group can be ended
                env=environment(),
            )

    def load(self, seconds: float) -> None:
        """Load the player."""
        _, where, limit, game = self._loading
        # Pickled twice: the process can unpickle the actions only once it has the path.
        self.loaded(*self.ask(pickle.dumps((sys.path, pickle.dumps((*where, limit, game.actions)))), seconds))

    def _choosing(self, question: bytes, views: int) -> Steps[tuple[bytes, bytes]]:
        # The process itself ends a choice that runs out of time.
        return self._asked(question, time.monotonic() + self._loading.limit * views + GRACE)


def _end(popen: "subprocess.Popen[bytes]", *pipes: int) -> None:
    """Close the pipes, which ends a process with all that it started; kill one that has not ended in time."""
    for pipe in pipes:
        os.close(pipe)
    with suppress(subprocess.TimeoutExpired):
        popen.wait(ENDING)
    with suppress(OSError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()


_QUIET: Final = ("-W", "ignore:This process:DeprecationWarning")
"""Options that silence newer Pythons' warning about forks beside threads: numerical libraries' threads allow forks."""


def log() -> BinaryIO:
    """Return the file for a player's output; nothing is kept unless the environment names a file."""
    name = os.environ.get(LOG)
    try:
        return Path(name or os.devnull).open("ab")
    except OSError as error:
        raise UnusablePlayer(f"{LOG} names {name!r}, which cannot be written ({error.strerror}).") from error


def environment() -> dict[str, str]:
    """Return the environment of a player, without pokersvc's own variables such as the database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("POKERSVC_")}
    return kept | {"PYTHONHASHSEED": "0"}  # sets are in the same order in every process
