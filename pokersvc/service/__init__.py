"""The service: the only interface through which terminals, web pages and bots start, play, view and replay games.

A `Session` is one client's way through a game.

A *command* is one accepted action with the dealer's events after it, in one transaction. The events that a command
returns are recorded already, and are shown as a named viewer may know them; a refused command leaves no trace.
"""

from typing import TYPE_CHECKING, Final

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.service import opening as opening
    from pokersvc.service import places as places
    from pokersvc.service import read_models as read_models
    from pokersvc.service import sharing as sharing
    from pokersvc.service.at_table import Opened
    from pokersvc.service.errors import (
        CommandReused,
        LogFull,
        NotForAuditors,
        NothingShown,
        NothingToDo,
        NotOver,
        NotYourSeat,
    )
    from pokersvc.service.next import Choose, Next, Over, Pause, Shown, Stopped, Waiting
    from pokersvc.service.open_game import OpenGame, Status, Turn
    from pokersvc.service.service import Service
    from pokersvc.service.session import Session
    from pokersvc.service.shown import Recorded, Step
    from pokersvc.service.table_status import TableStatus
    from pokersvc.service.with_secrets import WithSecrets

__all__ = [
    "Choose",
    "CommandReused",
    "LogFull",
    "Next",
    "NotForAuditors",
    "NotOver",
    "NotYourSeat",
    "NothingShown",
    "NothingToDo",
    "OpenGame",
    "Opened",
    "Over",
    "Pause",
    "Recorded",
    "Service",
    "Session",
    "Shown",
    "Status",
    "Step",
    "Stopped",
    "TableStatus",
    "Turn",
    "Waiting",
    "WithSecrets",
]

_NAMES: Final = {
    "pokersvc.service.at_table": "Opened",
    "pokersvc.service.table_status": "TableStatus",
    "pokersvc.service.errors": "CommandReused LogFull NotForAuditors NothingShown NothingToDo NotOver NotYourSeat",
    "pokersvc.service.next": "Choose Next Over Pause Shown Stopped Waiting",
    "pokersvc.service.open_game": "OpenGame Status Turn",
    "pokersvc.service.service": "Service",
    "pokersvc.service.session": "Session",
    "pokersvc.service.shown": "Recorded Step",
    "pokersvc.service.with_secrets": "WithSecrets",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(
        __name__, {name: (module, name) for module, names in _NAMES.items() for name in names.split()}
    )
