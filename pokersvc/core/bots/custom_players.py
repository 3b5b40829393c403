"""Custom players, which are not built in, and the kinds of seats that name them."""

import re
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

ENTRY_POINTS: Final = "pokersvc.players"
"""The group in which an installed package offers players to all games."""

_FILE: Final = re.compile(r"(?P<file>.*\.py):(?P<name>[^\W\d]\w*)", re.DOTALL)


class OwnFile(NamedTuple):
    """A class in a file: the kind ``mybot.py:MyPlayer``."""

    file: str
    name: str


def own_file(kind: str) -> OwnFile | None:
    """Return the file and the class that a kind names; None for another kind.

    >>> own_file("bots/mine.py:Mine")
    OwnFile(file='bots/mine.py', name='Mine')
    >>> own_file("steady") is None
    True
    """
    found = _FILE.fullmatch(kind)
    return None if found is None or not kind.isprintable() else OwnFile(found["file"], found["name"])


def installed(kind: str) -> EntryPoint | None:
    """Return the entry point that an installed package offers under the name of a kind; None if none does."""
    return next(iter(entry_points(group=ENTRY_POINTS, name=kind)), None)


def is_own(kind: str) -> bool:
    """Return whether a kind names a custom player, without checking that it can play."""
    return own_file(kind) is not None or installed(kind) is not None
