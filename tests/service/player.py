"""A process that acts in games on request, with the arguments DATABASE GAME=WHAT…

For each it says ``ready``, waits for a line on standard input, and then says what came of it as a line of JSON.
"""

import json
import sys

from pokersvc.core.seats import HUMAN
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.service import NothingToDo, Service

from .support import setup


def act(service: Service, game_id: str, command_id: str | None, expected: int | None) -> str:
    """Bet once; the error's code, or the id of the command that recorded the bet."""
    try:
        return service.act(game_id, Bet(1, 50), expected=expected, command_id=command_id)[0].record.command_id
    except PokersvcError as error:
        return error.code


def start(service: Service, game_id: str) -> str:
    """Start a game that other processes start too; return the ID of the command that started it."""
    return service.start("draw", setup(HUMAN, "minimum"), game_id=game_id)[1][0].record.command_id


def play(service: Service, game_id: str) -> list[int]:
    """Let the bots play to the end; return how often another process was first."""
    won = lost = 0
    while service.status(game_id).outcome is None:
        try:
            service.step(game_id)
            won += 1
        except (ConcurrentUpdate, NothingToDo):  # NothingToDo: somebody else has just ended the game
            lost += 1
    return [won, lost]


def main() -> None:
    url, *asked = sys.argv[1:]
    with Database.for_writing(url) as database:
        service = Service(EventLog(database))
        for one in asked:
            game_id, _, what = one.partition("=")
            expected = None if what == "start" else service.status(game_id).count
            print("ready", flush=True)
            input()
            if what == "start":
                said: object = start(service, game_id)
            elif what == "play":
                said = play(service, game_id)
            else:
                said = act(service, game_id, "c" if what == "repeat" else None, expected)
            print(json.dumps(said), flush=True)
