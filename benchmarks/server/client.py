"""The client: tables, their commands and their streams, over plain sockets, so that it takes little of the machine.

Everybody at a table of the market passes, so the seats take turns by number, whatever cards are dealt.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from secrets import token_urlsafe
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

SEATS: Final = 6
WATCHERS: Final = 2
ROUNDS: Final = 1000
_IDS: Final = re.compile(rb"^id: (\d+)$", re.MULTILINE)


class Connection:
    """One connection to the server, kept alive."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        await self.send(method, path, body, token)
        return await self.answer()

    async def send(self, method: str, path: str, body: Any = None, token: str = "") -> None:
        """Send a request."""
        if self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Length: {len(content)}\r\n"
        if body is not None:
            head += "Content-Type: application/json\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self._writer.write(head.encode() + b"\r\n" + content)

    async def head(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers of an answer."""
        assert self._reader is not None
        first, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        return int(first.split()[1]), {
            name.lower(): value for name, _, value in (line.partition(": ") for line in lines)
        }

    async def answer(self) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        assert self._reader is not None
        status, headers = await self.head()
        return status, await self._reader.readexactly(int(headers.get("content-length", 0)))

    async def some(self) -> bytes:
        """Return the next part of an endless answer; nothing if it has ended."""
        assert self._reader is not None
        return await self._reader.read(1 << 16)

    def close(self) -> None:
        """Close the connection."""
        if self._reader is not None:
            self._writer.close()


class Table:
    """A table of people."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        """Ports of the servers that serve it in turn."""
        self.path = ""
        self.tokens: list[str] = []
        self._connections = [Connection(port) for port in ports]
        self.lock = asyncio.Lock()
        self.turn = 0
        self.count = 0
        """The number of the last event in the last answer."""
        self._head: str | None = None
        """The hash of that event, which the next command names, as a page's does."""
        self.arrived: dict[int, tuple[int, float]] = {}
        """Event → the number of streams on which it has come, and the time at which it last came."""

    async def make(self) -> None:
        """Make the table, and start its game."""
        asked = {"kind": "market", "rounds": ROUNDS, "seats": [{"name": f"P{n}"} for n in range(SEATS)]}
        status, body = await self._connections[0].ask("POST", "/api/tables", asked)
        assert status == 201, body
        made = json.loads(body)
        self.path = f"/api/tables/{made['table']}"
        self.tokens = [link.partition("#")[2] for _, link in sorted(made["seats"].items(), key=lambda one: int(one[0]))]
        for seat, token in enumerate(self.tokens, 1):
            asked = {"token": token, "fresh": token_urlsafe(16), "bearer": True}
            status, body = await self._connections[0].ask("POST", f"{self.path}/seats/{seat}/session", asked)
            assert status == 200, body
            self.tokens[seat - 1] = json.loads(body)["token"]
        host = made["host"].partition("#")[2]
        status, body = await self._connections[0].ask("POST", f"{self.path}/host/start", None, host)
        assert status == 204, body

    async def act(self) -> None:
        """Send the next command, and wait for its answer."""
        seat, connection = self.turn % SEATS, self._connections[self.turn % len(self._connections)]
        self.turn += 1
        command = {"id": str(uuid4()), "head": self._head, "action": {"type": "Pass"}}
        status, body = await connection.ask(
            "POST", f"{self.path}/seats/{seat + 1}/commands", command, self.tokens[seat]
        )
        assert status == 200, body
        last = json.loads(body)["events"][-1]
        self.count, self._head = last["seq"], last["hash"]

    def streams(self) -> Iterator["Stream"]:
        """Yield the streams of everybody at the table."""
        for number in range(SEATS + WATCHERS):
            port = self.ports[number % len(self.ports)]
            if number < SEATS:
                yield Stream(self, port, f"{self.path}/seats/{number + 1}/stream", self.tokens[number])
            else:
                yield Stream(self, port, f"{self.path}/watch/stream", "")

    def close(self) -> None:
        """Close its connections."""
        for connection in self._connections:
            connection.close()


class Stream:
    """A stream, which notes when each event came."""

    def __init__(self, table: Table, port: int, path: str, token: str) -> None:
        self._table, self._path, self._token = table, path, token
        self._connection = Connection(port)
        self._rest = b""

    async def open(self) -> None:
        """Open the stream, and wait for its first event."""
        await self._connection.send("GET", self._path, None, self._token)
        status, _ = await self._connection.head()
        assert status == 200
        while not self._take(await self._connection.some()):
            pass

    async def follow(self) -> None:
        """Read the stream until cancelled."""
        with suppress(asyncio.CancelledError, ConnectionError):
            while some := await self._connection.some():
                self._take(some)
        self._connection.close()

    def _take(self, some: bytes) -> bool:
        now = perf_counter()
        whole, _, self._rest = (self._rest + some).rpartition(b"\n")
        found = _IDS.findall(whole)
        arrived = self._table.arrived
        for seq in map(int, found):
            arrived[seq] = arrived.get(seq, (0, 0.0))[0] + 1, now
        return bool(found)
