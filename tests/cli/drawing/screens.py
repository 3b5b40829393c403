"""Screens of drawn tables as a person sees them.

`python -m tests.cli.drawing.screens` writes the files that tests compare.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.emulated import Seen
from tests.cli.program import Program
from tests.server.conftest import running

FOLDER: Final = Path(__file__).parent / "screens"
SIZES: Final = ((20, 60), (24, 80), (40, 120))
"""Terminal sizes: rows and columns."""


class Moment(NamedTuple):
    """A point in a game: its options, and the answers that lead to it."""

    options: tuple[str, ...]
    answers: tuple[str, ...]
    seed: str = "demo"


_SIX: Final = ("--rules=no-limit", "--players=6", "--opponents=steady")
_LEAST: Final = ("--rules=no-limit", "--player=Bob=minimum", "--player=Cy=minimum", "--player=Di=minimum")
MOMENTS: Final = {
    "hidden-cards": Moment(("--players=4", "--opponents=steady"), ("bet 50",)),
    "open-cards": Moment(("--game=market",), ("pass",)),
    "board": Moment(("--game=kalah",), ("3",)),
    "blinds": Moment(_SIX, ()),
    "side-pots": Moment(_LEAST, ("r 60", "k", "c", "", "f", "", "r 137"), "s7"),
    "between-rounds": Moment(_SIX, ("f",)),
    "end": Moment(("--players=4", "--rounds=2", "--opponents=steady"), ("b 50", "k", "c", "", "f")),
    "end-of-open-cards": Moment(("--game=market", "--players=3", "--rounds=1"), ("p",)),
    "end-of-board": Moment(("--game=kalah", "--holes=2", "--beans=1"), ("1", "2")),
}
"""Points of games, by the first part of the file names."""
REPLAYER: Final = "replayer"
WATCHED: Final = "watched"
JOINED: Final = "joined"
_FRESH: Final = (
    (re.compile(r"(resume|history|replay|review|watch) [0-9a-f]{8}\b"), r"\1 <id>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "<game>"),
    (re.compile(r"head( [0-9A-Z]{4}){4}"), "head <head>"),
    (re.compile(r"http://\S+"), "<url>"),
)
"""Texts that differ in every game."""


def screens(program: Program, name: str) -> Iterator[tuple[str, str]]:
    """Play a game to a point, and yield a file name and the screen for each size."""
    if name in _APART:
        yield from _APART[name](program)
        return
    moment = MOMENTS[name]
    table = DrawnTerminal(
        program, "play", "--player", "Ann=human", *moment.options, "--seed", moment.seed, size=(30, 100)
    )
    table.question()
    for answer in moment.answers:
        table.type(answer)
        table.question()
    yield from _at_each_size(table, name)


def _at_each_size(table: DrawnTerminal, name: str) -> Iterator[tuple[str, str]]:
    for rows, columns in SIZES:
        table.resize(rows, columns)
        shown = table.until("q quit")
        for fresh, instead in _FRESH:
            shown = fresh.sub(instead, shown)
        yield f"{name}-{columns}x{rows}.txt", f"{shown}\n"
    table.press("\x03")
    table.end()


def watched(program: Program) -> Iterator[tuple[str, str]]:
    """Watch a game in which somebody else is to act."""
    others = ("--player", "Bob=minimum", "--player", "Cy=minimum")
    program.ended("play", "--player", "Ann=human", *others, "--seed", "demo", typed="bet 50\n")
    table = DrawnTerminal(program, "watch", "last", size=(30, 100))
    table.until("Waiting for Ann")
    yield from _at_each_size(table, WATCHED)


def joined(program: Program) -> Iterator[tuple[str, str]]:
    """Take a seat at a server's table, of a game that no chance makes different each time."""
    with running(program.home / "served.sqlite") as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, kind="kalah").started()
        table = DrawnTerminal(program, "join", f"{guest.base_url}/t/{made.table}/seat/1/", size=(30, 100))
        table.program.wait_until_typing_is_hidden()
        table.press(f"{made.tokens[1]}\n")
        table.question()
        table.type("3")
        table.until("just sowed")
        yield from _at_each_size(table, JOINED)


def _drawn_whole(seen: Seen, *, rows: int, columns: int) -> bool:
    """Return whether the replayer has drawn its last line at this size."""
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


_APART: Final[dict[str, Callable[[Program], Iterator[tuple[str, str]]]]] = {
    REPLAYER: replayed,
    WATCHED: watched,
    JOINED: joined,
}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name in (*MOMENTS, *_APART):
        with TemporaryDirectory() as home:
            program = Program(Path(home))
            for file, shown in screens(program, name):
                (FOLDER / file).write_text(shown, "utf-8")
            program.close()


if __name__ == "__main__":
    main()
