"""The files that a bet, an audit and an import pass through: ``python -m tests.walks`` writes walks.json.

A walk is the files of pokersvc in which functions are called, in the order in which it first enters them. It steps up
where a function of a room calls one of a room above, as only what was handed down can.
"""

import json
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, NamedTuple, Self
from unittest.mock import patch

import pokersvc
from pokersvc.cli.main import main
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.actions import Bet, Call
from pokersvc.histories.checking import check
from pokersvc.histories.importing import Imported, store
from pokersvc.service import Service
from tests.histories.goldens import SAMPLES
from tests.server.conftest import served

SETTLED: Final = 0.1
"""Seconds without a call after which a server has finished all work that follows from a command."""
ROOT: Final = Path(pokersvc.__file__).parent
KEPT: Final = Path(__file__).with_name("walks.json")
_SETTINGS: Final = tomllib.loads((ROOT.parent / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
_LAYERS: Final = next(contract["layers"] for contract in _SETTINGS["contracts"] if contract["type"] == "layers")
_FLOOR: Final = {
    room.strip().removeprefix("pokersvc."): -floor for floor, rooms in enumerate(_LAYERS) for room in rooms.split("|")
}
"""Room → its level."""
_WAITS: Final = "server/connections/seats_first.py"
"""The functions in which a server's event loop waits; they are always on the stack."""


def _file(frame: FrameType) -> str | None:
    """Return the file of pokersvc that a frame belongs to; None for other code."""
    path = frame.f_code.co_filename
    return Path(path).relative_to(ROOT).as_posix() if path.startswith(f"{ROOT}/") else None


def _caller(frame: FrameType) -> str | None:
    """Return the file of pokersvc that a frame was called from, through whatever lies between."""
    before, file = frame.f_back, None
    while before is not None and (file := _file(before)) is None:
        before = before.f_back
    return file


def _room(file: str) -> str:
    return file.partition("/")[0].removesuffix(".py")


class Walk(NamedTuple):
    """The files and calls of one walk through the code."""

    files: list[str]
    """The files, in the order of their first call."""
    up: list[str]
    """The calls from a room to a higher one, such as ``eventlog/group.py -> service/command.py``."""


class Steps:
    """Records the calls of this thread, and of threads that it starts, on request."""

    def __init__(self) -> None:
        self.noting = False
        self._last = 0.0
        self._entered: dict[str, None] = {}
        self._up: dict[str, None] = {}

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (file := _file(frame)) in (None, _WAITS):
            return
        self._last = time.monotonic()
        if self.noting:
            self._entered[file] = None
            before = _caller(frame)
            if before is not None and _FLOOR[_room(before)] < _FLOOR[_room(file)]:
                self._up[f"{before} -> {file}"] = None

    def settle(self) -> None:
        """Wait until nothing of pokersvc has been called for a while."""
        while (left := self._last + SETTLED - time.monotonic()) > 0:
            time.sleep(left)

    def begin(self) -> None:
        """Start recording calls, and discard earlier ones."""
        self._entered, self._up, self.noting = {}, {}, True

    def __enter__(self) -> Self:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    @property
    def walk(self) -> Walk:
        """Where the calls went that were noted."""
        return Walk(list(self._entered), list(self._up))


def walk_of(run: Callable[[], object]) -> Walk:
    """Return the walk through the code that this thread runs."""
    with Steps() as steps:
        steps.noting = True
        run()
        steps.noting = False
    return steps.walk


@contextmanager
def _played(folder: Path) -> Iterator[tuple[Database, Service, str]]:
    with Database.for_writing(str(folder / "a.sqlite")) as database:
        service = Service(EventLog(database))
        seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
        setup = Setup(seats, EntropySource.from_text("way"), None, game_of("draw").options({}))
        yield database, service, service.start("draw", setup)[0]


def a_bet(folder: Path) -> Walk:
    """A bet and the call of it, as the service is asked for them."""
    with _played(folder) as (_, service, game_id):
        return walk_of(lambda: [service.act(game_id, action) for action in (Bet(1, 50), Call(2))])


def a_bet_by_http(folder: Path) -> Walk:
    """A bet that a program sends to a server: after a first, the shorter of two, as a server has other work too."""
    bet = {"type": "Bet", "amount": 50}
    path, walks = str(folder / "a.sqlite"), list[Walk]()
    with Database.for_writing(path) as database, Steps() as steps, served(database, poll=60) as guest:
        for _ in range(3):
            door = guest.made({"name": "Ann"}, {"name": "Bob"}).started().seat(1)
            door.snapshot()
            steps.settle()
            steps.begin()
            assert door.send(action=bet).status_code == 200
            steps.settle()  # what is told to others, and who is next, comes after the answer
            steps.noting = False
            walks.append(steps.walk)
    return min(walks[1:], key=lambda walk: len(walk.files))


def a_bet_at_a_terminal(folder: Path) -> Walk:
    """A bet that is typed, up to the question to the next player."""
    steps, answers = Steps(), iter(("bet 50", "quit"))

    def typed(_prompt: str = "") -> str:
        answer = next(answers)
        steps.noting = answer == "bet 50"
        return answer

    seats = [f"--player={name}=human" for name in ("Ann", "Bob")]
    with patch("builtins.input", typed), steps, redirect_stdout(StringIO()):
        assert main(["--db", str(folder / "a.sqlite"), "play", "--plain", "--seed", "way", *seats]) == 0
    return steps.walk


def an_audit(folder: Path) -> Walk:
    """An audit of one game, after another that has imported what it needs."""
    with _played(folder) as (database, _, _):
        list(audit(database))
        return walk_of(lambda: list(audit(database)))


def an_import(folder: Path) -> Walk:
    """An import of one hand, after another that has imported what it needs."""
    hands = (SAMPLES / "pokerstars.txt").read_text("utf-8").strip().split("\n\n\n")
    with Database.for_writing(str(folder / "a.sqlite")) as database:
        service = Service(EventLog(database))
        paths = [folder / "first.txt", folder / "second.txt"]
        for path, hand in zip(paths, hands, strict=False):
            path.write_text(hand + "\n", "utf-8")
        first, second = [partial(_imported, service, path) for path in paths]
        assert len(first()) == 1
        return walk_of(second)


def _imported(service: Service, path: Path) -> list[Imported]:
    return list(store(service, check([path], processes=1)))


WALKS: Final[dict[str, Callable[[Path], Walk]]] = {
    walk.__name__.replace("_", " "): walk for walk in (a_bet, a_bet_by_http, a_bet_at_a_terminal, an_audit, an_import)
}


def kept() -> dict[str, Walk]:
    """Return the stored walks."""
    return {name: Walk(**walk) for name, walk in json.loads(KEPT.read_text("ascii")).items()}


if __name__ == "__main__":
    found = {}
    for name, walk in WALKS.items():
        with TemporaryDirectory() as folder:
            found[name] = walk(Path(folder))._asdict()
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
