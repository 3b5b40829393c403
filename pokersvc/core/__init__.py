"""The contract between games and everything that plays, stores and reads them: events, chance, records."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.core import bots as bots
    from pokersvc.core import common_events as common_events
    from pokersvc.core import event as event
    from pokersvc.core import randomness as randomness
    from pokersvc.core import registry as registry
    from pokersvc.core import replay as replay
    from pokersvc.core import tables as tables
    from pokersvc.core import words as words
else:
    __getattr__ = imported_when_used(__name__)
