"""A custom player, in a process of its own: whatever it does there, the game continues here.

The process (`pokersvc.players.worker`) loads the player once and forks for every choice, so that nothing it does
to itself lasts. A question and its answer are frames on two pipes; what comes back may be anything, so it is only
read as an action (`pokersvc.players.answers`), never loaded.
"""

import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, Final, Literal

from pokersvc.core.actions import Action
from pokersvc.errors import PokersvcError
from pokersvc.players import worker
from pokersvc.players.answers import Answers
from pokersvc.players.questions import Questions

LOADING: Final = 60.0
"""Seconds that a player's file may take to load: its libraries may be large."""
GRACE: Final = 2.0
"""Seconds beyond its limit after which a choice is interrupted from here, not from within its own process."""
ENDING: Final = 1.0
"""Seconds that a player's process has to end what the player started, before it is ended itself."""
MOST_IDLE: Final = 4
"""Processes of one player that wait for the next question; there are more while more threads ask at the same time."""
LOG: Final = "POKERSVC_PLAYER_LOG"
"""The environment variable that names a file for what custom players print, tracebacks included."""

Code = Literal["raised", "timeout", "illegal"]


class UnusablePlayer(PokersvcError):
    """A custom player that cannot be loaded."""

    code = "unusable_player"


class ChoiceForfeited(PokersvcError):
    """A custom player gave no answer; ``code`` says why, as the log does."""

    def __init__(self, code: Code) -> None:
        super().__init__(f"The player gave no answer ({code}).")
        self.code = code  # type: ignore[misc]  # each has its own


class OwnPlayer:
    """A custom player of a game whose actions are ``actions``.

    Threads that ask it at the same time each have a process of it, so that none waits for another's choice.
    """

    def __init__(self, kind: str, where: tuple[str, str], limit: float, actions: tuple[type[Action], ...]) -> None:
        self._kind, self._where, self._limit, self._actions = kind, where, limit, actions
        self._answers = Answers(actions)
        self._loading, self._lock = Lock(), Lock()
        self._idle: list[_Process] = []
        self._loaded = self._closed = False

    def load(self) -> None:
        """Start a process unless one was started before; `UnusablePlayer` says why the player cannot be loaded."""
        with self._loading:
            if not self._loaded:
                self._keep(self._started())
                self._loaded = True

    def choose(self, view: object, legal: object, random: Random) -> Action:
        """Return the player's action; `ChoiceForfeited` where it gives none."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        try:
            process = process or self._started()  # the last one ended itself, had to be ended, or is asked just now
        except UnusablePlayer:
            raise ChoiceForfeited("raised") from None
        try:
            question = process.questions.write((view, legal, random.randbytes(32)))
            kind, answer = process.ask(question, self._limit + GRACE)
        except _NoAnswerError as error:
            process.end()
            raise ChoiceForfeited(error.code) from None
        except BaseException:
            process.end()
            raise
        self._keep(process)
        if kind != worker.ANSWER:
            raise ChoiceForfeited(_CODES[kind])
        action = self._answers.read(answer)
        if action is None:
            raise ChoiceForfeited("illegal")
        return action

    def close(self) -> None:
        """End the processes and all that they started; one that is asked just now, after its answer."""
        with self._lock:
            self._closed, idle, self._idle = True, self._idle, []
        for process in idle:
            process.end()

    def _keep(self, process: "_Process") -> None:
        """Let a process wait for the next question, unless enough others do."""
        with self._lock:
            if wanted := not self._closed and len(self._idle) < MOST_IDLE:
                self._idle.append(process)
        if not wanted:
            process.end()

    def _started(self) -> "_Process":
        worker.close_memory()  # what this process holds, every card of the deal, is not for the player to read
        process = _Process()
        # In two steps: the actions can be read where the path is known.
        hello = pickle.dumps((sys.path, pickle.dumps((*self._where, self._limit, self._actions))))
        try:
            kind, answer = process.ask(hello, LOADING)
            if kind != worker.ANSWER:
                raise UnusablePlayer(f"The player {self._kind} cannot be used: {answer.decode(errors='replace')}.")
        except _NoAnswerError as error:
            process.end()
            took = f"loading it takes more than {LOADING:g} seconds"
            why = took if error.code == "timeout" else "its process ended while it was loaded"
            raise UnusablePlayer(f"The player {self._kind} cannot be used: {why}.") from None
        except BaseException:
            process.end()
            raise
        return process


_CODES: Final[dict[bytes, Code]] = {worker.RAISED: "raised", worker.TIMEOUT: "timeout", worker.ILLEGAL: "illegal"}


class _NoAnswerError(Exception):
    def __init__(self, code: Code) -> None:
        self.code = code


class _Process:
    """The process behind a player, and the pipes to it and from it."""

    def __init__(self) -> None:
        asked, self._questions = os.pipe()
        self._answers, answering = os.pipe()
        os.set_blocking(self._questions, False)
        os.set_blocking(self._answers, False)
        try:
            with _log() as log:
                self._popen = subprocess.Popen(  # noqa: S603 - this Python, on a file of ours
                    [sys.executable, "-P", *_QUIET, worker.__file__, str(asked), str(answering)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=(asked, answering),
                    start_new_session=True,  # a Ctrl-C is for the program, and the whole group can be ended
                    env=_environment(),
                )
        finally:
            os.close(asked)
            os.close(answering)
        self.end = weakref.finalize(self, _end, self._popen, self._questions, self._answers)
        self.questions = Questions()
        self._number = 0
        self._unread = b""

    def ask(self, question: bytes, seconds: float) -> tuple[bytes, bytes]:
        """Return the kind of the answer and the answer; `_NoAnswerError` where the process cannot be used again."""
        self._number += 1
        deadline = time.monotonic() + seconds
        self._send(struct.pack(">IQ", self._number, len(question)) + question, deadline)
        while True:
            number, kind, answer = self._frame(deadline)
            if number == self._number:  # else one of an earlier choice, come too late
                return kind, answer

    def _send(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait([], [self._questions], deadline)
            try:
                left = left[os.write(self._questions, left) :]
            except BlockingIOError:
                continue
            except OSError:
                raise _NoAnswerError("raised") from None

    def _frame(self, deadline: float) -> tuple[int, bytes, bytes]:
        number, kind, length = worker.HEADER.unpack(self._take(worker.HEADER.size, deadline))
        if length > worker.MOST or kind not in worker.KINDS:
            raise _NoAnswerError("raised")
        return number, kind, self._take(length, deadline)

    def _take(self, size: int, deadline: float) -> bytes:
        while len(self._unread) < size:
            self._wait([self._answers], [], deadline)
            try:
                read = os.read(self._answers, 65536)
            except BlockingIOError:
                continue
            if not read:
                raise _NoAnswerError("raised")
            self._unread += read
        taken, self._unread = self._unread[:size], self._unread[size:]
        return taken

    def _wait(self, reading: list[int], writing: list[int], deadline: float) -> None:
        poll = select.poll()
        for descriptor in reading:
            poll.register(descriptor, select.POLLIN)
        for descriptor in writing:
            poll.register(descriptor, select.POLLOUT)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _NoAnswerError("timeout")
            # In slices: a choice that outlives its process holds the pipe open, and nobody would answer on it.
            if poll.poll(min(left, 1) * 1000):
                return
            if self._popen.poll() is not None:
                raise _NoAnswerError("raised")


def _end(popen: "subprocess.Popen[bytes]", *pipes: int) -> None:
    """Close the pipes, which ends a process with all that it started; it has no choice for long."""
    for pipe in pipes:
        os.close(pipe)
    with suppress(subprocess.TimeoutExpired):
        popen.wait(ENDING)
    with suppress(OSError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()


_QUIET: Final = ("-W", "ignore:This process:DeprecationWarning")
"""Newer Pythons warn of a fork beside the threads of numerical libraries, which allow for it."""


def _log() -> Any:
    """Return the file for what a player prints; nothing is kept unless the environment names one."""
    name = os.environ.get(LOG)
    try:
        return Path(name or os.devnull).open("ab")
    except OSError as error:
        raise UnusablePlayer(f"{LOG} names {name!r}, which cannot be written ({error.strerror}).") from error


def _environment() -> dict[str, str]:
    """Return the environment of a player: without pokersvc's own variables, such as the database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("POKERSVC_")}
    return kept | {"PYTHONHASHSEED": "0"}  # sets are in the same order in every process
