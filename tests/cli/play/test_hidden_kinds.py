"""Hidden kinds of players: players and watchers cannot see them until the game is over."""

import json
from pathlib import Path

import pytest

from tests.cli.program import Program

TELLS = """
import json
class Tells:
    def choose(self, view, legal, random):
        from pokersvc.games.draw_poker.actions import Fold
        with open({file!r}, "a") as file:
            print(json.dumps([seat.kind for seat in view.seats]), file=file)
        return Fold(view.to_act)
"""


def kinds_told(folder: Path) -> set[tuple[str | None, ...]]:
    return {tuple(json.loads(line)) for line in (folder / "said").read_text().splitlines()}


@pytest.fixture
def tells(program: Program) -> Program:
    """The program with a custom player that reports the kinds of opponents it can see."""
    (program.home / "tells.py").write_text(TELLS.format(file=str(program.home / "said")))
    return program


def test_no_player_is_told_of_which_kind_the_others_are(tells: Program) -> None:
    play = ("play", "--auto", "--player", "A=tells.py:Tells", "--player", "B=minimum", "--rounds", "2", "--trust")
    tells.run(*play)
    assert kinds_told(tells.home) == {("tells.py:Tells", "minimum")}
    (tells.home / "said").unlink()
    tells.run(*play, "--hide-kinds")
    assert kinds_told(tells.home) == {("tells.py:Tells", None)}
    assert tells.json("events", "last")[0]["payload"]["hidden_kinds"] is True


def test_who_watches_is_told_of_hidden_kinds_once_the_game_is_over(program: Program) -> None:
    play = ("play", "--player", "You=human", "--player", "B=steady", "--rounds", "1", "--hide-kinds", "--seed", "x")
    out = program.ended(*play, typed="").out
    assert "You, B" in out
    assert "steady" not in out
    assert "steady" not in program.run("replay", "last")
    assert "steady" not in program.run("replay", "last", "--as", "You", "--force")
    assert "B (steady)" in program.run("replay", "last", "--as", "auditor", "--force")
    program.run("play", "--auto", "--player", "A=minimum", "--player", "B=steady", "--rounds", "1", "--hide-kinds")
    assert "A (minimum), B (steady)" in program.run("replay", "last")


@pytest.mark.slow
def test_a_tournament_hides_kinds_unless_they_are_to_be_shown(tells: Program) -> None:
    players = ("--player", "A=tells.py:Tells", "--player", "B=minimum", "--trust")  # it writes what it is told
    tournament = ("tournament", *players, "--deals", "2", "--seed", "x")
    hidden = tells.run(*tournament, "--processes", "1")
    assert kinds_told(tells.home) == {("tells.py:Tells", None), (None, "tells.py:Tells")}
    (tells.home / "said").unlink()
    assert tells.run(*tournament, "--processes", "1", "--show-kinds") == hidden, "on the same deals"
    assert kinds_told(tells.home) == {("tells.py:Tells", "minimum"), ("minimum", "tells.py:Tells")}
