"""A process that plays games to their end beside others, with the arguments DATABASE GAME…

It waits for a line on standard input, and then says, for each game, how often it recorded a command and how often
somebody else was first.
"""

import json
import sys

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service

from .player import play


def main() -> None:
    url, *games = sys.argv[1:]
    with Database.for_writing(url) as database:
        service = Service(EventLog(database))
        print("ready", flush=True)
        input()
        print(json.dumps({game: play(service, game) for game in games}))
