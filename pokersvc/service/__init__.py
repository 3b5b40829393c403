"""The service: start, act, view, replay. The only door to games for a terminal, a web page or a bot.

A `Session` is one client's way through a game.

A *command* is one accepted action with the dealer's events after it, in one transaction. What is returned is
recorded, and is for a named viewer; what is refused has left no trace.
"""

from pokersvc.service.errors import CommandReused, NotForAuditors, NothingToDo, NotOver
from pokersvc.service.service import Service
from pokersvc.service.session import Choose, Next, NotYourSeat, Over, Pause, Session, Shown, Stopped, Waiting
from pokersvc.service.shown import Recorded, Step
from pokersvc.service.table import Status, Table, Turn
from pokersvc.service.with_secrets import WithSecrets

__all__ = [
    "Choose",
    "CommandReused",
    "Next",
    "NotForAuditors",
    "NotOver",
    "NotYourSeat",
    "NothingToDo",
    "Over",
    "Pause",
    "Recorded",
    "Service",
    "Session",
    "Shown",
    "Status",
    "Step",
    "Stopped",
    "Table",
    "Turn",
    "Waiting",
    "WithSecrets",
]
