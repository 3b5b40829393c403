"""What the server itself has to do next at a table, if nobody else does anything before."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pokersvc.core.seats import HUMAN
from pokersvc.server.commands import Commands
from pokersvc.server.settings import Settings
from pokersvc.service import Status
from pokersvc.service.at_table import TableStatus


class Next(NamedTuple):
    """Something to be done after so many seconds."""

    seconds: float
    do: Callable[[], None]
    thinks: bool = False
    """Whether a bot chooses, which may take a while."""


def next_step(
    status: Status, table: TableStatus, now: datetime, commands: Commands, settings: Settings, table_id: str
) -> Next | None:
    """Return what comes next: a bot's choice, the next round, a choice whose time is over, the end, or nothing."""
    if status.outcome is not None:
        return Next(0, partial(commands.note_end, table_id))
    if table.paused:
        return None
    people = set(table.people)
    for seat in status.awaited:
        if status.seats[seat - 1].kind != HUMAN:
            return Next(settings.pace, partial(commands.step, table_id, seat, status.count), thinks=True)
    if status.pausing:
        return Next(settings.pause if people else settings.pace, partial(commands.go_on, table_id, status.count))
    if table.deadlines and not people <= set(table.sitting_out):  # where nobody is there, the game waits
        seat, deadline = min(table.deadlines.items(), key=itemgetter(1))
        left = max(0.0, (deadline - now).total_seconds())
        return Next(left, partial(commands.time_out, table_id, seat, status.count))
    return None
