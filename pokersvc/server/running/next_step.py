"""The next action of the server itself at a table, if nobody acts before."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN
from pokersvc.server.commands import Commands
from pokersvc.server.running.share_waits import ShareWaits
from pokersvc.server.settings import Settings
from pokersvc.server.tables.open_seats import KEPT
from pokersvc.service import Status
from pokersvc.service.table_status import SharesStatus, TableStatus


class Next(NamedTuple):
    """An action of the server, and the seconds until it is due."""

    seconds: float
    do: Callable[[], None]
    thinks: bool = False
    """Whether the action is a bot's choice, which may take a while."""


def next_step(
    status: Status,
    table: TableStatus,
    now: datetime,
    commands: Commands,
    settings: Settings,
    game_id: str,
    waits: ShareWaits,
) -> Next | None:
    """Return the server's next action at a table: a bot's choice, a round, a timeout or the end; None if there is none.

    ``waits`` is what this server has seen of a common shuffle at the table.
    """
    if status.outcome is not None:
        return Next(0, partial(commands.note_end, game_id))
    if table.paused:
        waits.stop()
        return None
    waits.go_on()
    people = set(table.people)
    for seat in status.awaited:
        if status.seats[seat - 1].kind != HUMAN:
            return Next(settings.pace, partial(commands.step, game_id, seat, status.count), thinks=True)
    if table.shares is not None and table.shares.due:
        return _next_of_shuffle(status, table, table.shares, now, commands, settings, game_id, waits)
    if status.ends_next and people:  # wait: people may still buy chips, or come back from sitting out
        return Next(KEPT.total_seconds(), partial(commands.wait_on, game_id))
    if status.pausing:
        # People may come even if all have left.
        comes = status.may_return or (not status.ends_next and game_of(status.kind).reseating)
        pause = settings.pause if people or comes else settings.pace
        return Next(max(pause, _seconds(table.break_ends, now)), partial(commands.go_on, game_id, status.count))
    if table.deadlines and not people <= set(table.sitting_out):  # if all people sit out, the game waits
        seat, deadline = min(table.deadlines.items(), key=itemgetter(1))
        left = max(0.0, (deadline - now).total_seconds())
        return Next(left, partial(commands.time_out, game_id, seat, status.count))
    return None


def may_rest(status: Status, table: TableStatus) -> bool:
    """Return whether a table stands between two rounds and awaits no choice or share of a person.

    Where no person may leave, the command that ends a round also deals the next one, and the table rests before the
    first choice of that round. If a person took a seat and does not sit down, the table waits for them as usual.
    """
    if (
        status.outcome is not None
        or status.ends_next
        or any(status.seats[at - 1].kind == HUMAN for at in status.awaited)
    ):
        return False
    if table.shares is not None and table.shares.due:
        return not table.shares.waiting and bool(table.people)
    return status.pausing or status.round_ended


def _next_of_shuffle(
    status: Status,
    table: TableStatus,
    shares: SharesStatus,
    now: datetime,
    commands: Commands,
    settings: Settings,
    game_id: str,
    waits: ShareWaits,
) -> Next | None:
    """Return the server's next action while a common shuffle (by dealer and seats) waits to begin, or for shares."""
    if shares.waiting:
        left = max(_seconds(shares.deadline, now), waits.left_of_own(shares.seconds))
        return Next(left, partial(commands.miss_shares, game_id, status.count))
    if not table.people:
        return Next(settings.pace, partial(commands.close, game_id))
    if not shares.asked:  # no seat is bound, or all people sit out
        return None
    left = waits.left_for_bindings(shares.round, shares.unbound, shares.seconds)
    if status.pausing:
        left = max(left, settings.pause, _seconds(table.break_ends, now))
    return Next(left, partial(commands.go_on, game_id, status.count))


def _seconds(deadline: datetime | None, now: datetime) -> float:
    return 0.0 if deadline is None else max(0.0, (deadline - now).total_seconds())
