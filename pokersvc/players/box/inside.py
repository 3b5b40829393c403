"""What runs in a box: the player is loaded, and stopped for good; each copy of it makes one choice."""

import ctypes
import gc
import os
import pickle
import random
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn

from pokersvc.players.box import kernel, landlock, limits, probe, seccomp, view
from pokersvc.players.box.spec import FOLDER, SCRATCH, Spec

if TYPE_CHECKING:  # else where the modules of pokersvc are found is known later
    from pokersvc.core.player import Player

QUESTION, RECORDS, ANSWERS = 3, 4, 5
"""Open files of a player, beside its input and its output."""
ANSWER, RAISED, ILLEGAL, NO_BOX, READY = KINDS = b"A", b"R", b"I", b"N", b"Y"
"""Kinds of what it says: an answer, or that it has loaded; that it failed; that the answer is none of the game's
actions; that this is no box; that it waits for its question."""
MOST: Final = 4000
"""Bytes of an answer: with its kind it is written at once, or not at all (POSIX's PIPE_BUF, 4096 on Linux)."""

GO: Final = signal.SIGUSR1
"""The signal to a copy that its question is there."""

_HUGE: Final = 2 << 20
_ADAPTING: Final = 20
"""How often a function runs until Python's interpreter has adapted it, with some to spare."""
_COLLAPSE: Final = 25
"""MADV_COLLAPSE of madvise(2), since Linux 6.1: small pages become a huge one."""


def run(spec: Spec, user: int, files: Sequence[int]) -> NoReturn:
    """Put up the walls, have them tried, load the player, and then make the choice of whoever is a copy of this."""
    for number, file in enumerate(files):
        os.dup2(file, 64 + number)
    for number in range(len(files)):
        os.dup2(64 + number, number)
    os.closerange(len(files), os.sysconf("SC_OPEN_MAX"))
    try:
        _put_up_walls(spec, user)
    except OSError as error:
        _say(NO_BOX, f"a wall cannot be put up here ({error})")
        os._exit(1)
    if not (trying := os.fork()):  # which the tracer allows this once
        found = probe.open_doors(spec.bait, network=spec.network)
        _say(*((NO_BOX, f"from inside, a program could {', '.join(found)}") if found else (ANSWER,)))
        os._exit(0)
    os.waitpid(trying, 0)
    sys.path[:] = [FOLDER, *spec.path]
    from pokersvc.core.chance import StreamRandom
    from pokersvc.players.answers import Answers
    from pokersvc.players.loading import loaded, why_not

    where, name, actions = pickle.loads(spec.player)  # noqa: S301 - from the program itself
    answers = Answers(actions)
    try:
        player = loaded(where, name)
    except BaseException as error:
        traceback.print_exc()
        _say(RAISED, why_not(error))
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_BLOCK, {GO})
    warm_up = partial(_warm_up, spec.sample, StreamRandom, answers.write)
    warm_up(_ADAPTING)
    gc.collect()
    gc.freeze()
    _use_huge_pages()
    _say(ANSWER)
    # The C library's own fork, for what Python does after one is for threads, of which there are none.
    fork = ctypes.PyDLL(None).fork
    while fork():
        pass
    warm_up(1)
    _say(READY)
    signal.sigwait({GO})
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {GO})
    _choose(player, StreamRandom, answers.write)


def _warm_up(
    sample: tuple[bytes, bytes] | None,
    stream: Callable[[bytes], random.Random],
    write: Callable[[object], bytes | None],
    times: int,
) -> None:
    """Do what each choice does first, so that Python has adapted its code to it, and memory is its own."""
    if sample is None:
        return
    from pokersvc.players.questions import asked

    question, action = pickle.loads(sample[0]), pickle.loads(sample[1])  # noqa: S301 - from the program itself
    _, news, body = question
    with suppress(Exception):
        for _ in range(times):
            view, _, key = asked(pickle.dumps(({number: (0, 0) for number, _ in news}, body)), RECORDS)
            random.seed(stream(key).randbytes(32))
            write(action)
            len(view.record.round)


def _put_up_walls(spec: Spec, user: int) -> None:
    view.enter()
    kernel.become(user)
    kernel.prctl(kernel.DUMPABLE, 1)  # else its tracer, which has no rights outside, could not look at it
    os.chdir(FOLDER)
    os.environ.update({"HOME": SCRATCH, "TMPDIR": SCRATCH})
    limits.set_limits()
    landlock.restrict(["/"], ["/scratch", "/dev/null"], network=spec.network)
    seccomp.restrict(network=spec.network)


def _use_huge_pages() -> None:
    """Have the memory of Python's objects in huge pages where the kernel can: copying a process is then cheap."""
    advise = ctypes.CDLL(None).madvise
    for start in {id(one) // _HUGE * _HUGE for one in gc.get_objects()}:
        advise(ctypes.c_void_p(start), ctypes.c_size_t(_HUGE), _COLLAPSE)


def _choose(
    player: "Callable[[], Player]",
    stream: Callable[[bytes], random.Random],
    write: Callable[[object], bytes | None],
) -> NoReturn:
    """Ask the player, answer and end this process."""
    from pokersvc.players.questions import asked

    try:
        view, legal, key = asked(_read_all(QUESTION), RECORDS)
        chance = stream(key)
        random.seed(chance.randbytes(32))  # with another source of randomness a player is reproducible too
        answer = write(player().choose(view, legal, chance))
        said = (ILLEGAL, b"") if answer is None or len(answer) > MOST else (ANSWER, answer)
    except BaseException:
        said = RAISED, b""
        traceback.print_exc()
    finally:
        for printed in (sys.stdout, sys.stderr):  # before the answer, with which the choice ends
            with suppress(BaseException):  # a player may have done anything to its own output
                printed.flush()
        _say(*said)
        os._exit(0)


def _say(kind: bytes, what: str | bytes = b"") -> None:
    os.write(ANSWERS, kind + (what.encode() if isinstance(what, str) else what)[:MOST])


def _read_all(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
