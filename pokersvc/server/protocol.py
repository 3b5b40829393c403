"""HTTP/1.1 of uvicorn for strangers: who sends no request in time is cut off, and so is who comes when it is full."""

import asyncio
import json
from collections import Counter
from typing import Any, ClassVar, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pokersvc.server.limits import address_of
from pokersvc.server.settings import Limits

TO_READ: Final = 1.0
"""Seconds in which who is turned away may read why."""
_FULL: Final = "The server has as many connections open as it can hold: try again later."
_TOO_MANY: Final = "Too many connections are open from your address: close some, then try again."


class Protocol(H11Protocol):
    """One connection.

    uvicorn waits for ever for the first request and for the end of any request's headers, so whoever sends a byte now
    and then would keep a connection, and a server has only so many. Here a request's headers must be whole within the
    time that a connection may rest.
    """

    limits: ClassVar[Limits] = Limits()
    of_address: ClassVar[Counter[str]]
    """How many connections each address has open, but for proxies that the server believes."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._late: asyncio.TimerHandle | None = None
        self._since = 0.0
        """Since when the next request is waited for."""
        self._counted: str | None = None
        self._turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._count()
        if len(self.connections) > self.limits.connections:
            self._turn_away(503, "full", _FULL)
        elif self._counted is not None and self.of_address[self._counted] > self.limits.connections_of_address:
            self._turn_away(429, "too_many", _TOO_MANY)
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait_no_more()
        if self._counted is not None:
            self.of_address[self._counted] -= 1
            if not self.of_address[self._counted]:
                del self.of_address[self._counted]
            self._counted = None
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _count(self) -> None:
        """Count the connection as one of its address, unless that is a proxy's, which has those of many."""
        proxies = self.config.forwarded_allow_ips
        believed = proxies.split(",") if isinstance(proxies, str) else proxies
        peer = "" if self.client is None else self.client[0]
        if peer and not {peer, "*"} & {one.strip() for one in believed}:
            self._counted = address_of({"client": self.client})
            self.of_address[self._counted] += 1

    def _turn_away(self, status: int, code: str, message: str) -> None:
        """Say why nothing is answered here, and close."""
        body = json.dumps({"code": code, "message": message}).encode()
        head = (
            f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Retry-After: 60\r\nConnection: close\r\n\r\n"
        )
        self._turned_away = True
        self.transport.write(head.encode() + body)
        self.loop.call_later(TO_READ, self.transport.close)  # at once, it would be lost where a request is on its way

    def data_received(self, data: bytes) -> None:
        """Read what is sent, but for who was turned away."""
        if not self._turned_away:
            super().data_received(data)

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


def protocol_of(limits: Limits) -> type[Protocol]:
    """Return the protocol of one server, which counts its connections."""
    return type("LimitedProtocol", (Protocol,), {"limits": limits, "of_address": Counter()})
