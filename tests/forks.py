"""Processes to be killed: forked from one that has imported everything, so that they are at work at once.

Run as a program, this is the process that they are forked from. It opens no database itself.
"""

import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

ROOT = Path(__file__).parents[1]
IMPORTED = (
    "pokersvc.cli.main", "pokersvc.cli.play", "pokersvc.cli.reading", "pokersvc.cli.db", "pokersvc.service",
    "pokersvc.service.history", "pokersvc.eventlog.claim",
    "pokersvc.games.draw_poker", "alembic.command", "alembic.config", "tests.service.sender",
)  # fmt: skip


class Run(NamedTuple):
    """How a process ended (minus the signal that killed it), what it printed, and how long it took in seconds."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        """The lines that it printed whole."""
        return self.out.split("\n")[:-1]


class Forks:
    """Starts processes that run ``module:function`` with a list of arguments."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.forks"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**environment, "PYTHONPATH": str(ROOT)},
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.communicate(timeout=60)

    def run(
        self, function: str, *arguments: object, typed: str = "", after: float | None = None, size: int | None = None
    ) -> Run:
        """Run a function in a process of its own; kill it after some seconds, let no file grow beyond a size."""
        streams = [str(self._folder / name) for name in ("in", "out", "err")]
        for name, text in zip(streams, (typed, "", ""), strict=True):  # here: the process may be killed before it can
            Path(name).write_text(text, "utf-8")
        self._say({"function": function, "arguments": list(map(str, arguments)), "streams": streams, "size": size})
        started = time.monotonic()
        pid = self._hear()
        if after is not None:
            time.sleep(max(0, started + after - time.monotonic()))
            os.kill(pid, signal.SIGKILL)  # it is there, as a zombie at least, until it is waited for
        self._say("wait")
        code = self._hear()
        out, err = (Path(name).read_text("utf-8") for name in streams[1:])
        return Run(code, out, err, time.monotonic() - started)

    def _say(self, request: Any) -> None:
        assert self._server.stdin is not None
        print(json.dumps(request), file=self._server.stdin, flush=True)

    def _hear(self) -> int:
        assert self._server.stdout is not None
        return int(self._server.stdout.readline())


def main() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        pid = os.fork()
        if not pid:
            _child(**request)
        print(pid, flush=True)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def _child(function: str, arguments: list[str], streams: list[str], size: int | None) -> None:
    code = 70
    try:
        for number, name in enumerate(streams):
            os.dup2(os.open(name, os.O_RDWR), number)
        os.chdir(Path(streams[0]).parent)
        sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
        if size is not None:
            sys.dont_write_bytecode = True  # a module that is cut short would be kept
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        module, _, name = function.partition(":")
        code = getattr(importlib.import_module(module), name)(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
