"""Servers for browser tests: in a process of their own, with a connection that can be cut."""

import asyncio
import os
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, Self

from tests.ports import free_port
from tests.server.guests import Guest

ROOT: Final = Path(__file__).parents[2]
HOUSE: Final = "house.test"
"""A name of this machine by which it is any other to a browser: one in the same network, without https."""
_PIECE: Final = 65_536


class Served:
    """`pokersvc serve` as a process, with a guest at it; people may reach it by a URL, or a name, of its own."""

    def __init__(
        self,
        database: Path,
        *,
        host: str = "127.0.0.1",
        name: str | None = None,
        url: str | None = None,
        pause: float = 5,
        path: Sequence[str] = (),
        program: str = "pokersvc",
    ) -> None:
        self._address = f"http://{host}:{free_port(host)}"
        if name is not None:
            url = self._address.replace(host, name)
        self.url = url or self._address
        self._command = [sys.executable, "-m", program, "--db", str(database), "serve", "--pace", "0"]
        self._command += ["--pause", str(pause)]
        self._command += ["--host", host, "--port", self._address.rpartition(":")[2]]
        self._command += [] if url is None else ["--url", url]
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join([*path, os.environ.get("PYTHONPATH", "")])}
        self.start()
        self.guest = Guest(self._address)

    @property
    def port(self) -> int:
        """The address of the process itself."""
        return int(self._address.rpartition(":")[2])

    def start(self) -> None:
        """Start the process, and wait until it listens."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=self._env, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("Serving on ")

    def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.kill()
        self._ended()

    def _ended(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.guest.close()
        self._process.terminate()
        self._ended()


class Wire:
    """A TCP proxy on loopback, which can be cut, or drop all data while its connections stay open."""

    def __init__(self, to: int, host: str = "127.0.0.1") -> None:
        self._to, self._host = to, host
        self.port = 0
        """The port where the proxy listens."""
        self._open: set[StreamWriter] = set()
        self._cut = self._silent = self._deaf = False

    @asynccontextmanager
    async def on(self, port: int) -> AsyncIterator[Self]:
        """Listen on a port; 0 chooses any free one."""
        server = await asyncio.start_server(self._carry_both, "127.0.0.1", port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self._end_all()
            await server.wait_closed()
            async with asyncio.timeout(5):
                await self._idle()

    async def _idle(self) -> None:
        while self._open:
            await asyncio.sleep(0)

    def cut(self) -> None:
        """End all connections, and every new one."""
        self._cut = True
        self._end_all()

    def silence(self) -> None:
        """Drop all data from now on."""
        self._silent = True

    def deafen(self) -> None:
        """Forward requests, and drop all answers."""
        self._deaf = True

    def mend(self) -> None:
        """Forward data again; end the old connections, because data is missing from these."""
        self._cut = self._silent = self._deaf = False
        self._end_all()

    def _end_all(self) -> None:
        for writer in self._open:
            writer.close()

    async def _carry_both(self, near_in: StreamReader, near_out: StreamWriter) -> None:
        self._open.add(near_out)
        with suppress(OSError):
            if not self._cut:
                far_in, far_out = await asyncio.open_connection(self._host, self._to)
                self._open.add(far_out)
                there = self._carry(near_in, far_out, lambda: self._silent)
                await asyncio.gather(there, self._carry(far_in, near_out, lambda: self._silent or self._deaf))
                self._open.discard(far_out)
        near_out.close()
        self._open.discard(near_out)

    async def _carry(self, source: StreamReader, sink: StreamWriter, loses: Callable[[], bool]) -> None:
        with suppress(OSError):
            while piece := await source.read(_PIECE):
                if not loses():
                    sink.write(piece)
                    await sink.drain()
        sink.close()


@asynccontextmanager
async def wired(database: Path) -> AsyncIterator[tuple[Served, Wire]]:
    """Serve a database at the end of a wire, by whose address people reach it."""
    port = free_port()
    with Served(database, url=f"http://127.0.0.1:{port}") as served:
        async with Wire(served.port).on(port) as wire:
            yield served, wire
