"""A custom player in a box (`pokersvc.players.box`), seen from the game's process, which keeps the clock."""

import os
import pickle
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from pokersvc.players import messages
from pokersvc.players.box import limits
from pokersvc.players.box.files import RefusedFileError, copies
from pokersvc.players.box.libraries import libraries
from pokersvc.players.box.spec import FOLDER, Bait, Spec
from pokersvc.players.process import GRACE, LOG, Loading, NoAnswerError, Process, Steps, log, unusable
from pokersvc.players.sample import sample
from pokersvc.players.walls import Walls, no_box

_MAKER: Final = Path(__file__).with_name("box") / "__main__.py"
_NO_RESTARTS: Final = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
"""Turns off the C library's rseq(2), by which the kernel would run a player's code between its choices."""
_STOP: Final = b""
"""A question that ends the current choice."""


class Boxed(Process):
    """The process of one boxed player."""

    def __init__(self, loading: Loading, walls: Walls) -> None:
        if platform.machine() != "x86_64":
            raise no_box(loading.kind, f"a box needs a processor of type x86_64, and this is {platform.machine()}")
        self._walls = walls
        super().__init__(loading)

    def _started(self, asked: int, answers: int) -> "subprocess.Popen[bytes]":
        with log() as printed:
            kept = [asked, answers, *([printed.fileno()] if LOG in os.environ else [])]
            return subprocess.Popen(  # noqa: S603 - this Python, on a file of ours
                [sys.executable, "-P", "-s", "-S", str(_MAKER), *map(str, [*kept, -1][:3])],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                pass_fds=kept,
                start_new_session=True,  # a player has no terminal
                env={"PATH": os.defpath, "LANG": "C.UTF-8", "LD_BIND_NOW": "1", "PYTHONHASHSEED": "0", **_NO_RESTARTS},
            )

    def load(self, seconds: float) -> None:
        """Have the box made and tested from inside, and the player loaded in it."""
        with _bait() as bait:
            kind, words = self.ask(pickle.dumps(self._spec(bait)), seconds)
        if kind == messages.NO_BOX:  # which the box reports before any of the player's code runs
            raise no_box(self._loading.kind, words.decode(errors="replace"))
        if kind == messages.REFUSED:
            raise unusable(self._loading.kind, words.decode(errors="replace"))
        self.loaded(kind, words)

    def _choosing(self, question: bytes, views: int) -> Steps[tuple[bytes, bytes]]:
        """End a choice that is out of time (the box does so too); end the box if that fails."""
        deadline = time.monotonic() + self._loading.limit * views
        try:
            return (yield from self._asked(question, deadline))
        except NoAnswerError as error:
            if error.code != "timeout":
                raise
        deadline += GRACE
        yield from self._send(self._head(_STOP), deadline)
        # An answer that came while the choice was being ended is too late.
        yield from self._answered(deadline)
        return messages.TIMEOUT, b""

    def _spec(self, bait: Bait) -> Spec:
        kind, (where, name), limit, game = self._loading
        network = kind in self._walls.may_use_network
        modules = {action.__module__ for action in game.actions}
        files: tuple[tuple[str, bytes], ...] = ()
        if where.endswith(".py"):
            try:
                files = tuple(copies(Path(where)))
            except (RefusedFileError, OSError) as error:
                raise unusable(kind, str(error)) from error
            where = f"{FOLDER}/{Path(where).name}"
        else:
            modules.add(where)
        shown, links, path = libraries(modules, network=network)
        granted = tuple((str(place), str(place)) for place in self._walls.may_read.get(kind, ()))
        return Spec(
            shown=(*shown, *granted),
            links=links,
            files=files,
            network=network,
            logged=LOG in os.environ,
            limit=limit,
            spare=limits.SPARE_SECONDS,
            path=path,
            sample=sample(game),
            player=pickle.dumps((where, name, game.actions)),
            bait=bait,
            strict=self._walls.strict,
            taken_away=tuple(target for _, target in shown) if self._walls.strict else (),
        )


@contextmanager
def _bait() -> Iterator[Bait]:
    """Yield a file, a process and a port that no player may reach from its box."""
    with NamedTemporaryFile() as file, socket.create_server(("127.0.0.1", 0)) as server:
        yield Bait((file.name,), os.getpid(), server.getsockname()[1])
