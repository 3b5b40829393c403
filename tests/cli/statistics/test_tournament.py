"""`pokersvc tournament`: its output and its refusals."""

import csv
import io
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from rich.cells import cell_len

from tests.cli.program import Program
from tests.players import test_own_players as own
from tests.tournament import many

from .tournaments import FEW, THREE, as_json


def test_the_table_has_means_intervals_and_meetings(program: Program) -> None:
    lines = program.run(*FEW).splitlines()
    assert lines[0] == "3 deals, 6 seat orders: 18 games of Five-card draw, rising-ante, seed 1"
    assert " ".join(lines[2].split()) == "player chips a hand ± 95 % forfeits"
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "3"]
    assert sum(float(line.split()[2]) for line in lines[3:6]) == pytest.approx(0, abs=0.2)
    assert lines[7].split() == ["ahead", "of,", "in", "%", "1", "2", "3"]
    assert max(map(len, lines)) <= 80


def test_games_of_several_hands_are_told_by_game_and_by_hand(program: Program) -> None:
    lines = program.run(*FEW, "--rounds", "4", "--rules", "no-limit").splitlines()
    assert " ".join(lines[2].split()) == "player chips ± 95 % a hand ± 95 % mbb/hand ± 95 % forfeits"
    chips, _, a_hand, _, measured = (float(text) for text in lines[3].split()[2:7])
    assert 0 < chips / 4.5 < a_hand
    assert measured == pytest.approx(a_hand * 500, abs=30), "thousandths of a big blind of 2"


def test_an_interval_that_may_be_too_narrow_is_said_to_be_so(program: Program) -> None:
    two = ("tournament", "--player", "A=table", "--player", "B=random", *THREE[-4:])
    few = program.run(*two, "--deals", "9")
    assert "\n\nToo few deals; ± may be too narrow: B, A\n" in few
    assert "may be too narrow" not in program.run(*two, "--deals", "20")
    assert [player["ci95_thin"] for player in as_json(program, *two, "--deals", "9")["players"]] == [True, True]


def test_of_many_players_only_neighbours_are_listed_and_from_where_on_each_is_better(program: Program) -> None:
    kinds = ("steady", "steady", "steady", "minimum", "minimum", "random", "random")
    players = [word for number, kind in enumerate(kinds) for word in ("--player", f"P{number}={kind}")]
    of_two = ("--rules", "fixed-limit", "--seats", "2", "--deals", "36", "--processes", "1", "--seed", "1")
    several = ("tournament", *players, *of_two)
    lines = program.run(*several).splitlines()
    said = as_json(program, *several)
    order = [player["name"] for player in sorted(said["players"], key=lambda player: -player["mean"])]
    start = next(number for number, line in enumerate(lines) if line.startswith("difference"))
    assert lines[start].endswith(" better from")
    listed = [line.split() for line in lines[start + 1 : start + 7]]
    assert [(words[0], words[2]) for words in listed] == list(pairwise(order))
    decided = {(one["player"], one["other"]) for one in said["meetings"] if one["decided"]}
    for words in listed:
        better = [(words[0], other) in decided for other in order[order.index(words[0]) + 1 :]]
        alike = len(better) if all(better) else better[::-1].index(False)
        assert words[-1] == (str(8 - alike) if alike else "-")
    assert {words[-1] for words in listed} > {"-"}, "some are decided, and some are not"
    assert f"Of all 21 pairs, {len(decided) // 2} are decided." in " ".join(lines[start + 7 :])
    assert max(map(len, lines[start : start + 7])) <= 80


def test_two_players_are_compared_in_a_sentence(program: Program) -> None:
    said = program.run("tournament", "--player", "A=table", "--player", "B=random", "--deals", "4", "--processes", "1")
    assert " % of their games, by " in said
    assert "ahead of, in %" not in said


@pytest.mark.slow
def test_a_player_that_answers_otherwise_among_others_is_named(program: Program) -> None:
    kinds = ("--player", f"Ann={many.__file__}:AnswersByOrder", "--player", "Bob=minimum")
    arguments = ("tournament", *kinds, "--seed", "1", "--deals", "64", "--processes", "1", "--trust")
    ann, bob = as_json(program, *arguments)["players"]
    said = " ".join(program.run(*arguments).split())
    assert f" In game {ann['differed_in']}, Ann answered otherwise when it was asked about several" in said
    assert "Bob answered" not in said
    assert bob["differed_in"] is None


@pytest.mark.slow
def test_it_is_said_once_whose_choices_go_into_preparing_it(program: Program) -> None:
    kinds = ("--player", f"Ann={many.__file__}:PreparesAnew", "--player", f"Bob={many.__file__}:Honest")
    arguments = ("tournament", *kinds, "--seed", "1", "--deals", "2", "--processes", "1", "--trust", "--json")
    sentence = program.ended(*arguments).err
    assert sentence.startswith("Most of each choice of Ann (")
    assert "Bob" not in sentence
    assert program.ended(*arguments).err == "", "nothing was played"


def test_the_json_has_everything(program: Program) -> None:
    said = as_json(program, *FEW)
    assert (said["game"], said["deals"], said["games"], said["seed"], said["unit"]) == ("draw", 3, 18, "1", "chips")
    assert [player["name"] for player in said["players"]] == ["Ann", "Bob", "Cat"]
    assert len(said["orders"]) == len(said["meetings"]) == 6


def test_the_csv_parses(program: Program) -> None:
    rows = list(csv.DictReader(io.StringIO(program.run(*FEW, "--csv"))))
    said = as_json(program, *FEW)
    assert [(row["player"], float(row["mean"]), float(row["ci95"])) for row in rows] == [
        (player["name"], player["mean"], player["ci95"]) for player in said["players"]
    ]


def test_the_same_seed_gives_the_same_table_and_another_another(another: Any) -> None:
    tables = [another().run(*FEW, "--seed", seed) for seed in ("a", "a", "b")]
    assert tables[0] == tables[1]
    assert tables[0].splitlines()[3:] != tables[2].splitlines()[3:]


def test_line_ups_orders_and_openings_can_be_chosen(program: Program) -> None:
    said = as_json(program, *FEW, "--seats", "2", "--orders", "rotations", "--opening", "1", "--rounds", "2")
    assert (said["line_ups"], said["seats"], said["games"], said["opening"], said["rounds"]) == (3, 2, 18, 1, 2)
    assert as_json(program, *FEW, "--orders", "4")["games"] == 12


def test_a_game_has_its_own_options_here_too(program: Program) -> None:
    market = ("tournament", "--game", "market", "--player", "A=greedy", "--player", "B=random", "--processes", "1")
    one, two = (as_json(program, *market, "--deals", "2", "--markets", markets) for markets in (1, 2))
    assert (one["unit"], two["unit"]) == ("points", "points")
    assert [sum(player["mean"] for player in said["players"]) for said in (one, two)] == [3, 6]
    assert "--markets M" in program.run("tournament", "--game", "market", "--help")
    assert "No such option: --markets" in program.refused(
        "tournament", "--player", "A=steady", "--markets", "2", code=2
    )


@pytest.mark.slow
def test_a_game_that_deals_nothing_begins_with_random_moves_unless_one_says_otherwise(program: Program) -> None:
    kalah = ("tournament", "--game", "kalah", "--player", "A=smart/2", "--player", "B=bad", *THREE[-4:])
    varied = program.run(*kalah, "--deals", "4")
    assert varied.startswith("4 deals, 2 seat orders: 8 games of Kalah(6, 4) after 4 random moves, seed 1\n")
    assert "rating" in varied.splitlines()[2]
    assert "± -" not in varied
    one = program.run(*kalah, "--deals", "4", "--opening", "0")
    assert one.startswith("4 deals, 2 seat orders: 8 games of Kalah(6, 4), seed 1\n")
    assert "± -" in one, "one game played again and again says nothing of others"
    said = as_json(program, *kalah, "--deals", "2")
    assert said["opening"] == 4
    assert said["players"][0]["per_round"] is None


def test_columns_are_as_wide_as_a_terminal_shows_them(program: Program) -> None:
    named = ("tournament", "--player", "玩家一=steady", "--player", "Bob=random", "--deals", "2", *THREE[-4:])
    lines = program.run(*named).splitlines()[2:5]
    assert len(set(map(cell_len, lines))) == 1


@pytest.mark.slow
def test_a_players_path_may_hold_an_equals_sign(program: Program) -> None:
    (program.home / "x=y").mkdir()
    (program.home / "x=y" / "bots.py").write_text(own.BOTS.read_text())
    named = ("tournament", "--player", "Me=x=y/bots.py:Good", "--player", "a=b=minimum", "--processes", "1")
    said = as_json(program, *named, "--deals", "1")
    assert [(player["name"], player["kind"]) for player in said["players"]] == [
        ("Me", "x=y/bots.py:Good"),
        ("a=b", "minimum"),
    ]


def test_a_picture_is_drawn(program: Program) -> None:
    program.run(*FEW, "--plot", "x.png")
    assert (program.home / "x.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_a_picture_that_cannot_be_drawn_loses_no_table(program: Program) -> None:
    (program.home / "x.png").mkdir()
    assert "x.png already exists" in program.refused(*FEW, "--plot", "x.png")
    assert not (program.home / ".local").exists()
    (program.home / "x.png").rmdir()
    with patch("pokersvc.evidence.jsonl.publish", side_effect=OSError(28, "No space left on device")):
        ended = program.ended(*FEW, "--plot", "x.png")
    assert ended.out.startswith("3 deals, 6 seat orders: 18 games")
    assert ended.err == "pokersvc: x.png cannot be written: No space left on device.\n"


@pytest.mark.slow
def test_a_player_of_ones_own_plays_and_its_forfeits_are_told(program: Program) -> None:
    (program.home / "mine.py").write_text(own.BOTS.read_text())
    said = program.run(
        "tournament", "--player", "Me=mine.py:Speaks", "--player", "B=minimum", "--deals", "2", "--processes", "1"
    )
    assert "Me forfeited choices: 4 by illegal answers" in said
    (program.home / "mine.py").unlink()
    assert "mine.py:Speaks cannot be used" in program.refused(
        "tournament", "--player", "Me=mine.py:Speaks", "--player", "B=minimum"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "Ann=steady"], "needs two players or more"),
        (["--player", "steady"], "--player 'steady' is not NAME=KIND"),
        (["--player", "Ann="], "--player 'Ann=' is not NAME=KIND"),
        ([*THREE[1:], "--game", "chess"], "There is no game 'chess'"),
        ([*THREE[1:], "--rules", "no-such-house"], "no-such-house"),
        ([*THREE[1:], "--orders", "some"], "--orders 'some' is wrong; it must be all, rotations or a number."),
        ([*THREE[1:], "--orders", "7"], "3 seats have 6 orders; 7 of them cannot be played."),
        ([*THREE[1:], "--seats", "4"], "3 players cannot fill tables of 4 seats"),
        ([*THREE[1:], "--json", "--csv"], "as JSON or as CSV, not both"),
        ([*THREE[1:], "--executor", "dask"], "--executor dask and --scheduler ADDRESS need each other"),
        ([*THREE[1:], "--scheduler", "tcp://127.0.0.1:1"], "need each other"),
        ([*THREE[1:], "--scheduler", "tcp://127.0.0.1:1", "--executor", "dask"], "--processes is for this machine"),
        ([*THREE[1:], "--limit", "0"], "A limit of 0 seconds"),
        ([*THREE[1:], "--plot", "x.txt"], "its name ends in .png"),
        ([*THREE[1:], "--player", "Dan=human"], "Dan is a person"),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, list) else "",
)
def test_what_cannot_be_played_is_refused_and_leaves_nothing(program: Program, arguments: list[str], said: str) -> None:
    assert said in program.refused("tournament", *arguments)
    assert list(program.home.iterdir()) == []


def test_without_players_it_is_wrong_usage(program: Program) -> None:
    assert "Missing option '--player'" in program.refused("tournament", code=2)


def test_a_bar_is_shown_at_a_terminal_and_gone_afterwards(program: Program) -> None:
    terminal = program.terminal(*FEW, term="xterm")
    assert terminal.end() == 0
    assert "18/18" in terminal.seen or "/18" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_the_help_of_where_games_are_played_and_of_the_scheduler_name_each_other(program: Program) -> None:
    said = " ".join(program.read("tournament", "--help").split())
    assert "Where the games are played; dask needs --scheduler." in said
    assert "Address of the scheduler of --executor dask, such as tcp://HOST:8786." in said


def test_a_plan_that_was_changed_after_the_seed_is_told(program: Program, tmp_path: Path) -> None:
    asked = ("tournament", "--player", "A=minimum", "--player", "B=random", *THREE[-4:], "--results", tmp_path / "r")
    first = program.run(*asked, "--deals", "2")
    assert "plan" not in first
    assert "The plan was changed after there was a seed: 1 time." in program.run(*asked, "--deals", "3")
    told = as_json(program, *asked, "--deals", "3", "--aivat", "--again")
    assert ([one["deals"] for one in told["plans"]], told["aivat"], told["lbr"]) == ([3], True, None)


def test_a_player_is_answered_by_its_local_best_response(program: Program) -> None:
    asked = ("tournament", "--rules", "fixed-limit", "--player", "Me=steady", "--lbr", "Me", *THREE[-4:])
    lines = program.run(*asked, "--deals", "2", "--lbr-hands", "30", "--least", "100").splitlines()
    assert {line.split()[1] for line in lines[3:5]} == {"Me", "LBR"}
    assert "must name the only player" in program.refused(*asked, "--lbr", "You")
    assert "--lbr-sizes 'big' is wrong" in program.refused(*asked, "--lbr-sizes", "big")
    said = " ".join(lines)
    assert "local best response (bets of 0.5, 1 and 2 pots in every round, 30 hands)" in said
    assert "Too few deals to say how often 2 deals decide a win of 100 mbb/hand." in said
    assert "cannot be recorded" in program.refused(*asked, "--store")
    assert "leave out --strict" in program.refused(*asked, "--strict")
    alone = (*asked[:5], "--player", "You=table", *THREE[-4:])
    for option in (("--lbr-late",), ("--lbr-hands", "30"), ("--lbr-sizes", "1")):
        assert "give --lbr NAME, or none" in program.refused(*alone, *option)
    assert "is above 0" in program.refused(*asked, "--least", "-1")
