"""The games that are doctored, as their logs have them."""

import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.recorded_hands.recorded import is_same_hand
from pokersvc.service import Service
from pokersvc.service.importing import Elsewhere
from tests.clock import ticking
from tests.games.draw_poker.test_recorded import MUCKED, MUCKED_ACTIONS
from tests.games.draw_poker.told import quote, told
from tests.logs.write import LOGS, decode
from tests.web import at_table, shuffled, vectors
from tests.web.played import play, repeatable

Line = dict[str, Any]
"""A line of an export: of an event with its secret, or the first."""


class Game(NamedTuple):
    """A complete game, as in its log."""

    name: str
    kind: str
    game_id: str
    lines: list[Line]
    """One line per event; an event with a secret includes it and its salt."""

    @property
    def owes_seeds(self) -> bool:
        """Whether its table shuffled together, and opened the seeds to all after the game."""
        return any(line["type"] == "DealingSet" for line in self.lines)


def _line(record: Record) -> Line:
    line = record._asdict()
    del line["game_id"]
    return {**line, "salt": None if record.salt is None else record.salt.hex(), "hash": record.hash.hex()}


def _game(name: str, kind: str, records: list[Record]) -> Game:
    return Game(name, kind, records[0].game_id, list(map(_line, records)))


def released() -> Iterator[Game]:
    """Yield games of earlier engines."""
    for path in sorted(LOGS.glob("*/*.jsonl")):
        kind = json.loads((path.parent / "expected.json").read_text())[path.stem]["kind"]
        yield _game(f"{path.parent.name}/{path.stem}", kind, list(map(decode, path.read_text().splitlines())))


def _played(folder: Path) -> Iterator[Game]:
    """Yield games of today's engines: of programs, at tables, shuffled together, and a hand from elsewhere."""
    for vector in vectors.GAMES:
        if vector.missed is None and not vector.game:
            with repeatable(len(vector.name)):
                source = EntropySource.fresh() if vector.text is None else EntropySource.from_text(vector.text)
                setup = Setup(vector.seats, source, vector.rounds, dict(vector.options))
                yield _game(vector.name, vector.kind, play(folder / vector.name, vector.name, vector.kind, setup))
    with repeatable(1):
        for evening in (
            *at_table.cash_evenings(folder, Random(200), 1),
            *at_table.evenings_with_newcomers(folder, Random(4), 1),
        ):
            yield _game(evening.name, evening.kind, evening.records)
    for game in shuffled.SHUFFLED:
        yield _game(game.name, game.kind, shuffled.whole(game, folder))
    with repeatable(2), Database.for_writing(":memory:") as database:
        log = EventLog(database)
        elsewhere = Elsewhere("elsewhere", told(MUCKED, MUCKED_ACTIONS).finished(quote(hero=4, text="6d 8s 2c Td 5c")))
        Service(log, clock=ticking()).with_secrets.record("draw", [elsewhere], same=is_same_hand)
        yield _game("elsewhere", "draw", list(log.read("elsewhere")))


@cache
def games() -> tuple[Game, ...]:
    """Return every game that is doctored."""
    with tempfile.TemporaryDirectory() as folder:
        return (*released(), *_played(Path(folder)))
