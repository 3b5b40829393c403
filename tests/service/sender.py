"""A client that sends every command of a game with its own ID, and prints the number of each that returned.

Started again after a kill, it sends again what may have been recorded already.
"""

import pickle
import sys
from pathlib import Path

from pokersvc.core.actions import Action
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service

from .support import choice, setup

GAME = "sent"
SETUP = setup(HUMAN, HUMAN, HUMAN, rounds=4)


def script() -> list[Action | None]:
    """Return the choices of the game, with None for the start of the next round."""
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        service.start("draw", SETUP, game_id=GAME)
        sent: list[Action | None] = []
        while (status := service.status(GAME)).outcome is None:
            sent.append(None if status.pausing else choice(service, GAME))
            send(service, sent[-1])
        return sent


def send(service: Service, action: Action | None, command_id: str | None = None) -> None:
    if action is None:
        service.go_on(GAME, command_id=command_id)
    else:
        service.act(GAME, action, command_id=command_id)


def main() -> None:
    """Send the commands of a pickled script, from a number on, to the database of a URL."""
    url, pickled, first = sys.argv[1:]
    with Database.for_writing(url) as database:
        service = Service(EventLog(database))
        service.start("draw", SETUP, game_id=GAME)
        for number, action in enumerate(pickle.loads(Path(pickled).read_bytes())):
            if number >= int(first):
                send(service, action, f"c{number}")
                print(number, flush=True)
