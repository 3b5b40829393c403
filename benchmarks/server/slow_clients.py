"""Strangers who hold connections, and what they cost people who play.

``python -m benchmarks.server.slow_clients KIND PORT TABLE ADDRESSES NUMBER`` runs the strangers, in a process of their
own: it writes a line once they hold all that they could get, and continues until it is ended. A stranger who is
disconnected comes again.
"""

import asyncio
import json
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, product
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from benchmarks.server.client import Table
from benchmarks.server.load import tables
from benchmarks.server.running import Running, raise_limit, serving
from benchmarks.table import markdown

NUMBER: Final = 1000
"""Connections that the strangers hold."""
TABLES: Final = 4
RATE: Final = 20.0
"""Honest commands a second."""
WATCHED: Final = 1.0
"""Commands a second at the table that strangers watch, where nothing is measured."""
WINDOW: Final = 2048
"""Bytes that the system buffers for a stranger who reads nothing."""
DRIP: Final = 3.0
"""Seconds between two bytes that a stranger sends."""
LET_GO: Final = 60.0
"""Seconds after which a stranger who reads nothing must have been disconnected."""
AGAIN: Final = 1.0
"""Seconds after which a disconnected stranger comes again."""
MOST: Final = 1.5
_ESTABLISHED: Final = 1


class Length(NamedTuple):
    """The lengths of the parts of a measurement, in seconds."""

    settle: float
    """A time without measurements, in which strangers do all that they may do at once."""
    measured: float
    """Commands are measured; a minute has passed at its end, when memory is looked at."""
    more: float
    """Memory should stay as it is; commands are measured."""


FULL: Final = Length(settle=20, measured=40, more=10)
QUICK: Final = Length(settle=5, measured=5, more=5)


class Stranger:
    """A connection from an address of this machine."""

    def __init__(self, port: int, table: str, address: str, number: int) -> None:
        self.port, self.table, self.address, self.number = port, table, address, number
        self._socket: socket.socket | None = None

    async def connect(self) -> None:
        """Connect from the stranger's address."""
        client = self._socket = socket.socket()
        client.setblocking(False)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        client.bind((self.address, 0))
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", self.port))

    async def send(self, data: bytes) -> None:
        """Send data."""
        assert self._socket is not None
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def some(self) -> bytes:
        """Return the next data; nothing at the end."""
        assert self._socket is not None
        return await asyncio.get_running_loop().sock_recv(self._socket, 65_536)

    @property
    def connected(self) -> bool:
        """Whether the server has the connection open, as far as the system knows without reading."""
        assert self._socket is not None
        (state,) = struct.unpack_from("B", self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1))
        return bool(state == _ESTABLISHED)

    def request(self, line: str, body: object = None, *headers: str, length: int | None = None) -> bytes:
        """Return the bytes of a request."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{line} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {length or len(content)}"]
        lines += ["Content-Type: application/json"] * (body is not None)
        return "\r\n".join([*lines, *headers, "", ""]).encode() + content

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()


async def _stays(stranger: Stranger) -> None:
    """Wait until the stranger is disconnected, or must have been: one who reads nothing need not notice."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LET_GO):
            while stranger.connected:
                await asyncio.sleep(AGAIN)


async def idle(stranger: Stranger) -> None:
    """Send nothing."""
    await stranger.some()


async def _drips(stranger: Stranger, begun: bytes) -> None:
    await stranger.send(begun)
    while stranger.connected:
        await stranger.send(b"x")
        await asyncio.sleep(DRIP)


async def headers(stranger: Stranger) -> None:
    """Send endless headers."""
    await _drips(stranger, b"GET /api/tables HTTP/1.1\r\nX-Long: ")


async def bodies(stranger: Stranger) -> None:
    """Send an endless body."""
    await _drips(stranger, stranger.request("POST /api/tables", length=16_000))


async def streams(stranger: Stranger) -> None:
    """Ask for a stream, and read nothing."""
    await stranger.send(stranger.request(f"GET /api/tables/{stranger.table}/watch/stream"))
    await _stays(stranger)


async def answers(stranger: Stranger) -> None:
    """Ask for more than the system buffers for a reader, and read nothing."""
    await stranger.send(stranger.request("GET /web/verify/together.js") * 14)
    await _stays(stranger)


async def _floods(stranger: Stranger, request: Callable[[], bytes]) -> None:
    while True:
        await stranger.send(request())
        if not await stranger.some():
            return


async def refused(stranger: Stranger) -> None:
    """Send commands that are refused, each as soon as the one before is answered."""
    command = {"id": "00000000-0000-4000-8000-000000000000", "typed": "fly"}
    path = f"POST /api/tables/{stranger.table}/seats/1/commands"
    await _floods(stranger, lambda: stranger.request(path, command, "Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAA"))


async def lobby(stranger: Stranger) -> None:
    """Make public tables, each as soon as the one before is made."""
    made = {"kind": "kalah", "seats": [{}, {}], "public": True}
    await _floods(stranger, lambda: stranger.request("POST /api/tables", made))


KINDS: Final[dict[str, Callable[[Stranger], Coroutine[Any, Any, None]]]] = {
    "idle": idle,
    "headers": headers,
    "bodies": bodies,
    "streams": streams,
    "answers": answers,
    "refused": refused,
    "lobby": lobby,
}
NAMES: Final = {
    "idle": "connections without a request",
    "headers": "headers, a byte each 3 s",
    "bodies": "bodies, a byte each 3 s",
    "streams": "streams that nobody reads",
    "answers": "answers that nobody reads",
    "refused": "refused commands, one after the other",
    "lobby": "tables for the lobby, one after the other",
}


async def hold(kind: str, strangers: list[Stranger]) -> None:
    """Hold connections for ever; write a line once all strangers have tried to connect."""
    tried, everybody = count(1), asyncio.Event()

    async def one(stranger: Stranger) -> None:
        first = True
        while True:
            try:
                await stranger.connect()
                if first and next(tried) == len(strangers):
                    everybody.set()
                first = False
                await KINDS[kind](stranger)
            except OSError:
                pass
            finally:
                stranger.close()
            await asyncio.sleep(AGAIN)

    running = [asyncio.create_task(one(stranger)) for stranger in strangers]
    with suppress(TimeoutError):
        await asyncio.wait_for(everybody.wait(), 10)
    print("held", flush=True)
    await asyncio.gather(*running)


@contextmanager
def strangers(kind: str, port: int, table: str, addresses: int) -> Iterator[None]:
    """Run strangers who hold connections."""
    words = ["-m", "benchmarks.server.slow_clients", kind, port, table, addresses, NUMBER]
    with subprocess.Popen([sys.executable, *map(str, words)], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "The strangers do not come."
            yield
        finally:
            process.terminate()


class Busy(NamedTuple):
    """A server, and tables at which honest people play."""

    server: Running
    made: list[Table]

    @property
    def open(self) -> int:
        """The number of files that the server has open: every connection is one."""
        return len(list(Path(f"/proc/{self.server.process}/fd").iterdir()))

    async def command(self, number: int, due: float) -> float:
        """Send the next command; return the seconds since the moment at which it was due."""
        table = self.made[number % len(self.made)]
        async with table.lock:
            await table.act()
        return perf_counter() - due


async def honest(places: tuple[Busy, Busy], seconds: float) -> tuple[list[float], list[float]]:
    """Send commands at a rate to both, each on time whether or not earlier ones are answered; return the times."""
    begin = perf_counter()
    sent: tuple[list[asyncio.Task[float]], ...] = ([], [])
    for number in range(int(2 * RATE * seconds)):
        due = begin + number / (2 * RATE)
        await asyncio.sleep(max(0.0, due - perf_counter()))
        at = number % 2
        sent[at].append(asyncio.create_task(places[at].command(number // 2, due)))
    alone, beside = [await asyncio.gather(*tasks) for tasks in sent]
    return alone, beside


async def _plays(table: Table) -> None:
    while True:
        await table.act()
        await asyncio.sleep(1 / WATCHED)


async def _measured(alone: Running, beside: Running, kind: str, addresses: int, length: Length) -> tuple[str, ...]:
    places = Busy(alone, await tables([alone.port], TABLES)), Busy(beside, await tables([beside.port], TABLES))
    place = places[1]
    (watched,) = await tables([beside.port], 1)
    playing = asyncio.create_task(_plays(watched))
    await honest(places, 2)
    memory, files = [beside.memory], place.open
    with strangers(kind, beside.port, watched.path.rpartition("/")[2], addresses):
        await honest(places, length.settle)
        busy, begin = beside.busy, perf_counter()
        first = await honest(places, length.measured)
        memory.append(beside.memory)
        second = await honest(places, length.more)
        memory.append(beside.memory)
        held = place.open - files
        share = (beside.busy - busy) / (perf_counter() - begin)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing  # an error in it is an error of the measurement
    for table in (watched, *places[0].made, *place.made):
        table.close()
    without, with_ = (_late([*one, *two]) for one, two in zip(first, second, strict=True))
    return (
        NAMES[kind],
        f"{addresses}",
        f"{held:,}",
        f"{without * 1e3:.0f} ms",
        f"{with_ * 1e3:.0f} ms",
        f"{with_ / without:.2f} ×",
        f"{share:.0%}",
        f"{(memory[1] - memory[0]) / 1e6:+.1f} MB",
        f"{(memory[2] - memory[1]) / 1e6:+.1f} MB",
    )


def _late(took: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(took)[int(len(took) * 0.99)]


def run(*, quick: bool, kinds: Sequence[str] = tuple(KINDS)) -> str:
    """Measure all kinds of strangers, and return the results as Markdown."""
    raise_limit()
    length, rows = QUICK if quick else FULL, list[tuple[str, ...]]()
    for kind, addresses in product(kinds, (1, 100)):
        most = NUMBER + 100 if addresses == 1 else NUMBER // 2
        with (
            tempfile.TemporaryDirectory() as folder,
            serving(f"{folder}/alone.sqlite", most) as alone,
            serving(f"{folder}/beside.sqlite", most) as beside,
        ):
            rows.append(asyncio.run(_measured(alone, beside, kind, addresses, length)))
            print(rows[-1], file=sys.stderr, flush=True)
    return markdown(
        f"Honest commands beside strangers who hold {NUMBER:,} connections",
        (
            "what they do",
            "from addresses",
            "connections held",
            "99th percentile without them",
            "with them",
            f"ratio, at most {MOST:g}",
            "of a processor",
            f"memory after {length.settle + length.measured:.0f} s",
            f"in the next {length.more:.0f} s",
        ),
        rows,
        f"{RATE:g} commands a second at {TABLES} tables of six people; the time counts from the moment at which a"
        " command was due. Two servers have the same commands in turn, one of them beside the strangers, who watch a"
        f" table of their own, with {WATCHED:g} command a second. Whoever is let go or turned away comes again after a"
        " second.",
    )


def main() -> None:
    """Run as the strangers."""
    kind, port, table, addresses, number = sys.argv[1], int(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:6])
    raise_limit()
    found = [Stranger(port, table, f"127.0.1.{1 + at % addresses}", at) for at in range(number)]
    asyncio.run(hold(kind, found))


if __name__ == "__main__":
    main()
