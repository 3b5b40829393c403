"""Every system call that a box allows: why a player needs it, and its possible arguments.

This is written by hand, from what players need. It knows nothing of `pokersvc/players/box/seccomp.py`, which decides.
`test_system_calls.py` compares the two by asking the kernel.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple


class Answer(Enum):
    """The result of a system call under the filter."""

    LET_THROUGH = "let through"
    TRACER = "left to the tracer"
    """Passed to a tracer; a choice has none, so the call fails with ENOSYS."""
    REFUSED = "refused with EPERM"
    UNKNOWN = "answered with ENOSYS"
    """Fails as in a kernel without this call, so that libraries use an older one."""
    AGAIN = "answered with EAGAIN"
    """Fails with EAGAIN, so that the C library repeats the call until its event has come."""
    INVALID = "answered with EINVAL"
    """As a kernel would that does not know the value, so that libraries do without."""
    KILLED = "the end of the process"


HALF: Final = 0xFFFFFFFF
"""The lower half of an argument, where the kernel reads an int or ignores the upper half."""


@dataclass(frozen=True)
class OneOf:
    """An argument must have one of these values."""

    argument: int
    values: dict[str, int]
    with_network: dict[str, int] = field(default_factory=dict)
    to_tracer: dict[str, int] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    invalid: dict[str, int] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, int]:
        """Every number that is named here."""
        return {**self.values, **self.with_network, **self.to_tracer, **self.again, **self.invalid}

    def answer(self, arguments: Sequence[int], *, network: bool) -> Answer:
        """Return the result of a call with these arguments."""
        value = arguments[self.argument] & HALF
        if value in self.values.values() or (network and value in self.with_network.values()):
            return Answer.LET_THROUGH
        if value in self.again.values():
            return Answer.AGAIN
        if value in self.invalid.values():
            return Answer.INVALID
        return Answer.TRACER if value in self.to_tracer.values() else Answer.REFUSED


@dataclass(frozen=True)
class Family:
    """The first argument must be one of these families; of the last one, the third must be protocol 0."""

    names: dict[str, int]
    argument: int = 0

    def answer(self, arguments: Sequence[int], *, network: bool) -> Answer:
        """Return the result of a call with these arguments."""
        *others, last = self.names.values()
        family, protocol = arguments[0] & HALF, arguments[2] & HALF
        return Answer.LET_THROUGH if family in others or (family == last and protocol == 0) else Answer.REFUSED


@dataclass(frozen=True)
class Bits:
    """An argument must have no bits but these. Without the one in ``else_tracer``, the call is left to the tracer."""

    argument: int
    names: dict[str, int]
    else_tracer: str | None = None

    def answer(self, arguments: Sequence[int], *, network: bool) -> Answer:
        """Return the result of a call with these arguments."""
        value = arguments[self.argument] & HALF
        if self.else_tracer is not None and not value & self.names[self.else_tracer]:
            return Answer.TRACER
        return Answer.REFUSED if value & ~sum(self.names.values()) else Answer.LET_THROUGH


@dataclass(frozen=True)
class Null:
    """Requires a null pointer as argument, in both halves."""

    argument: int
    names: dict[str, int] = field(default_factory=dict)

    def answer(self, arguments: Sequence[int], *, network: bool) -> Answer:
        """Return the result of a call with these arguments."""
        return Answer.REFUSED if arguments[self.argument] else Answer.LET_THROUGH


class Call(NamedTuple):
    """An allowed system call."""

    number: int
    why: str
    """Why a player needs the call, and why it reveals nothing about other choices and boxes."""
    only: OneOf | Family | Bits | Null | None = None
    """The condition on the deciding argument; None if all arguments are allowed."""


OPENING: Final = {
    "O_WRONLY": 0o1, "O_RDWR": 0o2, "O_CREAT": 0o100, "O_EXCL": 0o200, "O_NOCTTY": 0o400, "O_TRUNC": 0o1000,
    "O_APPEND": 0o2000, "O_NONBLOCK": 0o4000, "O_LARGEFILE": 0o100000, "O_DIRECTORY": 0o200000, "O_NOFOLLOW": 0o400000,
    "O_CLOEXEC": 0o2000000,
}  # fmt: skip
"""Not O_TMPFILE: nobody could see such a file. Not O_PATH, O_NOATIME, O_SYNC, O_DIRECT and O_ASYNC, which no player
needs."""

CLOCKS: Final = {
    "CLOCK_REALTIME": 0, "CLOCK_MONOTONIC": 1, "CLOCK_PROCESS_CPUTIME_ID": 2, "CLOCK_THREAD_CPUTIME_ID": 3,
    "CLOCK_MONOTONIC_RAW": 4, "CLOCK_REALTIME_COARSE": 5, "CLOCK_MONOTONIC_COARSE": 6, "CLOCK_BOOTTIME": 7,
}  # fmt: skip
"""The system's clocks and the caller's own; negative numbers are clocks of other processes."""

ALWAYS: Final[dict[str, Call]] = {
    # Files. The mounts and Landlock decide which there are. A choice can write only in a folder made for it alone; all
    # else is read-only, the same for every choice, and changes no times when it is read.
    "read": Call(0, "reads its question, its modules and its data"),
    "pread64": Call(17, "reads a file from a place on"),
    "readv": Call(19, "reads a file into several buffers"),
    "write": Call(1, "writes its answer, its output and its own temporary files"),
    "pwrite64": Call(18, "writes its own temporary file from a place on"),
    "writev": Call(20, "writes several buffers"),
    "open": Call(2, "opens what it may read, or a temporary file of its own", Bits(1, OPENING)),
    "openat": Call(257, "opens the same, as the C library does", Bits(2, OPENING)),
    "close": Call(3, "its own descriptors"),
    "dup": Call(32, "its own descriptors"),
    "dup2": Call(33, "its own descriptors"),
    "dup3": Call(292, "its own descriptors"),
    "fcntl": Call(72, "its own descriptors; no locks and leases, which others would meet", OneOf(1, {
        "F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_DUPFD_CLOEXEC": 1030,
    }, with_network={"F_SETFL": 4})),
    "ioctl": Call(16, "tells whether something is a terminal, and has its own descriptors closed by a new program; no"
                  " other request to any driver", OneOf(1, {
        "TCGETS": 0x5401, "FIONCLEX": 0x5450, "FIOCLEX": 0x5451,
    }, with_network={"FIONBIO": 0x5421})),
    "lseek": Call(8, "moves in its own open file"),
    "stat": Call(4, "asks what a file is that it can see"),
    "fstat": Call(5, "asks what an open file is"),
    "lstat": Call(6, "asks what a link is"),
    "newfstatat": Call(262, "asks the same, as the C library does"),
    "access": Call(21, "asks whether it may use a file that it can see"),
    "faccessat": Call(269, "asks the same, below a folder"),
    "faccessat2": Call(439, "asks the same, with flags"),
    "readlink": Call(89, "reads where a link leads; there is no /proc"),
    "readlinkat": Call(267, "reads the same, below a folder"),
    "getdents": Call(78, "lists a folder that it can see"),
    "getdents64": Call(217, "lists a folder, as the C library does"),
    "getcwd": Call(79, "asks which folder it is in itself"),
    "chdir": Call(80, "goes to a folder; a player that has left its folder when it is loaded is refused"),
    "fchdir": Call(81, "goes to an open folder"),
    "umask": Call(95, "how its own new files are protected"),
    "mkdir": Call(83, "only in its own folder, by Landlock"),
    "mkdirat": Call(258, "only in its own folder, by Landlock"),
    "rmdir": Call(84, "only in its own folder, by Landlock"),
    "unlink": Call(87, "only in its own folder, by Landlock"),
    "unlinkat": Call(263, "only in its own folder, by Landlock"),
    "rename": Call(82, "only in its own folder, by Landlock"),
    "renameat": Call(264, "only in its own folder, by Landlock"),
    "renameat2": Call(316, "only in its own folder, by Landlock"),
    "link": Call(86, "only in its own folder, by Landlock"),
    "linkat": Call(265, "only in its own folder, by Landlock"),
    "symlink": Call(88, "only in its own folder; a link leads nowhere that the view does not"),
    "symlinkat": Call(266, "only in its own folder; a link leads nowhere that the view does not"),
    "truncate": Call(76, "only in its own folder, by Landlock and the read-only mounts"),
    "ftruncate": Call(77, "only what it has opened for writing"),
    "fallocate": Call(285, "only what it has opened for writing, and within its own file system's size"),
    "fsync": Call(74, "databases and archives call it; its own files are in memory, where it does nothing, and nobody"
                  " here can change others"),
    "fdatasync": Call(75, "databases call it, as fsync"),
    # Memory of its own. What is left of it when the player is loaded is copied for each choice, never shared.
    "mmap": Call(9, "takes memory, and maps files that it has opened; not MAP_HUGETLB, of which the machine has so"
                 " many, and not MAP_LOCKED, which is counted for each user", Bits(3, {
        "MAP_SHARED": 0x1, "MAP_PRIVATE": 0x2, "MAP_FIXED": 0x10, "MAP_ANONYMOUS": 0x20, "MAP_32BIT": 0x40,
        "MAP_GROWSDOWN": 0x100, "MAP_DENYWRITE": 0x800, "MAP_EXECUTABLE": 0x1000, "MAP_NORESERVE": 0x4000,
        "MAP_POPULATE": 0x8000, "MAP_NONBLOCK": 0x10000, "MAP_STACK": 0x20000, "MAP_FIXED_NOREPLACE": 0x100000,
    })),
    "munmap": Call(11, "gives its own memory back"),
    "mprotect": Call(10, "protects its own memory; code that is made as it runs needs it"),
    "mremap": Call(25, "makes its own memory larger or smaller"),
    "brk": Call(12, "takes memory, as malloc does"),
    "msync": Call(26, "writes what it has mapped into its own files, which are in memory"),
    "madvise": Call(28, "what concerns its own pages. Not MADV_FREE, by which later choices see that memory was"
                    " short, and not MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT and"
                    " MADV_HWPOISON, which change pages that others see", OneOf(2, {
        "MADV_NORMAL": 0, "MADV_RANDOM": 1, "MADV_SEQUENTIAL": 2, "MADV_WILLNEED": 3, "MADV_DONTNEED": 4,
        "MADV_DONTFORK": 10, "MADV_DOFORK": 11, "MADV_HUGEPAGE": 14, "MADV_NOHUGEPAGE": 15,
        "MADV_DONTDUMP": 16, "MADV_DODUMP": 17, "MADV_WIPEONFORK": 18, "MADV_KEEPONFORK": 19,
        "MADV_POPULATE_READ": 22, "MADV_POPULATE_WRITE": 23,
    }, to_tracer={"MADV_COLLAPSE": 25}, invalid={"MADV_FREE": 8})),
    # Threads of its own.
    "clone": Call(56, "starts threads, and no process; never with a new namespace, a pidfd or another parent", Bits(0, {
        "CLONE_VM": 0x100, "CLONE_FS": 0x200, "CLONE_FILES": 0x400, "CLONE_SIGHAND": 0x800, "CLONE_THREAD": 0x10000,
        "CLONE_SYSVSEM": 0x40000, "CLONE_SETTLS": 0x80000, "CLONE_PARENT_SETTID": 0x100000,
        "CLONE_CHILD_CLEARTID": 0x200000, "CLONE_DETACHED": 0x400000, "CLONE_CHILD_SETTID": 0x1000000,
    }, else_tracer="CLONE_THREAD")),
    "futex": Call(202, "its threads wait for each other, in memory of its own alone: where others map it, too, the end"
                  " of a thread in another box would wake who waits", OneOf(1, {
        "FUTEX_WAIT_PRIVATE": 128, "FUTEX_WAKE_PRIVATE": 129, "FUTEX_REQUEUE_PRIVATE": 131,
        "FUTEX_CMP_REQUEUE_PRIVATE": 132, "FUTEX_WAKE_OP_PRIVATE": 133, "FUTEX_WAIT_BITSET_PRIVATE": 137,
        "FUTEX_WAKE_BITSET_PRIVATE": 138, "FUTEX_WAIT_PRIVATE | CLOCK_REALTIME": 384,
        "FUTEX_WAIT_BITSET_PRIVATE | CLOCK_REALTIME": 393,
    }, again={
        "FUTEX_WAIT": 0, "FUTEX_WAIT | CLOCK_REALTIME": 256,
        "FUTEX_WAIT_BITSET": 9, "FUTEX_WAIT_BITSET | CLOCK_REALTIME": 265,
    })),
    "set_robust_list": Call(273, "has its own locks freed when it ends; each of the C library's threads calls it"),
    "arch_prctl": Call(158, "its own registers", OneOf(0, {
        "ARCH_SET_FS": 0x1002, "ARCH_GET_FS": 0x1003, "ARCH_GET_XCOMP_SUPP": 0x1021, "ARCH_GET_XCOMP_PERM": 0x1022,
        "ARCH_REQ_XCOMP_PERM": 0x1023,
    })),
    "prctl": Call(157, "names of its threads and of its memory, which nobody reads, and what it may know of itself",
                  OneOf(0, {
        "PR_GET_DUMPABLE": 3, "PR_SET_NAME": 15, "PR_GET_NAME": 16, "PR_GET_NO_NEW_PRIVS": 39, "PR_SET_VMA": 0x53564D41,
    })),
    "sched_yield": Call(24, "lets its other threads run"),
    "exit": Call(60, "ends its own thread"),
    "exit_group": Call(231, "ends itself"),
    "wait4": Call(61, "finds no child: it has none, and a copy is its tracer's"),
    # Signals of its own. It can send none, and a copy begins with none and with no timers.
    "rt_sigaction": Call(13, "what it does at a signal to itself"),
    "rt_sigprocmask": Call(14, "which signals wait for it"),
    "rt_sigreturn": Call(15, "returns from what it does at a signal"),
    "rt_sigpending": Call(127, "which of its own signals wait"),
    "rt_sigtimedwait": Call(128, "waits for a signal of its own"),
    "rt_sigsuspend": Call(130, "waits for a signal of its own"),
    "sigaltstack": Call(131, "its own memory; faulthandler has a stack of its own for signals"),
    "restart_syscall": Call(219, "waits on after it was stopped"),
    "pause": Call(34, "waits for a signal of its own"),
    "alarm": Call(37, "sends itself a signal later"),
    "getitimer": Call(36, "its own timers, which a copy does not inherit"),
    "setitimer": Call(38, "its own timers, which a copy does not inherit"),
    # Waiting for what it has open itself.
    "poll": Call(7, "waits for its own files and pipes"),
    "ppoll": Call(271, "waits for its own files and pipes"),
    "select": Call(23, "waits for its own files and pipes"),
    "pselect6": Call(270, "waits for its own files and pipes"),
    "nanosleep": Call(35, "waits for some time"),
    "clock_nanosleep": Call(230, "waits for some time", OneOf(0, CLOCKS)),
    # Time, which no box can hide.
    "time": Call(201, "the time"),
    "gettimeofday": Call(96, "the time"),
    "clock_gettime": Call(228, "the time, and its own processor time", OneOf(0, CLOCKS)),
    "clock_getres": Call(229, "how exact a clock is, which never changes", OneOf(0, CLOCKS)),
    "times": Call(100, "its own processor time"),
    # What never changes: it is the same for each choice, or chance.
    "getpid": Call(39, "its number in its own namespace: the same for each choice"),
    "getppid": Call(110, "the number of its parent there: the same for each choice"),
    "gettid": Call(186, "the number of its thread there, counted from its own"),
    "getpgrp": Call(111, "a number in its own namespace: the same for each choice"),
    "getsid": Call(124, "a number in its own namespace: the same for each choice"),
    "getuid": Call(102, "who it is, which never changes"),
    "geteuid": Call(107, "who it is, which never changes"),
    "getresuid": Call(118, "who it is, which never changes"),
    "getgid": Call(104, "its group, which never changes"),
    "getegid": Call(108, "its group, which never changes"),
    "getresgid": Call(120, "its group, which never changes"),
    "getgroups": Call(115, "its groups, which never change"),
    "uname": Call(63, "the kernel's version, and the name of its own namespace's host"),
    "getrlimit": Call(97, "its limits, which are the same for each choice"),
    "prlimit64": Call(302, "the same, as the C library asks; it can set none", Null(2)),
    "sched_getaffinity": Call(204, "how many processors it may use, which only the machine's administrator changes"),
    "sched_getparam": Call(143, "its priority, which nobody here can change"),
    "sched_getscheduler": Call(145, "its kind of scheduling, which nobody here can change"),
    "sched_get_priority_max": Call(146, "a constant"),
    "sched_get_priority_min": Call(147, "a constant"),
    "getcpu": Call(309, "which processor it runs on, as the processor's own instructions tell"),
    "getrandom": Call(318, "chance"),
}  # fmt: skip

WITH_NETWORK: Final[dict[str, Call]] = {
    # Only for a player that may use the network, and so may tell anybody anything: here the reason is what needs them.
    "socket": Call(41, "the internet, and how the C library asks for this machine's addresses; no sockets of this"
                   " machine's programs, and no list of them, which another protocol than NETLINK_ROUTE has",
                   Family({"AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16})),
    "connect": Call(42, "connects to a server"),
    "bind": Call(49, "says which of its addresses a socket has; nobody can connect to it"),
    "shutdown": Call(48, "ends a connection"),
    "sendto": Call(44, "sends"),
    "sendmsg": Call(46, "sends several buffers"),
    "sendmmsg": Call(307, "sends several messages, as the C library's name resolution does"),
    "recvfrom": Call(45, "receives"),
    "recvmsg": Call(47, "receives into several buffers"),
    "recvmmsg": Call(299, "receives several messages"),
    "getsockname": Call(51, "its own address"),
    "getpeername": Call(52, "whom it is connected to"),
    "setsockopt": Call(54, "how long to wait, and the like"),
    "getsockopt": Call(55, "whether a connection was made"),
    # asyncio waits with these, and wakes itself up.
    "socketpair": Call(53, "wakes itself up, by streams, which send to nobody else", OneOf(1, {
        "SOCK_STREAM": 1, "SOCK_STREAM | SOCK_NONBLOCK": 0o4001, "SOCK_STREAM | SOCK_CLOEXEC": 0o2000001,
        "SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC": 0o2004001,
    })),
    "pipe": Call(22, "wakes itself up"),
    "pipe2": Call(293, "wakes itself up"),
    "eventfd2": Call(290, "wakes itself up"),
    "epoll_create1": Call(291, "waits for its connections"),
    "epoll_ctl": Call(233, "waits for its connections"),
    "epoll_wait": Call(232, "waits for its connections"),
    "epoll_pwait": Call(281, "waits for its connections"),
}  # fmt: skip

UNKNOWN: Final[dict[str, Call]] = {
    # Answered with ENOSYS instead of EPERM.
    "clone3": Call(435, "a filter cannot see its flags; threads are started by clone instead"),
    "statx": Call(332, "it tells numbers of mounts, which are never used twice; newfstatat is taken instead"),
    "rseq": Call(334, "the kernel has a process that was interrupted, as one that is copied is, go on elsewhere"),
}
NOT_FILTERED: Final[dict[str, Call]] = {
    # The kernel itself lets these through any filter, since Linux 6.14.
    "uretprobe": Call(
        335, "from anywhere but a page that the kernel put there to trace a program, it ends the process"
    ),
    "uprobe": Call(336, "from anywhere but such a page, it fails"),
}
FIRST_LATER: Final = 450
"""The first of the newer calls, all answered with ENOSYS, because supported kernels may lack them."""
OTHER_CONVENTION: Final = 0x40000000
"""The first number of x32, another calling convention of the same processor; each ends the process."""


def answer(number: int, arguments: Sequence[int], *, network: bool) -> Answer:
    """Return the required result of a call."""
    if number >= OTHER_CONVENTION:
        return Answer.KILLED
    if number >= FIRST_LATER or number in _UNKNOWN:
        return Answer.UNKNOWN
    if (call := (_ALL if network else _ALONE).get(number)) is None:
        return Answer.REFUSED
    return Answer.LET_THROUGH if call.only is None else call.only.answer(arguments, network=network)


_ALONE: Final = {call.number: call for call in ALWAYS.values()}
_ALL: Final = _ALONE | {call.number: call for call in WITH_NETWORK.values()}
_UNKNOWN: Final = {call.number for call in UNKNOWN.values()}
