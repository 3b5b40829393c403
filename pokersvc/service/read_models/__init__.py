"""Read models: game lists, histories, statistics and searches, made from the events and always rebuildable."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.service.read_models import evening as evening
    from pokersvc.service.read_models import game_search as game_search
    from pokersvc.service.read_models import history as history
    from pokersvc.service.read_models import played_rounds as played_rounds
    from pokersvc.service.read_models import projections as projections
    from pokersvc.service.read_models import statistics as statistics
    from pokersvc.service.read_models import tallies as tallies
else:
    __getattr__ = imported_when_used(__name__)
