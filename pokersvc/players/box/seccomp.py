"""The filter of system calls, while a player loads and in its choices: it refuses all calls not listed in this module.

Some calls are left to the tracer of the caller. A choice is not traced, so these calls fail in it. The folder
`tests/players/boxes` gives the reason for each call that is allowed, and tries every number and argument.
"""

import ctypes
from collections.abc import Iterable, Iterator
from errno import EAGAIN, EINVAL, ENOSYS, EPERM
from struct import pack
from typing import Final

from pokersvc.players.box.kernel import COLLAPSE, NO_NEW_PRIVILEGES, SECCOMP, needed, prctl, system_call

CLONE, MADVISE = 56, 28
"""Numbers of the system calls that the process tracing the player decides on."""

ALLOWED: Final = {
    # Files and folders: the mounts and Landlock decide which ones there are.
    "read": 0, "write": 1, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8, "pread64": 17, "pwrite64": 18,
    "readv": 19, "writev": 20, "access": 21, "dup": 32, "dup2": 33, "fsync": 74, "fdatasync": 75, "truncate": 76,
    "ftruncate": 77, "getdents": 78, "getcwd": 79, "chdir": 80, "fchdir": 81, "rename": 82, "mkdir": 83, "rmdir": 84,
    "link": 86, "unlink": 87, "symlink": 88, "readlink": 89, "umask": 95, "getdents64": 217, "mkdirat": 258,
    "newfstatat": 262, "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266, "readlinkat": 267,
    "faccessat": 269, "fallocate": 285, "dup3": 292, "renameat2": 316, "faccessat2": 439,
    # Memory of its own.
    "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "msync": 26,
    # Its own signals, threads, time and waiting.
    "poll": 7, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "select": 23, "sched_yield": 24,
    "pause": 34, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38, "exit": 60, "wait4": 61,
    "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigsuspend": 130, "sigaltstack": 131, "restart_syscall": 219,
    "exit_group": 231, "pselect6": 270, "ppoll": 271, "set_robust_list": 273,
    # Queries.
    "getpid": 39, "uname": 63, "gettimeofday": 96, "getrlimit": 97, "times": 100, "getuid": 102,
    "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111, "getgroups": 115,
    "getresuid": 118, "getresgid": 120, "getsid": 124, "sched_getparam": 143, "sched_getscheduler": 145,
    "sched_get_priority_max": 146, "sched_get_priority_min": 147, "gettid": 186, "time": 201,
    "sched_getaffinity": 204, "getcpu": 309, "getrandom": 318,
}  # fmt: skip
"""System calls that are allowed with any arguments: name → number."""
FOR_THE_NETWORK: Final = {
    "connect": 42, "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "shutdown": 48, "bind": 49,
    "getsockname": 51, "getpeername": 52, "setsockopt": 54, "getsockopt": 55, "pipe": 22,
    "epoll_wait": 232, "epoll_ctl": 233, "epoll_pwait": 281, "eventfd2": 290, "epoll_create1": 291, "pipe2": 293,
    "recvmmsg": 299, "sendmmsg": 307,
}  # fmt: skip
"""Calls that only a player with access to the network may make."""
UNKNOWN: Final = {"clone3": 435, "statx": 332, "rseq": 334}
"""Calls that fail as if the kernel did not know them, so that libraries do without.

A filter cannot see the flags of the first; the second reveals numbers of mounts, which are never reused; with the
third, the kernel continues an interrupted process elsewhere, and a process that is copied is interrupted.
"""

_CLOCKS: Final = range(8)
"""CLOCK_REALTIME to CLOCK_BOOTTIME: clocks of the machine and of the caller; negative numbers are others' clocks."""
ONE_OF: Final[dict[tuple[str, int, int], tuple[int, ...]]] = {
    # TCGETS, which tells whether something is a terminal, FIONCLEX and FIOCLEX.
    ("ioctl", 16, 1): (0x5401, 0x5450, 0x5451),
    # NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, DONTFORK, DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP,
    # WIPEONFORK, KEEPONFORK, POPULATE_READ, POPULATE_WRITE: advice on its own pages, not on the machine's.
    ("madvise", MADVISE, 2): (0, 1, 2, 3, 4, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC: no locks and no leases, which others could query, and
    # nothing that is kept with an open file.
    ("fcntl", 72, 1): (0, 1, 2, 3, 1030),
    # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_NO_NEW_PRIVS, PR_SET_VMA.
    ("prctl", 157, 0): (3, 15, 16, 39, 0x53564D41),
    # ARCH_SET_FS, ARCH_GET_FS, and which parts of the processor's state it may use.
    ("arch_prctl", 158, 0): (0x1002, 0x1003, 0x1021, 0x1022, 0x1023),
    # Of its own memory: WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, WAIT_BITSET, WAKE_BITSET, and by the clock.
    ("futex", 202, 1): tuple(128 + one for one in (0, 1, 3, 4, 5, 9, 10, 256, 265)),
    ("clock_gettime", 228, 0): tuple(_CLOCKS),
    ("clock_getres", 229, 0): tuple(_CLOCKS),
    ("clock_nanosleep", 230, 0): tuple(_CLOCKS),
}
"""(Call, its number, index of an argument) → the values that the argument may have."""
OTHERWISE: Final[dict[tuple[str, int, int], dict[int, int]]] = {
    # WAIT and WAIT_BITSET on memory that others may map, such as a library: the end of a thread in another box would
    # wake the waiting thread. The C library waits like this for its own threads to end, and asks until they have.
    ("futex", 202, 1): {0: EAGAIN, 9: EAGAIN, 256: EAGAIN, 265: EAGAIN},
    # MADV_FREE: such pages tell all later choices whether the machine was short of memory.
    ("madvise", MADVISE, 2): {8: EINVAL},
}
"""(Call, its number, index of an argument) → refused values, with the error on which libraries try another call."""
_STREAM, _NON_BLOCKING, _CLOSED_ON_EXEC = 1, 0o4000, 0o2000000
NETWORK_ONE_OF: Final[dict[tuple[str, int, int], tuple[int, ...]]] = {
    # Streams only, which send to nobody else.
    ("socketpair", 53, 1): tuple(
        _STREAM | more for more in (0, _NON_BLOCKING, _CLOSED_ON_EXEC, _NON_BLOCKING | _CLOSED_ON_EXEC)
    ),
    # FIONBIO and F_SETFL, which sockets need.
    ("ioctl", 16, 1): (0x5421,),
    ("fcntl", 72, 1): (4,),
}
"""Further values that a player with access to the network may use."""

SOCKET: Final = 41
FAMILIES: Final = (2, 10)
"""AF_INET and AF_INET6 of socket(2)."""
NETLINK: Final = 16
"""AF_NETLINK, by which the C library looks up addresses: only with protocol 0, NETLINK_ROUTE."""

_OPENING: Final = 0o2700000 | 0o7000 | 0o700 | 0o3
"""Flags with which files may be opened: O_CLOEXEC, O_NOFOLLOW, O_DIRECTORY, O_LARGEFILE; O_NONBLOCK, O_APPEND,
O_TRUNC; O_NOCTTY, O_EXCL, O_CREAT; to read and to write."""
BITS: Final[dict[tuple[str, int, int], int]] = {
    ("open", 2, 1): _OPENING,
    ("openat", 257, 2): _OPENING,
    # MAP_SHARED, _PRIVATE, _FIXED, _ANONYMOUS, _32BIT, _GROWSDOWN, _DENYWRITE, _EXECUTABLE, _NORESERVE, _POPULATE,
    # _NONBLOCK, _STACK, _FIXED_NOREPLACE: no huge pages, of which the machine has a limited number.
    ("mmap", 9, 3): 0x3 | 0x10 | 0x20 | 0x40 | 0x100 | 0x800 | 0x1000 | 0x4000 | 0x8000 | 0x10000 | 0x20000 | 0x100000,
}
"""(Call, its number, index of an argument) → the bits that may be set in the argument."""

THREAD: Final = 0x10000
"""CLONE_THREAD of clone(2): the call starts a thread of the same process."""
OF_A_THREAD: Final = 0x3D0F00 | 0x400000 | 0x1000000
"""Flags that a new thread may have: CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD, _SYSVSEM, _SETTLS, _PARENT_SETTID,
_CHILD_CLEARTID, _DETACHED, _CHILD_SETTID."""
PRLIMIT: Final = 302

_X86_64: Final = 0xC000003E
_NUMBER, _PROCESSOR = 0, 4
"""Offsets of the call's number and the processor's convention in the input of a filter (seccomp(2))."""
_KILL, _ALLOW, _TRACE, _ERROR = 0x80000000, 0x7FFF0000, 0x7FF00000, 0x50000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_REFUSED: Final = (_RETURN, 0, 0, _ERROR | EPERM)
NEWEST: Final = 450
"""Calls with this or a higher number fail as on an older kernel, so that libraries use calls that are allowed."""

Instruction = tuple[int, int, int, int]


def restrict(*, network: bool) -> None:
    """Filter the system calls of this process and of all that it starts."""
    install(instructions(network=network))


def install(steps: Iterable[Instruction]) -> None:
    """Install these instructions as the filter for this process and all that it starts."""
    program = b"".join(pack("HBBI", *instruction) for instruction in steps)
    held = ctypes.create_string_buffer(program, len(program))
    whole = pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(held))
    set_filter = 1
    prctl(NO_NEW_PRIVILEGES, 1)
    with needed("filters of system calls (seccomp)"):
        system_call(SECCOMP, set_filter, 0, whole)


def instructions(*, network: bool) -> list[Instruction]:
    """Return the filter as BPF instructions: each is an operation, two jumps and a value."""
    allowed = sorted({*ALLOWED.values(), *(FOR_THE_NETWORK.values() if network else ())})
    return [
        (_LOAD, 0, 0, _PROCESSOR),
        (_EQUAL, 1, 0, _X86_64),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the processor's other convention (x32), which has its own numbers
        (_RETURN, 0, 0, _KILL),
        *(step for number in allowed for step in _if_call(number, [(_RETURN, 0, 0, _ALLOW)])),
        *_conditional(network),
        *(step for number in UNKNOWN.values() for step in _if_call(number, [(_RETURN, 0, 0, _ERROR | ENOSYS)])),
        (_AT_LEAST, 0, 1, NEWEST),
        (_RETURN, 0, 0, _ERROR | ENOSYS),
        _REFUSED,
    ]


def _conditional(network: bool) -> Iterator[Instruction]:
    """Yield the instructions for calls that are decided by their arguments."""
    one_of = dict(ONE_OF)
    for call, values in NETWORK_ONE_OF.items() if network else ():
        one_of[call] = (*one_of.get(call, ()), *values)
    for call, values in one_of.items():
        _, number, index = call
        steps = [step for value in values for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
        traced = [(_EQUAL, 0, 1, COLLAPSE), (_RETURN, 0, 0, _TRACE)] if number == MADVISE else []
        otherwise = [
            step
            for value, error in OTHERWISE.get(call, {}).items()
            for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ERROR | error))
        ]
        yield from _if_call(number, [_argument(index), *steps, *traced, *otherwise, _REFUSED])
    for (_, number, index), bits in BITS.items():
        yield from _if_call(number, [_argument(index), (_ANY_BIT, 0, 1, ~bits & 0xFFFFFFFF), _REFUSED,
                                     (_RETURN, 0, 0, _ALLOW)])  # fmt: skip
    yield from _if_call(CLONE, [_argument(0), (_ANY_BIT, 1, 0, THREAD), (_RETURN, 0, 0, _TRACE),
                                (_ANY_BIT, 0, 1, ~OF_A_THREAD & 0xFFFFFFFF), _REFUSED,
                                (_RETURN, 0, 0, _ALLOW)])  # fmt: skip
    if network:
        of_family = [step for one in FAMILIES for step in ((_EQUAL, 0, 1, one), (_RETURN, 0, 0, _ALLOW))]
        route = [(_EQUAL, 1, 0, NETLINK), _REFUSED, _argument(2), (_EQUAL, 1, 0, 0), _REFUSED, (_RETURN, 0, 0, _ALLOW)]
        yield from _if_call(SOCKET, [_argument(0), *of_family, *route])
    to_read = [_argument(2), (_EQUAL, 1, 0, 0), _REFUSED, _argument(2, upper=True), (_EQUAL, 1, 0, 0), _REFUSED]
    yield from _if_call(PRLIMIT, [*to_read, (_RETURN, 0, 0, _ALLOW)])


def _argument(index: int, *, upper: bool = False) -> Instruction:
    """Return the instruction that loads half of an argument of the call; arguments have 64 bits."""
    return (_LOAD, 0, 0, 16 + 8 * index + (4 if upper else 0))


def _if_call(number: int, steps: list[Instruction]) -> Iterator[Instruction]:
    """Yield these steps so that they run for one call and are skipped for others."""
    yield (_EQUAL, 0, len(steps), number)
    yield from steps
