"""Charts, drawn as plain text for a terminal and as pictures."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.plots import picture as picture
    from pokersvc.plots import terminal as terminal
else:
    __getattr__ = imported_when_used(__name__)
