"""Bots play: the same seed gives the same game, and every impossible setup is refused in one sentence."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pokersvc.cli.main import main
from pokersvc.cli.play import play
from tests.cli.program import TWO_MINIMUM, Program, the_sentence

RULES = """
name = "kitchen"
version = 1
stack = 200
discards = 3
advice = "win"
player = "random"
[seats]
default = 3
most = 4
[ante]
amount = 10
[betting]
minimum = 20
"""


def test_a_game_of_programs_prints_its_id_first_and_ends_with_the_history(program: Program) -> None:
    said = program.run("play", "--auto", "--players", "2", "--seed", "demo").splitlines()
    game = re.fullmatch(r"Game ([0-9a-f-]{36})", said[0])
    assert game is not None
    assert said[1] == f"Resume any time with: pokersvc resume {game[1][:8]}"
    assert said[-1] == f"{said[3]}; see how: pokersvc replay {game[1][:8]}"
    assert said[3:-2] == program.run("history", "last", "--hands").splitlines()
    assert re.fullmatch(r"Player[12] wins with \$[0-9,]+", said[3])


def test_the_same_seed_is_the_same_game(program: Program) -> None:
    told = []
    for _ in range(2):
        program.run("play", "--auto", "--players", "2", "--seed", "demo", "--rounds", "12")
        told.append((program.facts(), program.run("history", "last", "--hands")))
    assert told[0] == told[1]
    first, second = program.json("games")
    assert first["game"] != second["game"]


def test_without_a_seed_every_game_is_another(program: Program) -> None:
    for _ in range(2):
        program.run("play", "--auto", "--rounds", "1")
    first, second = (game["game"] for game in program.json("games"))
    assert program.facts(first) != program.facts(second)
    assert program.facts(first)[0]["payload"]["reproducible"] is False


def test_two_who_bet_the_minimum_play_for_210_and_then_212(played: Program) -> None:
    game = played.json("games")[1]["game"]
    assert played.run("history", game).splitlines() == ["Round 1 -- A won 210", "Round 2 -- A won 212"]


@pytest.mark.parametrize("seats", [2, 10])
def test_two_to_ten_seats_play_and_rounds_are_a_bound(program: Program, seats: int) -> None:
    program.run("play", "--auto", "--players", seats, "--opponents", "steady", "--rounds", "2")
    (game,) = program.json("games")
    assert [seat["name"] for seat in game["seats"]] == [f"Player{number}" for number in range(1, seats + 1)]
    assert (game["rounds"], game["finished"]) == (2, True)
    assert sum(seat["score"] for seat in game["seats"]) <= 1000 * seats


def test_named_players_sit_first_and_programs_fill_the_seats(program: Program) -> None:
    program.run("play", "--auto", "--players", "4", "--player", "Player3=random", "--player", "Ann=minimum",
                "--rounds", "1")  # fmt: skip
    (game,) = program.json("games")
    assert [(seat["name"], seat["kind"]) for seat in game["seats"]] == [
        ("Player3", "random"), ("Ann", "minimum"), ("Player4", "regular"), ("Player5", "regular"),
    ]  # fmt: skip


def test_programs_that_play_without_end_are_stopped_and_it_is_said(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "MOST_AUTO_ROUNDS", 3)
    database = program.home / "games.sqlite"
    assert main(["--db", str(database), *TWO_MINIMUM]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[3] == "Unfinished after round 3"
    how = rf"Resume any time with: pokersvc --db {database} resume \w{{8}}"
    assert re.fullmatch(rf"Stopped after 3 rounds\. {how}", said[-1])
    assert main(["--db", str(database), "resume", "last"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Stopped after 3 rounds")
    assert main(["--db", str(database), "history", "last"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "Unfinished after round 6"


def test_a_bound_of_ones_own_replaces_that_limit(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "MOST_AUTO_ROUNDS", 3)
    assert main(["--db", str(program.home / "games.sqlite"), *TWO_MINIMUM, "--rounds", "4", "--seed", "demo"]) == 0
    assert " wins with $" in capsys.readouterr().out


def test_a_house_of_ones_own_is_played(program: Program) -> None:
    (program.home / "kitchen.toml").write_text(RULES, "utf-8")
    program.run("play", "--auto", "--rules", "kitchen.toml", "--rounds", "1")
    (game,) = program.json("games")
    assert [seat["kind"] for seat in game["seats"]] == ["random"] * 3
    assert game["title"] == "Five-card draw, kitchen"


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("stack = 200", "stack = 5", "'kitchen' have stack = 5; it must be at least the ante, 10."),
        ("minimum = 20", "minimum = 'x'", 'have betting.minimum = "x"; it must be a valid integer.'),
        ("version = 1", "", "The rules kitchen.toml lack the field version."),
        ("version = 1", "version = 1\ncolour = 1", "The rules kitchen.toml have an unknown field colour."),
        ("version = 1", "version =", "The rules file kitchen.toml is not TOML:"),
    ],
)
def test_a_wrong_house_is_refused_by_field_and_value(program: Program, line: str, instead: str, said: str) -> None:
    (program.home / "kitchen.toml").write_text(RULES.replace(line, instead), "utf-8")
    assert said in program.refused("play", "--auto", "--rules", "kitchen.toml")
    assert not program.database.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rules", "casino"], "There is no house 'casino'; the houses are "),
        (["--rules", "no.toml"], "The rules file no.toml cannot be read: No such file or directory."),
        (["--game", "chess"], "There is no game 'chess'; the games are draw"),
        (["--player", "Ann"], "--player 'Ann' is not NAME=KIND, such as Bob=steady or Ann=mybot.py:MyPlayer."),
        (["--player", "Ann=robot"], "Ann cannot be played by 'robot'; kinds of players are human, "),
        (["--player", "Ann="], "--player 'Ann=' is not NAME=KIND, such as Bob=steady"),
        (["--player", "=steady"], "'' cannot be a name: a name is 1 to 20 printable characters"),
        (["--player", f"{'x' * 21}=steady"], "cannot be a name: a name is 1 to 20 printable characters"),
        (["--player", "a\nb=steady"], r"'a\nb' cannot be a name"),
        (["--player", " Ann=steady"], "neither starts nor ends with a space."),
        (["--player", "Ann=steady", "--player", "ann=steady"], "The names 'Ann' and 'ann' are the same;"),
        (["--auto", "--player", "Ann=human"], "With --auto only bots play, but Ann is a person;"),
        (["--players", "11"], "11 players cannot play rising-ante; it takes 2 to 10."),
        (["--players", "2"] + ["--player", "Ann=steady"] * 3, "3 players are named for 2 seats; give --players 3"),
        (["--seed", ""], "'' cannot be a seed: a seed is printable text and not empty."),
    ],
    ids=lambda value: " ".join(value).strip()[:40] if isinstance(value, list) else "",
)
def test_what_cannot_be_played_is_refused_before_a_database_is_made(
    program: Program, arguments: list[str], said: str
) -> None:
    assert said in program.refused("play", *arguments)
    assert list(program.home.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["José", "玩家一", 'O\'Neil "Ace"', "a=b", "2", "last"],
    ids=["José", "玩家一", "quotes", "a=b", "2", "last"],
)
def test_any_printable_name_is_kept_as_it_is(another: Callable[[], Program], name: str) -> None:
    program = another()
    program.run(
        "play", "--auto", "--player", f"{name}=minimum", "--opponents", "steady", "--rounds", "1", "--seed", "demo"
    )
    assert program.run("history", "last") == f"Round 1 -- {name} won 60\n"


@pytest.mark.parametrize("found", [pytest.param(True, marks=pytest.mark.slow), False])
def test_the_hints_say_what_to_type_here(program: Program, found: bool) -> None:
    script = Path(sys.executable).parent / "pokersvc"
    path = f"{script.parent}:{os.environ['PATH']}" if found else "/usr/bin:/bin"
    environment = program.environment | {"PATH": path}
    ended = subprocess.run(
        [script, *TWO_MINIMUM, "--rounds", "1"], cwd=program.home, env=environment, capture_output=True, check=True
    )
    called = "pokersvc" if found else os.path.relpath(script, program.home)
    assert f"Resume any time with: {called} resume " in ended.stdout.decode()


def test_programs_stop_by_themselves_after_10_000_rounds() -> None:
    assert play.MOST_AUTO_ROUNDS == 10_000


def test_a_seat_count_beyond_any_game_is_refused_at_once(program: Program) -> None:
    assert "give --players 100 or fewer" in program.refused("play", "--players", "99999999")


def test_a_name_that_a_program_would_get_can_be_ones_own(program: Program) -> None:
    program.run("play", "--auto", "--player", "player2=steady", "--players", "2", "--rounds", "1")
    assert [seat["name"] for seat in program.json("games")[0]["seats"]] == ["player2", "Player3"]


def test_a_seed_that_is_no_text_is_refused(program: Program) -> None:
    ended = program.ended("play", "--auto", "--seed", "\udcff")
    assert "cannot be a seed" in the_sentence(ended, 1)
