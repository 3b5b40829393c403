"""HTTP/1.1 of uvicorn for strangers: who sends no request in time is cut off, and so is who comes when it is full."""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST_CONNECTIONS: Final = 6000
"""Open at once: the streams that a server may have, and others' requests."""


class Protocol(H11Protocol):
    """One connection.

    uvicorn waits for ever for the first request and for the end of any request's headers, so whoever sends a byte now
    and then would keep a connection, and a server has only so many. Here a request's headers must be whole within the
    time that a connection may rest.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._late: asyncio.TimerHandle | None = None
        self._since = 0.0
        """Since when the next request is waited for."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Begin to wait for the first request."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        """Wait from now on. One timer stays for all requests: to set one for each takes time that commands need."""
        self._since = self.loop.time()
        if self._late is None:
            self._late = self.loop.call_at(self._since + self.timeout_keep_alive, self._cut_off)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut_off(self) -> None:
        """Close the connection, unless a request is being answered; when it was, the next is waited for."""
        self._late = None
        end = self._since + self.timeout_keep_alive
        if self.loop.time() < end:
            self._late = self.loop.call_at(end, self._cut_off)
            return
        cycle = cast(RequestResponseCycle | None, self.cycle)
        if cycle is None or cycle.response_complete:
            self.transport.close()
