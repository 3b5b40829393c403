"""The first process of a box: it copies the player for each choice, hands the copy its question, and ends it.

It runs none of the player's code. It serves the game's process, which receives the answers; both measure the time.
"""

import os
import pickle
import select
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import ceil
from typing import Final, NamedTuple

from pokersvc.errors import quoted
from pokersvc.players import messages
from pokersvc.players.box import inside, kernel, limits
from pokersvc.players.box.exchange import Exchange, answer_in, goes_on, numbers_held
from pokersvc.players.box.forker import Forker, PlayerEndedError, go, shared_with_copies
from pokersvc.players.box.kernel import NoBoxError
from pokersvc.players.box.spec import Spec
from pokersvc.players.box.view import build, take_away

ASKED: Final = struct.Struct(">IQ")
"""The header of a question: its number and its length; a length of 0 ends the choice."""

MOST_LOGGED: Final = 1 << 20
"""The most bytes of a choice's output that are kept; the rest is read and discarded, so that the choice can go on."""
_AT_ONCE: Final = 64
"""The most reads of one pipe before the other pipes are checked; that many reads empty any pipe."""
_CHOICE: Final = 100
"""The process ID of every choice: otherwise the threads of one choice would shift the IDs of later ones."""
_LAST_ID: Final = "/proc/sys/kernel/ns_last_pid"


class WaysOut(NamedTuple):
    """Open files of the first process that lead out of the box."""

    questions: int
    answers: int
    log: int | None


class OutsideEndedError(Exception):
    """Raised when the game's process has ended or no longer needs the box."""


class Box:
    """A box, as its first process runs it: it loads the player and answers questions."""

    def __init__(self, spec: Spec, user: int, ways: WaysOut) -> None:
        self._spec, self._ways = spec, ways
        try:
            with numbers_held():
                build(spec)
                self._exchange = Exchange(user, logged=spec.logged)
            self._exchange.make()
            self._last_id = os.open(_LAST_ID, os.O_WRONLY | os.O_CLOEXEC)
        except OSError as error:
            raise NoBoxError(f"its file system cannot be made here ({error})") from error
        self._printed = 0
        self._nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._walls, walls = _pipe()
        self._loaded, loaded = _pipe()
        self._loading_printed, printed = _pipe() if spec.logged else (-1, self._nothing)
        self._forker = self._started(user, inside.Files(self._nothing, printed, walls, loaded))

    def _started(self, user: int, files: inside.Files) -> Forker:
        """Start the player's process, which puts up the walls once it is traced."""
        go_ahead, going = os.pipe2(os.O_CLOEXEC)
        if not (pid := os.fork()):
            kernel.prctl(kernel.END_WITH_PARENT, signal.SIGKILL)
            os.read(go_ahead, 1)
            inside.run(self._spec, user, files)
        with kernel.needed("tracing of a process by its parent (ptrace)"):
            forker = Forker(pid)
        kernel.prctl(kernel.DUMPABLE, 0)  # so that no other process of the same user can read the questions
        os.write(going, b"x")
        for end in {go_ahead, going, *files} - {self._nothing}:
            os.close(end)
        return forker

    # While the player loads.

    def load(self) -> tuple[bytes, bytes]:
        """Load the player; return the kind of outcome and its reason. Raise `NoBoxError` if a wall does not hold."""
        with _told_of_stops() as woken:
            self._try_walls(woken)
            try:
                kind, what = self._load(woken)
            except PlayerEndedError:
                if (said := self._loading_said()) is None:
                    raise
                kind, what = said
        return kind, what

    def _try_walls(self, woken: int) -> None:
        """Have the walls put up and tested, before any of the player's code runs."""
        with suppress(PlayerEndedError):
            while not (said := _read_now(self._walls)):
                if self._forker.loading():
                    self._forker.fork_once()
                else:
                    self._wait(woken, self._walls)
        said = said or _read_now(self._walls) or b""
        if said[:1] != messages.ANSWERED:
            raise NoBoxError(said[1:].decode(errors="replace") or "the process that sets up the box has ended")

    def _load(self, woken: int) -> tuple[bytes, bytes]:
        said = None
        while True:
            if said is None and (said := self._loading_said()) is not None and said[0] != messages.ANSWERED:
                return said
            if not self._forker.loading():
                self._wait(woken, self._loaded if said is None else woken)
                with suppress(BlockingIOError):
                    os.read(woken, 4096)
            elif said is None:
                self._forker.refuse()
            else:
                return self._parked() or said

    def _loading_said(self) -> tuple[bytes, bytes] | None:
        """Return the kind and words of the report on loading (an unknown kind is failure); None if it was not sent."""
        if not (said := _read_now(self._loaded)):
            return None
        kind = said[:1]
        return kind if kind in messages.OF_LOADING else messages.RAISED, said[1:]

    def _parked(self) -> tuple[bytes, bytes] | None:
        """Suspend the loaded player; refuse a player through which one choice could inform the next."""
        if (shared := shared_with_copies(self._forker.pid, self._exchange.device)) is not None:
            return messages.REFUSED, shared.encode()
        try:
            self._forker.park()
        except ValueError as error:
            return messages.REFUSED, str(error).encode()
        limits.end_first(self._forker.pid, limits.STANDS)
        self._log()
        if self._loading_printed >= 0:
            os.close(self._loading_printed)
            self._loading_printed = -1
        lost = take_away(self._spec.taken_away, self._forker.pid) if self._spec.taken_away else None
        if lost is not None:
            return messages.REFUSED, f"it keeps {quoted(lost)} in memory after loading; copy it instead".encode()
        self._exchange.clear()
        return None

    # Choices.

    def serve(self) -> None:
        """Answer questions until the game no longer needs the box; copy the player before each question comes."""
        while True:
            os.pwrite(self._last_id, b"%d" % (_CHOICE - 1), 0)
            choice = self._forker.copy()
            number, question = self._question()
            asked = time.monotonic()
            views = self._exchange.hand(question)
            seconds = ceil(self._spec.limit * views) + self._spec.spare
            limits.limit_time(choice, seconds)
            self._printed = 0
            kind, what = self._outcome(number, choice, seconds, asked + self._spec.limit * views)
            if not self._spec.strict:
                self.tell(number, kind, what)
            self._end(choice)
            # In a strict box, the answer is sent only after all that the choice left is removed: otherwise a longer
            # removal would delay the next choice.
            if self._spec.strict:
                self.tell(number, kind, what)

    def _outcome(self, number: int, choice: int, seconds: int, deadline: float) -> tuple[bytes, bytes]:
        """Have a choice made; return its answer as soon as there is one, or the reason why there is none.

        The game's process measures the same time, but may check late, because it also plays other games.
        """
        ended, said = os.pidfd_open(choice), b""
        try:
            limits.end_first(choice, limits.RUNS)
            go(choice)
            while True:
                ready = self._wait(ended, self._exchange.answers, seconds=deadline - time.monotonic())
                if (more := _read_now(self._exchange.answers)) is not None:
                    self._log()
                    if not goes_on(said := said + more):
                        return answer_in(said)
                    continue
                if self._ways.questions in ready and self._question(stops=True)[0] == number:
                    return messages.TIMEOUT, b""
                if ended in ready:
                    return self._why_ended(choice, seconds), b""
                if time.monotonic() >= deadline:
                    return messages.TIMEOUT, b""
        finally:
            os.close(ended)

    def _why_ended(self, choice: int, seconds: int) -> bytes:
        """Return why a choice ended without an answer: `TIMEOUT` if its processor time was used up, else `RAISED`."""
        _, status, used = os.wait4(choice, 0)
        used_up = os.WIFSIGNALED(status) and (
            os.WTERMSIG(status) == signal.SIGXCPU or used.ru_utime + used.ru_stime >= seconds
        )
        return messages.TIMEOUT if used_up else messages.RAISED

    def _end(self, choice: int) -> None:
        """End a choice with all its threads, and remove the file system that was made for it."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(choice, signal.SIGKILL)
            os.waitpid(choice, 0)
        self._log()
        self._exchange.clear()

    # Input and output.

    def _wait(self, *others: int, seconds: float | None = None) -> list[int]:
        """Wait until a descriptor is readable, pass on the player's output, and return all readable descriptors.

        If ``seconds`` limit the wait, the result may be empty.
        """
        poll = select.poll()
        for descriptor in {self._printing, self._ways.questions, *others} - {-1}:
            poll.register(descriptor, select.POLLIN)
        found = dict(poll.poll(None if seconds is None else max(0.0, seconds) * 1000))
        if found.get(self._ways.questions, 0) & select.POLLHUP and not found[self._ways.questions] & select.POLLIN:
            raise OutsideEndedError
        if self._printing in found:
            self._log()
        return list(found)

    @property
    def _printing(self) -> int:
        """The pipe with the player's output: one pipe while it loads, later one for each choice."""
        return self._exchange.printed if self._loading_printed < 0 else self._loading_printed

    def _question(self, *, stops: bool = False) -> tuple[int, bytes]:
        """Return the next question and its number; with ``stops``, also return a message that ends a choice."""
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
        """Send the game's process the outcome of a question."""
        tell(self._ways.answers, number, kind, what)

    def _log(self) -> None:
        """Pass on the player's output."""
        if self._printing < 0:
            return
        for _ in range(_AT_ONCE):  # so that a player that prints without end can be stopped, too
            if not (printed := _read_now(self._printing, 1 << 16)):
                return
            if self._ways.log is not None and self._printed < MOST_LOGGED:
                with suppress(OSError):  # a full disk, whoever filled it, is not this player's fault
                    os.write(self._ways.log, printed)
            self._printed += len(printed)


def _pipe() -> tuple[int, int]:
    """Return a pipe's reading end, which does not block, and its writing end, where each write is one message."""
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)
    os.set_blocking(reading, False)
    return reading, writing


def _read_now(descriptor: int, most: int = inside.SAID.size + messages.MOST) -> bytes | None:
    """Return the data that can be read at once, or None if there are none yet."""
    try:
        return os.read(descriptor, most)
    except BlockingIOError:
        return None


@contextmanager
def _told_of_stops() -> Iterator[int]:
    """Yield a descriptor that becomes readable when the traced process has stopped."""
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
    os.write(answers, messages.HEADER.pack(number, kind, len(what)) + what)


def read_spec(questions: int) -> tuple[int, Spec]:
    """Return the first question, which is the specification of the box, with its number."""
    number, length = ASKED.unpack(os.read(questions, ASKED.size))
    parts = b""
    while len(parts) < length:
        if not (part := os.read(questions, length - len(parts))):
            raise OutsideEndedError
        parts += part
    spec: Spec = pickle.loads(parts)  # noqa: S301 - from the program itself
    return number, spec
