"""Processes of servers: starting and ending them, and measuring their processor time and memory."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

LOOK = 0.005
"""Seconds between two looks at a process that is held."""


class Running(NamedTuple):
    """A server's process."""

    port: int
    process: int

    @property
    def busy(self) -> float:
        """Processor seconds that it has taken."""
        return time.clock_gettime((~self.process << 3) | 2)  # the kernel's ID for the clock of another process

    @property
    def memory(self) -> int:
        """Bytes of its resident memory."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()


@contextmanager
def serving(where: str, *more: object, preload: Path | None = None) -> Iterator[Running]:
    """Run a server of a database."""
    port = free_port()
    environment = {} if preload is None else {"LD_PRELOAD": str(preload)}
    with started([sys.executable, "-m", "benchmarks.server.serve", where, port, *more], port, environment) as server:
        yield server


@contextmanager
def started(
    command: Sequence[object], port: int, environment: dict[str, str], *, folder: Path | None = None
) -> Iterator[Running]:
    """Run any server that writes a line once it listens."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, **environment}, cwd=folder) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "The server does not start."
            yield Running(port, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def held(servers: Sequence[Running], share: float) -> Iterator[None]:
    """Hold each server to a share of a processor, so that other processes always get as much as they want.

    A server that has taken more than its share is paused until it is below its share again. A share that it does not
    take in time is lost, except the share of a tenth of a second.
    """
    ended = Event()
    threads = [Thread(target=_hold, args=(server, share, ended)) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _hold(server: Running, share: float, ended: Event) -> None:
    left, before, busy = 0.0, time.perf_counter(), server.busy
    while not ended.wait(LOOK):
        now, taken = time.perf_counter(), server.busy
        left = min(left + (now - before) * share - (taken - busy), 0.1 * share)
        before, busy = now, taken
        os.kill(server.process, signal.SIGSTOP if left < 0 else signal.SIGCONT)
    os.kill(server.process, signal.SIGCONT)


class Database(NamedTuple):
    """A PostgreSQL server on this machine."""

    process: int
    """The ID of its main process, the parent of all others."""

    @classmethod
    def of(cls, child: int) -> "Database | None":
        """Return the server with this permanent child process; None if it is on another machine."""
        try:
            return cls(int(_fields(child)[1]))
        except FileNotFoundError:
            return None

    @property
    def busy(self) -> float:
        """Processor seconds that all its processes have taken, also those that have ended."""
        ticks = 0
        for one in Path("/proc").glob("[0-9]*"):
            try:
                fields = _fields(int(one.name))
            except (FileNotFoundError, ProcessLookupError):  # it has just ended
                continue
            if int(one.name) == self.process:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == self.process:
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


def _fields(process: int) -> list[str]:
    """Return the kernel's fields on a process, from its state on."""
    return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def raise_limit() -> None:
    """Raise this process's limit of open files to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
