"""Channels between two choices: for each kernel object that both see, code that writes to it and code that reads it.

This file is a player: it runs in boxes. Its random source says which pair is tried, and which side of it this is.
"""

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

libc = ctypes.CDLL(None, use_errno=True)
HANDED: Final = [f"/choice/this{name}" for name in ("", "/question", "/records", "/answer", "/tmp")]
LIBRARY: Final = os.__file__
"""A file with the same inode in every box."""
IDLE, WRITES, WRITES_AND_STAYS, READS = range(4)
STAYS: Final = 0.4
"""Seconds for which a writer waits for a reader at another table."""


class Pair(NamedTuple):
    """Code that one choice runs, and code with which another choice looks for traces."""

    write: Callable[[], object]
    read: Callable[[], object]


def call(number: int, *arguments: Any) -> int:
    result: int = libc.syscall(number, *[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments])
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def library(flags: int = os.O_RDONLY) -> int:
    return os.open(LIBRARY, flags)


def page() -> int:
    """Return the address of a page of the library."""
    mapping = mmap.mmap(library(), 0, access=mmap.ACCESS_COPY)
    kept.append(mapping)
    return ctypes.addressof(ctypes.c_char.from_buffer(mapping))


def word() -> int:
    """Return the word in memory at an address."""
    return ctypes.c_uint32.from_address(page()).value


def ends_at_library() -> None:
    """End a thread; the kernel then wakes whoever waits at an address that the thread chose."""
    start = page()
    one = threading.Thread(target=lambda: libc.syscall(218, ctypes.c_long(start)))  # set_tid_address(2)
    one.start()
    one.join()


kept: list[object] = []
"""Objects that must stay alive as long as the choice."""


def lock(kind: int = 0) -> bytes:
    return struct.pack("hhqqixxxx", kind, 0, 0, 1, 0)


def in_all_files(does: Callable[[int], object]) -> list[object]:
    found: list[object] = []
    for descriptor in range(64):
        with suppress(OSError):
            found.append(does(descriptor))
    return found


def opened_all() -> None:
    for name in HANDED:
        if os.path.isdir(name):
            os.listdir(name)
        elif "answer" not in name:
            open(name, "rb").read()
    os.mkdir("/choice/this/tmp/made")


def ages() -> list[bool]:
    """Whether anything is older than the question, by more than a tick of the clock."""
    asked = os.stat("/choice/this/question").st_mtime
    times = [(found.st_atime, found.st_mtime, found.st_ctime) for found in map(os.stat, HANDED)]
    return [min(three) > asked - 0.05 for three in times]


def filled(size: int) -> None:
    for number in range(size >> 20):
        with open(f"/choice/this/tmp/filled{number}", "wb") as file:
            file.write(b"x" * (1 << 20))


def room() -> tuple[int, int]:
    made = 0
    with suppress(OSError):
        while True:
            os.mkdir(f"/choice/this/tmp/{made}")
            made += 1
    made = min(made, 4000)
    with suppress(OSError):
        for number in range(made):
            os.rmdir(f"/choice/this/tmp/{number}")
    os.posix_fallocate(os.open("/choice/this/tmp/room", os.O_CREAT | os.O_RDWR), 0, 64 << 20)
    return made, os.path.getsize("/choice/this/tmp/room")


def threads() -> int:
    over, ran = threading.Event(), 0
    with suppress(RuntimeError):
        while ran < 100:
            threading.Thread(target=over.wait, daemon=True).start()
            ran += 1
    kept.append(over)
    return ran


def files() -> int:
    with suppress(OSError):
        while len(kept) < 1000:
            kept.append(open(LIBRARY))
    return len(kept)


def memory() -> int:
    found = 0
    with suppress(OSError, MemoryError):
        while found < 100:
            kept.append(mmap.mmap(-1, 256 << 20))
            found += 1
    return found


def numbers() -> tuple[int, int, int]:
    one = threading.Thread(target=time.sleep, args=(0.01,))
    one.start()
    with open("/choice/this/tmp/numbered", "w") as file:
        found = os.fstat(file.fileno())
    return one.native_id or 0, found.st_ino, found.st_dev


def dirty(size: int = 100 << 20) -> None:
    """Take memory, so that the end of this choice takes its time."""
    kept.append(bytearray(size))


def fingerprint() -> object:
    found = [
        os.stat(place) for place in ("/", "/dev/null", "/dev/urandom", "/player", LIBRARY, os.path.dirname(LIBRARY))
    ]
    return [(one.st_ino, one.st_dev, one.st_nlink, one.st_atime_ns, one.st_mtime_ns, one.st_ctime_ns) for one in found]


def read_library() -> None:
    for folder, _, names in os.walk(os.path.dirname(LIBRARY) + "/json"):
        for name in names:
            Path(folder, name).read_bytes()
    os.listdir(os.path.dirname(LIBRARY))


def named(name: bytes = b"") -> bytes:
    held = ctypes.create_string_buffer(name, 32)
    libc.prctl(15 if name else 16, held, 0, 0, 0)
    return held.value


def scheduled() -> object:
    with suppress(OSError):
        os.sched_setaffinity(0, {0})
    with suppress(OSError):
        os.nice(5)
    return os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0).sched_priority


def limits() -> object:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    return [resource.getrlimit(which) for which in range(16)]


def used() -> object:
    return time.process_time() < 5, os.times().children_user, tried(lambda: resource.getrusage(resource.RUSAGE_SELF))


PAIRS: Final[dict[str, Pair]] = {
    # Locks and leases.
    "a lock of a part of a file": Pair(
        lambda: fcntl.fcntl(library(), fcntl.F_SETLK, lock()), lambda: fcntl.fcntl(library(), fcntl.F_GETLK, lock(1))
    ),
    "a lock of a part of a file, waited for": Pair(
        lambda: fcntl.fcntl(library(), fcntl.F_SETLKW, lock()), lambda: fcntl.fcntl(library(), fcntl.F_GETLK, lock(1))
    ),
    "a lock of an open file": Pair(
        lambda: fcntl.fcntl(library(), 37, lock()), lambda: fcntl.fcntl(library(), 36, lock(1))
    ),
    "a lock of a file": Pair(
        lambda: fcntl.flock(library(), fcntl.LOCK_EX), lambda: fcntl.flock(library(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    ),
    "a lease": Pair(
        lambda: fcntl.fcntl(library(), fcntl.F_SETLEASE, fcntl.F_RDLCK),
        lambda: fcntl.fcntl(library(), fcntl.F_SETLEASE, fcntl.F_WRLCK),
    ),
    # Open files.
    "how far files were read": Pair(
        lambda: in_all_files(lambda one: (os.lseek(one, 77, 0), os.read(one, 9))),
        lambda: in_all_files(lambda one: os.lseek(one, 0, 1)),
    ),
    "flags of files": Pair(
        lambda: in_all_files(lambda one: fcntl.fcntl(one, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)),
        lambda: in_all_files(lambda one: fcntl.fcntl(one, fcntl.F_GETFL)),
    ),
    "which files are open": Pair(files, lambda: in_all_files(lambda one: os.fstat(one).st_mode)),
    "what is in pipes": Pair(
        lambda: in_all_files(lambda one: os.write(one, b"x" * 4096)),
        lambda: in_all_files(lambda one: fcntl.ioctl(one, 0x541B, b"\0" * 4)),
    ),
    # Times.
    "when what is handed was made, read and written": Pair(opened_all, ages),
    "times and numbers of what every box sees": Pair(read_library, fingerprint),
    "times set": Pair(lambda: os.utime("/choice/this/tmp", (1, 1)), ages),
    # Numbers that are handed out.
    "numbers of threads, files and devices": Pair(numbers, numbers),
    "numbers after an end that takes long": Pair(dirty, numbers),
    "process ids": Pair(
        threads, lambda: (os.getpid(), os.getppid(), os.getsid(0), os.getpgrp(), threading.get_native_id())
    ),
    "the number of a mount": Pair(
        lambda: filled(1 << 20), lambda: call(332, -100, b"/choice/this", 0, 0x4000, b"x" * 256)
    ),
    # Space.
    "scratch space": Pair(lambda: filled(60 << 20), room),
    "space of the disk": Pair(lambda: filled(8 << 20), lambda: os.statvfs("/usr/lib")),
    "space where it writes": Pair(lambda: filled(8 << 20), lambda: os.statvfs("/choice/this")),
    "memory": Pair(memory, memory),
    "memory of the machine": Pair(dirty, lambda: call(99, b"x" * 256)),
    "pages in memory": Pair(lambda: Path(LIBRARY).read_bytes(), lambda: call(27, page(), 4096, b"x")),
    "pages put together": Pair(lambda: call(28, page(), 2 << 20, 25), lambda: call(28, page(), 2 << 20, 25)),
    "pages given back": Pair(lambda: call(28, page(), 4096, 21), lambda: call(28, page(), 4096, 20)),
    "huge pages": Pair(
        lambda: kept.append(mmap.mmap(-1, 2 << 20, 0x40022)), lambda: mmap.mmap(-1, 2 << 20, 0x40022).close()
    ),
    # Processes.
    "threads": Pair(threads, threads),
    "open files": Pair(files, files),
    "clocks of the box's first process": Pair(lambda: sum(range(10**6)), lambda: time.clock_gettime(~1 << 3)),
    "clocks of the player's process": Pair(lambda: sum(range(10**6)), lambda: time.clock_gettime(~2 << 3 | 2)),
    "time used": Pair(lambda: sum(range(10**6)), used),
    "timers": Pair(
        lambda: (signal.alarm(99), signal.setitimer(signal.ITIMER_VIRTUAL, 99)),
        lambda: [signal.getitimer(which) for which in range(3)],
    ),
    "signals": Pair(
        lambda: (signal.signal(15, signal.SIG_IGN), signal.pthread_sigmask(0, {15})),
        lambda: (signal.getsignal(15), signal.pthread_sigmask(0, ()), signal.sigpending()),
    ),
    "who waits at a library": Pair(lambda: call(202, page(), 0, word(), b"\0" * 16), lambda: call(202, page(), 1, 9)),
    "who is woken at a library": Pair(ends_at_library, lambda: call(202, page(), 0, word(), struct.pack("qq", 1, 0))),
    "a name": Pair(lambda: named(b"notes"), named),
    "a place among the processors": Pair(scheduled, scheduled),
    "limits": Pair(limits, lambda: [resource.getrlimit(which) for which in range(16)]),
    # What a process has of its own.
    "a folder, a mask and variables": Pair(
        lambda: [does() for does in (lambda: os.chdir("/dev"), lambda: os.umask(0o77))],
        lambda: (os.getcwd(), os.umask(0), os.environ.get("NOTES")),
    ),
    "names": Pair(
        lambda: os.symlink("notes", "/choice/this/tmp/notes"), lambda: (os.uname()[:], os.listdir("/choice/this/tmp"))
    ),
}


def tried(attempt: Callable[[], object]) -> str:
    """Return what the code found, or the error that it met."""
    try:
        return repr(attempt())
    except (OSError, MemoryError, RuntimeError) as error:
        return f"{type(error).__name__} {getattr(error, 'errno', '')}"


class Side:
    """One side of a pair: the writer or the reader."""

    def choose(self, view: Any, legal: Any, random: Any) -> Any:
        from tests.nim.state import Take

        pair, side = PAIRS[list(PAIRS)[random.randrange(len(PAIRS))]], random.randrange(4)
        if side == READS:
            print(tried(pair.read), flush=True)
        elif side != IDLE:
            tried(pair.write)
        if side == WRITES_AND_STAYS:
            time.sleep(STAYS)
        return Take(view.to_act, 1, 1)
