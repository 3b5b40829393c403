"""Whether a custom player plays in a box, and what is open to it there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pokersvc.players.process import UnusablePlayer


class NoBox(UnusablePlayer):
    """No box can be made here for a custom player, and it is not trusted."""

    code = "no_box"


@dataclass(frozen=True)
class Walls:
    """What custom players may do beside playing; by default, nothing."""

    trusted: bool = False
    """Whether all of them play with the rights of whoever runs pokersvc, in no box."""
    may_read: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Kind → the files and folders that it may read."""
    may_use_network: frozenset[str] = frozenset()
    """The kinds that may use the network."""
    strict: bool = False
    """Whether each choice takes its whole limit and reads no libraries, so that neither its time nor what it has read
    tells others anything. What it needs must be imported when the file is loaded."""


IN_BOXES: Final = Walls()
"""What custom players may do by default."""


def no_box(kind: str, why: str) -> NoBox:
    """Return the refusal of a player for whom there is no box."""
    return NoBox(f"The player {kind} cannot be kept in a box here: {why}; only if you trust it, play it with --trust.")
