"""Five-card draw: one engine, every house.

The game itself is imported when it is needed: a history needs only its `history_words`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.game import DRAW_POKER, DrawPoker

__all__ = ["DRAW_POKER", "DrawPoker"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pokersvc.games.draw_poker import game

    return getattr(game, name)
