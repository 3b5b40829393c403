"""The bots that fill seats: built-in and custom players."""

from typing import TYPE_CHECKING, Final

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.players.custom import ChoiceForfeited, Spent
    from pokersvc.players.process import UnusablePlayer
    from pokersvc.players.programs import (
        LIMIT,
        AskedChoice,
        Choice,
        Programs,
        choice_of,
        content_of,
        decided,
        policy_of,
    )
    from pokersvc.players.walls import NoBox, Walls
    from pokersvc.players.worker import close_memory

__all__ = [
    "LIMIT",
    "AskedChoice",
    "Choice",
    "ChoiceForfeited",
    "NoBox",
    "Programs",
    "Spent",
    "UnusablePlayer",
    "Walls",
    "choice_of",
    "close_memory",
    "content_of",
    "decided",
    "policy_of",
]

_NAMES: Final = {
    "pokersvc.players.custom": "ChoiceForfeited Spent",
    "pokersvc.players.process": "UnusablePlayer",
    "pokersvc.players.programs": "LIMIT AskedChoice Choice Programs choice_of content_of decided policy_of",
    "pokersvc.players.walls": "NoBox Walls",
    "pokersvc.players.worker": "close_memory",
}
"""Module → the names that are imported from it when they are first used."""

if not TYPE_CHECKING:  # the first process of a box imports none of this
    __getattr__ = imported_when_used(
        __name__, {name: (module, name) for module, names in _NAMES.items() for name in names.split()}
    )
