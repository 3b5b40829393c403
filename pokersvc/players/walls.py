"""Settings of the box in which a custom player plays: whether there is one, and what the player may do in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pokersvc.players.process import UnusablePlayer


class NoBox(UnusablePlayer):
    """No box can be made here for a custom player that is not trusted."""

    code = "no_box"


@dataclass(frozen=True)
class Walls:
    """What custom players may do besides playing; by default, nothing."""

    trusted: bool = False
    """Whether all custom players play without a box, with the rights of the user who runs pokersvc."""
    may_read: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Kind → the files and folders that the player may read."""
    may_use_network: frozenset[str] = frozenset()
    """The kinds of players that may use the network."""
    strict: bool = False
    """Whether others learn nothing from how long a choice takes, or from which files it has read.

    Each choice then takes its whole limit, or a multiple if it is late, and reads no libraries: a player must import
    what it needs when its file is loaded. The removal of what a choice leaves, such as memory, counts as its time.
    """


IN_BOXES: Final = Walls()
"""The default: custom players may do nothing besides playing."""


def no_box(kind: str, why: str) -> NoBox:
    """Return the error for a player that no box can be made for."""
    return NoBox(f"The player {kind} cannot be kept in a box here: {why}; only if you trust it, play it with --trust.")
