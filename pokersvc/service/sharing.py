"""Commands for a table where dealer and seats shuffle together: they record the seats' shares, opened or missed."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.core.randomness.share_events import OpenShare, ShareMissed, opened_event
from pokersvc.core.rules import Rules
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Setup
from pokersvc.core.tables.clock import SECOND, microseconds
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.service.command import Command
from pokersvc.service.open_game import OpenGame
from pokersvc.service.open_games import OpenGames
from pokersvc.service.shown import Recorded, StoredEvent

Make: TypeAlias = Callable[[Command], None]
"""Chooses the events of a command, and applies them to the command's game."""
Same: TypeAlias = Callable[[list[StoredEvent]], bool]
"""Returns whether the events of a recorded command are those that the repeated command would record."""


class Sharing(ABC):
    """The commands for shares of a shuffle; a seat's key and chain of shares are recorded by an action (`BindSeat`)."""

    _log: EventLog
    _open_games: OpenGames

    @abstractmethod
    def _once(
        self, game_id: str, make: Make, same: Same, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Carry out a command, or return the events that it recorded when it was sent before."""

    @abstractmethod
    def _before(self, game_id: str, found: list[StoredEvent]) -> OpenGame | None:
        """Return the game as it was before a recorded command; None for the command that started it."""

    def open_share(
        self,
        game_id: str,
        action: OpenShare,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record a seat's share in a shuffle; after a round's last share, also the deck and the dealer's next events.

        Raises `IllegalAction` for a share that is not awaited, does not belong to the seat's chain, or is not signed.
        """

        def make(command: Command) -> None:
            command.take_share(opened_event(action))

        def same(found: list[StoredEvent]) -> bool:
            return found[0].event == opened_event(action)

        return self._once(game_id, make, same, viewer, expected, command_id)

    def miss_shares(
        self,
        game_id: str,
        now: datetime | None = None,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record all shares still awaited as missed; then the deck and the dealer's events, if any share was opened.

        ``now`` as in `time_out`. Raises `IllegalAction` while shares are still waited for (its code is ``not_over``).
        """

        def make(command: Command) -> None:
            command.at = now
            _check_over(command)
            dealing = command.open_game.replay.dealing
            for seat in () if dealing is None else dealing.waiting:
                command.take_share(ShareMissed(seat))

        def same(found: list[StoredEvent]) -> bool:
            return isinstance(found[0].event, ShareMissed)

        return self._once(game_id, make, same, viewer, expected, command_id)


def check_dealing(game: Rules, setup: Setup, table: TableSettings) -> None:
    """Raise `InvalidValue` if a game cannot be dealt in the way that the table's settings require."""
    if table.dealing != "together":
        return
    if not game.dealt_together:
        raise InvalidValue(f"The game {game.kind!r} has no deck to shuffle together; leave dealing at 'dealer'.")
    if setup.source.text is not None:
        raise InvalidValue(
            "A seed and dealing = 'together' exclude each other: whoever knows the seed knows every deck."
        )
    if not any(seat.kind == HUMAN for seat in setup.seats):
        raise InvalidValue("A table that shuffles together needs a person: the bots' chance is the dealer's.")


def _check_over(command: Command) -> None:
    """Raise `IllegalAction` unless the time for shares is over at the moment of a command."""
    clock = command.open_game.replay.share_clock
    left = None if clock is None else clock.left(microseconds(command.moment()))
    if left is None:
        raise IllegalAction("not_awaited", "No shares are awaited, or the table is paused.")
    if left:
        raise IllegalAction("not_over", f"Shares are waited for {left / SECOND:,.1f} seconds more.")
