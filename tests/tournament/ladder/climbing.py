"""Small ladders: of quick bots at a table of two, played in this process."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pokersvc.eventlog.database import Database
from pokersvc.players import Walls
from pokersvc.tournament import processes
from pokersvc.tournament.ladder import DealPlayed, Ladder, LadderStore, Member, new_ladder, new_member, play_missing
from pokersvc.tournament.ladder.store import Pair, Progress

NAME = "house"
TRUSTED = Walls(trusted=True)


def ladder(deals: int = 3, **others: Any) -> Ladder:
    terms: dict[str, Any] = {"kind": "draw", "options": {"rules": "fixed-limit"}, "seed": "1"}
    return new_ladder(NAME, deals=deals, **terms | others)


def added(store: LadderStore, terms: Ladder, *bots: str) -> None:
    for bot in bots:
        name, _, kind = bot.rpartition("=")
        store.add(terms, new_member(terms, name or kind, kind, Path.cwd()))


def played(database: Database, walls: Walls = TRUSTED, count: int = 1) -> dict[str, str]:
    with processes(count) as workers:
        return play_missing(database, NAME, workers, walls=walls)


def made_up(names: Iterable[str], results: Mapping[Pair, Mapping[int, DealPlayed]], terms: Ladder) -> Progress:
    """Return a ladder with these members, who have played these deals."""
    members = {name: Member(name, f"kind of {name}", None, "") for name in names}
    return Progress(terms, members, {pair: len(deals) for pair, deals in results.items()})
