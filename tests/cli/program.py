"""Runs the real program in a home of its own."""

import fcntl
import json
import os
import re
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, chdir, closing
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple, Protocol
from unittest.mock import patch

import pexpect
from pexpect.fdpexpect import fdspawn

from pokersvc.cli.main import main
from tests.forks import TIMEOUT, Forked, Place, Streams, forks

COMMAND = [sys.executable, "-W", "error", "-m", "pokersvc.cli.main"]
MAIN = "pokersvc.cli.main:run"
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_STYLED = re.compile(r"\x1b\[[0-9;]*m")
CARD = re.compile(r"\b(?:10|[2-9JQKA])[CDHS]\b")
MARK_OF_A_QUESTION = " > "

TWO_MINIMUM = ["play", "--auto", "--player", "A=minimum", "--player", "B=minimum"]


class Ended(NamedTuple):
    """The exit code and output of the program."""

    code: int
    out: str
    err: str


@dataclass
class Program:
    """The program with a home, which is also the folder it is started in.

    It runs inside this process, which is ten times as fast, unless it is to run ``apart``, as a process that begins
    with the program. If it is to be ``forked``, at a terminal, and where permissions or a full disk are to bind it, it
    is a process of its own, forked from one that has imported the program; at a terminal, too, it can run ``apart``.
    """

    home: Path
    variables: dict[str, str] = field(default_factory=dict)
    apart: bool = False
    forked: bool = False
    terminals: list["Terminal"] = field(default_factory=list)

    @property
    def database(self) -> Path:
        """The default database."""
        return self.home / ".local/share/pokersvc/pokerdb.sqlite"

    @property
    def place(self) -> Place:
        """Where a forked process runs: its home and its environment."""
        return Place(home=self.home, environment=self.environment)

    @property
    def environment(self) -> dict[str, str]:
        ours = ("POKERSVC_", "XDG_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return kept | {"HOME": str(self.home), "TERM": "xterm", "LC_ALL": "C.UTF-8"} | self.variables

    def ended(
        self,
        *arguments: object,
        typed: str = "",
        powerless: bool = False,
        size: int | None = None,
        out: int | None = None,
    ) -> Ended:
        """Run the program to its end, with ``typed`` as its input.

        Permissions bind who is powerless, even if the tests run as root; no file may grow beyond a size; what is
        printed goes to a descriptor.
        """
        if self.forked or powerless or size is not None or out is not None:
            run = forks().run(MAIN, *arguments, **self.place, typed=typed, size=size, out=out, powerless=powerless)
            return Ended(run.code, run.out, run.err)
        if not self.apart:
            return inside(main, arguments, typed=typed, home=self.home, environment=self.environment)
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            input=typed.encode(),
            capture_output=True,
            cwd=self.home,
            env=self.environment,
            timeout=TIMEOUT,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def run(self, *arguments: object, typed: str = "", **options: Any) -> str:
        """Run a command that must succeed without output on standard error, and return its standard output."""
        ended = self.ended(*arguments, typed=typed, **options)
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.out

    def refused(self, *arguments: object, code: int = 1, typed: str = "", **options: Any) -> str:
        """Run a command that must fail, and return its one-sentence message."""
        return the_sentence(self.ended(*arguments, typed=typed, **options), code)

    def read(self, *arguments: object) -> str:
        """Run a reading command on the home's database, whatever the environment names, and return its output."""
        return self.run("--db", self.database, *arguments)

    def json(self, *arguments: object) -> Any:
        """Return the JSON document of a reading command."""
        return json.loads(self.read(*arguments, "--json"))

    def facts(self, game: str = "last", *options: str) -> list[dict[str, Any]]:
        """Return a game's events with their secrets, without members that differ in every game."""
        fresh = ("recorded_at", "command_id", "salt", "digest", "hash")
        told = self.json("events", game, "--as", "auditor", "--force", *options)
        return [{name: value for name, value in event.items() if name not in fresh} for event in told]

    def start(self, *arguments: object, streams: Streams) -> Forked:
        """Start the program as a separate process with the given streams."""
        return forks().start(MAIN, arguments, streams, **self.place)

    def terminal(
        self, *arguments: object, run: str = MAIN, term: str = "dumb", size: tuple[int, int] = (24, 80)
    ) -> "Terminal":
        """Start the program at a terminal of ``size`` (rows, columns); ``run`` names another function to run.

        A terminal that is ``dumb`` has no drawn table: everything is told line by line.
        """
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, size)
        settings = termios.tcgetattr(theirs)
        streams = (theirs, theirs, theirs)
        environment = self.environment | {"TERM": self.variables.get("TERM", term)}
        process: Process
        if self.apart:
            process = subprocess.Popen(
                [*COMMAND, *map(str, arguments)], stdin=theirs, stdout=theirs, stderr=theirs,
                cwd=self.home, env=environment, start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            )  # fmt: skip
        else:
            place = Place(home=self.home, environment=environment)
            process = forks().start(run, arguments, streams, **place, at_terminal=True)
        os.close(theirs)
        self.terminals.append(Terminal(process, ours, settings))
        return self.terminals[-1]

    def close(self) -> None:
        """Close all terminals of this program."""
        for terminal in self.terminals:
            terminal.close()

    def sql(self, *statements: str, path: Path | None = None) -> list[Any]:
        """Run SQL statements on the database without pokersvc, and return the rows of the last one."""
        rows: list[Any] = []
        with closing(sqlite3.connect(path or self.database)) as connection:
            for statement in statements:
                rows = connection.execute(statement).fetchall()
            connection.commit()
        return rows


class Process(Protocol):
    """The methods of processes that tests use, whichever class started them."""

    pid: int

    def poll(self) -> int | None:
        """Return how it ended, None as long as it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit code, or minus the signal that killed it."""

    def send_signal(self, number: int, /) -> None:
        """Send the process a signal, unless it has ended."""

    def kill(self) -> None:
        """Kill the process."""


class Terminal:
    """The program at a terminal; ``seen`` is all that was written to it so far, answers included."""

    def __init__(self, process: Process, descriptor: int, settings: list[Any]) -> None:
        self.settings = settings
        """The settings of the terminal before the program started, which may change them at once."""
        self.process = process
        self.screen = fdspawn(descriptor, timeout=TIMEOUT, encoding="utf-8")
        self.seen = ""

    def until(self, text: str) -> str:
        """Wait for a text, and return the output up to its end."""
        self.first_of(text)
        return self.shown

    def first_of(self, *texts: str) -> int:
        """Wait for one of several texts, and return which came."""
        found = int(self.screen.expect_exact(list(texts)))
        self.shown = str(self.screen.before) + str(self.screen.after)
        self.seen += self.shown
        return found

    def question(self) -> str:
        """Wait for the next question, and return the output up to it."""
        return self.until(MARK_OF_A_QUESTION)

    def type(self, answer: str) -> None:
        self.screen.sendline(answer)

    def press_ctrl_c(self) -> None:
        """Press Ctrl-C once the program waits for an answer.

        Between the question and that, Python itself may lose it: it looks for signals before it begins to read.
        """
        state = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + TIMEOUT
        while state.exists() and state.read_text().rpartition(") ")[2][0] != "S":
            assert time.monotonic() < deadline, "it waits for an answer"
            time.sleep(0.001)
        self.press("\x03")

    def press(self, key: str) -> None:
        """Press a key."""
        self.screen.send(key)

    def wait_until_typing_is_hidden(self) -> None:
        deadline = time.monotonic() + TIMEOUT
        while termios.tcgetattr(self.screen.child_fd)[3] & termios.ECHO:
            assert time.monotonic() < deadline, "it hides what is typed"
            time.sleep(0.01)

    def resize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self.screen.child_fd, (rows, columns))

    def answer_all(self, how: Callable[[str], str | None]) -> None:
        """Answer every question with the result of ``how``, until it returns None."""
        while True:
            asked = self.question()
            answer = how(asked.splitlines()[-1])
            if answer is None:
                return
            self.type(answer)

    def end(self) -> int:
        """Wait for the end, and return the exit code (minus the signal that ended it)."""
        self.screen.expect(pexpect.EOF)
        self.seen += str(self.screen.before)
        code = self.process.wait(TIMEOUT)
        self.screen.close()
        return code

    def hang_up(self) -> None:
        """Close the terminal while the program runs on it."""
        self.screen.close()

    def close(self) -> None:
        """Kill the program if it still runs, and close its terminal."""
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.screen.close()

    @property
    def last_line(self) -> str:
        """The last line; an error is one, however many a terminal needs for it."""
        plain = _STYLED.sub("", self.seen.replace(CLEAR, "\n"))  # a bar that was stopped may end a style last
        lines = plain.strip().splitlines()
        error = next((at for at, line in enumerate(lines) if line.startswith("pokersvc: ")), len(lines) - 1)
        return " ".join(lines[error:])


def inside(
    run: Callable[[list[str]], int], arguments: Iterable[object], *, typed: str, home: Path, environment: dict[str, str]
) -> Ended:
    """Run a program inside this process as if it had its own; its input is a file."""
    with ExitStack() as stack:
        file = stack.enter_context(TemporaryFile())
        file.write(typed.encode())
        file.seek(0)
        printed = BytesIO(), BytesIO()
        streams = [TextIOWrapper(stream, "utf-8") for stream in (file, *printed)]
        stack.enter_context(chdir(home))
        stack.enter_context(patch.dict(os.environ, environment, clear=True))
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            stack.enter_context(patch.object(sys, name, stream))
        code = run([str(argument) for argument in arguments])
    for stream in streams[1:]:
        stream.detach()
    out, err = (stream.getvalue().decode() for stream in printed)
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
    """Answer as the bot `minimum` plays: the minimum bet, else a call; stand pat; continue."""
    if question.startswith("Press Enter") or "Discard" in question:
        return ""
    if found := re.search(r"[Bb]et (\d+)", question):
        return f"bet {found[1]}"
    return "call" if "Call" in question else "check"


def lines_of(*answers: str) -> str:
    """Return answers as lines to pipe into the program."""
    return "".join(f"{answer}\n" for answer in answers)


def beside(path: Path) -> dict[str, str]:
    """Return the names and SHA-256 of all files in the folder of a file."""
    return {entry.name: fingerprint(entry) for entry in sorted(path.parent.iterdir())}


def fingerprint(path: Path) -> str:
    return "folder" if path.is_dir() else sha256(path.read_bytes()).hexdigest()


def types(events: Iterable[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]
