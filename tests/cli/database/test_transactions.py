"""How often the terminal polls the database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.cli.drawing.screen import QuitAsked, Screen
from pokersvc.cli.play.client import Client
from pokersvc.cli.play.local import LocalBackend
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service, Session
from tests.service.support import setup, transactions


def test_a_bet_its_answer_and_the_next_question_are_three_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    answers: Iterator[str] = iter(["bet 50"])

    def answer(_screen: Screen, _question: str, _asking: object = None) -> str:
        asked.append(len(opened))
        if (found := next(answers, None)) is None:
            raise QuitAsked
        return found

    monkeypatch.setattr(Screen, "ask", answer)
    with Database.for_writing(str(tmp_path / "games.sqlite")) as database, transactions() as opened:
        service = Service(EventLog(database))
        game_id, _ = service.start("draw", setup(HUMAN, "minimum"))
        Client(LocalBackend(database, service, game_id, "pokersvc"), Session(service, game_id)).run()

    before, after = asked
    assert after - before == 3, "an append each, and one look at what the person is asked"
