"""docs/server.md as a reader follows it: the API by curl, and the bot."""

import os
import re
import subprocess
import sys
from pathlib import Path

from .guests import Guest

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
    assert '{"events":[{"seq":' in done.stdout
    assert "id: 1\nevent: record\ndata: {" in done.stdout


def test_the_bot_plays_a_game(server: Guest, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(block("python"))
    assert len(block("python").splitlines()) <= 26
    made = server.made({"name": "Ann"}, {"program": "steady"}, rounds=2).started()
    link = f"{str(server.base_url).rstrip('/')}/t/{made.table}/seat/1/#{made.tokens[1]}"
    done = subprocess.run([sys.executable, bot, link], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert sum(map(int, re.findall(r"\d+", done.stdout))) > 0
    assert made.watch.snapshot()["status"] == "over"
