"""Kalah: two sides, holes, beans and two pots; played, searched and solved.

The game itself is imported only when it is needed: to show its history, `history_words` is enough.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.kalah import analysis as analysis
    from pokersvc.games.kalah import perfect_play as perfect_play
    from pokersvc.games.kalah.game import KALAH, Kalah

__all__ = ["KALAH", "Kalah"]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__, {name: (f"{__name__}.game", name) for name in __all__})
