"""Tournaments: bots against each other on the same deals, in all seats."""

from pokersvc.tournament.hidden import HiddenSeed
from pokersvc.tournament.plan import Tournament, plan
from pokersvc.tournament.results import Results
from pokersvc.tournament.run import cluster, processes, run
from pokersvc.tournament.standings import Standings, standings

__all__ = ["HiddenSeed", "Results", "Standings", "Tournament", "cluster", "plan", "processes", "run", "standings"]
