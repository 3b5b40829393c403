"""Help is instant, fits a terminal of 80 columns, and explains the exit codes."""

import re
import subprocess
import sys

import pytest

from pokersvc import __version__
from pokersvc.cli import main
from pokersvc.cli.lazy import imported
from pokersvc.cli.main import Program as Program_
from tests.cli.program import Program

COMMANDS: tuple[list[str], ...] = (
    [], ["play"], ["resume"], ["replay"], ["history"], ["games"], ["sessions"], ["stats"], ["events"], ["audit"],
    ["import"], ["advise"], ["rules"], ["tournament"], ["export"], ["report"], ["checkpoint"], ["prove"], ["verify"],
    ["review"], ["strategy"], ["keygen"], ["train"],
    ["serve"], ["join"], ["watch"], ["completion"],
    ["ladder"], ["ladder", "add"], ["ladder", "run"], ["ladder", "show"], ["ladder", "list"], ["ladder", "remove"],
    ["ladder", "anchor"],
    ["kalah"], ["kalah", "solve"], ["kalah", "analyse"], ["kalah", "perft"],
    ["config"], ["config", "list"], ["config", "get"], ["config", "set"], ["config", "unset"], ["config", "path"],
    ["db"], ["db", "upgrade"], ["db", "current"], ["db", "backup"], ["db", "check"], ["db", "rebuild"],
)  # fmt: skip
HEAVY = ("sqlalchemy", "alembic", "cryptography", "numpy", "openskill", "matplotlib", "distributed")
UNHELPFUL = (*HEAVY, "rich", "pokersvc.core.event")
"""Modules that no help text needs."""
UNREAD = (
    "alembic",
    "cryptography",
    "numpy",
    "openskill",
    "rich",
    "matplotlib",
    "distributed",
    "pokersvc.games.draw_poker.game",
)
"""Modules that neither lists nor histories need."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_a_help_that_fits_80_columns(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([*command, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"Usage: {' '.join(['pokersvc', *command])}")
    assert max(map(len, said.splitlines())) <= 80
    cut = (
        said.replace("[ARGS]...", "")
        .replace("CARDS...", "")
        .replace("SPOT...", "")
        .replace("[GAME]...", "")
        .replace("[GAME|FILE]...", "")
        .replace("FILE|FOLDER...", "")
        .replace("[PLAYER]...", "")
        .replace("BOT...", "")
    )
    assert "..." not in cut, "a description is cut off"


def test_every_command_of_the_program_is_named_in_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    main.main(["--help"])
    said = capsys.readouterr().out
    assert set(re.findall(r"^  (\w+)  ", said, re.MULTILINE)) == {name[0] for name in COMMANDS if name}


def loaded(program: Program, commands: list[list[str]], names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return which of the given modules each command imports, in a new process that has imported only the program.

    A new process is the fork of one that waits, so that Python starts once for all of them.
    """
    script = f"""
import os
import sys
from pokersvc.cli.main import main
for arguments in {commands}:
    sys.stdout.flush()
    if os.fork() == 0:
        code = main(arguments)
        imported = [name for name in {names} if name in sys.modules]
        print(' '.join(arguments), *imported, sep='\t', file=sys.stderr, flush=True)
        os._exit(code)
    _, status = os.wait()
    assert status == 0, arguments
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=program.environment, timeout=60, check=True
    )
    lines = [line.split("\t") for line in done.stderr.decode().splitlines()]
    assert [command for command, *_ in lines] == [" ".join(command) for command in commands]
    return {command: imported for command, *imported in lines if imported}


def test_the_list_of_commands_is_instant(program: Program) -> None:
    assert loaded(program, [["--help"], ["--version"]], (*UNHELPFUL, "pydantic.main")) == {}


@pytest.mark.slow
def test_lists_and_histories_load_no_numbers_and_no_rules(played: Program) -> None:
    commands = [["games"], ["games", "--json"], ["history", "last"], ["history", "last", "--hands"]]
    assert loaded(played, commands, UNREAD) == {}


def test_help_loads_neither_database_nor_numbers(program: Program) -> None:
    short = [["play", "-h"], ["tournament", "-h"], ["db", "upgrade", "-h"], ["verify", "-h"]]
    assert loaded(program, [["--help"], ["play", "--help"], *short, ["--version"]], HEAVY) == {}


@pytest.mark.slow
def test_the_help_of_a_command_loads_only_what_declares_it(program: Program) -> None:
    assert loaded(program, [[*command, "--help"] for command in COMMANDS], UNHELPFUL) == {}


def test_what_a_command_loads_is_told(played: Program) -> None:
    assert loaded(played, [["--help"], ["games"]], HEAVY) == {"games": ["sqlalchemy"]}


@pytest.mark.parametrize("name", list(Program_.lazy))
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    lazy = Program_.lazy[name]
    assert imported(lazy, name).get_short_help_str(80).rstrip(".") == lazy.help.rstrip(".")


def test_the_module_is_the_program(program: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pokersvc", "--version"],
        capture_output=True,
        env=program.environment,
        timeout=60,
        check=True,
    )
    assert done.stdout.decode() == f"pokersvc {__version__}\n"


def test_the_version_is_told(program: Program) -> None:
    assert program.run("--version") == f"pokersvc {__version__}\n"


@pytest.mark.parametrize("command", [[], ["db"]], ids=["pokersvc", "pokersvc db"])
def test_without_a_command_the_help_is_shown_as_wrong_usage(program: Program, command: list[str]) -> None:
    ended = program.ended(*command)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == program.run(*command, "--help")


def test_the_exit_codes_are_documented(program: Program) -> None:
    said = " ".join(program.run("--help").split())
    codes = "0 success, 1 error (explained in one sentence), 2 wrong usage, 3 findings, 130 interrupted"
    assert f"Exit codes: {codes}, 141 output closed early." in said


def test_the_installed_script_is_the_program(program: Program) -> None:
    script = f"{sys.prefix}/bin/pokersvc"
    done = subprocess.run([script, "--version"], capture_output=True, env=program.environment, timeout=60, check=True)
    assert done.stdout.decode() == f"pokersvc {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["replai"], "No such command 'replai'"),
        (["games", "--jsn"], "No such option: --jsn"),
        (["replay"], "Missing argument 'GAME'"),
        (["replay", "last", "--to", "abc"], "Invalid value for '--to': "),
        (["replay", "last", "--to", "0"], "Invalid value for '--to': "),
        (["play", "--players", "1"], "Invalid value for '--players': "),
        (["play", "--rounds", "0"], "Invalid value for '--rounds': "),
        (["stats", "--by", "colour"], "Invalid value for '--by': 'colour' is not one of 'position', "),
        (["games", "last"], "Got unexpected extra argument"),
        (["db", "downgrade"], "No such command 'downgrade'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_a_sentence_and_exit_code_2(program: Program, arguments: list[str], said: str) -> None:
    sentence = program.refused(*arguments, code=2)
    assert said in sentence
    command = " ".join(word for word in arguments[:1] if word not in ("replai", "db"))
    assert f"see `pokersvc {command}".rstrip() in sentence
    assert sentence.endswith("--help`.")
    assert list(program.home.iterdir()) == []


def test_help_on_a_game_says_how_its_bots_play(program: Program) -> None:
    of_draw = " ".join(program.run("play", "--game", "draw", "--help").split())
    assert "Bots: beginner calls too much, chases draws, and plays only its own cards club" in of_draw
    assert "Bots:" not in program.run("play", "--help")
    of_kalah = " ".join(program.run("play", "--game", "kalah", "--help").split())
    assert "Bots: bad always sows from the lowest hole that has beans level-01 one of 20 levels" in of_kalah
