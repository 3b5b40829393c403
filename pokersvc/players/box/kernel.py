"""Linux interfaces for which Python has no function; each raises OSError if it fails."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EINVAL, ENOSYS, EOPNOTSUPP, EPERM
from typing import Final

SECCOMP: Final = 317
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
_CAPSET: Final = 126
_PIVOT_ROOT: Final = 155
_FSOPEN, _FSCONFIG = 430, 431
_MOUNT_SETATTR: Final = 442
"""Numbers of system calls on x86-64, the only processor that boxes are made on."""

_CLOSED_ON_EXEC, _CREATE = 1, 6
"""FSOPEN_CLOEXEC, and FSCONFIG_CMD_CREATE (fsopen(2), fsconfig(2), since Linux 5.2)."""

NEW_NAMESPACES: Final = {
    "mount": 0x20000,
    "cgroup": 0x2000000,
    "host name": 0x4000000,
    "IPC": 0x8000000,
    "user": 0x10000000,
    "process": 0x20000000,
    "network": 0x40000000,
}
"""Kind of namespace → its flag of unshare(2): CLONE_NEWNS and its like."""

BIND, RECURSIVE, PRIVATE, SLAVE, SHARED = 0x1000, 0x4000, 0x40000, 0x80000, 0x100000
NO_SETUID, NO_DEVICES, NO_PROGRAMS, REMOUNT = 2, 4, 8, 32
"""Flags of mount(2): MS_BIND, MS_REC, …, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT."""
DETACH: Final = 2
"""Flag of umount(2): MNT_DETACH."""

END_WITH_PARENT, DUMPABLE, DROP_BOUND, NO_NEW_PRIVILEGES = 1, 4, 24, 38
"""prctl(2): PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS."""

COLLAPSE: Final = 25
"""MADV_COLLAPSE of madvise(2), since Linux 6.1: small pages become a huge one."""


class NoBoxError(Exception):
    """Raised when no box can be made here; the message says why."""


@contextmanager
def needed(what: str) -> Iterator[None]:
    """Raise `NoBoxError` if a call in the context fails because this system lacks or forbids something a box needs."""
    try:
        yield
    except OSError as error:
        if error.errno in _NOT_TO_BE_HAD:
            raise NoBoxError(f"this system has or allows no {what} ({error.strerror})") from error
        raise


_NOT_TO_BE_HAD: Final = {EPERM, EACCES, EINVAL, ENOSYS, EOPNOTSUPP}

_C: Final = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """Return the result of a call, or raise the OSError that its errno names."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call by its number."""
    whole = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return checked(_C.syscall(ctypes.c_long(number), *whole))


def prctl(option: int, *values: int) -> int:
    """Set or query an option of this process, by its number in the manual."""
    return checked(_C.prctl(option, *map(ctypes.c_ulong, [*values, 0, 0, 0, 0][:4])))


def unshare(flags: int) -> None:
    """Enter new namespaces; a new process namespace is entered by the children only."""
    checked(_C.unshare(flags))


def mount(source: str, target: str, kind: str | None, flags: int = 0, data: str | None = None) -> None:
    """Mount a file system on a folder; raise `NoBoxError` if this system does not allow that."""
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    with needed("mounts of a box's own (mount)"):
        checked(_C.mount(*words[:3], ctypes.c_ulong(flags), words[3]))


def bind(source: str, target: str, *, devices: bool = False) -> None:
    """Mount a file or a folder, with all mounts in it, at a second place, where everything is read-only."""
    mount(source, target, None, BIND | RECURSIVE)
    make_read_only(target, recursive=True, devices=devices)


def make_read_only(target: str, *, recursive: bool, devices: bool = False) -> None:
    """Make a mount read-only; set-user-ID has no effect there, and device files work only with ``devices``."""
    read_only, no_setuid, no_devices, no_programs = 1, 2, 4, 8
    set_ = read_only | no_setuid | no_programs * devices | no_devices * (not devices)
    attributes = set_.to_bytes(8, "little") + bytes(24)
    at_cwd, at_recursive = -100, 0x8000
    with needed("mounts that are read-only with all below them (mount_setattr), since Linux 5.12"):
        system_call(
            _MOUNT_SETATTR, at_cwd, os.fsencode(target), at_recursive if recursive else 0, attributes, len(attributes)
        )


def file_system_of_nobody() -> int:
    """Make a file system that is mounted nowhere; it has a device number until the returned descriptor is closed."""
    made = system_call(_FSOPEN, b"tmpfs", _CLOSED_ON_EXEC)
    system_call(_FSCONFIG, made, _CREATE, None, None, 0)
    return made


def unmount(target: str) -> None:
    """Detach a mount, even while something in it is open."""
    checked(_C.umount2(os.fsencode(target), DETACH))


def enter_root(folder: str) -> None:
    """Make a mounted folder the root, and keep nothing of the former mounts (pivot_root(2))."""
    os.chdir(folder)
    with needed("change of the root (pivot_root)"):
        system_call(_PIVOT_ROOT, b".", b".")
    unmount(".")
    os.chdir("/")


def become(user: int) -> None:
    """Become this user of the user namespace for good, without any capability."""
    capability = 0
    while True:
        try:
            prctl(DROP_BOUND, capability)
        except OSError:  # past the last capability
            break
        capability += 1
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    version_3 = (0x20080522).to_bytes(4, "little") + bytes(4)
    system_call(_CAPSET, version_3, bytes(24))
