"""Everything at a table that is not part of the game itself: pauses, clocks, and links of seats."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.core.tables import clock as clock
    from pokersvc.core.tables import table_events as table_events
    from pokersvc.core.tables import table_words as table_words
else:
    __getattr__ = imported_when_used(__name__)
