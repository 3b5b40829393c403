"""The server under load, in processes of their own, and what it does for how much."""

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.server.load import Open, closed_loop
from benchmarks.table import markdown
from tests import postgres

HERE = Path(__file__).parent
COLUMNS = ("where", "commands a second", "processor time of a command")


class Size(NamedTuple):
    """How much is measured."""

    tables: int
    rate: float
    """Commands a second at all tables together, in the open loop."""
    seconds: float
    clients: int
    """Tables that send commands in the closed loop."""


FULL = Size(tables=200, rate=20, seconds=15, clients=32)
QUICK = Size(tables=25, rate=20, seconds=5, clients=32)


class Running(NamedTuple):
    """A server's process."""

    port: int
    process: int

    @property
    def busy(self) -> float:
        """Seconds of a processor that it has taken."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """Bytes that it has in memory."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()


def run(*, quick: bool) -> str:
    """Measure all, and return it as Markdown."""
    size = QUICK if quick else FULL
    _raise_limit()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        rows = _closed(place, size)
        rows += _on_servers(size)
        return "\n\n".join(
            (
                markdown(
                    f"Commands over HTTP, {size.clients} at a time",
                    ("where", "commands a second", "processor time of a command"),
                    rows,
                ),
                _streams(place, size),
            )
        )


Row = tuple[str, str, str]


def _closed(place: Path, size: Size) -> list[Row]:
    rows: list[Row] = []
    for name, slow in (("SQLite", None), ("SQLite, every sync 10 ms slower", _shim(place))):
        with serving(str(place / f"{len(rows)}.sqlite"), preload=slow) as server:
            rows.append(_row(name, [server], size))
    return rows


def _on_servers(size: Size) -> list[Row]:
    found = postgres.found()
    if isinstance(found, str):
        return [("PostgreSQL", f"not measured: {found}", "")]
    rows = []
    for number in (1, 2):
        with found.empty() as url, ExitStack() as open_:
            where = postgres.text(url)
            servers = [open_.enter_context(serving(where)) for _ in range(number)]
            rows.append(_row(f"PostgreSQL, {number} server{'s' * (number > 1)}", servers, size))
    return rows


def _row(name: str, servers: list[Running], size: Size) -> Row:
    ports = [server.port for server in servers]
    pace = asyncio.run(closed_loop(ports, size.clients, size.seconds, lambda: sum(server.busy for server in servers)))
    return name, f"{pace.a_second:,.0f}", f"{pace.busy * 1e3:.1f} ms"


def _streams(place: Path, size: Size) -> str:
    with serving(str(place / "streams.sqlite")) as server:
        return asyncio.run(_open_loop(server, size))


async def _open_loop(server: Running, size: Size) -> str:
    before = server.memory
    opened = await Open.at([server.port], size.tables)
    try:
        a_table = (server.memory - before) / size.tables
        delays = await opened.at_rate(size.rate, size.seconds)
    finally:
        await opened.close()
    at = delays.seconds
    return markdown(
        f"{size.tables} tables of 6 seats and 2 watchers, {size.tables * 8} streams, {size.rate:g} commands a second",
        ("from the command to the last stream, median", "99th percentile", "rate kept", "memory a table"),
        [
            (
                f"{at[len(at) // 2] * 1e3:,.0f} ms",
                f"{at[int(len(at) * 0.99)] * 1e3:,.0f} ms",
                f"{delays.sent_a_second:,.1f} a second",
                f"{a_table / 1e3:,.0f} kB",
            )
        ],
    )


@contextmanager
def serving(where: str, *, preload: Path | None = None) -> Iterator[Running]:
    """Run a server."""
    port = _free_port()
    environment = dict(os.environ) | ({} if preload is None else {"LD_PRELOAD": str(preload)})
    command = [sys.executable, "-m", "benchmarks.server.serve", where, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "The server does not start."
            yield Running(port, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _shim(place: Path) -> Path:
    """Compile what makes syncs slow."""
    made = place / "slow_fsync.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", made, HERE / "slow_fsync.c", "-ldl"], check=True)
    return made


def _raise_limit() -> None:
    """Allow as many open files as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
