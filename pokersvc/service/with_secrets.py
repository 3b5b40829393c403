"""Access to all secrets, for anyone who holds the database and could therefore read them there."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from operator import eq

from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.registry import game_of
from pokersvc.core.replay import check_viewer
from pokersvc.core.typevars import AnyView
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.service.committed import Committed
from pokersvc.service.errors import NotOver
from pokersvc.service.importing import Elsewhere, RecordedAs, SameGame, added, record_all
from pokersvc.service.open_game import OpenGame
from pokersvc.service.open_games import OpenGames
from pokersvc.service.shown import Step, StoredEvent, replayed, stored_events


class WithSecrets:
    """Access to games with every hand, every seed and every future card: `Service.with_secrets`.

    Nothing from here may reach a player during the game; what players may know is returned by the service itself.
    """

    def __init__(self, log: EventLog, open_games: OpenGames, clock: Callable[[], datetime]) -> None:
        self._log = log
        self._clock = clock
        self._open_games = open_games
        self.on_committed: Callable[[Committed], None] | None = None
        """Called with the result of each command of this service, in the command's thread and after the commit.

        It must not fail. Two commands of a game may be passed to it in a different order from that of their recording.
        """

    def open_game(self, game_id: str) -> OpenGame:
        """Return a copy of a game, newly read from the log, for the caller alone."""
        return self._open_games.load(game_id)

    def view(self, game_id: str, viewer: Viewer = AUDITOR) -> AnyView:
        """Return a viewer's view of a game now, by default an auditor's."""
        with self._open_games.held(game_id) as open_game:
            check_viewer(viewer, open_game.seats)
            return open_game.state.view(viewer)

    def replay(
        self, game_id: str, viewer: Viewer = AUDITOR, *, upto: int | None = None, force: bool = False
    ) -> Iterator[Step]:
        """Yield a game's events as `Service.replay` does, for an auditor too.

        Raises `NotOver` for an auditor if the game is not over, unless ``force`` is given.
        """
        if viewer == AUDITOR and not force:
            with self._open_games.held(game_id) as open_game:
                outcome = open_game.state.outcome
            if outcome is None:
                raise NotOver(
                    f"Game {game_id} is not over, and an auditor sees every hand; wait for its end, or add --force."
                )
        yield from replayed(self._log, game_id, viewer, upto)

    def kept(self, game_id: str) -> list[Event]:
        """Return all recorded events of a game; an empty list if there is no such game."""
        with self._log.snapshot() as snapshot:
            head = snapshot.head(game_id)
            if head is None:
                return []
            return [event for _, event in stored_events(game_of(head.kind), snapshot.read(game_id))]

    def part(self, game_id: str, *, after: int, upto: int) -> list[StoredEvent]:
        """Return a game's events with numbers above ``after`` up to ``upto``; empty if there is no such game."""
        with self._log.snapshot() as snapshot:
            head = snapshot.head(game_id)
            if head is None:
                return []
            return stored_events(game_of(head.kind), snapshot.part(game_id, after=after, upto=upto))

    def record(self, kind: str, games: Sequence[Elsewhere], *, same: SameGame = eq) -> list[RecordedAs]:
        """Record whole games that were played elsewhere, in one transaction, and return the result for each.

        A game whose id already exists is not recorded; ``same`` decides whether it is the same game or another one.
        """
        return record_all(self._log, self._clock, kind, games, same)

    def add(self, game_id: str, events: Sequence[Event], *, expected: int) -> list[StoredEvent]:
        """Record events learned later of a finished game played elsewhere, which must have ``expected`` events so far.

        Raises `NotOver` if the game is not over, `ConcurrentUpdate` if it has another number of events by now.
        """
        open_game = self.open_game(game_id)
        if open_game.state.outcome is None:
            raise NotOver(f"Game {game_id} is not over, so nothing more is learned of it.")
        if open_game.count != expected:
            raise ConcurrentUpdate(game_id, expected, open_game.count)
        return added(self._log, self._clock, open_game, events)

    def recorded(self, game_id: str, command_id: str) -> list[StoredEvent]:
        """Return the events that a command recorded; none if there is no such command."""
        with self._log.snapshot() as snapshot:
            head = snapshot.head(game_id)
            if head is None:
                return []
            return stored_events(game_of(head.kind), snapshot.command(game_id, command_id))
