"""The questions that a service answers about games, each from one state of the game's log."""

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.persons import Persons
from pokersvc.core.record import without_secrets
from pokersvc.core.registry import game_of
from pokersvc.core.typevars import AnyView
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS, Record
from pokersvc.service.errors import NotForAuditors
from pokersvc.service.open_game import Status, Turn
from pokersvc.service.open_games import OpenGames
from pokersvc.service.shown import Recorded, Step, check_player, replayed, shown_to, stored_events

PART: Final = 1000
"""The number of events in an answer of `Service.since`, or more, because an answer ends with a whole command."""


class GameQuestions:
    """The questions that a service answers about games."""

    _log: EventLog
    _open_games: OpenGames

    def status(self, game_id: str, *, known: int = 0) -> Status:
        """Return the status of a game now, as everyone may know it.

        A caller that has just learnt of the first ``known`` events is answered from memory, without looking for later
        events.
        """
        with self._open_games.held(game_id, known) as open_game:
            return open_game.status

    def carried_over(self, game_id: str) -> tuple[int, ...] | None:
        """Return the amount that each seat carries over into the table's next game; None if that game begins afresh."""
        with self._open_games.held(game_id) as open_game:
            return open_game.game.carried_over(open_game.state)

    def persons(self, game_id: str) -> Persons | None:
        """Return the persons of a game now and the amounts they brought; None in games whose people have no numbers."""
        with self._open_games.held(game_id) as open_game:
            return open_game.game.persons(open_game.state)

    def view(self, game_id: str, viewer: Viewer) -> AnyView:
        """Return the viewer's view of a game now."""
        with self._open_games.held(game_id) as open_game:
            check_player(viewer, open_game.replay.seats)
            return without_secrets(open_game.state.view(viewer))

    def turn(self, game_id: str, seat: int) -> Turn:
        """Return the turn of a seat that must choose; raise `IllegalAction` if the seat is not awaited."""
        with self._open_games.held(game_id) as open_game:
            check_player(seat, open_game.seats)
            state = open_game.state
            return Turn(state.awaited, open_game.count, state.legal(seat), without_secrets(state.view(seat)))

    def replay(self, game_id: str, viewer: Viewer = EVERYONE, *, upto: int | None = None) -> Iterator[Step]:
        """Yield a game's events, oldest first, each as the viewer may know it, with the state after it.

        The state knows no more than the viewer; it is the same object each time. Memory does not grow with the
        log. The chain is verified on the way (`ChainBroken`).
        """
        if viewer == AUDITOR:
            raise NotForAuditors
        return replayed(self._log, game_id, viewer, upto)

    def since(
        self, game_id: str, count: int = 0, head: bytes = GENESIS, *, viewer: Viewer = EVERYONE, known: int = 0
    ) -> list[Recorded]:
        """Return the events after a game's first ``count``, as the viewer may know them; empty if there are none.

        Event ``count`` must be the last of a command, and ``head`` its hash; the chain is verified from there
        (`ChainBroken`). A long log comes in parts of whole commands: ask again with the last event of the part. A
        caller that has just learnt of the first ``known`` events gets later ones only if the game in memory has them.
        """
        with self._open_games.held(game_id, known) as open_game:
            check_player(viewer, open_game.replay.seats)
            if (open_game.count, open_game.head) == (count, head):
                return []
        with self._log.snapshot() as snapshot:
            now = snapshot.head(game_id)
            assert now is not None  # it was there just now, and no game is ever removed
            found: list[Record] = []
            with closing(snapshot.read_after(game_id, now, count=count, last=head)) as records:
                for record in records:
                    if record.n == 1 and len(found) >= PART:
                        break
                    found.append(record)
        return shown_to(viewer, stored_events(game_of(now.kind), found))
