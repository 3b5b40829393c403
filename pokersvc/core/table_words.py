"""The events at a table in words."""

from collections.abc import Callable
from typing import Any, Final

from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.core.table import (
    CameBack,
    ClockRestarted,
    SeatRemoved,
    SeatReplaced,
    TableEvent,
    TablePaused,
    TableResumed,
    TableSet,
    TimedOut,
)
from pokersvc.text import counted


def event_words(game: Game, event: Event, state: State, seats: tuple[Seat, ...]) -> str:
    """Return any event in words: one at the table, or one of the game, after which ``state`` is."""
    return table_words(event, seats) if isinstance(event, TableEvent) else game.words.tell(event, state)


def table_words(event: TableEvent, seats: tuple[Seat, ...]) -> str:
    """Return an event at the table in a sentence.

    >>> table_words(TimedOut(1), (Seat("human", "Ann"),))
    "Ann's time is over."
    """
    seat = getattr(event, "seat", 0)
    name = seats[seat - 1].name if 1 <= seat <= len(seats) else f"Seat {seat}"
    return _TELL[type(event)](event, name)


def settings_words(event: TableSet) -> str:
    """Return what was agreed.

    >>> settings_words(TableSet(advice=True, bank=60, opens_seeds=False, seconds=30))
    '30 seconds for a choice and 60 more for the game; advice is allowed; seeds stay closed'
    """
    agreed = ["no clock"]
    if event.seconds:
        bank = f" and {event.bank} more for the game" if event.bank else ""
        agreed = [f"{counted(event.seconds, 'second')} for a choice{bank}"]
    agreed.append("advice is allowed" if event.advice else "no advice")
    agreed.append("everything hidden opens after the game" if event.opens_seeds else "seeds stay closed")
    return "; ".join(agreed)


_TELL: Final[dict[type[TableEvent], Callable[[Any, str], str]]] = {
    TableSet: lambda event, _: f"The table is set: {settings_words(event)}.",
    TimedOut: lambda _, name: f"{name}'s time is over.",
    CameBack: lambda _, name: f"{name} is back.",
    TablePaused: lambda _, __: "The table is paused.",
    TableResumed: lambda _, __: "The table is resumed.",
    ClockRestarted: lambda _, __: "The clock starts again after an outage.",
    SeatReplaced: lambda _, name: f"{name}'s seat has a new link; somebody else may hold it from now on.",
    SeatRemoved: lambda _, name: f"{name} is removed from the table by the host.",
}
