"""Write the example database: ``make example``, or ``python tests/example.py FILE``.

A few finished games from fixed seeds, in a single file that is not in WAL mode, so that reading leaves it as it is.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from pokersvc.core.actions import Leave
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.advising.players import SteadyPlayer
from pokersvc.service import Service
from pokersvc.service.read_models.tallies import tally


class Example(NamedTuple):
    """A game of the example: its ID, seed, players and rounds, and the round after which a person leaves."""

    game_id: str
    seed: str
    seats: tuple[Seat, ...]
    rounds: int | None = None
    leaves_after: int | None = None


def _programs(kind: str, count: int) -> tuple[Seat, ...]:
    return tuple(Seat(kind, f"Player{number}") for number in range(1, count + 1))


EXAMPLES: Final = (
    Example("two-steady", "two steady players", _programs("steady", 2)),
    Example("four-steady", "four steady players", _programs("steady", 4), rounds=8),
    Example(
        "ann-leaves",
        "a person leaves",
        (Seat(HUMAN, "Ann"), Seat("steady", "Bob"), Seat("random", "Cy")),
        rounds=6,
        leaves_after=3,
    ),
    Example("two-minimum", "demo", _programs("minimum", 2), rounds=3),
)
"""The games, the one that ``last`` names at the end."""


def play(service: Service, example: Example) -> None:
    """Play a game to its end; a person plays as a steady program would."""
    game_id = example.game_id
    service.start("draw", Setup(example.seats, EntropySource.from_text(example.seed), example.rounds), game_id=game_id)
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            if service.view(game_id, 1).round == example.leaves_after:
                service.act(game_id, Leave(1))
            else:
                service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            assert status.to_act is not None
            turn = service.turn(game_id, status.to_act)
            service.act(game_id, SteadyPlayer().choose(turn.view, turn.legal, Random(turn.count)))
        else:
            service.play_round(game_id)


def write(path: Path, examples: Iterable[Example] = EXAMPLES) -> None:
    """Rebuild the database; the old file stays until the new one is complete."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".example-") as folder:
        draft = Path(folder) / "draft"
        with Database.for_writing(str(draft)) as database:
            service = Service(EventLog(database))
            for example in examples:
                play(service, example)
            tally(database)
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            connection.execute("VACUUM")
        draft.replace(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/example.py FILE")
    write(Path(sys.argv[1]))
