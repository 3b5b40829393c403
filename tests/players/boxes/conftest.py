"""Every test here needs a box."""

from tests.players.boxes.support import box

__all__ = ["box"]
