"""docs/server.md as a reader follows it: the API by curl, and the bot."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from .conftest import running
from .guests import Guest
from .sharers import dealing_of

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")


def block(language: str, number: int = 0) -> str:
    return str(re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[number])


def run(server: Guest, script: str) -> str:
    """Return what a script of the page prints."""
    environment = {**os.environ, "SERVER": str(server.base_url).rstrip("/"), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["bash", "-c", f"set -u\n{script}"], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stderr == ""
    return done.stdout


def test_the_api_by_curl(server: Guest) -> None:
    printed = run(server, block("bash").replace("--max-time 1 ", "--max-time 0.4 "))
    assert "'fold': True" in printed
    assert '"seq":13,"type":"GameEnded"' in printed
    assert "id: 1\nevent: record\ndata: {" in printed


@pytest.mark.slow
def test_an_evening_of_cash_by_curl(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=600) as server:
        first, evening = block("bash"), block("bash", 1)
        functions = "".join(line for line in first.splitlines(keepends=True) if line.startswith(("server=", "field()")))
        *answers, results = run(server, functions + evening).splitlines()
    told = [[event["type"] for event in json.loads(answer)["events"]] for answer in answers]
    assert told == [["ChipsBought"], ["WishesSet"], ["SatOut"], ["SatIn"], ["GotUp"], ["SatDown"]]
    ann = next(one for one in json.loads(results)["persons"] if one["name"] == "Ann")
    assert ann["brought"] >= 210, "what she began with, bought and came back with"


ANN = {"name": "Ann"}


@pytest.mark.parametrize("dealing", [pytest.param("dealer", marks=pytest.mark.slow), "together"])
def test_the_bot_plays_a_game(server: Guest, tmp_path: Path, dealing: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(block("python"))
    assert len(block("python").splitlines()) <= 80
    settings = {"dealing": dealing, "opens_seeds": True}
    made = server.made(ANN, {"program": "steady"}, rounds=2, settings=settings, all_come=False).started()
    link = f"{str(server.base_url).rstrip('/')}/t/{made.table}/seat/1/#{made.links[1]}"
    done = subprocess.run([sys.executable, bot, link], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert sum(map(int, re.findall(r"\d+", done.stdout))) > 0
    assert made.watch.snapshot()["status"] == "over"
    if dealing == "together":
        assert dealing_of(made).part == {1: [(1, 2)]}
        assert server.get(f"{made.path}/audit").json()["passed"]


@pytest.mark.slow
def test_bots_buy_chips_for_as_long_as_an_evening_lasts(server: Guest, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(block("python"))
    options = {"rules": "no-limit", "cash": True, "stack": "2"}
    made = server.made(ANN, {"name": "Bo"}, rounds=30, options=options, all_come=False).started()
    links = [f"{str(server.base_url).rstrip('/')}/t/{made.table}/seat/{seat}/#{made.links[seat]}" for seat in (1, 2)]
    playing = [subprocess.Popen([sys.executable, bot, link], stdout=PIPE, stderr=PIPE, text=True) for link in links]
    assert [one.communicate(timeout=60)[1] for one in playing] == ["", ""]
    seen = made.watch.snapshot()
    assert seen["view"]["round"] == 30
    assert [event["type"] for event in made.watch.events(seen["count"])].count("ChipsBought") > 3
    assert server.get(f"{made.path}/audit").json()["passed"]
