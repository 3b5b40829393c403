"""Where the table of a game stands, as everyone may know it: its people and their time, and its common shuffle."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pokersvc.core.replay import Replay
from pokersvc.core.tables.clock import moment_of
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.service.open_game import OpenGame


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


@dataclass(frozen=True, slots=True)
class TableStatus:
    """Where the table of a game stands, as everyone may know it."""

    bank: Mapping[int, timedelta]
    """Seat → what a person has left in the bank before the choice that they are making; empty without a clock."""
    count: int
    """How many events are recorded."""
    deadlines: Mapping[int, datetime]
    """Seat → when its time is over, for each person whose time runs now."""
    paused: bool
    people: tuple[int, ...]
    """Seats of people who are still in the game, in ascending order."""
    replaced: Mapping[int, int]
    """Seat → how often its link was replaced, where it was."""
    settings: TableSettings | None
    """None where nothing was agreed."""
    shares: SharesStatus | None
    """How the table shuffles together; None where the dealer shuffles alone."""
    sitting_out: tuple[int, ...]

    @classmethod
    def of(cls, game: OpenGame) -> "TableStatus":
        """Return that of a game in memory."""
        table, clock = game.replay.table, game.replay.clock
        return cls(
            bank={} if clock is None else {seat: timedelta(microseconds=left) for seat, left in clock.bank.items()},
            count=game.count,
            deadlines={} if clock is None else {seat: moment_of(at) for seat, at in clock.deadlines.items()},
            paused=table.paused,
            people=tuple(filter(game.state.playing, sorted(table.people))),
            replaced=dict(table.replaced),
            settings=table.settings,
            shares=shares_status(game.replay),
            sitting_out=table.sitting_out,
        )


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
