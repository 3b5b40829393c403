"""Kalah: two sides, holes, beans and two pots; played, searched and solved.

The game itself is imported when it is needed: a history needs only its `history_words`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokersvc.games.kalah.game import KALAH, Kalah

__all__ = ["KALAH", "Kalah"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pokersvc.games.kalah import game

    return getattr(game, name)
