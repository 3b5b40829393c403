"""Advice, and the bots that follow it."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.advising import hand_advice

__all__ = ["hand_advice"]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__)  # the help of `pokersvc advise` needs none of it
