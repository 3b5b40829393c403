"""The time that the program takes to answer, compared with importing the libraries that it cannot do without.

It also measures the time until the first question of a game: at a drawn table, compared with one told line by line.
"""

import os
import pty
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.table import markdown

REPETITIONS: Final = 21
MOST: Final = 1.3
"""The most time that lists and histories may take, in multiples of the imports."""
MOST_DRAWN: Final = 2
"""The most time that the first drawn table may take, in multiples of the plain one."""
IMPORTS: Final = ("-c", "import sqlalchemy, typer, pydantic")


def run(*, quick: bool) -> str:
    """Return the tables: medians of wall-clock times, all of them in turn, and the first questions."""
    with tempfile.TemporaryDirectory() as folder:
        program = ("-m", "pokersvc", "--db", str(Path(folder) / "games.sqlite"))
        _seconds(*program, "play", "--auto", "--rounds", "20", "--seed", "startup")
        sides = {
            "`import sqlalchemy, typer, pydantic`": IMPORTS,
            "`pokersvc --help`": (*program, "--help"),
            "`pokersvc games`": (*program, "games"),
            "`pokersvc history last`": (*program, "history", "last"),
        }
        found: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(5 if quick else REPETITIONS):
            for name, arguments in sides.items():
                found[name].append(_seconds(*arguments))
    middle = {name: median(seconds) for name, seconds in found.items()}
    imports, *commands = middle.items()
    rows = [(imports[0], f"{1000 * imports[1]:.0f}", "1")]
    for name, seconds in commands:
        rows.append((name, f"{1000 * seconds:.0f}", _judged(seconds / imports[1], MOST)))
    started = markdown("Starting the program", ("command", "ms", "ratio"), rows)
    return f"{started}\n\n{_questions(quick=quick)}"


def _judged(ratio: float, most: float) -> str:
    """Return a ratio with its upper limit."""
    return f"{ratio:.3g} × (at most {most} ×{', missed' if ratio > most else ''})"


def _questions(*, quick: bool) -> str:
    """Return the table of first questions: medians of the processor time of whole runs, all of them in turn."""
    sides = {"`pokersvc play --plain`": ("--plain", b" > "), "`pokersvc play`, drawn": (None, b"\x1b[?2004h")}
    found: dict[str, list[float]] = {name: [] for name in sides}
    with tempfile.TemporaryDirectory() as folder:
        program = ("-m", "pokersvc", "--db", str(Path(folder) / "games.sqlite"), "play", "--seed", "startup")
        for _ in range(5 if quick else REPETITIONS):
            for name, (option, asks) in sides.items():
                found[name].append(_until_question(*program, *filter(None, [option]), asks=asks))
    (plain, at_least), (drawn, seconds) = ((name, median(all_of_it)) for name, all_of_it in found.items())
    rows = [
        (plain, f"{1000 * at_least:.0f}", "1"),
        (drawn, f"{1000 * seconds:.0f}", _judged(seconds / at_least, MOST_DRAWN)),
    ]
    return markdown("The first question at a terminal", ("command", "ms of processor time", "ratio"), rows)


def _until_question(*arguments: str, asks: bytes) -> float:
    """Start Python at a terminal, leave the game at its first question, and return the processor time of the run."""
    process, terminal = pty.fork()
    if not process:
        os.execve(sys.executable, [sys.executable, *arguments], os.environ | {"TERM": "xterm-256color"})
    termios.tcsetwinsize(terminal, (24, 80))
    seen = b""
    while asks not in seen:
        seen += os.read(terminal, 65536)
    os.write(terminal, b"q\r")
    with suppress(OSError):  # a terminal reports the end of the program like this
        while os.read(terminal, 65536):
            pass
    _, code, used = os.wait4(process, 0)
    os.close(terminal)
    if code:
        raise subprocess.CalledProcessError(code, arguments, seen)
    return used.ru_utime + used.ru_stime


def _seconds(*arguments: str) -> float:
    """Return the seconds that Python takes with these arguments, with its start."""
    before = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - before
