"""The process of a trusted custom player: ``python worker.py QUESTIONS ANSWERS``, two pipes' descriptors.

The first question says where the game's modules are found, and which player to load. For every further question, the
process keeps the new part of the records and forks. The child creates the player, asks it, answers and ends. If the
child fails, ends itself or must be stopped before it answers, its parent answers for it.

When the questions end, this process ends, with all that players started. Linux makes it the parent of processes that
a choice leaves behind, even of those that have left its process group, and ends a choice when this process ends.
"""

import importlib
import importlib.util
import os
import pickle
import resource
import select
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[2]))

from pokersvc.players.answering import Preparing, answer_of, write_all
from pokersvc.players.messages import (
    ANSWERED,
    HEADER,
    MISSING,
    MOST,
    NO_CHOICE,
    RAISED,
    TIMEOUT,
    method_of,
)

MEMORY: Final = 4 << 30
"""The most bytes of memory that a choice may use before it gets a MemoryError: the machine stays usable."""

END_WITH_PARENT: Final = 1
DUMPABLE: Final = 4
ADOPT: Final = 36
"""prctl(2): PR_SET_PDEATHSIG, PR_SET_DUMPABLE and PR_SET_CHILD_SUBREAPER."""


def main(questions: int, answers: int) -> None:
    """Load the player, then answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in (questions, answers):
        os.set_inheritable(descriptor, False)
    close_memory()
    _set(ADOPT, 1)
    _set(END_WITH_PARENT, signal.SIGKILL)  # while loading, the process does not notice the end of the pipe of questions
    number, hello = _question(questions)
    sys.path[:], rest = pickle.loads(hello)  # noqa: S301 - from the program itself
    where, name, limit, actions = pickle.loads(rest)  # noqa: S301 - likewise
    from pokersvc.core.randomness.chance import StreamRandom
    from pokersvc.players.answers import Answers
    from pokersvc.players.questions import QuestionReader

    writes, heard = Answers(actions), QuestionReader()
    try:
        player = loaded(where, name)
    except BaseException as error:
        traceback.print_exc()
        kind, words = why_not(error)
        _answer(answers, number, kind, words.encode(errors="backslashreplace")[:MOST])
        os._exit(1)
    _set(END_WITH_PARENT, 0)  # on Linux the parent is the starting thread, which may end early
    _answer(answers, number, ANSWERED, method_of(player).encode())
    preparing = Preparing()
    while True:
        number, question = _question(questions)
        asks = heard.read(question)
        if not (child := os.fork()):
            _set(END_WITH_PARENT, signal.SIGKILL)
            os.close(questions)
            seconds = limit * len(asks)
            _choose(partial(answer_of, player, asks, StreamRandom, writes, preparing), number, answers, seconds)
        status = _ended(child, questions)
        if os.WIFSIGNALED(status):
            _answer(answers, number, TIMEOUT if os.WTERMSIG(status) == signal.SIGALRM else RAISED, b"")
        elif os.WEXITSTATUS(status) != _DONE:
            _answer(answers, number, RAISED, b"")


_DONE: Final = 91


class NoPlayerError(Exception):
    """Raised when the loaded object is not a player; the first argument is the kind of answer to send."""


def loaded(where: str, name: str) -> Any:
    """Return the player's class, from a file or from an installed module."""
    if where.endswith(".py"):
        file = Path(where)
        sys.path.insert(0, str(file.parent))  # so that modules beside the file can be imported
        module_name = f"pokersvc_player_{file.stem}"
        spec = importlib.util.spec_from_file_location(module_name, where)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[module_name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(where)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            raise NoPlayerError(MISSING)
    if not callable(found) or not method_of(found):
        raise NoPlayerError(NO_CHOICE)
    if (ranking := sys.modules.get("pokersvc.cards.ranking")) is not None:
        ranking.by_strength()  # build this table now; each choice would otherwise take 30 ms to build it
    return found


def why_not(error: BaseException) -> tuple[bytes, str]:
    """Return the kind of answer for a player that could not be loaded, and the error in the player's own words."""
    if isinstance(error, NoPlayerError):
        return error.args[0], ""
    try:
        return RAISED, f"{type(error).__name__}: {error}"
    except BaseException:  # the message comes from the player's own code, which may fail too
        return RAISED, type(error).__name__


def close_memory() -> None:
    """Keep other processes of the same user from this one's memory, environment and open files (Linux).

    A process that this one forks is closed too, until it executes another program. Administrators are not kept out.
    """
    _set(DUMPABLE, 0)


def _set(option: int, value: int) -> None:
    """Set an option of this process with prctl(2); do nothing on systems other than Linux."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _ended(child: int, questions: int) -> int:
    """Return a choice's exit status and reap orphaned processes; if the pipe of questions ends first, end all."""
    if sys.platform == "linux":
        with suppress(OSError):  # some containers forbid this; ending then waits for the choice
            descriptor = os.pidfd_open(child)
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.register(questions, 0)  # poll reports their end (POLLHUP) without being asked
            if questions in dict(poll.poll()):
                _end()
            os.close(descriptor)
    _, status = os.waitpid(child, 0)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return status


def _end() -> NoReturn:
    """End all that players started, and this process."""
    while children := _children():
        for child in children:
            with suppress(OSError):  # it may belong to another user by now
                os.kill(child, signal.SIGKILL)
        os.waitpid(-1, 0)  # this process inherits the children of one that ended
    os.killpg(0, signal.SIGKILL)
    os._exit(1)  # never reached


def _children() -> list[int]:
    found: list[int] = []
    for thread in Path("/proc/self/task").glob("*"):
        with suppress(OSError):  # the thread has ended meanwhile
            found += map(int, (thread / "children").read_text().split())
    return found


def _choose(answer: Callable[[], tuple[bytes, bytes]], number: int, answers: int, seconds: float) -> None:
    """Have the player choose, write its answer, and end this process; an alarm ends it if the player takes too long."""
    own = os.getpid()
    status = 1
    try:
        with suppress(OSError, ValueError):  # a lower limit may be set already
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        said = answer()
        if os.getpid() == own:  # otherwise the player forked, and this is its child
            _answer(answers, number, *said)
            status = _DONE
    except BaseException:
        traceback.print_exc()
    finally:
        for printed in (sys.stdout, sys.stderr):
            with suppress(BaseException):  # a player may have done anything to its own output
                printed.flush()
        os._exit(status)


def _answer(answers: int, number: int, kind: bytes, answer: bytes) -> None:
    write_all(answers, HEADER.pack(number, kind, len(answer)) + answer)


def _question(questions: int) -> tuple[int, bytes]:
    number, length = struct.unpack(">IQ", _read(questions, 12))
    return number, _read(questions, length)


def _read(questions: int, size: int) -> bytes:
    """Read exactly `size` bytes of the questions; if their pipe ends first, end this process and all it started."""
    parts = []
    while size:
        part = os.read(questions, min(size, 1 << 20))
        if not part:
            _end()
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
