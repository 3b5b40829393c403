"""The commands in the README and the docs, run in order as a reader would; their output is compared."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

import pytest

import pokersvc.tournament
from pokersvc.cli.main import main
from pokersvc.core import registry
from tests.cli.program import Ended, Program, inside
from tests.testing.installed import install

ROOT: Final = Path(__file__).parents[2]
WRITTEN: Final = sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
PAGES: Final = [
    "README.md", "CONTRIBUTING.md", "SECURITY.md", *(page for page in WRITTEN if not page.startswith("docs/api/"))
]  # fmt: skip

PROGRAMS: Final = r"pokersvc|make|python3?|pip|uv|dask|pg_\w+|\.ci/\S+|export|psql|sqlite3|cp|mv|sed|printf|git|podman"
COMMAND: Final = re.compile(rf"(?:\$ )?(?:[A-Z_]+=\S+ )?(?:{PROGRAMS})(?: |$)")
BLOCK: Final = re.compile(
    r"^```(?P<language>\w*)(?: (?P<file>\S+))?\n(?P<inside>.*?)^```$|(?P<indented>(?:^    [^\n]*\n|^\n(?=    ))+)",
    re.DOTALL | re.MULTILINE,
)
"""A block of a page: between fences, perhaps with the name of a file, or indented."""

NOT_RUN: Final = {
    "make ": "sets up an environment, or runs these tests",
    ".ci/postgres make test": "runs these tests",
    ".ci/run": "runs these tests",
    "python -m pytest": "runs these tests",
    "python -m tests.logs.write": "keeps logs of a release: tests/logs replays them",
    "uv ": "builds and publishes a release: tests/test_wheel.py builds one",
    "git ": "commits and publishes a release",
    "podman ": "a container: tests/test_container.py follows the Containerfile",
    "pip install": "downloads",
    "python -m pokersvc.cards.equilibrium": "makes a file of the package anew, in a minute: tests/cards has it",
    "python -m tests.web.vectors": "makes a file of the tests anew: tests/web has it",
    "python -m tests.identity": "makes and tells 500 games, in minutes: tests/identity has it",
    "python -m tests.histories.outcomes": "stores digests of texts: tests/histories has them",
    "pg_": "a server's own programs: tests/eventlog/test_backup.py has what pokersvc does there",
    "pokersvc --db postgresql": "a server: tests/cli/database/test_postgres.py",
    "export POKERSVC_DATABASE_URL=postgresql": "a server",
    "pokersvc tournament --rules fixed-limit --player Mixed": "what was trained in an hour, likewise",
    "python train_cfr.py 60": "an hour: tests/envs/test_trained.py trains for seconds",
    "pokersvc db current": "on a server; on a file tests/cli/database/test_db.py has it",
    "pokersvc join": "needs a server: tests/server/test_host_tutorial.py runs it",
    "pokersvc serve": "serves until it is stopped: tests/server/test_host_tutorial.py runs it",
    "dask ": "other machines: tests/cli/statistics/test_tournament_on_a_cluster.py",
    "pokersvc tournament … --executor dask": "other machines, likewise",
    "pokersvc ladder add steady": "hours: tests/docs/test_ladders.py tells how it is run",
    "pokersvc ladder add random": "hours, likewise",
    "pokersvc ladder run --ladder": "hours, likewise",
    "pokersvc tournament --rules no-limit --deals 100": "2,400 games: tests/tournament/test_page.py has the table",
    "pokersvc tournament --game market --deals 60": "1,440 long games: tests/tournament/test_page.py has the table",
}
"""Prefixes of commands that are not run → the reason: benchmarks, other machines, or tests of their own."""

NOT_RUN_ON: Final = {
    "docs/architecture.md": ["export "],
    "docs/postgres.md": ["pokersvc play"],
    "docs/benchmarks.md": [""],
}
"""Commands that are not run on one page only, such as commands after the start of a server."""

SLOW: Final = {
    "docs/audit.md", "docs/kalah.md", "docs/market.md", "docs/players.md", "docs/rules.md", "docs/stats.md",
    "docs/ladder.md", "docs/review.md", "docs/strategy.md", "docs/tournaments.md",
    "docs/tutorials/house.md", "docs/tutorials/player.md", "docs/tutorials/train.md",
}  # fmt: skip
"""Pages whose commands take more than a second: bots that think, many games, or new processes."""

GAME: Final = ["play", "--auto", "--player", "Ann=steady", "--player", "Bob=steady", "--rounds", "2"]
BEFORE: Final[dict[str, list[list[str]]]] = {
    "docs/tutorials/host.md": [GAME],
    "docs/audit.md": [GAME, ["keygen", "house.key"], ["checkpoint", "-o", "monday.jsonl", "--sign", "house.key"]],
    "docs/backups.md": [GAME],
    "docs/checkpoints.md": [GAME],
    "docs/exports.md": [GAME],
    "docs/histories.md": [["play", "--auto", "--rules", "no-limit", "--rounds", "2"]],
}
"""Commands to run before a page, such as those that create the files that it reads."""

INSTALLED: Final = {"docs/games.md"}
"""Pages that require the game that docs/games.md adds."""

FEWER: Final = {
    "--auto --players 4 --rounds 20": "--auto --players 4 --rounds 2",
    "--rounds 60": "--rounds 2",
    "--lbr Steady --deals 20": "--lbr Steady --deals 2 --lbr-hands 30",
}
"""Parts of commands that play many hands, each with its replacement in the tests."""

PLAYER: Final = {"docs/players.md": "cautious.py"}
"""Pages that require the file with their first player."""

TYPED: Final = "typed"
"""The pseudo file name of a block that a person types into the command before it."""
SHOWN: Final = "shown"
"""The pseudo file name of a block of lines that the command before it prints, among others."""


class Said(NamedTuple):
    """A command of a page, its printed output (empty if the page does not show it), and what a person types."""

    line: str
    prints: list[str]
    typed: list[str]
    shown: list[str]
    """Some of the lines that it prints, in order."""

    @property
    def code(self) -> int:
        """The exit code of the command, according to the page."""
        found = re.search(r"# exits with (\d)$", self.line)
        return int(found[1]) if found else 0


class Saved(NamedTuple):
    """A file that the reader of a page saves."""

    name: str
    text: str


def told(page: str) -> list[Said | Saved]:
    """Return the files that a tutorial saves, and the commands of any page, in order.

    Commands are indented lines that begin as commands do.
    """
    found: list[Said | Saved] = []
    said: list[Said] = []
    for block in BLOCK.finditer(re.sub(r"\\\n\s+", "", (ROOT / page).read_text("utf-8"))):
        if block["file"] == TYPED:
            said[-1].typed.append(block["inside"])
        elif block["file"] == SHOWN:
            said[-1].shown.extend(block["inside"].splitlines())
        elif block["file"] and page.startswith("docs/tutorials/"):
            found.append(Saved(block["file"], block["inside"]))
        elif block["indented"]:
            lines = dedent(block["indented"]).strip("\n").split("\n")
            begun = False
            for line in lines:
                if COMMAND.match(line):
                    begun = True
                    said.append(Said(line, [], [], []))
                    found.append(said[-1])
                elif begun:
                    said[-1].prints.append(line)
    return found


def commands(page: str) -> list[Said]:
    """Return the commands of a page in order."""
    return [one for one in told(page) if isinstance(one, Said)]


def reason_not_to_run(page: str, line: str) -> str | None:
    line = line.removeprefix("$ ")
    if any(line.startswith(start) for start in NOT_RUN_ON.get(page, ())):
        return "on this page"
    return next((why for start, why in NOT_RUN.items() if line.startswith(start)), None)


class Reader:
    """Runs a page's commands one after another, and replaces words in capitals by what they stand for."""

    def __init__(self, home: Path, page: str) -> None:
        self.program = Program(home)
        (home / "pokerdb.sqlite.example").write_bytes((ROOT / "pokerdb.sqlite.example").read_bytes())
        if page in PLAYER:
            (home / PLAYER[page]).write_text(
                re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)[0]
            )
        self.printed = ""

    def meant(self, line: str) -> str:
        """Return a command with its words in capitals replaced: by a file, the last game's ID, or printed text."""
        for many, few in FEWER.items():
            line = line.replace(many, few)
        if "GAME" in line:
            line = line.replace("GAME", self.program.json("games")[0]["game"])
        for word, which in (("HEAD", -1), ("ROOT", 0)):  # of the last game, and of the first checkpoint
            if word in line:
                line = line.replace(word, re.findall(rf"\b{word.lower()} ([0-9a-f]{{64}})\b", self.printed)[which])
        return re.sub(r"\bFILE\b", "copy.sqlite", line)

    def types(self, line: str, typed: str = "quit\n") -> Ended:
        """Run a command; at the first question, quit."""
        line = self.meant(line.removeprefix("$ "))
        words = shlex.split(line, comments=True)
        if words[0] == "pokersvc" and ">" not in words:
            program = self.program
            ended = inside(main, words[1:], typed=typed, home=program.home, environment=program.environment)
        else:
            path = f"{Path(sys.executable).parent}{os.pathsep}{self.program.environment['PATH']}"
            done = subprocess.run(
                ["bash", "-c", line], input=typed, capture_output=True, text=True, check=False, timeout=120,
                cwd=self.program.home, env=self.program.environment | {"PATH": path},
            )  # fmt: skip
            ended = Ended(done.returncode, done.stdout, done.stderr)
        self.printed += ended.out
        return ended


def without_times(text: str) -> str:
    """Return a text without parts that differ in each run: seconds, numbers of hands and sowings."""
    return re.sub(r"[\d,]+ sowings, [\d.]+ s|(?<=hand )\d+", "", text).strip("\n")


@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.slow] * (page in SLOW)) for page in PAGES])
def test_what_a_page_tells_to_type_works_in_that_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(tmp_path, page)
    monkeypatch.setattr(pokersvc.tournament, "usable_processors", lambda: 1)  # tournaments start no processes
    if page in INSTALLED:
        monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
        for folder in (path := install(tmp_path / "installed")):
            monkeypatch.syspath_prepend(folder)
        reader.program.variables["PYTHONPATH"] = os.pathsep.join(path)
    for words in BEFORE.get(page, ()):
        reader.printed += reader.program.run(*words)
    for one in told(page):
        if isinstance(one, Saved):
            (tmp_path / one.name).write_text(one.text, "utf-8")
        elif reason_not_to_run(page, one.line) is None:
            ended = reader.types(one.line, "".join(one.typed) or "quit\n")
            assert ended.code == one.code, (one.line, ended.err)
            if one.line.startswith("$ ") and one.prints:
                assert without_times(ended.out + ended.err) == without_times("\n".join(one.prints)), one.line
            printed = iter(ended.out.splitlines())
            assert [line for line in one.shown if line not in printed] == [], one.line  # each after those before it
            if one.typed:
                assert "The game is over" in ended.out, "what is typed is all that is asked for"


def test_every_page_with_commands_is_read() -> None:
    run = {page: [one.line for one in commands(page) if reason_not_to_run(page, one.line) is None] for page in PAGES}
    assert {
        "README.md", "docs/advice.md", "docs/audit.md", "docs/backups.md", "docs/checkpoints.md", "docs/exports.md",
        "docs/games.md", "docs/install.md", "docs/kalah.md", "docs/ladder.md", "docs/market.md", "docs/players.md",
        "docs/playing.md",
        "docs/rules.md", "docs/sql.md", "docs/stats.md", "docs/tournaments.md", "docs/tutorials/audit.md",
        "docs/tutorials/host.md", "docs/tutorials/house.md", "docs/tutorials/play.md", "docs/tutorials/player.md",
        "docs/tutorials/train.md",
    } <= {page for page, lines in run.items() if lines}  # fmt: skip
    assert sum(map(len, run.values())) > 40
    assert "pokersvc history last                  # Round 1 -- Player2 won 210" in run["README.md"]


def test_nothing_is_excepted_in_vain() -> None:
    lines = [one.line.removeprefix("$ ") for page in PAGES for one in commands(page)]
    assert [start for start in NOT_RUN if not any(line.startswith(start) for line in lines)] == []


def test_files_that_a_page_names_are_called_there_as_they_are_made() -> None:
    for page in PAGES:
        assert "house.pub" not in (ROOT / page).read_text("utf-8"), page
