"""Five-card draw: one engine, every house."""

from pokersvc.games.draw_poker.game import DRAW_POKER, DrawPoker

__all__ = ["DRAW_POKER", "DrawPoker"]
