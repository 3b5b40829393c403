"""The status of a game's table, as everyone may know it: its people and their time, and its common shuffle."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pokersvc.core.replay import Replay
from pokersvc.core.tables.clock import moment_of
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.service.open_game import OpenGame


@dataclass(frozen=True, slots=True)
class SharesStatus:
    """The status of a table's common shuffle, as everyone may know it."""

    asked: tuple[int, ...]
    """The seats that the open round asks for shares; if no round is open, those that a round begun now would ask."""
    bound: Mapping[int, int]
    """Seat with a chain of shares → the number of rounds for which it has shares, from the open round or, if none is
    open, from the next."""
    deadline: datetime | None
    """The time after which awaited shares count as missed; None while no time for shares is running."""
    due: bool
    """Whether the next round waits to be opened (`Service.go_on`), or for shares."""
    head: bytes | None
    """The hash of the event that opened the round (`SharesAwaited`), over which shares are signed; None if no round is
    open."""
    round: int
    """The number of the last round that was opened."""
    seconds: int
    """The number of seconds within which seats must open their shares."""
    unbound: tuple[int, ...]
    """The seats of people who sit in and are dealt into the next round, but cannot be asked for a share."""
    waiting: tuple[int, ...]
    """The seats whose share is awaited now, in ascending order."""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The status of a game's table, as everyone may know it."""

    bank: Mapping[int, timedelta]
    """Seat → the time left in its person's time bank before the current choice; empty without a clock."""
    break_ends: datetime | None
    """The end of the break between two levels, which may have passed; None without one, and in a pause of the table."""
    count: int
    """The number of recorded events."""
    deadlines: Mapping[int, datetime]
    """Seat → the deadline of its choice, for each person whose time is running."""
    moved: Mapping[int, int]
    """Seat → the number of times that its person moved it to another device, if any."""
    paused: bool
    people: tuple[int, ...]
    """Seats of people who are still in the game, in ascending order."""
    replaced: Mapping[int, int]
    """Seat → the number of times that its link was replaced, if any."""
    settings: TableSettings | None
    """The settings agreed for the table; None if nothing was agreed."""
    shares: SharesStatus | None
    """The status of the common shuffle; None if the dealer shuffles alone."""
    sitting_out: tuple[int, ...]

    @classmethod
    def of(cls, game: OpenGame) -> "TableStatus":
        """Return the status of the table of a game in memory."""
        table, clock, levels = game.replay.table, game.replay.clock, game.replay.level_clock
        rests_until = None if levels is None else levels.rests_until
        return cls(
            bank={} if clock is None else {seat: timedelta(microseconds=left) for seat, left in clock.bank.items()},
            break_ends=None if rests_until is None else moment_of(rests_until),
            count=game.count,
            deadlines={} if clock is None else {seat: moment_of(at) for seat, at in clock.deadlines.items()},
            moved=dict(table.moved),
            paused=table.paused,
            people=tuple(filter(game.state.playing, sorted(table.people))),
            replaced=dict(table.replaced),
            settings=table.settings,
            shares=shares_status(game.replay),
            sitting_out=table.sitting_out,
        )


def shares_status(replay: Replay) -> SharesStatus | None:
    """Return the status of a game's common shuffle; None if the dealer shuffles alone."""
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
