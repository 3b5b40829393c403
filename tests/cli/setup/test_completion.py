"""Completion in shells: the program's answers, and the scripts in real shells."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

import pokersvc
from pokersvc.cli.setup.completions import candidates
from pokersvc.core.registry import game_kinds
from tests.cli.program import COMMAND, Program, beside
from tests.docs.man import commands


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Fixture: the program with a home of two games."""
    program = Program(tmp_path_factory.mktemp("home"))
    program.run("play", "--auto", "--player", "Ann=steady", "--player", "Bob Lee=steady", "--rounds", "1")
    program.run(
        "play", "--auto", "--rules", "no-limit", "--player", "Cy=random", "--player", "Di=random", "--rounds", "1"
    )
    yield program
    program.close()


def asked(program: Program, *words: str) -> list[str]:
    """Return the program's answers to a shell, one per line; check that there are no errors."""
    environment = program.environment | {
        "_POKERSVC_COMPLETE": "bash",
        "_POKERSVC_WORDS": "\n".join(("pokersvc", *words)),
    }
    done = subprocess.run(COMMAND, env=environment, cwd=program.home, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def values(lines: list[str]) -> list[str]:
    return [line.partition("\t")[0] for line in lines]


@pytest.mark.slow
def test_games_are_offered_by_prefix_house_and_date_and_nothing_is_written(program: Program) -> None:
    before = beside(program.database)
    newest, first = program.json("games")
    moment = f"{newest['started_at'][:10]} {newest['started_at'][11:16]}"
    assert asked(program, "replay", "") == [
        f"{newest['game'][:8]}\tno-limit, {moment}, finished",
        f"{first['game'][:8]}\trising-ante, {first['started_at'][:10]} {first['started_at'][11:16]}, finished",
        "last\tthe game that was started last",
    ]
    assert values(asked(program, "replay", newest["game"][:3])) == [newest["game"][:8]]
    assert values(asked(program, "--db", str(program.database), "history", "--hands", "")) == [
        newest["game"][:8], first["game"][:8], "last",
    ]  # fmt: skip
    assert values(asked(program, "replay", "last", "--as", "")) == ["everyone", "Cy", "Di", "auditor"]
    assert values(asked(program, "replay", first["game"][:6], "--as", "B")) == ["Bob Lee"]
    assert values(asked(program, "replay", first["game"][:6], "--as=A")) == ["--as=Ann"]
    assert beside(program.database) == before


@pytest.mark.slow
def test_commands_options_houses_and_files_are_offered(program: Program) -> None:
    assert values(asked(program, "")) == [name.split()[1] for name in commands() if name.count(" ") == 1]
    assert values(asked(program, "db", "")) == [
        name.split()[2] for name in commands() if name.startswith("pokersvc db ")
    ]
    assert values(asked(program, "replay", "last", "--t")) == ["--to"]
    assert values(asked(program, "play", "--game", "")) == game_kinds()
    houses = [one["house"] for one in program.json("rules")]
    assert values(asked(program, "play", "--rules", "")) == [*houses, "FILES"]
    assert asked(program, "verify", "") == ["FILES"]
    assert asked(program, "config", "set", "colours", "d") == ["dark"]
    assert values(asked(program, "completion", "")) == ["bash", "zsh", "fish"]


def test_where_nothing_can_be_read_nothing_is_offered_and_nothing_said(program: Program, tmp_path: Path) -> None:
    (tmp_path / "no.sqlite").write_text("this is no database")
    for words in (
        ("--db", str(tmp_path / "no.sqlite"), "replay", "a"),
        ("--db", "postgresql://nobody@127.0.0.1:1/x", "replay", "a"),
        ("--db", "none.sqlite", "replay", "a"),
        ("nonsense", "x", ""),
        ("replay", "a", "b", "c"),
    ):
        assert asked(program, *words) == []
    assert not (program.home / "none.sqlite").exists()


def test_a_prefix_names_one_game_alone(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with pokersvc.open_database(str(path)) as database:
        service = pokersvc.Service(pokersvc.EventLog(database))
        seats = (pokersvc.Seat("steady", "Ann"), pokersvc.Seat("steady", "Bob"))
        for game_id in ("abcdefgh-1111", "abcdefgh-1222", "b-short"):
            service.start("draw", pokersvc.Setup(seats, pokersvc.EntropySource.from_text("x")), game_id=game_id)
    found = [value for value, _ in candidates(["--db", str(path), "replay"], "")]
    assert sorted(found) == ["abcdefgh-11", "abcdefgh-12", "b-short", "last"]


def test_it_loads_nothing_that_takes_long(program: Program) -> None:
    """An answer takes a fifth of a second, because sqlite3 alone reads the database."""
    heavy = ("numpy", "prompt_toolkit", "pydantic", "rich", "sqlalchemy")
    script = (
        "import atexit, sys; from pokersvc.cli.setup import completions;"
        f" atexit.register(lambda: print('loaded', [name for name in {heavy} if name in sys.modules]));"
        " completions.answer()"
    )
    words = {"_POKERSVC_COMPLETE": "bash", "_POKERSVC_WORDS": "pokersvc\nreplay\n"}
    said = subprocess.run(
        [sys.executable, "-c", script], env=program.environment | words, capture_output=True, check=True, text=True
    )
    assert said.stdout.endswith("loaded []\n")


@pytest.fixture
def path(program: Program) -> str:
    """The path of a shell, with a program `pokersvc` on it."""
    folder = program.home / "bin"
    folder.mkdir(exist_ok=True)
    script = folder / "pokersvc"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m pokersvc "$@"\n')
    script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
READS = {
    "bash": 'eval "$(pokersvc completion bash)"',
    "zsh": 'autoload -Uz compinit && compinit -u && eval "$(pokersvc completion zsh)"',
    "fish": "pokersvc completion fish | source",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_a_game(shell: str, program: Program, path: str) -> None:
    if shutil.which(shell) is None:
        assert "POKERSVC_TEST_SHELLS" not in os.environ, f"{shell} should be there, and is not"
        pytest.skip(f"{shell} is not installed; .ci/shells installs it")
    game = program.json("games")[0]["game"]
    environment = program.environment | {"PATH": path, "TERM": "xterm", "PS1": "$ ", "COLUMNS": "80"}
    child = pexpect.spawn(SHELLS[shell][0], SHELLS[shell][1:], env=environment, cwd=str(program.home), encoding="utf-8",
                          timeout=40, dimensions=(24, 80))  # fmt: skip
    try:
        child.sendline(READS[shell] + "; echo rea''dy")
        child.expect("ready")
        time.sleep(1)
        child.send(f"pokersvc history {game[:4]}\t")
        child.expect(game[:8])
        child.send("\r")
        child.expect("Round 1 -- ")
        child.send("pokersvc confi\t se\t name Zed\r")
        child.sendline("pokersvc config get name")
        child.expect("get name")
        child.expect("Zed")
    finally:
        child.close(force=True)
