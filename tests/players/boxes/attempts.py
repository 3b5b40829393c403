"""Attempts of a malicious program during its choice. The names say what must fail; ``found`` is what it got.

This file is a player: it runs in a box.
"""

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GAME: Any = None  # these four are filled in by the test, which knows them
DATABASE: Any = None
PORT: Any = None
ABSTRACT: Any = None

libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: Any) -> int:
    result: int = libc.syscall(number, *[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments])
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def forked() -> None:
    if not os.fork():
        os._exit(0)


def connected(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.connect(address)


def typed() -> None:
    for descriptor in (0, 1, 2):
        fcntl.ioctl(descriptor, 0x5412, b"x")


def written(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"x")


def linked() -> None:
    os.symlink(DATABASE, "/choice/this/tmp/link")
    open("/choice/this/tmp/link").close()


def held() -> list[int]:
    """Return open files that were inherited in addition to those of every player."""
    found = []
    for descriptor in range(3, 1024):
        try:
            own = os.fstat(descriptor).st_ino == os.stat("/choice/this/answer").st_ino
        except OSError:
            continue
        if not own:  # which it opened when it was asked
            found.append(descriptor)
    if not found:
        raise OSError("none")
    return found


def secrets() -> list[str]:
    found = [name for name in os.environ if name.startswith("POKERSVC") or name == "SECRET"]
    if not found:
        raise OSError("none")
    return found


def library() -> int:
    return os.open(os.__file__, os.O_RDONLY)


def mapped(attempt: Callable[[int], object]) -> object:
    """Map a page of a file that other boxes share, and call ``attempt`` with its address."""
    mapping = mmap.mmap(library(), 0, access=mmap.ACCESS_COPY)
    first = ctypes.c_char.from_buffer(mapping)
    return attempt(ctypes.addressof(first))


def started(threads: int) -> None:
    over = threading.Event()
    ran = []
    try:
        for _ in range(threads):
            one = threading.Thread(target=over.wait, daemon=True)
            one.start()
            ran.append(one)
    except RuntimeError as error:
        raise OSError(f"after {len(ran)}") from error
    finally:
        over.set()
        for one in ran:
            one.join()


ATTEMPTS: dict[str, Callable[[], object]] = {
    # What the first such programs did.
    "read the database": lambda: open(DATABASE, "rb").read(1),
    "find the database in the game's open files": lambda: os.listdir(f"/proc/{GAME}/fd"),
    "find the database in the parent's open files": lambda: os.listdir(f"/proc/{os.getppid()}/fd"),
    "read the game's memory": lambda: open(f"/proc/{GAME}/mem", "rb").read(1),
    "read the parent's memory": lambda: call(310, os.getppid(), b"\0" * 16, 1, b"\0" * 16, 1, 0),
    "trace the parent": lambda: call(101, 16, os.getppid(), 0, 0),
    "signal the game": lambda: os.kill(GAME, 0),
    "signal the parent": lambda: os.kill(os.getppid(), signal.SIGSTOP),
    "signal everybody": lambda: os.kill(-1, signal.SIGCONT),
    "signal the group": lambda: os.killpg(0, signal.SIGCONT),
    "signal a thread": lambda: call(234, 1, 1, 0),
    "queue a signal": lambda: call(129, 1, 9, b"\0" * 128),
    "rewrite the database": lambda: written(DATABASE),
    "fork": forked,
    "vfork": lambda: call(58),
    "clone": lambda: call(56, signal.SIGCHLD, 0, 0, 0, 0),
    "clone with a new namespace": lambda: call(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0),
    "clone3": lambda: call(435, b"\0" * 88, 88),
    "start a program": lambda: subprocess.run(["/bin/true"], check=True),
    "execute": lambda: os.execv("/usr/bin/env", ["env"]),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "take 6 GB through shared mappings": lambda: [mmap.mmap(-1, 1 << 30) for _ in range(6)],
    "take 6 GB": lambda: bytearray(6 << 30),
    # Processes seen in other ways.
    "open a process": lambda: os.pidfd_open(1),
    "take a file of a process": lambda: call(438, 0, 0, 0),
    "compare processes": lambda: call(312, 1, 2, 0, 0, 0),
    "read what a process may use": lambda: resource.prlimit(2, resource.RLIMIT_NOFILE, (1, 1)),
    "see processes": lambda: os.listdir("/proc"),
    "see the system": lambda: os.listdir("/sys"),
    "see the terminal": lambda: open("/dev/tty"),
    "type into the terminal": typed,
    "move another process between processors": lambda: os.sched_setaffinity(2, {0}),
    "slow another process": lambda: os.setpriority(os.PRIO_PROCESS, 2, 19),
    # Memory and messages that processes share.
    "have a file of memory": lambda: os.memfd_create("notes"),
    "have shared memory": lambda: call(29, 1234, 4096, 0o1600),
    "have a semaphore": lambda: call(64, 1234, 1, 0o1600),
    "have a message queue": lambda: call(68, 1234, 0o1600),
    "have a POSIX queue": lambda: call(240, b"notes", 0o102, 0o600, 0),
    "have shared memory in a folder": lambda: open("/dev/shm/notes", "w"),
    "have a key": lambda: call(248, b"user", b"notes", b"x", 1, -3),
    "have a ring": lambda: call(425, 1, b"\0" * 120),
    "have a pipe": os.pipe,
    "watch a folder": lambda: call(253),
    # Ways out of the view.
    "have a socket": lambda: connected(socket.AF_INET, ("127.0.0.1", PORT)),
    "have an abstract socket": lambda: connected(socket.AF_UNIX, ABSTRACT),
    "have sockets": socket.socketpair,
    "mount": lambda: libc.mount(b"none", b"/choice", b"tmpfs", 0, None) == 0 or call(165, b"a", b"/", b"tmpfs", 0, 0),
    "open a tree": lambda: call(428, -100, b"/", 1),
    "unmount": lambda: call(166, b"/usr/lib", 2),
    "enter namespaces": lambda: call(272, 0x10000000),
    "enter another's namespaces": lambda: call(308, 0, 0),
    "have another root": lambda: os.chroot("/choice/this/tmp"),
    "open by handle": lambda: call(304, -100, b"\0" * 128, 0),
    "read by BPF": lambda: call(321, 0, b"\0" * 128, 128),
    "measure the kernel": lambda: call(298, b"\0" * 128, 0, -1, -1, 0),
    "handle faults": lambda: call(323, 0),
    "be another user": lambda: os.setuid(1),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
    "name the machine": lambda: call(170, b"x", 1),
    "have more memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)),
    "find inherited files": held,
    "find secrets in the environment": secrets,
    "look into the owner's folder": lambda: os.listdir(Path(DATABASE).parent),
    "read passwords": lambda: open("/etc/passwd").read(),
    "write beside its file": lambda: written("/player/notes"),
    "write into a library": lambda: written(os.__file__),
    "write at the root": lambda: os.mkdir("/notes"),
    "lead a link out": linked,
    "make a device": lambda: os.mknod("/choice/this/tmp/device", 0o60600, os.makedev(8, 0)),
    "make a named pipe": lambda: os.mkfifo("/choice/this/tmp/pipe"),
    "have a file without a name": lambda: os.open("/choice/this/tmp", 0o20200002, 0o600),
    "write a huge file": lambda: os.truncate(os.open("/choice/this/tmp/huge", os.O_CREAT | os.O_RDWR), 1 << 30),
    "mark a file": lambda: os.setxattr("/choice/this/tmp", "user.notes", b"x"),
    # What stays with the open files that each choice has.
    "resize a pipe": lambda: fcntl.fcntl(os.open("/choice/this/answer", os.O_WRONLY), 1031, 1 << 16),
    "set flags of a file": lambda: fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK),
    "set flags otherwise": lambda: fcntl.ioctl(1, 0x5421, struct.pack("i", 1)),
    "own a file": lambda: fcntl.fcntl(1, fcntl.F_SETOWN, 1),
    # What others can see of a file that both may read.
    "lock a file for others": lambda: fcntl.flock(library(), fcntl.LOCK_EX),
    "lock a part of a file": lambda: fcntl.lockf(library(), fcntl.LOCK_SH, 1),
    "ask who has locked a file": lambda: fcntl.fcntl(library(), fcntl.F_GETLK, struct.pack("hhqqixxxx", 1, 0, 0, 1, 0)),
    "lock a file by what it was opened with": lambda: fcntl.fcntl(
        library(), 37, struct.pack("hhqqixxxx", 0, 0, 0, 1, 0)
    ),
    "lease a file": lambda: fcntl.fcntl(library(), fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "ask whether a file is leased": lambda: fcntl.fcntl(library(), fcntl.F_GETLEASE),
    "have a file forgotten": lambda: call(221, library(), 0, 0, 4),
    "ask which pages of a file are in memory": lambda: mapped(lambda start: call(27, start, 4096, b"x")),
    "have a file's pages taken from memory": lambda: mapped(lambda start: call(28, start, 4096, 21)),
    "have pages taken when memory is short": lambda: mapped(lambda start: call(28, start, 4096, 8)),
    "have a page compared with others'": lambda: mapped(lambda start: call(28, start, 4096, 12)),
    "have memory that is locked": lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x2000),
    "have a huge page": lambda: mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000),
    "have pages put together": lambda: mapped(lambda start: call(28, start, 2 << 20, 25)),
    "wake who waits at a library": lambda: mapped(lambda start: call(202, start, 1, 1, 0)),
    "wait at a library": lambda: mapped(lambda start: call(202, start, 0, 0, struct.pack("qq", 1, 0))),
    "have the kernel go on elsewhere": lambda: call(334, ctypes.create_string_buffer(64), 32, 0, 0x53053053),
    # What tells of the machine, or of other processes.
    "ask how much space a disk has": lambda: os.statvfs("/usr/lib"),
    "ask how much space there is": lambda: os.statvfs("."),
    "ask how the machine is": lambda: call(99, b"x" * 256),
    "ask what was read from disks": lambda: resource.getrusage(resource.RUSAGE_SELF),
    "ask for the number of a mount": lambda: call(332, -100, b"/usr/lib", 0, 0x4000, b"x" * 256),
    "ask for the time that the box's first process used": lambda: time.clock_gettime(~1 << 3),
    "ask for the time that the player's process used": lambda: time.clock_gettime(~2 << 3 | 2),
    # What is its own, and handed out by others.
    "change a file's mode": lambda: os.chmod("/choice/this/question", 0o600),
    "change a file's time": lambda: os.utime("/choice/this/tmp", (1, 1)),
    "write a question": lambda: written("/choice/this/question"),
    "change a question": lambda: os.truncate("/choice/this/question", 1),
    "write beside what it is handed": lambda: written("/choice/this/notes"),
    "have more threads than a choice may": lambda: started(64),
}


def allowed() -> dict[str, int]:
    """Actions that a player must be able to perform."""
    ran: list[int] = []
    thread = threading.Thread(target=lambda: ran.append(1))
    thread.start()
    thread.join()
    with open("/choice/this/tmp/notes", "w") as notes:
        notes.write("x" * 100_000)
    with open(os.devnull, "w") as nothing:
        nothing.write("x")
    return {"threads": len(ran), "scratch": os.path.getsize("/choice/this/tmp/notes"), "random": len(os.urandom(3))}


def results() -> dict[str, str]:
    found = {}
    for name, attempt in ATTEMPTS.items():
        try:
            found[name] = f"done: {attempt()!r}"
        except (OSError, MemoryError, subprocess.SubprocessError, ValueError) as error:
            found[name] = f"refused: {type(error).__name__} {getattr(error, 'errno', '')}"
    return found


class Attacker:
    def choose(self, view: Any, legal: Any, random: Any) -> Any:
        import json

        from tests.nim.state import Take

        print(json.dumps({"attempts": results(), "allowed": allowed()}), flush=True)
        return Take(view.to_act, 1, 1)
