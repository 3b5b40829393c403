"""`pokersvc ladder`: bots are added, play each other, and are shown; runs may be killed and shared."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import COMMAND, Program
from tests.forks import TIMEOUT

ADD = ("ladder", "add", "minimum", "random", "--rules", "fixed-limit", "--seed", "1")
RUN = ("ladder", "run", "--processes", "1")


def shown(program: Program, *arguments: object) -> Any:
    return json.loads(program.run("ladder", "show", *arguments, "--json"))


def test_bots_are_added_and_play_and_the_ranking_tells_how_to_play_against_one(program: Program) -> None:
    said = program.run(*ADD, "--deals", "12")
    assert said == (
        "minimum and random join the ladder fixed-limit, of Five-card draw, fixed-limit: 2 bots, 24 games to play.\n"
        "Play them with: pokersvc ladder run\n"
    )
    lines = program.run(*RUN).splitlines()
    assert lines[0] == "fixed-limit: 2 bots, 12 deals: 24 games of Five-card draw, fixed-limit"
    assert " ".join(lines[2].split()) == "bot mbb/hand ± 95 % rating ± 95 % points better from forfeits"
    assert {lines[3].split()[1], lines[4].split()[1]} == {"minimum", "random"}
    first, second = (float(lines[row].split()[2]) for row in (3, 4))
    assert first == -second > 0
    best = lines[3].split()[1]
    assert lines[-2] == (
        f"Play against one: pokersvc play --game draw --rules fixed-limit --player You=human --player {best}={best}"
    )
    assert program.run("ladder", "show") == "\n".join(lines) + "\n"
    assert max(map(len, lines[:5])) <= 80


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_same_seed_has_the_same_ladder_with_two_processes_and_for_whoever_comes_late(
    program: Program, processes: int
) -> None:
    program.run(*ADD, "--deals", "3")
    program.run(*RUN)
    program.run("ladder", "add", "table", "--ladder", "fixed-limit")
    program.run("ladder", "run", "--processes", processes)
    program.run(*ADD[:-4], "table", "--game", "draw", *ADD[-4:], "--ladder", "at once", "--deals", "3")
    program.run(*RUN, "--ladder", "at once")
    late, at_once = shown(program)[::-1]
    assert late | {"ladder": ""} == at_once | {"ladder": ""}
    assert len(late["members"]) == 3


def test_games_have_their_own_seats_and_orders(program: Program) -> None:
    program.run("ladder", "add", "rank", "random", "--game", "market", "--deals", "1", "--rounds", "1", "--seed", "1")
    assert "2 bots, 1 deal, two by two at 4 seats: 6 games of Poker Market" in program.run(*RUN)
    program.run("ladder", "add", "bad", "random", "--game", "kalah", "--holes", "2", "--beans", "1", "--seed", "1")
    program.run(*RUN, "--ladder", "kalah", "--deals", "2")
    market, kalah = sorted(shown(program), key=lambda one: -one["seats"])
    assert (market["games_per_deal"], market["ordered_by"], market["measure"]) == (6, "mean", None)
    assert (kalah["games_per_deal"], kalah["ordered_by"], kalah["opening"]) == (2, "rating", 4)
    assert "--game kalah --beans 1 --holes 2 --player You=human" in program.run("ladder", "show", "--ladder", "kalah")


def test_ladders_are_listed_left_anchored_and_ended(program: Program) -> None:
    program.run(*ADD, "--deals", "1")
    listed = "fixed-limit: Five-card draw, fixed-limit, 1 deal: minimum, random, 2 games to play\n"
    assert program.run("ladder", "list") == listed
    [as_json] = json.loads(program.run("ladder", "list", "--json"))
    assert (as_json["ladder"], as_json["missing_games"], len(as_json["members"])) == ("fixed-limit", 2, 2)
    assert program.run("ladder", "anchor", "random") == "On the ladder fixed-limit, random is 1,500.\n"
    program.run(*RUN)
    [found] = shown(program)
    assert {one["name"]: one["rating"] for one in found["members"]}["random"] == 1500
    program.run("ladder", "anchor")
    assert shown(program)[0]["anchor"] is None
    program.run("ladder", "anchor", "random")
    assert program.run("ladder", "remove", "random") == "random left the ladder fixed-limit.\n"
    assert shown(program)[0]["anchor"] is None
    said = program.run("ladder", "remove", "minimum")
    assert said == "minimum left the ladder fixed-limit, which ended with it.\n"
    assert program.run("ladder", "list") == ""


def test_what_cannot_be_is_refused_in_a_sentence(program: Program) -> None:
    program.run(*ADD)
    assert program.refused("ladder", "show", "--ladder", "x") == ("There is no ladder 'x'; there is 'fixed-limit'.")
    assert program.refused("ladder", "add", "minimum", "--rules", "fixed-limit") == (
        "'minimum' is on the ladder 'fixed-limit' already; give 'minimum' another name, NAME=KIND."
    )
    assert program.refused("ladder", "add", "Mia=minimum", "--rules", "fixed-limit") == (
        "'minimum' is on the ladder 'fixed-limit' already, as 'minimum'."
    )
    assert "cannot be played by 'nobody'; kinds of players are" in program.refused(*ADD[:2], "nobody", *ADD[4:])
    assert program.refused(*ADD[:2], "Ann=human", *ADD[4:]).startswith("Only bots are on a ladder, and 'Ann'")
    assert program.refused(*ADD[:2], "table", "--rules", "no-limit", "--ladder", "fixed-limit") == (
        "The ladder 'fixed-limit' already exists, of Five-card draw, fixed-limit by other rules;"
        " name another with --ladder."
    )
    assert program.refused(*ADD[:2], "table", *ADD[4:-1], "2") == (
        "The ladder 'fixed-limit' already exists with another --seed; leave it out."
    )
    assert program.refused(*ADD[:2], "table", *ADD[4:], "--deals", "7") == (
        "The ladder 'fixed-limit' already exists with another --deals; change it with `pokersvc ladder run --deals N`."
    )
    assert program.refused("ladder", "add", "table", "--seats", "3", "--ladder", "new") == (
        "A ladder with 3 seats cannot be played: two members share 2, 4 or 6."
    )
    assert program.refused("ladder", "remove", "Bob") == (
        "'Bob' is not on the ladder 'fixed-limit'; its members are minimum and random."
    )
    assert program.refused("ladder", "run", "--deals", "500001") == (
        "Two members cannot play 500,001 deals; from 1 to 500,000 are possible."
    )
    assert program.refused("ladder", "show", "--plot", "-").startswith("Nothing was played on the ladder yet")
    program.run("ladder", "add", "random", "--rules", "no-limit")
    assert program.refused("ladder", "remove", "random") == (
        "There are 2 ladders: name fixed-limit or no-limit with --ladder."
    )


def test_a_program_that_changed_is_named_after_all_others_have_played(program: Program) -> None:
    file = program.home / "mine.py"
    file.write_text("class Mine:\n    def choose(self, view, legal, random): return None\n")
    program.run(*ADD, "mine.py:Mine", "--deals", "1", "--trust")
    file.write_text("class Mine: ...\n")
    ended = program.ended(*RUN, "--trust")
    assert ended.code == 1
    assert ended.err == (
        f"pokersvc: Not all could play: {file}:Mine is not the file that was added as 'Mine'; add it under another"
        " name, or remove it.\n"
    )
    assert "Not ranked yet, as they have not met all others on as many deals: Mine" in ended.out
    assert "4 games to play: pokersvc ladder run" in ended.out
    [found] = shown(program)
    assert [one["name"] for one in found["unranked"]] == ["Mine"]
    assert found["unranked"][0]["kind"] == f"{file}:Mine"


def test_a_program_that_cannot_be_loaded_is_refused_before_anything_changes(program: Program) -> None:
    (program.home / "mine.py").write_text("raise ValueError\n")
    assert "cannot be used" in program.refused(*ADD, "mine.py:Mine", "--trust")
    assert program.run("ladder", "list") == ""


def begun(program: Program) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, *RUN], cwd=program.home, env=program.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def stored(program: Program) -> int:
    return int(program.sql("SELECT count(*) FROM ladder_deals")[0][0])


@pytest.mark.slow
def test_runs_that_are_killed_or_share_a_ladder_come_to_the_same(program: Program, tmp_path: Path) -> None:
    bots = ("steady", "table", "minimum", "random")
    program.run("ladder", "add", *bots, *ADD[4:], "--deals", "60")
    killed = 0
    for least in (20, 90):
        with begun(program) as process:
            start = time.monotonic()
            while stored(program) < least:
                assert process.poll() is None
                assert time.monotonic() - start < TIMEOUT
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
            process.wait()
        killed += stored(program) < 360
    assert killed == 2
    two = [begun(program), begun(program)]
    said = [process.communicate(timeout=TIMEOUT) for process in two]
    assert [process.returncode for process in two] == [0, 0], said
    assert said[0][0] == said[1][0], "each waits for what the other plays"
    program.run("ladder", "add", *bots, *ADD[4:], "--deals", "60", "--ladder", "whole")
    program.run(*RUN, "--ladder", "whole")
    shared, whole = shown(program)
    assert shared | {"ladder": ""} == whole | {"ladder": ""}
