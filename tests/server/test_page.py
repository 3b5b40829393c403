"""docs/server.md as a reader follows it: the API by curl, and the bot."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .guests import Guest
from .sharers import dealing_of

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_api_by_curl(server: Guest) -> None:
    environment = {**os.environ, "SERVER": str(server.base_url).rstrip("/"), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["bash", "-c", f"set -u\n{block('bash')}"], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stderr == ""
    assert "'fold': True" in done.stdout
    assert '"seq":13,"type":"GameEnded"' in done.stdout
    assert "id: 1\nevent: record\ndata: {" in done.stdout


ANN = {"name": "Ann"}


@pytest.mark.parametrize("dealing", [pytest.param("dealer", marks=pytest.mark.slow), "together"])
def test_the_bot_plays_a_game(server: Guest, tmp_path: Path, dealing: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(block("python"))
    assert len(block("python").splitlines()) <= 70
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
