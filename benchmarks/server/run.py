"""The server under load, in processes of its own: what it does, and at what cost."""

import asyncio
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final, NamedTuple

from benchmarks.server.boardgame_io import BoardgameIo, NotInstalled
from benchmarks.server.load import Measured, Open, Pace, Size, closed_loop
from benchmarks.server.running import Database, Running, held, raise_limit, serving
from benchmarks.table import markdown
from tests import postgres

HERE = Path(__file__).parent
FULL = Size(tables=200, rate=20, seconds=15, clients=32)
QUICK = Size(tables=25, rate=20, seconds=5, clients=32)
SHARE: Final = 0.1
"""The share of a processor to which each server is held when two are compared with one."""
TURNS: Final = 3
Row = tuple[str, ...]
_STAYS: Final = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"


class Arranged(NamedTuple):
    """A number of servers, and whether each table sends its commands to only one of them."""

    name: str
    servers: int
    pinned: bool


ARRANGED: Final = (
    Arranged("1 server", 1, pinned=True),
    Arranged("2 servers, tables pinned", 2, pinned=True),
    Arranged("2 servers, each command to another", 2, pinned=False),
)


def run(*, quick: bool) -> str:
    """Measure everything, and return it as Markdown."""
    size = QUICK if quick else FULL
    raise_limit()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return "\n\n".join((_commands(place, size), _on_servers(size), _streams(place, size)))


def _commands(place: Path, size: Size) -> str:
    rows: list[Row] = []
    for name, slow in (("SQLite", None), ("SQLite, every sync 10 ms slower", _shim(place))):
        with serving(str(place / f"{len(rows)}.sqlite"), preload=slow) as server:
            pace = _paced([server], size)
            rows.append((name, f"{pace.a_second:,.0f}", _milliseconds(pace.busy[0])))
    return markdown(
        f"Commands over HTTP, {size.clients} at a time",
        ("where", "commands a second", "processor time of a command"),
        rows,
    )


def _on_servers(size: Size) -> str:
    title = f"Commands over HTTP, {size.clients} at a time, on PostgreSQL"
    found = postgres.found()
    if isinstance(found, str):
        return markdown(title, ("where", "commands a second"), [("PostgreSQL", f"not measured: {found}")])
    rows: list[Row] = []
    for share in (None, SHARE):
        turns = [[_on(found, size, arranged, share) for arranged in ARRANGED] for _ in range(TURNS)]
        for at, arranged in enumerate(ARRANGED):
            paces = [turn[at] for turn in turns]
            ratio = median(turn[at].a_second / turn[0].a_second for turn in turns)
            busy = [median(pace.busy[of] for pace in paces) for of in range(3)]
            name = arranged.name if share is None else f"{arranged.name}, each held to {share:.0%} of a processor"
            pace = median(pace.a_second for pace in paces)
            rows.append((name, f"{pace:,.0f}", f"{ratio:.2f}", *map(_milliseconds, busy)))
    columns = ("where", "commands a second", "× one server", "of servers", "of PostgreSQL", "of clients")
    note = f"The last three columns are the processor time of a command. Medians of {TURNS} runs of each in turn."
    return markdown(title, columns, rows, note)


def _on(found: postgres.Server, size: Size, arranged: Arranged, share: float | None) -> Pace:
    with found.empty() as url, ExitStack() as open_:
        where = postgres.text(url)
        servers = [open_.enter_context(serving(where)) for _ in range(arranged.servers)]
        database = Database.of(postgres.run(url, _STAYS)[0][0])
        shorter = size._replace(seconds=size.seconds / 2)
        return _paced(servers, shorter, database, share=share, pinned=arranged.pinned)


def _paced(
    servers: Sequence[Running],
    size: Size,
    database: Database | None = None,
    *,
    share: float | None = None,
    pinned: bool = False,
) -> Pace:
    def busy() -> tuple[float, float, float]:
        return sum(server.busy for server in servers), 0.0 if database is None else database.busy, process_time()

    ports = [server.port for server in servers]
    with nullcontext() if share is None else held(servers, share):
        return asyncio.run(closed_loop(ports, size.clients, size.seconds, busy, pinned=pinned))


def _streams(place: Path, size: Size) -> str:
    rows = [(name, *_shown(measured)) if measured else (name,) for name, measured in _measured(place, size)]
    return markdown(
        f"{size.tables} tables of 6 seats and 2 watchers, {size.tables * 8} streams, {size.rate:g} commands a second",
        (
            "server",
            "from the command to the last stream, median",
            "99th percentile",
            "rate kept",
            "processor time of a command",
            "memory a table",
        ),
        rows,
    )


def _measured(place: Path, size: Size) -> Iterator[tuple[str, Measured | None]]:
    with serving(str(place / "streams.sqlite")) as server:
        yield "pokersvc, SQLite", asyncio.run(_open_loop(server, size))
    try:
        other = BoardgameIo(place / "boardgame")
    except NotInstalled as error:
        yield f"boardgame.io is not measured: {error}", None
        return
    yield f"boardgame.io {other.version}, in memory", other.measured(size)
    yield f"boardgame.io {other.version}, in files", other.measured(size, place / "files")


async def _open_loop(server: Running, size: Size) -> Measured:
    before = server.memory
    opened = await Open.at([server.port], size.tables)
    try:
        memory, busy = (server.memory - before) / size.tables, server.busy
        delays = await opened.at_rate(size.rate, size.seconds)
    finally:
        await opened.close()
    return Measured(delays, (server.busy - busy) / len(delays.seconds), memory)


def _shown(measured: Measured) -> Row:
    at = measured.delays.seconds
    return (
        f"{at[len(at) // 2] * 1e3:,.0f} ms",
        f"{at[int(len(at) * 0.99)] * 1e3:,.0f} ms",
        f"{measured.delays.sent_a_second:,.1f} a second",
        _milliseconds(measured.busy),
        f"{measured.memory / 1e3:,.0f} kB",
    )


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def _shim(place: Path) -> Path:
    """Compile the library that makes syncs slow."""
    made = place / "slow_fsync.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", made, HERE / "slow_fsync.c", "-ldl"], check=True)
    return made
