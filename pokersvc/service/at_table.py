"""The commands of a service at a table: pauses, the clock, seats removed or handed on, and the opening of seeds."""

from contextlib import closing, suppress
from datetime import datetime
from typing import NamedTuple

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE, Audience, Viewer, secret_fields
from pokersvc.core.setup import Options
from pokersvc.core.tables.clock import SECOND, microseconds
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import SeatRemoved, TimedOut, event_of
from pokersvc.errors import InvalidValue
from pokersvc.service.command import Command
from pokersvc.service.sharing import Sharing
from pokersvc.service.shown import Recorded, StoredEvent
from pokersvc.service.table_status import TableStatus
from pokersvc.text import does


class Opened(NamedTuple):
    """A secret of the dealer that a table opens after the game."""

    seq: int
    """The number of the event that holds the secret."""
    secret: str
    """The secret as it is stored."""
    salt: bytes
    """The salt with which the secret was hashed."""


class ServiceAtTable(Sharing):
    """The commands for the table around a game (pauses, clock, people), and those that end a game early.

    The caller must check who may give a command: a seat may record only its own return, the host everything else.
    """

    def table_act(
        self,
        game_id: str,
        action: TableAction,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record an action at a table; raise `IllegalAction` if it is not possible now.

        If the log is full and no round is in progress, the game is closed after the action. During a round, `LogFull`
        refuses actions that could be repeated without end, such as a pause.
        The same ``command_id`` again returns what was recorded, as in `act`.
        """

        def make(command: Command) -> None:
            command.take_at_table(action)

        def same(found: list[StoredEvent]) -> bool:
            return found[0].event == event_of(action)

        return self._once(game_id, make, same, viewer, expected, command_id)

    def check_room(self, game_id: str) -> None:
        """Raise `LogFull` if a game's log is full: the table then accepts no more people and replaces no links."""
        self._once(game_id, Command.check_room, _closed, EVERYONE, None, None)

    def time_out(
        self,
        game_id: str,
        seat: int,
        now: datetime | None = None,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record that a seat's time is over, with the game's default move for it and the dealer's events.

        ``now`` is the moment of the recording, by default that of the service's own clock. Raises `IllegalAction` if
        the time is not over by then (with the code ``not_over``), or if it is not running.
        """

        def make(command: Command) -> None:
            command.at = now
            _check_over(command, seat)
            command.take(TimedOut(seat))
            command.lapse()
            command.deal()

        def same(found: list[StoredEvent]) -> bool:
            return found[0].event == TimedOut(seat)

        return self._once(game_id, make, same, viewer, expected, command_id)

    def remove(
        self,
        game_id: str,
        seat: int,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record that the host removes a person between two rounds; the person keeps what they have."""

        def make(command: Command) -> None:
            open_game, event = command.open_game, SeatRemoved(seat)
            open_game.replay.table.check(event, open_game.state)
            command.take(event)
            command.take(open_game.state.decide(Leave(seat)))
            command.deal()

        def same(found: list[StoredEvent]) -> bool:
            return found[0].event == SeatRemoved(seat)

        return self._once(game_id, make, same, viewer, expected, command_id)

    def change_stakes(
        self,
        game_id: str,
        given: Options,
        *,
        seat: int = 0,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record that the host changes the stakes between two rounds, such as ``{"blinds": "5/10", "ante": 1}``.

        ``seat`` is the host's, 0 for a host without one. Raises `InvalidValue` for amounts that cannot be read, and
        `IllegalAction` for amounts that are not allowed, at the wrong time, or if the game's start fixed the stakes.
        """

        def make(command: Command) -> None:
            open_game = command.open_game
            open_game.replay.table.check_shares()
            command.take(open_game.state.decide(open_game.game.change_of_stakes(open_game.state, given, seat)))
            command.deal()

        def same(found: list[StoredEvent]) -> bool:
            before = self._before(game_id, found)
            with suppress(IllegalAction, InvalidValue):
                if before is not None:
                    action = before.game.change_of_stakes(before.state, given, seat)
                    return found[0].event == before.state.decide(action)
            return False

        return self._once(game_id, make, same, viewer, expected, command_id)

    def answer_purchase(
        self,
        game_id: str,
        seat: int,
        *,
        admits: bool,
        by: int = 0,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record that the host admits or refuses, between two rounds, the purchase that a seat has asked for.

        ``by`` is the host's seat, 0 for a host without one. Raises `IllegalAction` if the seat asks for none, or may
        no longer buy as much, and `InvalidValue` in games without purchases.
        """

        def make(command: Command) -> None:
            open_game = command.open_game
            open_game.replay.table.check_shares()
            action = open_game.game.answer_to_purchase(open_game.state, seat, admits=admits, by=by)
            command.take(open_game.state.decide(action))
            command.deal()

        def same(found: list[StoredEvent]) -> bool:
            before = self._before(game_id, found)
            with suppress(IllegalAction, InvalidValue):
                if before is not None:
                    action = before.game.answer_to_purchase(before.state, seat, admits=admits, by=by)
                    return found[0].event == before.state.decide(action)
            return False

        return self._once(game_id, make, same, viewer, expected, command_id)

    def close(
        self,
        game_id: str,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record the early end of a game; its rules decide when it can be closed, and what each player then gets.

        If no person is in the game any more, bots first play on until it can be closed. Raises `IllegalAction` if
        people must choose first (in draw poker and the market, they must play to the end of the round).
        """

        def make(command: Command) -> None:
            command.open_game.replay.table.check_shares()
            command.close()

        return self._once(game_id, make, _closed, viewer, expected, command_id)

    def abandon(self, game_id: str, *, expected: int | None = None, command_id: str | None = None) -> list[Recorded]:
        """Record the end of a game that nobody plays any more, at any point of the game.

        The same command first ends a pause; each person who must choose before the game can be closed then makes the
        game's default move for somebody who is away. Raises the errors that `close` raises.
        """

        def make(command: Command) -> None:
            command.open_game.replay.table.check_shares()
            command.abandon()

        return self._once(game_id, make, _closed, EVERYONE, expected, command_id)

    def table(self, game_id: str, *, known: int = 0) -> TableStatus:
        """Return the status of a game's table as it is now; ``known`` as in `Service.status`."""
        with self._open_games.held(game_id, known) as game:
            return TableStatus.of(game)

    def opened(self, game_id: str) -> tuple[Opened, ...]:
        """Return the dealer's secrets if the game is over and its table opens them; if not, return an empty tuple."""
        with self._open_games.held(game_id) as game:
            settings = game.replay.table.settings
            if settings is None or not settings.opens_seeds or game.state.outcome is None:
                return ()
            types = game.game.event_types.items()
        dealers = {name for (name, _), event in types if Audience.DEALER in secret_fields(event).values()}
        with self._log.snapshot() as snapshot, closing(snapshot.read(game_id)) as records:
            return tuple(
                Opened(record.seq, record.secret, record.salt)
                for record in records
                if record.type in dealers and record.secret is not None and record.salt is not None
            )


def _closed(found: list[StoredEvent]) -> bool:
    """Return whether a command closed a game."""
    return any(one.record.type == "GameClosed" for one in found)


def _check_over(command: Command, seat: int) -> None:
    """Raise `IllegalAction` unless a seat's time is over at the moment of a command."""
    replay = command.open_game.replay
    replay.table.check(TimedOut(seat), command.open_game.state)
    assert replay.clock is not None  # without a clock, the table has refused
    left = replay.clock.left(seat, microseconds(command.moment()))
    if left is None or left:
        name = command.open_game.seats[seat - 1].name
        raise IllegalAction(
            "not_over", f"{does(name, 'has')} {(left or 0) / SECOND:,.1f} seconds left for this choice."
        )
