"""The code that runs in a box: a process loads the player, then stays suspended; a copy of it makes each choice."""

import ctypes
import gc
import importlib
import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, Protocol

from pokersvc.players.answering import Ask, Preparing, answer_of, write_all
from pokersvc.players.box import kernel, landlock, limits, memory, probe, seccomp, view
from pokersvc.players.box.spec import ANSWER, CHOICE, FOLDER, PRINTED, QUESTION, RECORDS, SCRATCH, Spec
from pokersvc.players.messages import ANSWERED, MOST, NO_BOX, RAISED, method_of
from pokersvc.players.worker import loaded, why_not

if TYPE_CHECKING:  # at run time, pokersvc's modules can only be found later
    from pokersvc.core.record import Seen

_WALLS, _LOADED = 3, 4
"""Descriptors for reports: the first on whether the walls hold, the second on whether the player was loaded."""

SAID: Final = struct.Struct(">cI")
"""The header of an answer: its kind and its length."""
_LATE: Final = (
    "array", "bisect", "calendar", "concurrent.futures.thread", "copy", "datetime", "decimal", "encodings.ascii",
    "encodings.idna", "encodings.latin_1", "fractions", "heapq", "hashlib", "inspect", "json", "linecache", "locale",
    "logging", "numbers", "operator", "pprint", "queue", "statistics", "string", "tempfile", "textwrap", "tokenize",
    "unicodedata", "zlib",
)  # fmt: skip
_mask: Final = ctypes.PyDLL(None).pthread_sigmask
_SIGNALS: Final = 128
"""Bytes of a set of signals (sigset_t)."""
_NEW_OBJECTS: Final = 50_000
"""The number of new objects in a choice after which Python looks for garbage."""
_ADAPTING: Final = 20
"""The number of runs after which Python's interpreter has specialised a function, with some to spare."""


class HasRecord(Protocol):
    """A view of any game that has a record of past events."""

    @property
    def record(self) -> "Seen[object]":
        """Return the record."""
        ...


class Files(NamedTuple):
    """Open files of the process that loads the player."""

    nothing: int
    printed: int
    walls: int
    """The pipe for reporting whether the walls hold; closed before any of the player's code runs."""
    loaded: int


def run(spec: Spec, user: int, files: Files) -> NoReturn:
    """Put up the walls, have them tested and load the player; in each copy of this process, then make a choice."""
    wanted = (files.nothing, files.printed, files.printed, files.walls, files.loaded)
    for number, file in enumerate(wanted):
        os.dup2(file, 64 + number)
    for number in range(len(wanted)):
        os.dup2(64 + number, number)
    os.closerange(len(wanted), os.sysconf("SC_OPEN_MAX"))
    if not _is_box(spec, user):
        os._exit(1)
    os.close(_WALLS)
    sys.path[:] = [FOLDER, *spec.path]
    from pokersvc.core.randomness.chance import StreamRandom
    from pokersvc.players.answers import Answers
    from pokersvc.players.questions import asked

    where, name, actions = pickle.loads(spec.player)  # noqa: S301 - from the program itself
    answers = Answers(actions)
    try:
        player = loaded(where, name)
    except BaseException as error:
        traceback.print_exc()
        _say(_LOADED, *why_not(error))
        os._exit(1)
    masked = ctypes.create_string_buffer(_SIGNALS)
    _mask(signal.SIG_BLOCK.value, b"\xff" * _SIGNALS, masked)  # a player's timer would interrupt what follows
    if spec.taken_away:
        _load_what_is_loaded_late()
    preparing = Preparing()
    answer = partial(answer_of, stream=StreamRandom, writes=answers, preparing=preparing)
    remember_abstract_classes()
    _warm_up(spec.sample, method_of(player), asked, answer)
    # Use the C library's fork: Python's work after a fork is needed only for threads, and there are none.
    fork, unmask = ctypes.PyDLL(None).fork, partial(_mask, signal.SIG_SETMASK.value, masked, None)
    gc.collect()
    memory.fill_gaps()
    memory.use_huge_pages()  # before gc.freeze, after which Python no longer lists the objects
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)  # a choice creates little garbage, and each collection writes to every object
    _say(_LOADED, ANSWERED, method_of(player))
    _have_nothing_open()
    while fork():
        pass
    unmask()
    _choose(asked, partial(answer, player), logged=spec.logged)


def _is_box(spec: Spec, user: int) -> bool:
    """Put up the walls, have them tested, report the outcome, and return whether they hold."""
    try:
        _put_up_walls(spec, user)
    except OSError as error:
        _say(_WALLS, NO_BOX, f"part of the box cannot be set up here ({error})")
        return False
    except kernel.NoBoxError as error:
        _say(_WALLS, NO_BOX, str(error))
        return False
    if not (trying := os.fork()):  # the tracer allows this one fork
        found = probe.open_doors(spec.bait, network=spec.network)
        _say(_WALLS, *((NO_BOX, f"from inside, a program could {', '.join(found)}") if found else (ANSWERED,)))
        os._exit(len(found))
    return os.waitpid(trying, 0)[1] == 0


def _put_up_walls(spec: Spec, user: int) -> None:
    limits.end_first("self", limits.RUNS)
    _sort()
    view.enter()
    kernel.become(user)
    kernel.prctl(kernel.DUMPABLE, 1)  # otherwise its tracer, which has no rights outside, could not inspect it
    os.chdir(FOLDER)
    os.environ.update({"HOME": SCRATCH, "TMPDIR": SCRATCH})
    limits.set_limits(others=0 if user else _OF_THE_SAME_USER)
    landlock.restrict(["/"], [CHOICE, "/dev/null"], network=spec.network)
    seccomp.restrict(network=spec.network)


_OF_THE_SAME_USER: Final = 2
"""The number of other processes that run as the player's user: the box's first process, and the process that waits."""


def _sort() -> None:
    """Sort once with the C library, which at its first sort asks for the size of memory and remembers it."""
    many, size = 1024, 4
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
    ctypes.CDLL(None).qsort((ctypes.c_int * many)(), ctypes.c_size_t(many), ctypes.c_size_t(size), compare)


def _warm_up(
    sample: tuple[bytes, bytes] | None,
    method: str,
    asked: Callable[[bytes, str], list[tuple[HasRecord, object, bytes]]],
    answer: Callable[[Callable[[], object], Sequence[Ask]], tuple[bytes, bytes]],
) -> None:
    """Run the code of a choice, except the player's, so that Python's interpreter has already specialised it."""
    if sample is None:
        return
    question, action = pickle.loads(sample[0]), pickle.loads(sample[1])  # noqa: S301 - from the program itself
    _, news, body, _ = question
    said = {"choose_many": [action], "policy": {action: 1.0}}.get(method, action)
    player = type("Sample", (), {method: lambda *_: said})
    with suppress(Exception):
        for _ in range(_ADAPTING):
            asks = asked(pickle.dumps(({number: (0, 0) for number, _ in news}, body)), RECORDS)
            _framed(*answer(player, asks))
            len(asks[0][0].record.round)


def remember_abstract_classes() -> None:
    """Have Python remember that arguments of usual types are no mappings, which `Counter` checks each time.

    To find out the first time, Python asks all classes that inherit from a mapping.
    """
    usual: tuple[object, ...] = ([], (), "", set(), range(0), iter(()), map(str, ()), (one for one in ""))
    with suppress(Exception):  # a player's class may answer as it likes
        for argument in usual:
            isinstance(argument, Mapping)


def _load_what_is_loaded_late() -> None:
    """Load the modules that functions of Python and the C library would load at their first call."""
    for name in _LATE:
        with suppress(ImportError):
            importlib.import_module(name)
    with suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1")  # needed when a thread ends itself


def _have_nothing_open() -> None:
    """Close all files through which one choice could inform the next."""
    _flush()
    for own in (0, 1, 2, _LOADED):
        os.close(own)


def _choose(
    asked: Callable[[bytes, str], list[Ask]], answer: Callable[[list[Ask]], tuple[bytes, bytes]], *, logged: bool
) -> NoReturn:
    """Have the player choose, write its answer, and end this process; its output is ``logged`` or discarded."""
    answering = _opened(logged=logged)
    try:
        said = answer(asked(_question(), RECORDS))
    except BaseException:
        said = RAISED, b""
        if logged:
            traceback.print_exc()
    finally:
        if logged:
            _flush()  # flush before the answer, as the answer ends the choice
        write_all(answering, _framed(*said))
        os._exit(0)


def _opened(*, logged: bool) -> int:
    """Open standard input, output and error for this choice, and return the descriptor of the pipe for its answer."""
    os.open(os.devnull, os.O_RDONLY)
    os.open(PRINTED if logged else os.devnull, os.O_WRONLY)
    os.dup(1)
    return os.open(ANSWER, os.O_WRONLY)


def _framed(kind: bytes, answer: bytes) -> bytes:
    return SAID.pack(kind, len(answer)) + answer


def _question() -> bytes:
    file = os.open(QUESTION, os.O_RDONLY)
    question = os.read(file, os.lseek(file, 0, os.SEEK_END) - os.lseek(file, 0, os.SEEK_SET))
    os.close(file)
    return question


def _flush() -> None:
    for printed in (sys.stdout, sys.stderr):
        with suppress(BaseException):  # a player may have done anything to its own output
            printed.flush()


def _say(where: int, kind: bytes, what: str = "") -> None:
    os.write(where, kind + what.encode(errors="backslashreplace")[:MOST])
