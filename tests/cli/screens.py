"""Screens of drawn tables as a person sees them; `python -m tests.cli.screens` writes the files that tests compare."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.cli.drawn_terminal import DrawnTerminal
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
_FRESH: Final = (
    (re.compile(r"resume [0-9a-f]{8}"), "resume <id>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "<game>"),
    (re.compile(r"head( [0-9A-Z]{4}){4}"), "head <head>"),
)
"""What differs in every game."""


def screens(program: Program, name: str) -> Iterator[tuple[str, str]]:
    """Play one choice of a game, and yield the name of a file and the screen for each size."""
    options, choice = GAMES[name]
    others = ("--seed", "demo", "--player", "Ann=human")
    table = DrawnTerminal(program, "play", *options, *others, size=(30, 100))
    table.question()
    table.type(choice)
    table.question()
    for rows, columns in SIZES:
        table.resize(rows, columns)
        shown = table.until("leave, resume later")
        for fresh, instead in _FRESH:
            shown = fresh.sub(instead, shown)
        yield f"{name}-{columns}x{rows}.txt", f"{shown}\n"
    table.type("q")
    table.end()


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        with TemporaryDirectory() as home:
            program = Program(Path(home))
            for file, shown in screens(program, name):
                (FOLDER / file).write_text(shown, "utf-8")
            program.close()


if __name__ == "__main__":
    main()
