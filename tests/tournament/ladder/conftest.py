"""Skip a test of a box where none can be made."""

from tests.players.boxes.support import box

__all__ = ["box"]
