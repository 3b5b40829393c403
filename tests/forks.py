"""Processes forked from one that has done all imports, so that they start at once.

That one is `tests.warm`, a process of its own, which opens no database itself.
"""

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

ROOT = Path(__file__).parents[1]
TIMEOUT = 60
"""Seconds after which a running process is killed, and its test fails."""

POWERLESS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
"""The start of a command line that drops root's capabilities, so that permissions apply to the process."""


Streams = tuple[int, int, int]
"""Descriptors for the input, the output and the errors of a process."""


class Place(TypedDict, total=False):
    """Where a process runs: its folder and environment; by default those of the tests."""

    home: Path
    environment: Mapping[str, str]


class Run(NamedTuple):
    """The exit code of a process (minus its signal, if killed), its output, and its time in seconds."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        """The lines that it printed whole."""
        return self.out.split("\n")[:-1]


class Forked:
    """A process that was forked; it is used as one that `subprocess` starts."""

    def __init__(self, status: int) -> None:
        self._status = os.fdopen(status, "r")
        self.pid = int(self._status.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return how it ended, None as long as it runs."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self._hear()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit code, or minus the signal that killed it."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise TimeoutError(f"process {self.pid} still runs after {timeout} s")
            self._hear()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, unless it has ended; it may end just before."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)

    def _hear(self) -> None:
        with self._status:
            self.returncode = int(self._status.readline())


class Forks:
    """Starts processes that run ``module:function`` with a list of arguments, from one that is warm."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTHON"))}
        with theirs:
            self._warm = subprocess.Popen(
                [sys.executable, "-W", "error", "-m", "tests.warm", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env=kept | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
                pass_fds=[theirs.fileno()],
            )
        self._requests = ours

    def close(self) -> None:
        """End the process from which others are forked."""
        self._requests.close()
        self._warm.wait(TIMEOUT)

    def start(
        self,
        function: str,
        arguments: Iterable[object],
        streams: Streams,
        *,
        size: int | None = None,
        at_terminal: bool = False,
        powerless: bool = False,
        **place: Unpack[Place],
    ) -> Forked:
        """Start a process with descriptors for its streams; it may write no file beyond a size.

        Permissions bind one that is powerless, even if the tests run as root. At a terminal, its input is one, by which
        it is controlled. It is not traced: it began before it was forked.
        """
        around = place.get("environment", os.environ)
        untraced = {name: value for name, value in around.items() if not name.startswith("COVERAGE_")}
        heard, told = os.pipe()
        request = {
            "function": function, "arguments": list(map(str, arguments)), "home": str(place.get("home", Path.cwd())),
            "environment": untraced, "size": size, "at_terminal": at_terminal,
            "powerless": powerless,
        }  # fmt: skip
        socket.send_fds(self._requests, [json.dumps(request).encode()], [told, *streams])
        os.close(told)
        return Forked(heard)

    def run(
        self,
        function: str,
        *arguments: object,
        typed: str = "",
        after: float | None = None,
        size: int | None = None,
        out: int | None = None,
        powerless: bool = False,
        **place: Unpack[Place],
    ) -> Run:
        """Run a function in a new process with pipes; kill it after `TIMEOUT` seconds.

        What it prints goes to a descriptor, if there is one, and is not returned.
        """
        started = time.monotonic()
        (their_in, our_in), (our_out, their_out), (our_err, their_err) = (os.pipe() for _ in range(3))
        streams = (their_in, their_out if out is None else out, their_err)
        process = self.start(function, arguments, streams, size=size, powerless=powerless, **place)
        for stream in (their_in, their_out, their_err):
            os.close(stream)
        with ThreadPoolExecutor(3) as threads:
            threads.submit(_write, our_in, typed.encode())
            read = [threads.submit(_read, stream) for stream in (our_out, our_err)]
            if after is not None:
                time.sleep(max(0, started + after - time.monotonic()))
                process.kill()
            try:
                code = process.wait(TIMEOUT)
            finally:
                process.kill()
        printed, said = (one.result().decode() for one in read)
        return Run(code, printed, said, time.monotonic() - started)


@functools.cache
def forks() -> Forks:
    """Return the shared starter of processes."""
    made = Forks()
    atexit.register(made.close)
    return made


def _read(stream: int) -> bytes:
    with os.fdopen(stream, "rb") as file:
        return file.read()


def _write(stream: int, text: bytes) -> None:
    with os.fdopen(stream, "wb") as file:
        file.write(text)
