"""Custom players, which are not built in, and the kinds of seats that name them."""

import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

ENTRY_POINTS: Final = "pokersvc.players"
"""The entry point group by which an installed package offers players for every game."""

_FILE: Final = re.compile(r"(?P<file>.*\.py):(?P<name>[^\W\d]\w*)", re.DOTALL)


class OwnFile(NamedTuple):
    """A custom player's class and the Python file that defines it, from a kind such as ``mybot.py:MyPlayer``."""

    file: str
    name: str


def own_file(kind: str) -> OwnFile | None:
    """Return the file and the class in a kind ``FILE.py:CLASS``; None if the kind has another form.

    >>> own_file("bots/mine.py:Mine")
    OwnFile(file='bots/mine.py', name='Mine')
    >>> own_file("steady") is None
    True
    """
    found = _FILE.fullmatch(kind)
    return None if found is None or not kind.isprintable() else OwnFile(found["file"], found["name"])


def installed(kind: str) -> EntryPoint | None:
    """Return the entry point named like the kind, from any installed package; None if there is none.

    Packages are searched once, and again if `sys.path` has changed; games are found in the same way.
    """
    return _offered_on(tuple(sys.path)).get(kind)


@cache
def _offered_on(_path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return kind → its entry point in the first package that offers it."""
    return {point.name: point for point in reversed(entry_points(group=ENTRY_POINTS))}


def is_own(kind: str) -> bool:
    """Return whether a kind names a custom player, without checking that it can play."""
    return own_file(kind) is not None or installed(kind) is not None
