"""The player of docs/tutorials/train.md in a game of many rounds."""

import re
from pathlib import Path

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.players import Programs, Walls
from pokersvc.service import Service
from tests.service.support import play_out

PAGE = Path(__file__).parents[2] / "docs/tutorials/train.md"
ROUNDS = 20


@pytest.mark.slow
def test_what_was_trained_on_single_hands_makes_every_choice_of_many(tmp_path: Path) -> None:
    for name, text in re.findall(r"^```python (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        (tmp_path / name).write_text(text)
    (tmp_path / "values.py").write_text("VALUES = {}\n")
    seats = (Seat(f"{tmp_path / 'learned.py'}:Learned", "Learned"), Seat("minimum", "Other"))
    setup = Setup(seats, EntropySource.from_text("many"), ROUNDS, {"rules": "fixed-limit"})
    with Programs(2, walls=Walls(trusted=True)) as programs, Database.for_writing(":memory:") as database:
        service = Service(log := EventLog(database), programs=programs)
        service.start("draw", setup, game_id="many")
        play_out(service, "many")
        types = [record.type for record in log.read("many")]
    assert types.count("RoundStarted") == ROUNDS
    assert "Forfeited" not in types
