"""The commands in the README and the docs, run in order as a reader runs them, with what the pages say they print."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from pokersvc.cli.main import main
from pokersvc.core import registry
from tests.cli.program import Ended, Program, inside
from tests.testing.installed import install

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ["README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]

COMMAND: Final = re.compile(
    r"(?:\$ )?(?:[A-Z_]+=\S+ )?(?:pokersvc|make|python3?|pip|dask|pg_\w+|\.ci/\S+|export|psql|sqlite3|cp|mv|git)(?: |$)"
)

NOT_RUN: Final = {
    "make ": "sets up an environment, or runs these tests",
    ".ci/postgres make test": "runs these tests",
    "pip install": "downloads",
    "python -m pokersvc.cards.equilibrium": "makes a file of the package anew, in a minute: tests/cards has it",
    "python -m tests.web.vectors": "makes a file of the tests anew: tests/web has it",
    "pg_": "a server's own programs: tests/eventlog/test_backup.py has what pokersvc does there",
    "pokersvc --db postgresql": "a server: tests/cli/test_postgres.py",
    "export POKERSVC_DATABASE_URL=postgresql": "a server",
    "pokersvc db current": "on a server; on a file tests/cli/test_db.py has it",
    "pokersvc join": "needs a server: tests/server/test_join.py",
    "pokersvc serve": "serves until it is stopped: tests/server",
    "dask ": "other machines: tests/cli/test_tournament_on_a_cluster.py",
    "pokersvc tournament … --executor dask": "other machines, likewise",
    "pokersvc tournament --rules no-limit --deals 500": "12,000 games: tests/tournament/test_page.py has the table",
    "pokersvc tournament --game market --deals 60": "1,440 long games: tests/tournament/test_page.py has the table",
}
"""Beginnings of commands that are not run, by the reason: benchmarks, other machines, and what has tests of its own."""

NOT_RUN_ON: Final = {"docs/postgres.md": ["pokersvc play"], "docs/benchmarks.md": [""]}
"""Commands that are not run on one page alone: what follows a server's address there, and benchmarks."""

SLOW: Final = {"docs/kalah.md", "docs/market.md", "docs/players.md"}
"""Pages whose commands take more than some seconds: programs there think, or play hundreds of games."""

GAME: Final = ["play", "--auto", "--player", "Ann=steady", "--player", "Bob=steady", "--rounds", "2"]
BEFORE: Final[dict[str, list[list[str]]]] = {
    "docs/audit.md": [GAME, ["keygen", "house.key"], ["checkpoint", "-o", "monday.jsonl", "--sign", "house.key"]],
    "docs/backups.md": [GAME],
    "docs/checkpoints.md": [GAME],
    "docs/exports.md": [GAME],
}
"""What a reader of a page has done before: played, and made the files that other pages tell of."""

INSTALLED: Final = {"docs/games.md"}
"""Pages whose reader has installed the game that docs/games.md adds."""

FILES: Final = {"README.md": {"mybot.py": "MyPlayer"}, "docs/players.md": {"cautious.py": "Cautious"}}
"""Files that a reader of a page has written by then: the first player in docs/players.md, by a name of their own."""


class Said(NamedTuple):
    """A command of a page, and what the page says that it prints (nothing: it does not say)."""

    line: str
    prints: list[str]


def said(page: str) -> list[Said]:
    """Return the commands of a page in order: indented lines that begin as commands do."""
    found: list[Said] = []
    text = re.sub(r"\\\n\s+", "", re.sub(r"```.*?```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL))
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, flags=re.MULTILINE):
        lines = [line.removeprefix("    ") for line in block.strip("\n").split("\n")]
        for line in lines:
            if COMMAND.match(line):
                found.append(Said(line, []))
            elif found and any(COMMAND.match(other) for other in lines[: lines.index(line) + 1]):
                found[-1].prints.append(line)
    return found


def reason_not_to_run(page: str, line: str) -> str | None:
    line = line.removeprefix("$ ")
    if any(line.startswith(start) for start in NOT_RUN_ON.get(page, ())):
        return "on this page"
    return next((why for start, why in NOT_RUN.items() if line.startswith(start)), None)


class Reader:
    """Somebody who types a page's commands one after another, and puts in for a word in capitals what it stands for."""

    def __init__(self, home: Path, page: str) -> None:
        self.program = Program(home)
        (home / "pokerdb.sqlite.example").write_bytes((ROOT / "pokerdb.sqlite.example").read_bytes())
        for name, class_ in FILES.get(page, {}).items():
            players = (ROOT / "docs/players.md").read_text("utf-8")
            (home / name).write_text(
                re.findall(r"```python\n(.*?)```", players, re.DOTALL)[0].replace("Cautious", class_)
            )
        self.printed = ""

    def meant(self, line: str) -> str:
        """Return the command with what its words in capitals stand for: a file, the last game, what was printed."""
        if "GAME" in line:
            line = line.replace("GAME", self.program.json("games")[0]["game"])
        for word, which in (("HEAD", -1), ("ROOT", 0)):  # of the last game, and of the first checkpoint
            if word in line:
                line = line.replace(word, re.findall(rf"\b{word.lower()} ([0-9a-f]{{64}})\b", self.printed)[which])
        return re.sub(r"\bFILE\b", "copy.sqlite", line)

    def types(self, line: str) -> Ended:
        """Run a command; a person who is asked something has seen enough, and quits."""
        line = self.meant(line.removeprefix("$ "))
        words = shlex.split(line, comments=True)
        if words[0] == "pokersvc" and ">" not in words:
            program = self.program
            ended = inside(main, words[1:], typed="quit\n", home=program.home, environment=program.environment)
        else:
            path = f"{Path(sys.executable).parent}{os.pathsep}{self.program.environment['PATH']}"
            done = subprocess.run(
                ["bash", "-c", line], input="quit\n", capture_output=True, text=True, check=False, timeout=120,
                cwd=self.program.home, env=self.program.environment | {"PATH": path},
            )  # fmt: skip
            ended = Ended(done.returncode, done.stdout, done.stderr)
        self.printed += ended.out
        return ended


def without_times(text: str) -> str:
    """Return a text without what differs from run to run: seconds, and sowings, which are more without numba."""
    return re.sub(r"[\d,]+ sowings, [\d.]+ s", "", text).strip("\n")


@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.slow] * (page in SLOW)) for page in PAGES])
def test_what_a_page_tells_to_type_works_in_that_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(tmp_path, page)
    if page in INSTALLED:
        monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
        for folder in (path := install(tmp_path / "installed")):
            monkeypatch.syspath_prepend(folder)
        reader.program.variables["PYTHONPATH"] = os.pathsep.join(path)
    for words in BEFORE.get(page, ()):
        reader.printed += reader.program.run(*words)
    for line, prints in said(page):
        if reason_not_to_run(page, line) is None:
            ended = reader.types(line)
            assert ended.code == 0, (line, ended.err)
            if line.startswith("$ ") and prints:
                assert without_times(ended.out) == without_times("\n".join(prints)), line


def test_every_page_with_commands_is_read() -> None:
    run = {page: [line for line, _ in said(page) if reason_not_to_run(page, line) is None] for page in PAGES}
    assert {page for page, lines in run.items() if lines} == {
        "README.md", "docs/advice.md", "docs/audit.md", "docs/backups.md", "docs/checkpoints.md", "docs/exports.md",
        "docs/games.md", "docs/kalah.md", "docs/market.md", "docs/players.md", "docs/rules.md",
        "docs/sql.md", "docs/stats.md",
    }  # fmt: skip
    assert sum(map(len, run.values())) > 40
    assert (
        "pokersvc keygen house.key                          # once; house.key.pub is for those who check"
        in run["README.md"]
    )


def test_nothing_is_excepted_in_vain() -> None:
    lines = [line.removeprefix("$ ") for page in PAGES for line, _ in said(page)]
    assert [start for start in NOT_RUN if not any(line.startswith(start) for line in lines)] == []


def test_files_that_a_page_names_are_called_there_as_they_are_made() -> None:
    for page in PAGES:
        assert "house.pub" not in (ROOT / page).read_text("utf-8"), page
