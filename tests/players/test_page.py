"""The players in docs/players.md work as printed there."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from pokersvc.core.registry import game_kinds
from pokersvc.games.draw_poker import DRAW_POKER
from tests.cli.program import Program

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

PAGE = Path(__file__).parent.parent.parent / "docs" / "players.md"


@pytest.fixture
def home(tmp_path: Path) -> Program:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for name, example in zip(("cautious", "pairs", "nearest", "mixed", "quick", "attentive"), examples, strict=True):
        (tmp_path / f"{name}.py").write_text(example)
    return Program(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "house",
    [
        pytest.param(house.name, marks=[pytest.mark.slow] * (house.name not in ("no-limit", "buy-the-pot")))
        for house in DRAW_POKER.houses()
    ],
)
def test_the_examples_of_the_page_play_every_house_without_a_forfeit(home: Program, house: str) -> None:
    home.run(
        "play", "--auto", "--rules", house, "--rounds", "3", "--seed", "page",
        "--player", "Bot=cautious.py:Cautious", "--player", "B=attentive.py:Attentive", "--player", "C=minimum",
        "--player", "D=mixed.py:Mixed", "--player", "E=quick.py:Quick",
    )  # fmt: skip
    types = [event["type"] for event in home.json("events", "last")]
    assert "CardsDiscarded" in types
    assert "Forfeited" not in types
    assert home.json("games")[0]["seats"][0]["kind"] == "cautious.py:Cautious"


@pytest.mark.slow
def test_the_example_that_remembers_calls_whom_it_has_seen_bluff(home: Program) -> None:
    home.run(
        "play", "--auto", "--rules", "no-limit", "--rounds", "40", "--seed", "page",
        "--player", "A=attentive.py:Attentive", "--player", "B=minimum",
    )  # fmt: skip
    played = [(one["type"], one["payload"].get("seat")) for one in home.json("events", "last")]
    facing = [its for before, its in pairwise(played) if before == ("Bet", 2) and its[1] == 1]
    first = facing.index(("Called", 1))
    assert first > 3
    assert len(facing) > first + 3
    assert facing == [("Folded", 1)] * first + [("Called", 1)] * (len(facing) - first)


@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if kind != "draw"])
def test_the_example_of_another_game_plays_it_without_a_forfeit(home: Program, kind: str) -> None:
    player, event = {"market": ("pairs.py:Pairs", "SwapProposed")}.get(kind, ("nearest.py:Nearest", "BeansSown"))
    home.run("play", "--game", kind, "--auto", "--player", f"A={player}", "--player", "B=random", "--seed", "page")
    played = home.json("events", "last")
    assert [one["payload"]["seat"] for one in played if one["type"] == event].count(1) > 3
    assert "Forfeited" not in [one["type"] for one in played]


@pytest.mark.slow
def test_a_player_may_think_for_so_long_as_is_said(home: Program) -> None:
    (home.home / "slow.py").write_text("class Slow:\n    def choose(self, *_):\n        import time; time.sleep(60)\n")
    home.run("play", "--auto", "--player", "A=slow.py:Slow", "--player", "B=minimum", "--rounds", "1", "--limit", "0.1")
    codes = [event["payload"]["code"] for event in home.json("events", "last") if event["type"] == "Forfeited"]
    assert codes == ["timeout"]
    home.ended("play", "--player", "You=human", "--player", "A=slow.py:Slow", "--limit", "0.1", typed="bet 50\n")
    assert home.refused("resume", "last", "--limit", "0").startswith("A limit of 0 seconds cannot be used")


def test_a_person_plays_against_it_and_resumes(home: Program) -> None:
    play = ("play", "--player", "You=human", "--player", "Bot=cautious.py:Cautious", "--seed", "page")
    assert "resume with: pokersvc resume" in home.ended(*play, typed="bet 50\n").err
    answers = [event["type"] for event in home.json("events", "last") if event["payload"].get("seat") == 2]
    assert answers[-1] in ("Called", "Folded")
    assert home.ended("resume", "last", typed="quit\n").code == 0


def test_audits_and_replays_never_load_a_player(home: Program) -> None:
    home.run("play", "--auto", "--player", "Bot=cautious.py:Cautious", "--player", "B=minimum", "--rounds", "1")
    told = home.run("replay", "last")
    (home.home / "cautious.py").write_text("raise SystemExit")
    assert home.run("replay", "last") == told
    assert home.run("audit").endswith(" passed\n")


@pytest.mark.slow
def test_a_game_whose_player_is_gone_is_a_sentence_when_resumed(home: Program) -> None:
    arguments = ("play", "--auto", "--player", "Bot=cautious.py:Cautious", "--player", "B=steady", "--seed", "page")
    home.ended(*arguments, "--rounds", "1")
    home.ended("play", "--player", "You=human", "--player", "Bot=cautious.py:Cautious", "--seed", "page")
    (home.home / "cautious.py").unlink()
    said = home.refused("resume", "last", typed="bet 50\n")
    assert said.startswith("The player cautious.py:Cautious cannot be used: its file cannot be read")
    assert "the game so far is saved, resume with: pokersvc resume" in said
    assert home.run("history", "last").startswith("Unfinished after round 0")
