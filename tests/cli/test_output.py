"""Output: plain in a pipe, any name in any encoding, and silent where a pipe closes early."""

import errno
import os
import re
import subprocess
import sys
from io import StringIO

import pytest

from pokersvc.cli import output
from pokersvc.cli.main import main
from pokersvc.cli.output import EXIT_CLOSED
from pokersvc.text import cells
from tests.cli.program import COMMAND, TWO_MINIMUM, Ended, Program, lines_of

READING = (["games"], ["history", "last", "--hands"], ["replay", "last"], ["events", "last"], ["db", "current"])


def into_a_closed_pipe(program: Program, *arguments: str) -> Ended:
    """Run the program with its output connected to a closed pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return program.ended(*arguments, out=writing)
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_output_to_a_pipe_is_plain(played: Program, command: list[str]) -> None:
    assert "\x1b" not in played.run(*command)


def test_nothing_at_a_terminal_is_coloured(program: Program, played: Program) -> None:
    history, help_, replay = ["history", "last"], ["--help"], ["replay"]
    tried: list[tuple[dict[str, str], tuple[list[str], ...]]] = [
        ({}, (history, help_, replay)),
        ({"NO_COLOR": "1"}, (history,)),
        ({"TERM": "dumb"}, (history,)),
    ]
    for variables, commands in tried:
        with_terminal = Program(played.home, variables=variables)
        for command in commands:
            terminal = with_terminal.terminal(*command)
            assert terminal.end() in (0, 2)
            assert terminal.seen
            assert "\x1b" not in terminal.seen


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("one  two three four", "one  two three\n  four"),
        ("one  two \x1b[1;32mthree four\x1b[0m", "one  two \x1b[1;32mthree\n  four\x1b[0m"),
        ("安娜安娜 wins all", "安娜安娜 wins\n  all"),
        ("a_word_that_is_too_long and more", "a_word_that_is_too_long\n  and more"),
        ("a line  \n\n  another", "a line\n\n  another"),
    ],
)
def test_a_line_is_folded_between_words_and_colours_take_no_room(
    text: str, folded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "columns", lambda stream: 14)
    assert output.wrapped(text, "  ") == folded
    monkeypatch.setattr(output, "columns", lambda stream: None)
    assert output.wrapped(text, "  ") == text


def test_lists_are_folded_between_words_at_a_terminal(program: Program) -> None:
    """Given a game of two people that does not fit the width, it continues below its date in the same colour."""
    people = [part for number in (1, 2) for part in ("--player", f"Somebody{number}=human")]
    program.ended("play", *people, typed=lines_of("fold", "quit"))
    for command in ("games", "sessions"):
        narrow, wide = (program.terminal(command, size=(24, columns)) for columns in (50, 300))
        assert narrow.end() == wide.end() == 0
        names = [line[:8] for line in wide.seen.splitlines()]
        folded = [line for line in narrow.seen.splitlines() if line[:8] not in names]
        assert len(folded) >= len(names)
        assert all(line.startswith(" " * 10) for line in folded)
        assert all(cells(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= 50 for line in narrow.seen.splitlines())
        assert narrow.seen.split() == wide.seen.split()


def test_a_game_played_through_pipes_is_plain(program: Program) -> None:
    ended = program.ended("play", "--player", "Ann=human", "--player", "Bob=human", typed="bet 50\ncall\n")
    assert "\x1b" not in ended.out + ended.err
    assert "press Enter when" not in ended.out, "a pipe has no screen that one looks at"


@pytest.mark.parametrize(
    "encoding", [*(pytest.param(one, marks=pytest.mark.slow) for one in ("utf-8", "ascii")), "latin-1:strict"]
)
def test_names_are_printed_as_well_as_the_encoding_can(played: Program, encoding: str) -> None:
    program = Program(played.home, variables={"PYTHONIOENCODING": encoding})
    done = subprocess.run(
        [*COMMAND, "history", "last"], capture_output=True, cwd=program.home, env=program.environment, check=True
    )
    name = {"utf-8": "Zoë".encode(), "ascii": b"Zo?", "latin-1:strict": "Zoë".encode("latin-1")}[encoding]
    assert done.stdout == b"Unfinished after round 1\nRound 1 -- " + name + b" won 210\n"
    assert done.stderr == b""


def test_json_is_utf_8_with_names_as_they_are(played: Program) -> None:
    assert '"name": "Zoë"' in played.run("games", "--json")


@pytest.mark.parametrize(
    "command", [["events", "GAME", "--json"], ["replay", "GAME"], ["history", "GAME", "--hands", "--as", "1"]],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_reader_that_goes_away_is_told_nothing(played: Program, command: list[str]) -> None:
    longest = played.json("games")[2]["game"]
    arguments = [longest if word == "GAME" else word for word in command]
    ended = into_a_closed_pipe(played, *arguments)
    assert (ended.code, ended.err) == (EXIT_CLOSED, "")


@pytest.mark.parametrize("options", [["--auto"], ["--player", "Ann=human"]], ids=["programs", "a person"])
def test_a_reader_that_goes_away_from_a_game_is_told_how_to_go_on_with_it(program: Program, options: list[str]) -> None:
    ended = into_a_closed_pipe(program, "play", *options, "--seed", "demo")
    game = program.json("games")[0]
    assert not game["finished"]
    assert ended.code == EXIT_CLOSED
    assert ended.err == f"pokersvc: The game is saved, resume with: pokersvc resume {game['game'][:8]}\n"


class _ClosedAtTheEnd(StringIO):
    """An output that raises a given exception at the line that names the winner."""

    def __init__(self, broken: BaseException) -> None:
        super().__init__()
        self.broken = broken
        self.descriptor = os.open(os.devnull, os.O_WRONLY)

    def write(self, text: str) -> int:
        if " wins with $" in text:
            raise self.broken
        return super().write(text)

    def fileno(self) -> int:
        return self.descriptor


@pytest.mark.parametrize(
    ("broken", "code", "said"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), EXIT_CLOSED, ""),
        (KeyboardInterrupt(), 130, "pokersvc: Interrupted; the game is over and saved.\n"),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            1,
            "pokersvc: Nothing more can be printed (No space left on device); the game is over and saved.\n",
        ),
    ],
    ids=["a closed pipe", "Ctrl-C", "a full disk"],
)
def test_nobody_is_told_to_go_on_with_a_game_that_is_over(
    program: Program, monkeypatch: pytest.MonkeyPatch, broken: BaseException, code: int, said: str
) -> None:
    errors = StringIO()
    monkeypatch.chdir(program.home)
    for name, value in program.environment.items():
        monkeypatch.setenv(name, value)
    output = _ClosedAtTheEnd(broken)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(sys, "stderr", errors)
    assert (main([*TWO_MINIMUM, "--rounds", "1"]), errors.getvalue()) == (code, said)
    monkeypatch.undo()
    os.close(output.descriptor)
    assert program.json("games")[0]["finished"]


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["0<&-", "1>&-", "2>&-"])
def test_a_stream_that_is_closed_is_no_reason_to_crash(program: Program, stream: str) -> None:
    for arguments, code in (((*TWO_MINIMUM, "--rounds", "1"), 0), (("play",), 1)):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {stream}', "sh", *COMMAND, *arguments],
            capture_output=True, input=b"", cwd=program.home, env=program.environment, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code, done
        assert b"Traceback" not in done.stderr
        assert done.stderr.count(b"\n") == (code if stream != "2>&-" else 0)
    assert [game["rounds"] for game in program.json("games")] == [0, 1]


def test_what_the_database_library_would_log_is_not_printed(program: Program) -> None:
    """SQLAlchemy logs a traceback if Ctrl-C arrives while a connection is returned to the pool."""
    code = (
        "import sys\n"
        "from unittest.mock import patch\n"
        "from cli.main import main\n"
        "from sqlalchemy.pool.base import _ConnectionFairy\n"
        "with patch.object(_ConnectionFairy, '_reset', side_effect=KeyboardInterrupt):\n"
        "    sys.exit(main(['games']))\n"
    )
    program.run(*TWO_MINIMUM, "--rounds", "1")
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=program.environment, cwd=program.home, check=False
    )
    assert b"Traceback" not in ended.stderr, ended.stderr.decode()
    assert ended.returncode == 130
