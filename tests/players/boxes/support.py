"""Players in boxes, asked without a game; they print their findings."""

import os
import time
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any, Final

import pytest

from pokersvc.core.game import Game
from pokersvc.players import ChoiceForfeited, NoBox, Programs, Walls
from pokersvc.players.process import LOG
from pokersvc.players.questions import QuestionReader
from pokersvc.players.sample import sample
from pokersvc.players.walls import IN_BOXES
from tests.nim.game import NIM

GAME: Final = NIM
"""A game that a box loads in half the time that draw poker takes."""
CHECKS: Final = "from pokersvc.games.draw_poker.actions import Check; return Check(view.to_act)"
TAKES: Final = "from tests.nim.state import Take; return Take(view.to_act, 1, 1)"


def player_file(choice: str, before: str = "", answers: str = TAKES) -> str:
    """Return the file of a player that does this in a choice, and that before, when its file is loaded."""
    does = indent(f"{choice}\n{answers}", " " * 8)
    return f"{before}\nclass Mine:\n    def choose(self, view, legal, random):\n{does}\n"


def question(game: Game = GAME) -> tuple[Any, Any]:
    """Return a view and its legal actions."""
    [(view, legal, _)] = QuestionReader().read(written(game))
    return view, legal


@cache
def written(game: Game) -> bytes:
    """Return a question as a player's process is sent it."""
    found = sample(game)
    assert found is not None
    return found[0]


@cache
def why_no_box() -> str | None:
    """Return why no box can be made here, or None."""
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"pokersvc-tried-{os.getpid()}"
    folder.mkdir()
    file = folder / "mine.py"
    file.write_text(player_file("pass"))
    try:
        with Programs() as programs:
            programs.find(GAME, f"{file}:Mine")
    except NoBox as error:
        return str(error)
    finally:
        file.unlink()
        folder.rmdir()
    return None


@pytest.fixture
def box() -> None:
    """Skip a test where no box can be made, or fail where changes are judged."""
    if (why := why_no_box()) is not None:
        if "CI" in os.environ:
            pytest.fail(why)
        pytest.skip(why)


class Asked:
    """A player that can be asked, and its printed output."""

    def __init__(self, programs: Programs, kind: str, log: Path) -> None:
        self._player = programs.find(GAME, kind)
        self._log = log

    def choose(self, random: Random | None = None) -> str:
        """Ask the player once; return its output, or the code of its forfeit."""
        before = self._log.stat().st_size
        assert self._player is not None
        try:
            self._player().choose(*question(), random or Random(0))
        except ChoiceForfeited as forfeited:
            return forfeited.code
        with self._log.open() as log:
            log.seek(before)
            return log.read()


@contextmanager
def asking(
    folder: Path, choice: str, before: str = "", *, walls: Walls = IN_BOXES, limit: float = 30.0
) -> Iterator[Asked]:
    """Give a player that does this in a choice, and that before, when its file is loaded."""
    (folder / "mine.py").write_text(player_file(choice, before))
    log = folder / "printed"
    log.touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LOG, str(log))
        with Programs(limit, walls=walls) as programs:
            yield Asked(programs, f"{folder}/mine.py:Mine", log)


def below(pid: int) -> list[int]:
    """Return the descendants of a process; those of a process that ends meanwhile may be missing."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *below(child)]
    return found


def of_a_box(others: Container[int] = ()) -> list[int]:
    """Return the processes of the box in this process: who waits for it, its first, the player, and the next choice.

    After an answer they are waited for, for 20 seconds: the choice that was made still ends, and the player is copied
    for the next one. Then the player and the next choice stand still, and the others sleep.
    """
    until = time.monotonic() + 20
    while True:
        found = [pid for pid in below(os.getpid()) if pid not in others]
        if sorted(map(kernel_state, found)) == STANDING or time.monotonic() > until:
            return found
        time.sleep(0.01)


STANDING: Final = ["S", "S", "t", "t"]


def kernel_state(pid: int) -> str:
    """Return the kernel's letter for the state of a process; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


__all__ = [
    "CHECKS", "GAME", "STANDING", "Asked", "asking", "below", "box", "kernel_state", "of_a_box", "player_file",
    "question", "status", "why_no_box",
]  # fmt: skip
