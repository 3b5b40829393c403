"""The filter of system calls: what is not listed here is refused, for a player while it loads and for its choices.

Starting a process is left to whoever traces the caller. Nobody traces a choice, so there it fails.
"""

import ctypes
from collections.abc import Iterable, Iterator
from errno import ENOSYS, EPERM
from struct import pack
from typing import Final

from pokersvc.players.box.kernel import NO_NEW_PRIVILEGES, SECCOMP, prctl, system_call

CLONE: Final = 56
THREAD: Final = 0x10000
"""CLONE_THREAD of clone(2): what is started is a thread of the same process."""

_ALLOWED: Final = {
    # Files and folders: which ones there are is decided by the mounts and by Landlock.
    "read": 0, "write": 1, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8, "pread64": 17, "pwrite64": 18,
    "readv": 19, "writev": 20, "access": 21, "dup": 32, "dup2": 33, "sendfile": 40, "fsync": 74, "fdatasync": 75,
    "truncate": 76, "ftruncate": 77, "getdents": 78, "getcwd": 79, "chdir": 80, "fchdir": 81, "rename": 82,
    "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "readlink": 89, "umask": 95,
    "statfs": 137, "fstatfs": 138, "getdents64": 217, "mkdirat": 258, "newfstatat": 262, "unlinkat": 263,
    "renameat": 264, "linkat": 265, "symlinkat": 266, "readlinkat": 267, "faccessat": 269, "fallocate": 285,
    "dup3": 292, "renameat2": 316, "copy_file_range": 326, "statx": 332, "faccessat2": 439,
    # Memory of its own.
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "msync": 26, "madvise": 28,
    # Its own signals, threads, time and waiting.
    "poll": 7, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "select": 23, "sched_yield": 24,
    "pause": 34, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38, "exit": 60, "wait4": 61,
    "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigsuspend": 130, "sigaltstack": 131, "arch_prctl": 158,
    "futex": 202, "set_tid_address": 218, "restart_syscall": 219, "clock_nanosleep": 230, "exit_group": 231,
    "waitid": 247, "pselect6": 270, "ppoll": 271, "set_robust_list": 273, "membarrier": 324, "rseq": 334,
    "futex_waitv": 449,
    # What may be asked.
    "getpid": 39, "uname": 63, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100,
    "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111, "getgroups": 115,
    "getresuid": 118, "getresgid": 120, "getsid": 124, "getpriority": 140, "sched_getparam": 143,
    "sched_getscheduler": 145, "sched_get_priority_max": 146, "sched_get_priority_min": 147, "gettid": 186,
    "time": 201, "sched_getaffinity": 204, "clock_gettime": 228, "clock_getres": 229, "getcpu": 309,
    "getrandom": 318,
}  # fmt: skip
_FOR_THE_NETWORK: Final = {
    "connect": 42, "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "shutdown": 48, "bind": 49,
    "getsockname": 51, "getpeername": 52, "socketpair": 53, "setsockopt": 54, "getsockopt": 55, "pipe": 22,
    "epoll_wait": 232, "epoll_ctl": 233, "epoll_pwait": 281, "eventfd2": 290, "epoll_create1": 291, "pipe2": 293,
    "recvmmsg": 299, "sendmmsg": 307,
}  # fmt: skip
_OPEN, _OPENAT, _IOCTL, _SOCKET, _FCNTL, _PRCTL, _PRLIMIT, _CLONE3 = 2, 257, 16, 41, 72, 157, 302, 435

_NAMELESS_FILE: Final = 0o20000000
"""__O_TMPFILE of open(2): a file that is in no folder, so nobody would see that scratch space was used."""
_IOCTLS: Final = (0x5401, 0x5450, 0x5451)
"""TCGETS, which tells whether something is a terminal, FIONCLEX and FIOCLEX."""
_FCNTLS: Final = (0, 1, 2, 3, 5, 6, 7, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC: what is kept with an open file, so
that the next choice would find it there, is not among them."""
_NON_BLOCKING: Final = {"ioctl": 0x5421, "fcntl": 4}
"""FIONBIO and F_SETFL, which sockets need."""
_PRCTLS: Final = (3, 15, 16, 39, 0x53564D41)
"""PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_NO_NEW_PRIVS, PR_SET_VMA."""
_FAMILIES: Final = (2, 10, 16)
"""AF_INET, AF_INET6 and AF_NETLINK, by which the C library asks for addresses."""

_X86_64: Final = 0xC000003E
_NUMBER, _PROCESSOR = 0, 4
"""Where the number of the call and the processor's convention are in what a filter reads (seccomp(2))."""
_KILL, _ALLOW, _TRACE, _ERROR = 0x80000000, 0x7FFF0000, 0x7FF00000, 0x50000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NEWEST: Final = 450
"""A later kernel's calls are answered as an older kernel would, so that libraries take the way that is allowed."""

Instruction = tuple[int, int, int, int]


def restrict(*, network: bool) -> None:
    """Filter the system calls of this process and of all that it starts."""
    program = b"".join(pack("HBBI", *instruction) for instruction in instructions(network=network))
    held = ctypes.create_string_buffer(program, len(program))
    whole = pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(held))
    set_filter = 1
    prctl(NO_NEW_PRIVILEGES, 1)
    system_call(SECCOMP, set_filter, 0, whole)


def instructions(*, network: bool) -> list[Instruction]:
    """Return the filter as instructions of BPF: each an operation, two jumps and a value."""
    allowed = sorted({*_ALLOWED.values(), *(_FOR_THE_NETWORK.values() if network else ())})
    return [
        (_LOAD, 0, 0, _PROCESSOR),
        (_EQUAL, 1, 0, _X86_64),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the other convention of the same processor, with numbers of its own
        (_RETURN, 0, 0, _KILL),
        *_conditional(network),
        *(step for number in allowed for step in _if_call(number, [(_RETURN, 0, 0, _ALLOW)])),
        *_if_call(_CLONE3, [(_RETURN, 0, 0, _ERROR | ENOSYS)]),  # its flags cannot be read: clone is taken instead
        (_AT_LEAST, 0, 1, _NEWEST),
        (_RETURN, 0, 0, _ERROR | ENOSYS),
        (_RETURN, 0, 0, _ERROR | EPERM),
    ]


def _conditional(network: bool) -> Iterator[Instruction]:
    """Yield the calls whose arguments decide."""
    yield from _if_call(CLONE, [*_argument(0), (_ANY_BIT, 0, 1, THREAD), (_RETURN, 0, 0, _ALLOW),
                                (_RETURN, 0, 0, _TRACE)])  # fmt: skip
    for number, flags in ((_OPEN, 1), (_OPENAT, 2)):
        yield from _if_call(number, [*_argument(flags), (_ANY_BIT, 0, 1, _NAMELESS_FILE),
                                     (_RETURN, 0, 0, _ERROR | EPERM), (_RETURN, 0, 0, _ALLOW)])  # fmt: skip
    yield from _one_of(_IOCTL, 1, [*_IOCTLS, *([_NON_BLOCKING["ioctl"]] if network else [])])
    yield from _one_of(_FCNTL, 1, [*_FCNTLS, *([_NON_BLOCKING["fcntl"]] if network else [])])
    yield from _one_of(_PRCTL, 0, _PRCTLS)
    if network:
        yield from _one_of(_SOCKET, 0, _FAMILIES)
    to_read = [*_argument(2), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _ERROR | EPERM),
               *_argument(2, upper=True), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _ERROR | EPERM),
               (_RETURN, 0, 0, _ALLOW)]  # fmt: skip
    yield from _if_call(_PRLIMIT, to_read)


def _one_of(number: int, argument: int, values: Iterable[int]) -> Iterator[Instruction]:
    """Allow a call with one of these values as its argument."""
    steps = [step for value in values for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
    return _if_call(number, [*_argument(argument), *steps, (_RETURN, 0, 0, _ERROR | EPERM)])


def _argument(index: int, *, upper: bool = False) -> list[Instruction]:
    """Load half of an argument of the call, each of which has 64 bits."""
    return [(_LOAD, 0, 0, 16 + 8 * index + (4 if upper else 0))]


def _if_call(number: int, steps: list[Instruction]) -> Iterator[Instruction]:
    """Do these steps for one call, and skip them for others."""
    yield (_EQUAL, 0, len(steps), number)
    yield from steps
