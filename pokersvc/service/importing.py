"""Recording of whole games that were played elsewhere, many in one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from typing import NamedTuple, TypeAlias
from uuid import uuid4

from sqlalchemy import Connection

from pokersvc.core.counting import RoundPlayed
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.recorded import FollowedGame
from pokersvc.core.registry import game_of
from pokersvc.eventlog.log import EventLog, NewGame
from pokersvc.eventlog.record import NewEvent, Record, timestamp
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.players import Programs
from pokersvc.service.command import Command
from pokersvc.service.open_game import OpenGame
from pokersvc.service.read_models.projections import Line, Projector, WholeGame, facts_text, outcome_text, store_whole
from pokersvc.service.shown import StoredEvent, stored_events


class Elsewhere(NamedTuple):
    """All events of a game that was played elsewhere."""

    game_id: str
    events: Sequence[Event]
    followed: FollowedGame | None = None
    """The game's history and outcome, if the caller has replayed the events; if None, recording replays them."""


class RecordedAs(Enum):
    """The result of an attempt to record a game."""

    NEW = "new"
    """The game was recorded."""
    KNOWN = "known"
    """The log has this game already."""
    OTHER = "other"
    """The log has another game with this id: nothing was recorded."""


SameGame: TypeAlias = Callable[[Sequence[Event], Sequence[Event]], bool]
"""Returns whether a recorded game's events (the first argument) and given events (the second) are of the same game."""


def record_all(
    log: EventLog, clock: Callable[[], datetime], kind: str, games: Sequence[Elsewhere], same: SameGame
) -> list[RecordedAs]:
    """Record the games that the log does not have, in one transaction; see `WithSecrets.record`."""
    game = game_of(kind)
    outcomes: dict[int, RecordedAs] = {}
    new: dict[str, int] = {}
    with log.snapshot() as snapshot:
        known = snapshot.known([one.game_id for one in games])
        for number, one in enumerate(games):
            if one.game_id in new:
                twice = same(games[new[one.game_id]].events, one.events)
                outcomes[number] = RecordedAs.KNOWN if twice else RecordedAs.OTHER
            elif one.game_id in known:
                outcomes[number] = _compared(snapshot, game, one, same)
            else:
                new[one.game_id] = number
    stored = _start(log, [_new_game(game, games[number], clock) for number in new.values()]) if new else []
    with log.snapshot() as snapshot:
        for number, records in zip(new.values(), stored, strict=True):
            recorded = records is not None
            outcomes[number] = RecordedAs.NEW if recorded else _compared(snapshot, game, games[number], same)
    return [outcomes[number] for number in range(len(games))]


def _compared(snapshot: Snapshot, game: Game, one: Elsewhere, same: SameGame) -> RecordedAs:
    kept = [event for _, event in stored_events(game, snapshot.read(one.game_id))]
    return RecordedAs.KNOWN if same(kept, one.events) else RecordedAs.OTHER


def _start(log: EventLog, games: Sequence[tuple[NewGame, WholeGame]]) -> list[list[Record] | None]:
    def project(connection: Connection, stored: Sequence[list[Record] | None]) -> None:
        recorded = zip(games, stored, strict=True)
        store_whole(connection, [whole for (_, whole), records in recorded if records is not None])

    return log.start_all([new for new, _ in games], project)


def _new_game(game: Game, one: Elsewhere, clock: Callable[[], datetime]) -> tuple[NewGame, WholeGame]:
    lines, outcome, at = _applied(game, one, clock) if one.followed is None else _shown(one.followed, clock)
    projector, recorded_at = Projector(game), timestamp(at)
    listing, played = projector.start(one.events[0]), _played(projector, one.events, recorded_at)
    whole = WholeGame(one.game_id, listing, projector.began_at or recorded_at, lines, outcome, played)
    encode = game.codec.encode
    events = [NewEvent(*encode(event)) for event in one.events]
    return NewGame(one.game_id, game.kind, events, str(uuid4()), at), whole


def _played(projector: Projector, events: Sequence[Event], recorded_at: str) -> list[RoundPlayed]:
    rounds = [projector.take(event, recorded_at) for event in events]
    return [one for one in rounds if one is not None]


_Shown: TypeAlias = tuple[Sequence[Line], str | None, datetime]
"""A game's lines of history, its outcome, and the moment at which it is recorded."""


def _applied(game: Game, one: Elsewhere, clock: Callable[[], datetime]) -> _Shown:
    open_game = OpenGame.new(one.game_id, game, one.events[0])
    open_game.state.record.stop()  # nobody asks for a view
    command = _command(open_game, clock)
    command.events.append(one.events[0])
    for event in one.events[1:]:
        command.take(event)
    return command.lines, open_game.projector.outcome(open_game.state), command.moment()


def _shown(followed: FollowedGame, clock: Callable[[], datetime]) -> _Shown:
    lines = [Line(entry.number, seq, facts_text(entry), entry.again) for seq, entry in followed.entries]
    return lines, outcome_text(followed.outcome), clock()


def added(
    log: EventLog, clock: Callable[[], datetime], open_game: OpenGame, events: Sequence[Event]
) -> list[StoredEvent]:
    """Record further events of a game; raise `ImpossibleEvent` for an event that the game cannot take."""
    command = _command(open_game, clock)
    for event in events:
        command.take(event)
    return command.record(log, None)


def _command(open_game: OpenGame, clock: Callable[[], datetime]) -> Command:
    return Command(open_game, Programs(), clock)
