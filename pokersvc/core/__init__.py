"""What a game is, to everything that plays, stores and reads games: events, chance, records, the contract."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.core import clock as clock
    from pokersvc.core import event as event
    from pokersvc.core import given as given
    from pokersvc.core import own as own
    from pokersvc.core import registry as registry
    from pokersvc.core import replay as replay
    from pokersvc.core import shares as shares
    from pokersvc.core import table_events as table_events
    from pokersvc.core import table_words as table_words
    from pokersvc.core import together as together
    from pokersvc.core import words as words
else:
    __getattr__ = imported_when_used(__name__)
