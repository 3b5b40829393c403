"""What OpenSpiel trains in docs/tutorials/train.md plays in its box as in training, and its games are audited."""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.seats import Seat
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs, choice_of
from pokersvc.service import Service
from pokersvc.tournament import Tournament, plan
from pokersvc.tournament.play import playing

pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")

PAGE: Final = Path(__file__).parents[2] / "docs/tutorials/train.md"
FILES: Final = ("situations.py", "train_cfr.py", "mixed.py")
SECONDS: Final = 5

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder with the files of the page; programs in this process import them."""
    folder = tmp_path_factory.mktemp("trained")
    blocks = dict(re.findall(r"^```python (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE))
    for name in FILES:
        (folder / name).write_text(blocks[name], "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.chdir(folder)
        yield folder
    for name in ("situations", "train_cfr", "mixed", "strategy"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def solver(folder: Path) -> Any:
    """OpenSpiel's solver after some seconds of training; its strategy is in the folder."""
    training = import_module("train_cfr")
    solver = training.trained(SECONDS / 60)
    training.write(solver)
    return solver


class FromLibrary:
    """Mixes with the probabilities in the table of OpenSpiel's solver."""

    def __init__(self, solver: Any) -> None:
        self.table, self.situations = solver._infostates, import_module("situations")

    def policy(self, view: Any, legal: Any) -> dict[Action, float]:
        numbers = self.situations.NUMBERS
        observation = numbers.observation(view, legal)
        legal_numbers = self.situations.choices(observation)
        _, weights = self.table.get(self.situations.situation(observation), (None, np.ones(len(legal_numbers))))
        actions = [numbers.actions.action(number, view, legal) for number in legal_numbers]
        return dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))


def compared(tournament: Tournament, index: int, programs: Programs, solver: Any) -> tuple[list[Event], int]:
    """Play a game; at each choice of the player in its box, compare its policy with that of OpenSpiel's solver.

    Return the events, and the number of policies that were compared.
    """
    game, choice, count = playing(tournament, index, programs), None, 0
    while True:
        try:
            awaited = game.send(choice)
        except StopIteration as over:
            played, events = over.value
            assert played.forfeits == ({}, {})
            return list(events), count
        choice = choice_of(awaited.player, *awaited.ask())
        if awaited.kind != "random":
            view, legal, _ = awaited.ask().ask()
            assert choice.policy == FromLibrary(solver).policy(view, legal)
            count += 1


def test_the_player_mixes_at_every_state_of_the_training_game_as_the_library_does(solver: Any) -> None:
    mixed, average, random = import_module("mixed").Mixed(), solver.average_policy(), Random(1)
    numbers, asked = import_module("situations").NUMBERS, 0
    for _ in range(50):
        state = solver._game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
                continue
            turn = state.dealt.episode.turn
            policy = mixed.policy(turn.view, turn.legal)
            mine = {numbers.actions.number(action, turn.view, turn.legal): part for action, part in policy.items()}
            assert mine == pytest.approx(average.action_probabilities(state), abs=1e-12)
            asked += 1
            state.apply_action(random.choice(state.legal_actions()))
    assert asked > 200


def test_it_plays_in_its_box_as_it_did_in_training_and_its_games_are_audited(folder: Path, solver: Any) -> None:
    seats = (Seat(f"{folder}/mixed.py:Mixed", "Mixed"), Seat("random", "Random"))
    tournament = plan(DRAW_POKER, {"rules": "fixed-limit"}, seats, 10, seed="1")
    with Programs(tournament.limit) as programs, Database.for_writing(str(folder / "games.sqlite")) as database:
        service = Service(EventLog(database))
        asked = 0
        for index in range(tournament.games):
            events, count = compared(tournament, index, programs, solver)
            asked += count
            service.keep(f"game-{index}", "draw", events)
    assert asked > 10
    with Database.for_reading(str(folder / "games.sqlite")) as database:
        audits = list(audit(database))
    assert len(audits) > tournament.games
    assert [one.findings for one in audits] == [[]] * len(audits)
