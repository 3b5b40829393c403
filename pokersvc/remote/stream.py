"""Follows a stream of server-sent events in a thread of its own, and reconnects whenever the connection is lost."""

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Final, NamedTuple, TypeAlias

from pokersvc.errors import PokersvcError
from pokersvc.remote.errors import InvalidReply, NotConnected, RefusedByServer
from pokersvc.remote.http import Http
from pokersvc.remote.messages import Message, messages

SILENCE: Final = 40.0
"""Seconds without a byte after which a connection is lost; the server sends a heartbeat every 15."""
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 8.0
MOST_WAITING: Final = 2_000
"""Maximum number of messages in the queue; while it is full, no more is read from the server."""
PASSING: Final = frozenset({429, 502, 503, 504})
"""HTTP status codes of temporary refusals."""


class Lost(NamedTuple):
    """The connection was lost for the reason ``why``; the source reconnects."""

    why: str


class Back(NamedTuple):
    """The connection was restored."""


class Renewed(NamedTuple):
    """A new connection has replaced the one that `EventSource.renew` closed."""


class Ended(NamedTuple):
    """The stream has ended, and is not opened again."""

    error: PokersvcError


News: TypeAlias = Message | Lost | Back | Renewed | Ended


class EventSource:
    """Reads the news of a table from a server's stream; ``fileno`` becomes readable when there is news."""

    def __init__(self, http: Http, path: str) -> None:
        self._http, self._path = http, path
        self._after = 0
        self._news: Queue[News] = Queue(MOST_WAITING)
        self._told, self._tell = socket.socketpair()
        self._told.setblocking(False)
        self._tell.setblocking(False)
        self._stopped = Event()
        self._renewing = Event()
        self._connected: socket.socket | None = None
        self._thread = Thread(target=self._run, name="pokersvc-stream", daemon=True)

    def start(self) -> None:
        """Start following the stream."""
        self._thread.start()

    def close(self) -> None:
        """Stop following the stream."""
        self._stopped.set()
        self._disconnect()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._told.close()
        self._tell.close()

    def renew(self) -> None:
        """Replace a connection that may be dead by a new one; the result is reported as `Renewed`, `Back` or `Lost`."""
        self._renewing.set()
        self._disconnect()

    def fileno(self) -> int:
        """Return a file descriptor that can be waited for together with other input."""
        return self._told.fileno()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for news, and return whether there is any news."""
        return bool(select.select([self._told], [], [], seconds)[0])

    def news(self) -> Iterator[News]:
        """Yield the news that has arrived, and remove it from the queue, without waiting."""
        with suppress(BlockingIOError):
            while self._told.recv(4096):
                pass
        with suppress(Empty):
            while True:
                yield self._news.get_nowait()

    def _run(self) -> None:
        pause, lost = FIRST_PAUSE, False
        while not self._stopped.is_set():
            why = "the server ended it"
            try:
                with self._http.stream(self._path, self._after, SILENCE) as (connected, answer):
                    self._connected = connected
                    if lost:
                        self._put(Back())
                    elif self._renewing.is_set():
                        self._put(Renewed())
                    self._renewing.clear()
                    pause, lost = FIRST_PAUSE, False
                    for message in messages(answer.readline):
                        self._put(message)
                        self._after = self._after if message.id is None else message.id
                        if message.event == "gone" or self._stopped.is_set():
                            return
            except NotConnected as error:
                why = str(error)
            except (RefusedByServer, InvalidReply) as error:
                if not (isinstance(error, RefusedByServer) and error.status in PASSING):
                    self._put(Ended(error))
                    return
                why, pause = str(error), max(pause, error.wait)
            given_up = self._connected is not None and self._renewing.is_set()
            self._connected = None
            if given_up:
                continue
            if not lost:
                lost = True
                self._put(Lost(why))
            self._stopped.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _disconnect(self) -> None:
        if (connected := self._connected) is not None:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _put(self, news: News) -> None:
        while not self._stopped.is_set():
            with suppress(Full):
                self._news.put(news, timeout=0.5)
                break
        with suppress(OSError):  # if the socket is full, the waiting thread wakes anyway; the socket may also be closed
            self._tell.send(b"\0")
