"""Skip these tests where no box can be made."""

from tests.players.boxes.support import box

__all__ = ["box"]
