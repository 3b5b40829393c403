"""What a service does for a table that shuffles together: seats bound, shares awaited, opened and missed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pokersvc.core.actions import IllegalAction
from pokersvc.core.clock import SECOND, microseconds, moment_of
from pokersvc.core.event import EVERYONE, Event, Viewer
from pokersvc.core.replay import Replay
from pokersvc.core.rules import Rules
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Setup
from pokersvc.core.share_events import OpenShare, ShareMissed, opened_event
from pokersvc.core.table_events import TableSettings
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.service.command import Command
from pokersvc.service.open_games import OpenGames
from pokersvc.service.shown import Recorded, StoredEvent

Make = Callable[[Command], None]
"""Decides on the game of a command, and applies to it."""
Again = Callable[[list[Record]], list[StoredEvent]]
"""Returns what was recorded under the id of a command, if it is the same command."""


@dataclass(frozen=True, slots=True)
class SharesStatus:
    """Where the common shuffle of a table stands, as everyone may know it."""

    asked: tuple[int, ...]
    """The seats whose share the round asks for that is open, or would ask for if it were opened now."""
    bound: Mapping[int, int]
    """Seat → how many rounds its chain still reaches, where it is bound, from the one that is open or comes next."""
    deadline: datetime | None
    """When shares that are awaited are missed."""
    due: bool
    """Whether the next round waits for being opened (`Service.go_on`), or for shares."""
    head: bytes | None
    """The hash of the `SharesAwaited` that is open, which shares are signed over; None where none is open."""
    round: int
    """The number of the last round that was opened."""
    seconds: int
    """How long shares are waited for."""
    unbound: tuple[int, ...]
    """The seats of people that the next round is dealt to, who sit in, and whose share it could not ask for."""
    waiting: tuple[int, ...]
    """The seats whose share is awaited now, in ascending order."""


class Sharing(ABC):
    """The commands of a table that shuffles together. Binding a seat is an action at its table (`BindSeat`)."""

    _log: EventLog
    _open_games: OpenGames

    @abstractmethod
    def _found_or_made(
        self, game_id: str, make: Make, again: Again, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Carry out a command, or find what it recorded before."""

    @abstractmethod
    def _recorded_before(
        self, game_id: str, recorded: list[Record], *, same: Callable[[Event], bool]
    ) -> list[StoredEvent]:
        """Return what a command recorded, if by its first event it is the same command."""

    def open_share(
        self,
        game_id: str,
        action: OpenShare,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record the share of a seat; the last share of a round is followed by the deck and what the dealer does then.

        `IllegalAction` for a share that is not awaited, does not belong to the seat's chain, or is not signed.
        """

        def make(command: Command) -> None:
            command.take_share(opened_event(action))

        def again(recorded: list[Record]) -> list[StoredEvent]:
            return self._recorded_before(game_id, recorded, same=lambda first: first == opened_event(action))

        return self._found_or_made(game_id, make, again, viewer, expected, command_id)

    def miss_shares(
        self,
        game_id: str,
        now: datetime | None = None,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record that every share that did not come is missed, with the deck, if any share came.

        ``now`` as in `time_out`; `IllegalAction` where shares are still waited for (its code is ``not_over``).
        """

        def make(command: Command) -> None:
            command.at = now
            _check_over(command)
            dealing = command.open_game.replay.dealing
            for seat in () if dealing is None else dealing.waiting:
                command.take_share(ShareMissed(seat))

        def again(recorded: list[Record]) -> list[StoredEvent]:
            return self._recorded_before(game_id, recorded, same=lambda first: isinstance(first, ShareMissed))

        return self._found_or_made(game_id, make, again, viewer, expected, command_id)


def check_dealing(game: Rules, setup: Setup, table: TableSettings) -> None:
    """Raise `InvalidValue` where a game cannot be dealt as a table has agreed."""
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
    """Raise `IllegalAction` unless the time for shares is over by the moment of a command."""
    clock = command.open_game.replay.share_clock
    left = None if clock is None else clock.left(microseconds(command.moment()))
    if left is None:
        raise IllegalAction("not_awaited", "No shares are awaited, or the table is paused.")
    if left:
        raise IllegalAction("not_over", f"Shares are waited for {left / SECOND:,.1f} seconds more.")


def shares_status(replay: Replay) -> SharesStatus | None:
    """Return where the common shuffle of a game stands; None where the dealer shuffles alone."""
    dealing, clock = replay.dealing, replay.share_clock
    if dealing is None or clock is None:
        return None
    awaited, deadline, state, table = dealing.awaited, clock.deadline, replay.state, replay.table
    number = dealing.round if awaited is not None else dealing.round + 1
    asked = dealing.asked(state, table.sitting_out) if awaited is None else awaited.seats
    dealt = state.deals_to() or ()
    return SharesStatus(
        asked=asked,
        bound={seat: max(0, binding.last - number + 1) for seat, binding in sorted(dealing.bindings.items())},
        deadline=None if deadline is None else moment_of(deadline),
        due=dealing.holds_up(state),
        head=None if awaited is None else awaited.head,
        round=dealing.round,
        seconds=dealing.seconds,
        unbound=tuple(seat for seat in dealt if seat in table.people.difference(asked, table.sitting_out)),
        waiting=dealing.waiting,
    )
