"""Makes a box's own namespaces, in which a process cannot refer to anything outside; needs no rights of root."""

import os
import re
from errno import ENOSPC, EPERM
from pathlib import Path
from typing import Final

from pokersvc.players.box.kernel import NEW_NAMESPACES, NoBoxError, unshare
from pokersvc.players.box.limits import OLDEST_LINUX

NOBODY: Final = 65534
"""The user that a player runs as if root runs pokersvc."""
_LIMITS: Final = Path("/proc/sys/user")
"""Files with the number of namespaces of each kind that a user may have: ``max_user_namespaces`` and the like."""


def enter(*, network: bool) -> int:
    """Enter new namespaces as their root, and return the user in them that a player is to run as."""
    if _linux() < OLDEST_LINUX:
        raise NoBoxError(f"a box needs Linux {'.'.join(map(str, OLDEST_LINUX))}, and this is {os.uname().release}")
    wanted = sum(flag for name, flag in NEW_NAMESPACES.items() if not (network and name == "network"))
    pid, user, group = os.getpid(), os.geteuid(), os.getegid()
    entered, told = os.pipe()
    # A process may not map users of the old namespace into one that it has entered; a process outside may.
    if not (outside := os.fork()):
        os.close(told)
        os.read(entered, 1)
        os._exit(_write_maps(pid, user, group))
    os.close(entered)
    try:
        unshare(wanted)
    except OSError as error:
        raise NoBoxError(_why_none(error)) from error
    finally:
        os.close(told)
        _, status = os.waitpid(outside, 0)
    if os.waitstatus_to_exitcode(status) not in {_AS_NOBODY, _AS_ITSELF}:
        raise NoBoxError("this system lets no user be mapped into a namespace")
    return NOBODY if os.waitstatus_to_exitcode(status) == _AS_NOBODY else 0


def _linux() -> tuple[int, int]:
    major, minor = re.findall(r"\d+", os.uname().release)[:2]
    return int(major), int(minor)


def _why_none(error: OSError) -> str:
    """Return the reason why no namespaces can be made, in terms that a system administrator knows."""
    if error.errno == ENOSPC:
        none = sorted(limit.name for limit in _LIMITS.glob("max_*_namespaces") if limit.read_text().strip() == "0")
        if none:
            return f"this system allows no namespaces for a box (user.{none[0]} is 0)"
        return "this user has as many namespaces as this system allows (user.max_user_namespaces and its like)"
    if error.errno == EPERM:
        return "this system allows an ordinary user, or a container, no namespaces for a box"
    return f"this system allows no namespaces for a box ({error.strerror})"


_AS_NOBODY, _AS_ITSELF, _FAILED = 10, 11, 12


def _write_maps(pid: int, user: int, group: int) -> int:
    process = Path(f"/proc/{pid}")
    if user == 0:
        try:
            for name in ("uid_map", "gid_map"):
                (process / name).write_text(f"0 0 1\n{NOBODY} {NOBODY} 1\n")
        except OSError:
            pass  # in a container, root may be the only user
        else:
            return _AS_NOBODY
    try:
        (process / "setgroups").write_text("deny")
        (process / "uid_map").write_text(f"0 {user} 1\n")
        (process / "gid_map").write_text(f"0 {group} 1\n")
    except OSError:
        return _FAILED
    return _AS_ITSELF
