"""Games that somebody looks for: by what is played, by whom, since when, and whose turn it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.service import history
from pokersvc.service.history import GameSummary
from pokersvc.service.service import Service


@dataclass(frozen=True, slots=True)
class Sought:
    """What is asked of a game; None asks nothing."""

    kind: str | None = None
    """The kind of game."""
    house: str | None = None
    player: str | None = None
    """The name of a seat, in any case."""
    finished: bool | None = None
    since: str | None = None
    """When it started at the earliest, in UTC: a beginning of ``2026-01-31T12:00:00.000000Z``."""

    def fits(self, game: GameSummary) -> bool:
        """Tell whether a game is what is asked for."""
        name = None if self.player is None else self.player.casefold()
        return (
            self.kind in (None, game.kind)
            and self.house in (None, (game.facts or {}).get("house"))
            and (name is None or any(seat.name.casefold() == name for seat in game.seats))
            and self.finished in (None, game.outcome is not None)
            and (self.since is None or game.started_at >= self.since)
        )


def games(database: Database, sought: Sought) -> Iterator[GameSummary]:
    """Yield the games that are sought, the one started last first."""
    return filter(sought.fits, history.games(database))


def last_open(database: Database) -> GameSummary:
    """Return the unfinished game that was started last; `UnknownGame` if there is none."""
    for game in games(database, Sought(finished=False)):
        return game
    raise UnknownGame("No game is unfinished: `pokersvc play` starts one.")


def seats_asked(service: Service, game: GameSummary) -> tuple[int, ...]:
    """Return the seats that a game waits for: those that must choose, or, between two rounds, the people in the game.

    No read model has it, so the whole log of the game is read.
    """
    if game.outcome is not None:
        return ()
    for step in service.replay(game.game_id):
        state = step.state
    if state.awaited:
        return state.awaited
    return tuple(n for n, seat in enumerate(game.seats, 1) if seat.kind == HUMAN and state.playing(n))
