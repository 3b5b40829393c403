"""Five-card draw: one engine, every house.

The game itself is imported when it is first used: to show a history, `history_words` is enough.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.game import DRAW_POKER, DrawPoker

__all__ = ["DRAW_POKER", "DrawPoker"]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__, {name: (f"{__name__}.game", name) for name in __all__})
