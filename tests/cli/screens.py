"""Screens of drawn tables as a person sees them; `python -m tests.cli.screens` writes the files that tests compare."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.emulated import Seen
from tests.cli.program import Program

FOLDER: Final = Path(__file__).parent / "screens"
SIZES: Final = ((20, 60), (24, 80), (40, 120))
"""Rows and columns."""
GAMES: Final = {
    "hidden-cards": (("--players", "4"), "bet 50"),
    "open-cards": (("--game=market",), "pass"),
    "board": (("--game=kalah",), "3"),
}
"""By what comes before the size in a file's name: the options of a game, and the choice after which it is looked at."""
REPLAYER: Final = "replayer"
_FRESH: Final = (
    (re.compile(r"resume [0-9a-f]{8}"), "resume <id>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "<game>"),
    (re.compile(r"head( [0-9A-Z]{4}){4}"), "head <head>"),
)
"""What differs in every game."""


def screens(program: Program, name: str) -> Iterator[tuple[str, str]]:
    """Play one choice of a game, and yield the name of a file and the screen for each size."""
    if name == REPLAYER:
        yield from replayed(program)
        return
    options, choice = GAMES[name]
    others = ("--seed", "demo", "--player", "Ann=human")
    table = DrawnTerminal(program, "play", *options, *others, size=(30, 100))
    table.question()
    table.type(choice)
    table.question()
    for rows, columns in SIZES:
        table.resize(rows, columns)
        shown = table.until("q quit")
        for fresh, instead in _FRESH:
            shown = fresh.sub(instead, shown)
        yield f"{name}-{columns}x{rows}.txt", f"{shown}\n"
    table.type("q")
    table.end()


def _drawn_whole(seen: Seen, *, rows: int, columns: int) -> bool:
    """Tell whether the replayer has drawn its last line for this size."""
    fits = len(seen.lines) == rows and all(len(line) <= columns for line in seen.lines)
    return fits and "event 22," in seen.text and seen.lines[-1].endswith("quit") and seen.lines[0].endswith("Ann")


def replayed(program: Program) -> Iterator[tuple[str, str]]:
    """Replay a game of draw poker, and yield the name of a file and the screen for each size."""
    bots = ("--player", "Ann=minimum", "--player", "Bob=minimum", "--rounds", "2")
    program.run("play", "--auto", "--seed", "demo", *bots)
    seen = Seen(
        program.terminal("replay", "last", "--round", "2", "--as", "Ann", term="xterm-256color"), rows=30, columns=100
    )
    seen.until("round 2,")
    seen.press("l", "l", "l", "l", "l")
    for rows, columns in SIZES:
        seen.resize(rows, columns)
        shown = seen.until(partial(_drawn_whole, rows=rows, columns=columns))
        yield f"{REPLAYER}-{columns}x{rows}.txt", f"{shown}\n"
    seen.press("q")
    seen.terminal.end()


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name in (*GAMES, REPLAYER):
        with TemporaryDirectory() as home:
            program = Program(Path(home))
            for file, shown in screens(program, name):
                (FOLDER / file).write_text(shown, "utf-8")
            program.close()


if __name__ == "__main__":
    main()
