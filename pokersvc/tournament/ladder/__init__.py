"""Ladders: bots that all play each other on the same deals, with ratings, kept in the database."""

from typing import TYPE_CHECKING, Final

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.tournament.ladder import ladders as ladders
    from pokersvc.tournament.ladder import playing as playing
    from pokersvc.tournament.ladder import plot as plot
    from pokersvc.tournament.ladder import schema as schema
    from pokersvc.tournament.ladder import store as store
    from pokersvc.tournament.ladder.ladders import DealPlayed, Ladder, Member, new_ladder, new_member
    from pokersvc.tournament.ladder.playing import play_missing
    from pokersvc.tournament.ladder.ranking import Ranked, Ranking, ranking_of
    from pokersvc.tournament.ladder.store import LadderStore

__all__ = [
    "DealPlayed",
    "Ladder",
    "LadderStore",
    "Member",
    "Ranked",
    "Ranking",
    "new_ladder",
    "new_member",
    "play_missing",
    "ranking_of",
]

_NAMES: Final = {
    "pokersvc.tournament.ladder.ladders": "DealPlayed Ladder Member new_ladder new_member",
    "pokersvc.tournament.ladder.playing": "play_missing",
    "pokersvc.tournament.ladder.ranking": "Ranked Ranking ranking_of",
    "pokersvc.tournament.ladder.store": "LadderStore",
}
"""Module → the names that are imported from it when they are first used."""

if not TYPE_CHECKING:  # migrations and grants import the tables alone
    __getattr__ = imported_when_used(
        __name__, {name: (module, name) for module, names in _NAMES.items() for name in names.split()}
    )
