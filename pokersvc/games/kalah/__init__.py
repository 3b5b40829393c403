"""Kalah: two sides, holes, beans and two pots; played, searched and solved."""

from pokersvc.games.kalah.game import KALAH, Kalah

__all__ = ["KALAH", "Kalah"]
