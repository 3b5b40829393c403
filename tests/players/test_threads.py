"""Several threads ask custom players at the same time."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from pokersvc.core.seats import Seat
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import Bet
from pokersvc.players import Programs, Walls
from pokersvc.service import Service
from tests.service.support import started

PATIENCE = 60.0

# It answers once as many are asked as there are games, so those who ask cannot be waiting for each other.
TOGETHER = """
import os, time
from pokersvc.games.draw_poker.actions import Bet

class Mine:
    def choose(self, view, legal, random):
        open(f"{folder}/asked-{{os.getpid()}}", "w").close()
        while sum(name.startswith("asked-") for name in os.listdir("{folder}")) < {count}:
            time.sleep(0.01)
        return Bet(view.to_act, 50 + len(view.seats))
"""


def at_once(asks: list[Callable[[], Any]]) -> list[Any]:
    """Ask in one thread each at the same time; return the answers."""
    ready = Barrier(len(asks))
    answers: list[Any] = [None] * len(asks)

    def ask(number: int) -> None:
        ready.wait(PATIENCE)
        answers[number] = asks[number]()

    threads = [Thread(target=ask, args=(number,), daemon=True) for number in range(len(asks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return answers


def test_nobody_waits_for_anothers_choice_and_each_gets_the_answer_to_its_own_question(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, most_idle = 3, 2
    monkeypatch.setattr("pokersvc.players.custom.MOST_IDLE", most_idle)
    (tmp_path / "mine.py").write_text(TOGETHER.format(folder=tmp_path, count=count))
    kind = f"{tmp_path}/mine.py:Mine"
    with Programs(PATIENCE / 2, walls=Walls(trusted=True)) as programs:
        service = Service(EventLog(database), programs=programs)
        seats = [2 + number % 3 for number in range(count)]
        games = [started(service, kind, *["minimum"] * (seated - 1)) for seated in seats]
        answers = at_once([partial(service.step, game_id) for game_id in games])
        kept = len(programs._own[kind, "draw"]._idle)

    assert [recorded[0].event for recorded in answers] == [Bet(50 + seated, 1) for seated in seats]
    assert kept == most_idle, "the others have ended"


def test_threads_that_need_the_same_player_load_it_once(tmp_path: Path) -> None:
    loaded = tmp_path / "loaded"
    (tmp_path / "mine.py").write_text(
        f"open({str(loaded)!r}, 'a').write('x')\nclass Mine:\n    def choose(self, *_):\n        pass\n"
    )
    seats = (Seat(f"{tmp_path}/mine.py:Mine", "Ann"),)
    with Programs(walls=Walls(trusted=True)) as programs:
        at_once([lambda: programs.check(DRAW_POKER, seats)] * 6)
    assert loaded.read_text() == "x"


def test_a_player_that_is_closed_while_it_is_asked_answers_and_ends(database: Database, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TOGETHER.format(folder=tmp_path, count=2))
    kind = f"{tmp_path}/mine.py:Mine"
    programs = Programs(PATIENCE / 2, walls=Walls(trusted=True))
    service = Service(EventLog(database), programs=programs)
    game_id = started(service, kind, "minimum")
    player = programs._own[kind, "draw"]

    def close() -> None:
        while not any(tmp_path.glob("asked-*")):
            pass
        programs.close()
        (tmp_path / "asked-by-nobody").touch()

    recorded, _ = at_once([lambda: service.step(game_id), close])
    assert isinstance(recorded[0].event, Bet)
    assert player._idle == []
