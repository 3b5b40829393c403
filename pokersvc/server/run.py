"""The server as a process: it listens, serves, and shuts down cleanly."""

import gc
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.server.app import application, parts_of
from pokersvc.server.connections import seats_first
from pokersvc.server.connections.protocol import protocol_of
from pokersvc.server.settings import ALL_ADDRESSES, Settings
from pokersvc.system import network

BACKLOG: Final = 2048
AT_ONCE: Final = 8
"""Connections accepted before the loop does anything else: a thousand may come at one moment."""
SEND_BUFFER: Final = 65_536
"""The bytes that the system holds for a slow reader; by default, it might hold several megabytes."""
DEAD_AFTER: Final = 30_000
"""Milliseconds after which the system ends a connection whose other end acknowledges nothing."""


class CannotListen(PokersvcError):
    """The address is in use, or does not belong to this machine."""

    code = "cannot_listen"


class Server(uvicorn.Server):
    """Serves one application on some sockets."""

    def __init__(self, database: Database, settings: Settings, listening: list[socket.socket]) -> None:
        self._listening = listening
        parts = parts_of(database, settings)
        self._streams = parts.streams
        super().__init__(
            uvicorn.Config(
                application(parts),
                access_log=False,  # request paths contain the IDs of private tables
                backlog=AT_ONCE,  # the loop accepts this many connections before it does anything else
                h11_max_incomplete_event_size=16_384,
                loop=f"{seats_first.__name__}:{seats_first.new_loop.__name__}",
                http=protocol_of(settings, parts.metrics),  # not httptools, which accepts endless headers
                lifespan="on",
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=3,
                ws="none",
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and restore the full backlog of connections not accepted yet."""
        await super().startup(sockets)
        for one in self._listening:
            one.listen(BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would otherwise last until their readers leave, and then the server."""
        self._streams.close()
        await super().shutdown(sockets)

    def serve_here(self) -> None:
        """Serve until asked to end."""
        self.run(sockets=self._listening)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `CannotListen` if it cannot listen. Port 0 means any free port."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, type_, protocol, _, address = found[0]
        listening = socket.socket(family, type_, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # inherited by every connection
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # inherited, too
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        why = error.strerror or str(error)
        raise CannotListen(f"Nothing can listen on {host} port {port} ({why}); choose others.") from error
    return listening


def allow_many_files() -> None:
    """Let this process open as many files as the system allows, because every connection is one."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve(database: Database, settings: Settings, ready: Callable[[list[str]], None]) -> None:
    """Serve the tables of a database until interrupted; call ``ready`` with its URLs once the server listens."""
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # it warns of anything that strangers send
    allow_many_files()
    listening = [listen(address, settings.port) for address in settings.addresses]
    server = Server(database, settings, listening)
    gc.collect()
    gc.freeze()  # otherwise a garbage collection looks through all code, and everybody waits for a tenth of a second
    ready(urls_of(settings))
    server.serve_here()


def urls_of(settings: Settings) -> list[str]:
    """Return the URLs by which people reach a server.

    If the server listens on all addresses, the URL has this machine's own address in its network.

    >>> urls_of(Settings(lan=("192.168.1.7", "fd00::7")))
    ['http://192.168.1.7:8000', 'http://[fd00::7]:8000']
    >>> urls_of(Settings(host="::1", port=80)), urls_of(Settings(url="https://table.example/"))
    (['http://[::1]:80'], ['https://table.example'])
    >>> urls_of(Settings(host="0.0.0.0")) == ["http://0.0.0.0:8000"]
    False
    """
    if settings.base is not None:
        return [settings.base]
    hosts = settings.addresses
    if settings.host in ALL_ADDRESSES and not settings.lan:
        hosts = (str(network.outward(socket.AF_INET) or "127.0.0.1"),)
    return [f"http://{network.as_host(host)}:{settings.port}" for host in hosts]
