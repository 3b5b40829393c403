"""The service: start, act, view, replay. The only way to games for a terminal, a web page or a bot.

A `Session` is one client's way through a game.

A *command* is one accepted action with the dealer's events after it, in one transaction. What is returned is
recorded, and is for a named viewer; a refused command leaves no trace.
"""

from typing import TYPE_CHECKING

from pokersvc.service.errors import CommandReused, NotForAuditors, NothingToDo, NotOver
from pokersvc.service.open_game import OpenGame, Status, Turn
from pokersvc.service.service import Service
from pokersvc.service.session import Choose, Next, NotYourSeat, Over, Pause, Session, Shown, Stopped, Waiting
from pokersvc.service.shown import Recorded, Step
from pokersvc.service.with_secrets import WithSecrets
from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.service import history as history
    from pokersvc.service import opening as opening
    from pokersvc.service import readmodels as readmodels

__all__ = [
    "Choose",
    "CommandReused",
    "Next",
    "NotForAuditors",
    "NotOver",
    "NotYourSeat",
    "NothingToDo",
    "OpenGame",
    "Over",
    "Pause",
    "Recorded",
    "Service",
    "Session",
    "Shown",
    "Status",
    "Step",
    "Stopped",
    "Turn",
    "Waiting",
    "WithSecrets",
]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__)
