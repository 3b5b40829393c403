"""The real program in a home of its own, as these tests run it."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import ExitStack, chdir, closing
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pexpect

from pokersvc.cli.main import main

COMMAND = [sys.executable, "-W", "error", "-m", "pokersvc.cli.main"]
TIMEOUT = 60
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
CARD = re.compile(r"\b(?:10|[2-9JQKA])[CDHS]\b")
MARK_OF_A_QUESTION = " > "

# Permissions do not apply to root as long as it has its capabilities.
POWERLESS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()

TWO_MINIMUM = ["play", "--auto", "--player", "A=minimum", "--player", "B=minimum"]


class Ended(NamedTuple):
    """How a run of the program ended and what it printed."""

    code: int
    out: str
    err: str


@dataclass
class Program:
    """The program with a home, which is also the folder it is started in.

    It runs inside this process, which is ten times as fast, unless it is to run ``apart`` or with options that only
    a process of its own can have. At a terminal it is always a process of its own.
    """

    home: Path
    variables: dict[str, str] = field(default_factory=dict)
    apart: bool = False
    terminals: list[Any] = field(default_factory=list)

    @property
    def database(self) -> Path:
        """The database where nobody names one."""
        return self.home / ".local/share/pokersvc/pokerdb.sqlite"

    @property
    def environment(self) -> dict[str, str]:
        ours = ("POKERSVC_", "XDG_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return kept | {"HOME": str(self.home), "TERM": "xterm", "LC_ALL": "C.UTF-8"} | self.variables

    def ended(self, *arguments: object, typed: str = "", **options: Any) -> Ended:
        """Run the program to its end, with what is typed as its input; options are those of a process.

        With a ``preexec_fn`` that limits it, it is not traced: what the trace writes would meet the limit too. And it
        writes no compiled modules: one that is cut short would be kept.
        """
        environment = self.environment
        if not self.apart and not options:
            return inside(main, arguments, typed=typed, home=self.home, environment=environment)
        if "preexec_fn" in options:
            environment = {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        done = subprocess.run(
            [*options.pop("before", []), *COMMAND, *map(str, arguments)],
            input=typed.encode(),
            capture_output=True,
            cwd=self.home,
            env=environment,
            timeout=TIMEOUT,
            check=False,
            **options,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def run(self, *arguments: object, typed: str = "", **options: Any) -> str:
        """Run what has to succeed without a word on standard error, and return what it printed."""
        ended = self.ended(*arguments, typed=typed, **options)
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.out

    def refused(self, *arguments: object, code: int = 1, typed: str = "", **options: Any) -> str:
        """Run what has to fail, and return the one sentence that it says."""
        return the_sentence(self.ended(*arguments, typed=typed, **options), code)

    def read(self, *arguments: object) -> str:
        """Run a reading command on the home's database, whatever the environment names, and return what it printed."""
        return self.run("--db", self.database, *arguments)

    def json(self, *arguments: object) -> Any:
        """Return the JSON document of a reading command."""
        return json.loads(self.read(*arguments, "--json"))

    def facts(self, game: str = "last", *options: str) -> list[dict[str, Any]]:
        """Return a game's events with their secrets, without what is fresh in every game."""
        fresh = ("recorded_at", "command_id", "salt", "digest", "hash")
        told = self.json("events", game, "--as", "auditor", "--force", *options)
        return [{name: value for name, value in event.items() if name not in fresh} for event in told]

    def terminal(self, *arguments: object) -> "Terminal":
        """Start the program at a terminal of 80 columns."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
            child = pexpect.spawn(
                COMMAND[0],
                [*COMMAND[1:], *map(str, arguments)],
                cwd=str(self.home),
                env=self.environment,
                encoding="utf-8",
                timeout=TIMEOUT,
                dimensions=(24, 80),
            )
        terminal = Terminal(child)
        self.terminals.append(terminal)
        return terminal

    def close(self) -> None:
        """End what this program started at terminals."""
        for terminal in self.terminals:
            terminal.child.close(force=True)

    def sql(self, *statements: str, path: Path | None = None) -> list[Any]:
        """Run statements on the database behind the program's back, and return the rows of the last."""
        rows: list[Any] = []
        with closing(sqlite3.connect(path or self.database)) as connection:
            for statement in statements:
                rows = connection.execute(statement).fetchall()
            connection.commit()
        return rows


class Terminal:
    """The program at a terminal; ``seen`` is all that was written to it so far, answers included."""

    def __init__(self, child: Any) -> None:
        self.child = child
        self.child.delaybeforesend = None
        self.seen = ""

    def until(self, text: str) -> str:
        """Wait for a text, and return what was written up to its end."""
        self.child.expect_exact(text)
        new = str(self.child.before) + str(self.child.after)
        self.seen += new
        return new

    def question(self) -> str:
        """Wait for the next question, and return what was written up to it."""
        return self.until(MARK_OF_A_QUESTION)

    def type(self, answer: str) -> None:
        self.child.sendline(answer)

    def press_ctrl_c(self) -> None:
        """Press Ctrl-C once the program waits for an answer.

        Between the question and that, Python itself may lose it: it looks for signals before it begins to read.
        """
        state = Path(f"/proc/{self.child.pid}/stat")
        deadline = time.monotonic() + TIMEOUT
        while state.exists() and state.read_text().rpartition(") ")[2][0] != "S":
            assert time.monotonic() < deadline, "it waits for an answer"
            time.sleep(0.001)
        self.child.sendintr()

    def answer_all(self, how: Callable[[str], str | None]) -> None:
        """Answer every question as ``how`` says, until it says None."""
        while True:
            asked = self.question()
            answer = how(asked.splitlines()[-1])
            if answer is None:
                return
            self.type(answer)

    def end(self) -> int:
        """Wait for the end, and return the exit code (minus the signal that ended it)."""
        self.child.expect(pexpect.EOF)
        self.seen += str(self.child.before)
        self.child.close()
        return int(-self.child.signalstatus if self.child.exitstatus is None else self.child.exitstatus)

    def hang_up(self) -> None:
        """Close the terminal while the program runs on it."""
        self.child.ptyproc.fileobj.close()
        self.child.ptyproc.closed = self.child.closed = True

    @property
    def last_line(self) -> str:
        return self.seen.replace(CLEAR, "\n").strip().splitlines()[-1]


def inside(
    run: Callable[[list[str]], int], arguments: Iterable[object], *, typed: str, home: Path, environment: dict[str, str]
) -> Ended:
    """Run a program inside this process as if it were one of its own, with pipes for its streams."""
    streams = [TextIOWrapper(BytesIO(text.encode()), "utf-8") for text in (typed, "", "")]
    with ExitStack() as stack:
        stack.enter_context(chdir(home))
        stack.enter_context(patch.dict(os.environ, environment, clear=True))
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            stack.enter_context(patch.object(sys, name, stream))
        code = run([str(argument) for argument in arguments])
    for stream in streams:
        stream.flush()
    out, err = (stream.detach().getvalue().decode() for stream in streams[1:])
    return Ended(code, out, err)


def the_sentence(ended: Ended, code: int) -> str:
    """Return the sentence that a run was refused with, after checking its form."""
    assert ended.code == code, ended
    lines = ended.err.splitlines()
    assert len(lines) == 1, ended.err
    assert lines[0].startswith("pokersvc: "), ended.err
    assert lines[0].endswith((".", ".'")) or code == 2 or "resume with: pokersvc" in lines[0], ended.err
    assert "Traceback" not in ended.out
    return lines[0].removeprefix("pokersvc: ")


def minimum(question: str) -> str:
    """Answer as the program `minimum` plays: the least bet, else a call; stand pat; go on."""
    if question.startswith("Press Enter") or "Discard" in question:
        return ""
    if found := re.search(r"[Bb]et (\d+)", question):
        return f"bet {found[1]}"
    return "call" if "Call" in question else "check"


def lines_of(*answers: str) -> str:
    """Return answers as they are typed into a pipe."""
    return "".join(f"{answer}\n" for answer in answers)


def beside(path: Path) -> dict[str, str]:
    """Return the names and SHA-256 of all files in the folder of a file."""
    return {entry.name: fingerprint(entry) for entry in sorted(path.parent.iterdir())}


def fingerprint(path: Path) -> str:
    return "folder" if path.is_dir() else sha256(path.read_bytes()).hexdigest()


def types(events: Iterable[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]
