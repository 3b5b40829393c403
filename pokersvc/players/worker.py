"""The process that a custom player runs in: ``python worker.py QUESTIONS ANSWERS``, two pipes' descriptors.

It imports nothing of pokersvc before it knows where to find it. The first question says which player to load. For
every further one it keeps what is new in its records, and forks: the child creates the player, asks it,
answers and ends; when it does not come to that, because it failed, ended itself or had to be stopped, its parent
answers for it.

The end of the questions is the end of this process and of all that players started. Linux hands it what their
processes leave behind, also what has left its group, and has a choice end with it.
"""

import importlib
import importlib.util
import os
import pickle
import random
import resource
import select
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

HEADER: Final = struct.Struct(">IcI")
"""Of an answer: the question's number, the kind of answer and its length."""
MOST: Final = 4000
"""Bytes of an answer: with its header it is written at once, or not at all (POSIX's PIPE_BUF, 4096 on Linux)."""

MEMORY: Final = 4 << 30
"""Bytes that a choice may take; one that asks for more gets a MemoryError, and the machine stays usable."""

ANSWERED, RAISED, TIMEOUT, ILLEGAL = b"A", b"R", b"T", b"I"
MISSING, NO_CHOICE = b"M", b"C"
NO_BOX, REFUSED = b"N", b"F"
"""Kinds of what is said: it is done; it failed, was too late, or is not an action of the game; the file has no such
name, or nothing that chooses; there is no box here, or what was loaded in it could tell its choices something."""
OF_CHOICES = ANSWERED, RAISED, ILLEGAL
OF_LOADING = ANSWERED, RAISED, MISSING, NO_CHOICE
"""What a player's own process may say: each of its failures, and nothing about its box."""
KINDS: Final = {*OF_CHOICES, *OF_LOADING, TIMEOUT, NO_BOX, REFUSED}

END_WITH_PARENT: Final = 1
DUMPABLE: Final = 4
ADOPT: Final = 36
"""prctl(2): PR_SET_PDEATHSIG, PR_SET_DUMPABLE and PR_SET_CHILD_SUBREAPER."""

Write = Callable[[object], bytes | None]
"""Returns an action as bytes, None for what is none."""


def main(questions: int, answers: int) -> None:
    """Load the player, then answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in (questions, answers):
        os.set_inheritable(descriptor, False)
    close_memory()
    _set(ADOPT, 1)
    _set(END_WITH_PARENT, signal.SIGKILL)  # while it loads, and hears of no end
    number, hello = _question(questions)
    sys.path[:], rest = pickle.loads(hello)  # noqa: S301 - from the program itself
    where, name, limit, actions = pickle.loads(rest)  # noqa: S301 - likewise
    from pokersvc.core.randomness.chance import StreamRandom
    from pokersvc.players.answers import Answers
    from pokersvc.players.questions import Heard

    write, heard = Answers(actions).write, Heard()
    try:
        player = loaded(where, name)
    except BaseException as error:
        traceback.print_exc()
        kind, words = why_not(error)
        _answer(answers, number, kind, words.encode(errors="backslashreplace")[:MOST])
        os._exit(1)
    _set(END_WITH_PARENT, 0)  # which for Linux is the thread that started it, and that may end before the program
    _answer(answers, number, ANSWERED, b"")
    while True:
        number, question = _question(questions)
        view, legal, key = heard.read(question)
        if not (child := os.fork()):
            _set(END_WITH_PARENT, signal.SIGKILL)
            os.close(questions)
            _choose(player, view, legal, StreamRandom(key), number, answers, limit, write)
        status = _ended(child, questions)
        if os.WIFSIGNALED(status):
            _answer(answers, number, TIMEOUT if os.WTERMSIG(status) == signal.SIGALRM else RAISED, b"")
        elif os.WEXITSTATUS(status) != _DONE:
            _answer(answers, number, RAISED, b"")


_DONE: Final = 91


class NoPlayerError(Exception):
    """What was loaded is no player: the first argument is the kind of what is to be said of that."""


def loaded(where: str, name: str) -> Any:
    """Return the class of the player: of a file, or of a module that is installed."""
    if where.endswith(".py"):
        sys.path.insert(0, os.path.dirname(where))  # noqa: PTH120 - what stands beside the file can be imported
        module_name = "pokersvc_player_" + os.path.basename(where)[:-3]  # noqa: PTH119
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
    if not callable(found) or not callable(getattr(found, "choose", None)):
        raise NoPlayerError(NO_CHOICE)
    if (ranking := sys.modules.get("pokersvc.cards.ranking")) is not None:
        ranking.by_strength()  # a table of 30 ms, which else each choice would make again
    return found


def why_not(error: BaseException) -> tuple[bytes, str]:
    """Return what to say of a player that could not be loaded: the kind of that, and the words of the player."""
    if isinstance(error, NoPlayerError):
        return error.args[0], ""
    try:
        return RAISED, f"{type(error).__name__}: {error}"
    except BaseException:  # words are made by code of the player's, too
        return RAISED, type(error).__name__


def close_memory() -> None:
    """Keep other processes of the same user from this one's memory, environment and open files (Linux).

    A process that this one forks is closed too, until it executes another program. No administrator is kept out.
    """
    _set(DUMPABLE, 0)


def _set(option: int, value: int) -> None:
    """Tell Linux something of this process; does nothing on other systems."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _ended(child: int, questions: int) -> int:
    """Return how a choice ended, and let go of what others left; where the questions end first, end everything."""
    if sys.platform == "linux":
        with suppress(OSError):  # not every container allows it; then the end waits for the choice
            descriptor = os.pidfd_open(child)
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.register(questions, 0)  # their end is told unasked
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
            with suppress(OSError):  # of another user's by now
                os.kill(child, signal.SIGKILL)
        os.waitpid(-1, 0)  # its own children are this process's now
    os.killpg(0, signal.SIGKILL)
    os._exit(1)  # which it never comes to


def _children() -> list[int]:
    found: list[int] = []
    for thread in Path("/proc/self/task").glob("*"):
        with suppress(OSError):  # gone meanwhile
            found += map(int, (thread / "children").read_text().split())
    return found


def _choose(
    player: Callable[[], Any],
    view: object,
    legal: object,
    stream: random.Random,
    number: int,
    answers: int,
    limit: float,
    write: Write,
) -> None:
    """Ask the player, answer and end this process: by the alarm, where it thinks for too long."""
    own = os.getpid()
    status = 1
    try:
        with suppress(OSError, ValueError):  # a lower limit may be set already
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, limit)
        random.seed(stream.randbytes(32))  # with another source of randomness a player is reproducible too
        action = player().choose(view, legal, stream)
        if os.getpid() == own:  # else the player forked, and its child has come back too
            answer = write(action)
            if answer is None or len(answer) > MOST:
                _answer(answers, number, ILLEGAL, b"")
            else:
                _answer(answers, number, ANSWERED, answer)
            status = _DONE
    except BaseException:
        traceback.print_exc()
    finally:
        for printed in (sys.stdout, sys.stderr):
            with suppress(BaseException):  # a player may have done anything to its own output
                printed.flush()
        os._exit(status)


def _answer(answers: int, number: int, kind: bytes, answer: bytes) -> None:
    os.write(answers, HEADER.pack(number, kind, len(answer)) + answer)


def _question(questions: int) -> tuple[int, bytes]:
    number, length = struct.unpack(">IQ", _read(questions, 12))
    return number, _read(questions, length)


def _read(questions: int, size: int) -> bytes:
    """Return so many bytes; where there are no more, end everything."""
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
