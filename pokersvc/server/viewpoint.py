"""The point of view of a request: that of everyone, or of the current holder of a seat's link."""

from dataclasses import dataclass
from typing import Final, Literal

from pokersvc.core.event import EVERYONE, Event, may_see, withhold
from pokersvc.service.shown import Recorded


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A viewer's point of view; a link that replaced another shows no secret of an event up to ``since``."""

    viewer: int | Literal["everyone"]
    since: int = 0
    delayed: bool = False
    """Whether the viewer sees events some time after they are recorded."""

    def open(self, seq: int, event: Event) -> bool:
        """Return whether the viewer may see the secret of an event; true for an event without one."""
        return (seq > self.since and may_see(event, self.viewer)) or may_see(event, EVERYONE)

    def event(self, recorded: Recorded) -> Event:
        """Return an event as the viewer may know it."""
        record, event = recorded
        return event if self.open(record.seq, event) else withhold(event)


PUBLIC_VIEW: Final = Viewpoint(EVERYONE)
"""The point of view of watchers."""
DELAYED_VIEW: Final = Viewpoint(EVERYONE, delayed=True)
"""The point of view of watchers, if the host delays what they see."""
