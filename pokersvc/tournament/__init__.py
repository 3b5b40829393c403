"""Tournaments: bots against each other on the same deals, in all seats."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used
from pokersvc.system.workers import usable_processors
from pokersvc.tournament.comparison import Mean
from pokersvc.tournament.hidden import HiddenSeed
from pokersvc.tournament.plan import Orders, Tournament, plan
from pokersvc.tournament.results import Results, announce
from pokersvc.tournament.run import cluster, processes, run
from pokersvc.tournament.standings import Standing, Standings, standings

if TYPE_CHECKING:
    from pokersvc.tournament import ladder as ladder
    from pokersvc.tournament import plot as plot

__all__ = [
    "HiddenSeed",
    "Mean",
    "Orders",
    "Results",
    "Standing",
    "Standings",
    "Tournament",
    "announce",
    "cluster",
    "plan",
    "processes",
    "run",
    "standings",
    "usable_processors",
]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__)
