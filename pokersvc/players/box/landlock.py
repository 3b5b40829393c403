"""Landlock: limits a process's connections, and the files that it may use among those it can see."""

import os
from collections.abc import Iterable
from struct import pack
from typing import Final

from pokersvc.players.box.kernel import (
    LANDLOCK_ADD_RULE,
    LANDLOCK_CREATE_RULESET,
    LANDLOCK_RESTRICT_SELF,
    NO_NEW_PRIVILEGES,
    needed,
    prctl,
    system_call,
)

_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE_FILE, _MAKE_FOLDER, _MAKE_FILE, _MAKE_LINK = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE, _DEVICES = 1 << 13, 1 << 14, 1 << 15
_OF_FIRST_VERSION: Final = (1 << 13) - 1
_READ: Final = _READ_FILE | _READ_FOLDER
_READ_AND_WRITE: Final = (
    _READ | _WRITE_FILE | _REMOVE_FOLDER | _REMOVE_FILE | _MAKE_FOLDER | _MAKE_FILE | _MAKE_LINK | _REFER | _TRUNCATE
)
"""Rights to files, as landlock(7) numbers them; no process may run a program or make a device, a socket or a pipe."""
_BIND, _CONNECT = 1, 2
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2

_OLDEST_WITH: Final = {"move between folders": 2, "truncate": 3, "connections": 4, "devices": 5, "scopes": 6}
"""Feature → the first version of Landlock with it; on older kernels, mounts, namespaces and seccomp do the rest."""


_NEEDED: Final = "Landlock, since Linux 5.13"


def version() -> int:
    """Return the kernel's version of Landlock; raise OSError if it has none."""
    only_version = 1
    return system_call(LANDLOCK_CREATE_RULESET, None, 0, only_version)


def restrict(reading: Iterable[str], writing: Iterable[str], *, network: bool) -> None:
    """Restrict this process, and all that it starts: it may read in ``reading``, and read and write in ``writing``."""
    with needed(_NEEDED):
        has = version()
    files = _OF_FIRST_VERSION
    for right, name in ((_REFER, "move between folders"), (_TRUNCATE, "truncate"), (_DEVICES, "devices")):
        files |= right if has >= _OLDEST_WITH[name] else 0
    connections = _BIND | _CONNECT if has >= _OLDEST_WITH["connections"] and not network else 0
    scopes = _ABSTRACT_SOCKETS | _SIGNALS if has >= _OLDEST_WITH["scopes"] else 0
    attributes = pack("QQQ", files, connections, scopes)
    size = 24 if scopes else 16 if connections else 8
    with needed(_NEEDED):
        rules = system_call(LANDLOCK_CREATE_RULESET, attributes[:size], size, 0)
        try:
            for places, rights in ((reading, _READ), (writing, _READ_AND_WRITE)):
                for place in places:
                    _allow(rules, place, rights & files)
            prctl(NO_NEW_PRIVILEGES, 1)
            system_call(LANDLOCK_RESTRICT_SELF, rules, 0)
        finally:
            os.close(rules)


def _allow(rules: int, place: str, rights: int) -> None:
    beneath = 1
    found = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(place):  # noqa: PTH112 - one of many, in a process that has just been started
            rights &= _READ_FILE | _WRITE_FILE | _TRUNCATE
        system_call(LANDLOCK_ADD_RULE, rules, beneath, pack("=Qi", rights, found), 0)
    finally:
        os.close(found)
