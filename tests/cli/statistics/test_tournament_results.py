"""`pokersvc tournament`: where its results and games are stored, and that a stopped tournament continues."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.program import Program, the_sentence
from tests.forks import TIMEOUT
from tests.players import test_own_players as own
from tests.tournament.support import luck

from .tournaments import FEW, HIDDEN, THREE, as_json, begun


def test_a_foreign_file_is_left_alone_also_with_again(program: Program) -> None:
    (program.home / "thesis.txt").write_text("It was a dark night.\n")
    for few in (FEW, HIDDEN):
        for again in ([], ["--again"]):
            assert "thesis.txt is not a file of results" in program.refused(*few, "--results", "thesis.txt", *again)
        assert "it is not a file" in program.refused(*few, "--results", "/dev/null", "--again")
        assert "it is not a file" in program.refused(*few, "--results", "")
    assert (program.home / "thesis.txt").read_text() == "It was a dark night.\n"
    assert not (program.home / "thesis.txt.seed").exists()


@pytest.mark.slow
def test_a_disk_that_is_full_is_a_sentence_that_names_the_file(program: Program) -> None:
    ended = program.ended(*THREE, "--deals", "40", "--results", "r", size=4000)
    assert the_sentence(ended, 1).startswith("The results cannot be kept in r: File too large")
    kept = (program.home / "r").read_bytes()
    assert kept.count(b"\n") > 4
    program.run(*THREE, "--deals", "40", "--results", "r")
    assert (program.home / "r").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


def test_results_are_kept_in_the_data_folder_or_where_one_says(program: Program) -> None:
    program.run(*FEW)
    assert len(list((program.home / ".local/share/pokersvc/tournaments").glob("*.jsonl"))) == 1
    program.run(*FEW, "--results", "mine.jsonl")
    assert len((program.home / "mine.jsonl").read_text().splitlines()) == 20
    assert not program.database.exists()


def test_results_of_another_tournament_are_refused(program: Program) -> None:
    program.run(*FEW, "--results", "mine.jsonl")
    assert "of another tournament" in program.refused(*FEW, "--results", "mine.jsonl", "--seed", "2")
    program.run(*FEW, "--results", "mine.jsonl", "--seed", "2", "--again")


@pytest.mark.slow
def test_stored_games_are_in_the_log_and_the_table_is_the_same(program: Program) -> None:
    assert program.run(*FEW, "--store") == program.run(*FEW)
    games = program.json("games")
    assert len(games) == 18
    assert {seat["name"] for seat in games[0]["seats"]} == {"Ann", "Bob", "Cat"}
    fingerprint = as_json(program, *FEW)["tournament"]
    assert program.run("history", f"7-{fingerprint[:4]}").startswith("Round 1 -- ")
    program.run(*FEW, "--store", "--again")
    assert len(program.json("games")) == 18
    assert program.run("audit").count(" passed\n") == 18


def test_results_belong_to_the_database_wherever_one_names_it_from(program: Program) -> None:
    program.run("--db", "games.sqlite", *FEW, "--store", "--results", "r")
    assert json.loads((program.home / "r").read_text().splitlines()[1])["label"] == str(program.home / "games.sqlite")


@pytest.mark.slow
def test_a_file_that_changed_is_another_tournament(program: Program) -> None:
    arguments = (
        "tournament",
        "--player",
        "Me=mine.py:Good",
        "--player",
        "B=random",
        "--deals",
        "2",
        "--processes",
        "1",
    )
    fingerprints = set()
    for text in ("", "\n"):
        (program.home / "mine.py").write_text(own.BOTS.read_text() + text)
        fingerprints.add(as_json(program, *arguments)["tournament"])
    assert len(fingerprints) == 2


LONG = (*THREE[:-4], "--seed", "1", "--deals", "40", "--results", "r")


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_tournament_killed_at_any_moment_goes_on(program: Program, processes: int) -> None:
    arguments = (*LONG, "--processes", processes, "--store")
    with begun(program, *arguments) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(signal.SIGKILL)
    kept = (program.home / "r").read_bytes()
    assert kept.count(b"\n") < 241
    whole = program.run(*LONG, "--processes", 1, "--store")
    assert (program.home / "r").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert whole == program.run(*THREE, "--deals", "40", "--results", "r2")
    assert len(program.json("games")) == 240
    assert all(own.gone(int(child)) for child in children)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_stored_games_of_a_player_that_no_seed_repeats_go_on_too(program: Program, processes: int) -> None:
    luck(program.home)
    me = ("tournament", "--player", "Me=mine.py:Mine", "--player", "Bob=minimum", "--deals", "30", "--rounds", "3")
    arguments = (*me, "--seed", "1", "--results", "r", "--store", "--processes", str(processes))
    with begun(program, *arguments) as process:
        process.send_signal(signal.SIGKILL)
    whole = program.run(*arguments)
    assert program.run(*arguments, "--again") == whole
    assert len(program.json("games")) == 60
    assert program.run("audit").count(" passed\n") == 60


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ctrl_c_says_how_much_is_kept(program: Program, processes: int) -> None:
    with begun(program, *LONG, "--processes", processes, "--rounds", "60") as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 130
    said = err.decode()
    assert "Traceback" not in said
    assert said.startswith("pokersvc: Interrupted; ")
    assert said.endswith(" of 240 games are saved, and the same command continues.\n")
    assert os.path.getsize(program.home / "r") > 100  # noqa: PTH202
