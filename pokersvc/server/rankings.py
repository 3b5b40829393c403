"""The rankings of the database's ladders, as everybody may know them."""

import time
from contextlib import suppress
from threading import Lock
from typing import Final

from pokersvc.core.registry import usable
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.server.tables.information import programs_of
from pokersvc.tournament.ladder.ranking import Ranking, ranking_of
from pokersvc.tournament.ladder.store import LadderStore

FRESH: Final = 5.0
"""Seconds for which an answer is reused without reading the database: a ladder in play changes all the time."""


class Rankings:
    """Makes the rankings on request, and makes them again only if a ladder has changed."""

    def __init__(self, database: Database, programs: tuple[str, ...]) -> None:
        self._store, self._programs = LadderStore(database), programs
        self._turn = Lock()
        self._changes: tuple[tuple[object, ...], ...] | None = None
        self._looked = 0.0
        self._told: list[dict[str, object]] = []

    def told(self) -> list[dict[str, object]]:
        """Return the rankings of all readable ladders, by name, without seeds and without names of players' files."""
        with self._turn:
            if self._changes is None or time.monotonic() - self._looked >= FRESH:
                if (changes := self._store.changes()) != self._changes:
                    self._told = list(self._made())
                    self._changes = changes
                self._looked = time.monotonic()
            return self._told

    def _made(self) -> "list[dict[str, object]]":
        found = []
        for name in self._store.names():
            with suppress(PokersvcError):  # such as a ladder of a game whose package is gone
                if usable(self._store.find(name).kind):
                    found.append(self._document(ranking_of(self._store, name)))
        return found

    def _document(self, ranking: Ranking) -> dict[str, object]:
        ladder = ranking.ladder
        offered = programs_of(ladder.game, self._programs)
        return {
            "name": ladder.name,
            "kind": ladder.kind,
            "title": ladder.title,
            "house": ladder.house,
            "deals": ranking.deals,
            "seats": ladder.seats,
            "missing_games": ranking.missing_games,
            "unit": ladder.game.unit if ladder.measure is None else ladder.measure.name,
            "by_rating": ladder.game.rated,
            "members": [
                {
                    "name": one.member.name,
                    "program": one.member.kind if one.member.kind in offered else None,
                    "rating": one.rating.value,
                    "rating_within": one.rating.error,
                    "gain": (one.measured or one.mean).value,
                    "gain_within": (one.measured or one.mean).error,
                    "points": one.points,
                    "better_from": one.better_from,
                    "forfeits": sum(one.forfeits.values()),
                }
                for one in ranking.ranked
            ],
            "unranked": [member.name for member in ranking.unranked],
        }
