"""The bots that fill seats: those built in, and custom players."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.core.bots import custom_players as custom_players
    from pokersvc.core.bots import ranges as ranges
    from pokersvc.core.bots import review as review
    from pokersvc.core.bots import reviewing as reviewing
else:
    __getattr__ = imported_when_used(__name__)
