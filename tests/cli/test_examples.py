"""Every help text has an example, and its command works."""

import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pokersvc.tournament
from pokersvc.games.draw_poker.strategy import training
from pokersvc.games.kalah.perfect_play import endgames
from tests.cli.program import Program, lines_of
from tests.docs.man import commands

HAND = Path(__file__).parents[1] / "histories/samples/ongame.txt"
PLACES = {
    "~/histories": "histories",
    "--deals 500": "--deals 1",
    "--think 1": "--think 0.01",
    "--iterations 300": "--iterations 1",
    "--opponents 6": "--opponents 1",
    "kalah build 6": "kalah build 2",
    "kalah verify 6": "kalah verify 2",
    "--depth 8": "--depth 3",
}
"""Placeholders in examples, and slow parts, each with its replacement in the tests."""
NOT_RUN = {
    "pokersvc join": "needs a server: tests/server/test_join.py",
    "pokersvc serve": "serves until it is stopped: tests/server",
    "pokersvc db grant": "needs a server of PostgreSQL: tests/eventlog",
    "pokersvc watch": "lasts as long as the game: tests/cli/server/test_watch.py",
}
LADDER = "pokersvc ladder add steady random --deals 1"
BEFORE = {
    "pokersvc prove": ["pokersvc checkpoint -o monday.jsonl"],
    "pokersvc checkpoint": ["pokersvc keygen house.key"],
    "pokersvc verify": ["pokersvc checkpoint -o monday.jsonl", "pokersvc export last --as 1 --force -o mine.jsonl"],
    "pokersvc kalah verify": ["pokersvc kalah build 2"],
    "pokersvc kalah analyse": ["pokersvc play --auto --game kalah --player A=random --player B=random"],
    "pokersvc ladder run": [LADDER],
    "pokersvc ladder show": [LADDER, "pokersvc ladder run"],
    "pokersvc ladder remove": [LADDER],
    "pokersvc ladder anchor": [LADDER],
    "pokersvc config get": ["pokersvc config set name Ann"],
    "pokersvc config unset": ["pokersvc config set name Ann"],
}
"""Commands to run before an example."""
UNFINISHED = {"pokersvc resume", "pokersvc watch"}
COMMANDS = commands()


def examples(name: str) -> list[str]:
    help_ = COMMANDS[name].help or COMMANDS[name].callback.__doc__ or ""
    return [
        " ".join(found.split())
        for found in re.findall(r"Examples?: (pokersvc (?:.+\n?)+?)(?:\n\n|\s*$)", help_ + "\n\n")
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixture: a home with a finished game and a folder of hand histories."""
    program = Program(tmp_path_factory.mktemp("home"))
    program.run("play", "--auto", "--player", "Ann=steady", "--player", "Bob=steady", "--rounds", "1")
    (program.home / "histories").mkdir()
    (program.home / "histories/one.txt").write_bytes(HAND.read_bytes())
    return program.home


@pytest.fixture
def reader(home: Path, tmp_path: Path) -> Program:
    return Program(Path(shutil.copytree(home, tmp_path / "home")))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_an_example_that_works(
    name: str, reader: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgames, "MOST_POSITIONS", 1_000)
    monkeypatch.setattr(training, "workers", lambda count, _: ThreadPoolExecutor(count))
    monkeypatch.setattr(pokersvc.tournament, "usable_processors", lambda: 1)  # so that nothing starts processes
    found = examples(name)
    assert found, "no example"
    if any(name.startswith(one) for one in NOT_RUN):
        assert found[0].startswith(f"{name} ")
        return
    if name in UNFINISHED:
        reader.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    game = reader.json("games")[0]["game"]
    for line in (*BEFORE.get(name, []), *found[0].partition(" > ")[0].split("; ")):
        for place, there in PLACES.items():
            line = line.replace(place, there)
        line = line.replace("6f1c", game)  # a game that the reader has
        ended = reader.ended(*shlex.split(line)[1:], typed=lines_of("quit"))
        assert ended.code == 0, (line, ended)
