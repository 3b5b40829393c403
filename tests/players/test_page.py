"""The player in docs/players.md plays, as it is written there."""

import re
from pathlib import Path

import pytest

from pokersvc.games.draw_poker import DRAW_POKER
from tests.cli.program import Program

PAGE = Path(__file__).parent.parent.parent / "docs" / "players.md"


@pytest.fixture
def home(tmp_path: Path) -> Program:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    (tmp_path / "cautious.py").write_text(found[1])
    return Program(tmp_path)


@pytest.mark.parametrize("house", [house.name for house in DRAW_POKER.houses()])
def test_the_example_of_the_page_plays_every_house_without_a_forfeit(home: Program, house: str) -> None:
    home.run(
        "play", "--auto", "--rules", house, "--rounds", "3", "--seed", "page",
        "--player", "Bot=cautious.py:Cautious", "--player", "B=steady", "--player", "C=minimum",
    )  # fmt: skip
    types = [event["type"] for event in home.json("events", "last")]
    assert "CardsDiscarded" in types
    assert "Forfeited" not in types
    assert home.json("games")[0]["seats"][0]["kind"] == "cautious.py:Cautious"


def test_a_person_plays_against_it_and_resumes(home: Program) -> None:
    play = ("play", "--player", "You=human", "--player", "Bot=cautious.py:Cautious", "--seed", "page")
    assert "go on with it: pokersvc resume" in home.ended(*play, typed="bet 50\n").err
    answers = [event["type"] for event in home.json("events", "last") if event["payload"].get("seat") == 2]
    assert answers[-1] in ("Called", "Folded")
    assert home.ended("resume", "last", typed="quit\n").code == 0


def test_audits_and_replays_never_load_a_player(home: Program) -> None:
    home.run("play", "--auto", "--player", "Bot=cautious.py:Cautious", "--player", "B=steady", "--rounds", "2")
    told = home.run("replay", "last")
    (home.home / "cautious.py").write_text("raise SystemExit")
    assert home.run("replay", "last") == told
    assert home.run("audit").endswith(" whole\n")


def test_a_game_whose_player_is_gone_is_a_sentence_when_resumed(home: Program) -> None:
    arguments = ("play", "--auto", "--player", "Bot=cautious.py:Cautious", "--player", "B=steady", "--seed", "page")
    home.ended(*arguments, "--rounds", "1")
    home.ended("play", "--player", "You=human", "--player", "Bot=cautious.py:Cautious", "--seed", "page")
    (home.home / "cautious.py").unlink()
    said = home.refused("resume", "last", typed="bet 50\n")
    assert said.startswith("The player cautious.py:Cautious cannot be used: its file cannot be read")
    assert "the game so far is kept, go on with it: pokersvc resume" in said
    assert home.run("history", "last").startswith("Unfinished after round 0")
