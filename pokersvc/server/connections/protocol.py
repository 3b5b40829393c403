"""uvicorn's HTTP/1.1 for strangers: a client that sends no request in time, or reads nothing, is disconnected."""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any, ClassVar, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from pokersvc.server.connections.headers import always
from pokersvc.server.connections.places import MOST_REFUSED, NoPlace, Places, spread
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.connections.readers import Untaken
from pokersvc.server.connections.request_smuggling import StrictProtocol
from pokersvc.server.connections.turns import Precedence
from pokersvc.server.metrics import Metrics
from pokersvc.server.settings import Limits, Settings

UNACKNOWLEDGED: Final = 15.0
"""Seconds after which, on Linux, a connection is dropped if its other end does not acknowledge data. A phone that lost
its network sends nothing, and TCP alone notices that only after a quarter of an hour.
"""


class Protocol(StrictProtocol):
    """One connection of a client, with limits on the time that it may take.

    uvicorn waits for ever for the first request, for the end of any request's headers, and for a client that takes no
    answer. So a client that sends or takes a byte now and then would keep its connection, and a server can only have a
    limited number. Here a request's headers must be complete within the time that a connection may rest, and what is
    sent must be taken.
    """

    limits: ClassVar[Limits]
    places: ClassVar[Places]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._late: asyncio.TimerHandle | None = None
        self._rest = self.timeout_keep_alive = spread(self.limits.rest)  # type: ignore[assignment]  # seconds, of any kind
        self._since = 0.0
        """The time at which the wait for the next request began."""
        self._address: str | None = None
        """The address for which the connection counts; None for a trusted proxy, which connects for many clients."""
        self._turned_away = self._silenced = False
        self._unread: Untaken
        self._precedence: Precedence

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Take a place and wait for the first request; refuse the connection if there is no place."""
        super().connection_made(transport)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # not on every system
            connected = transport.get_extra_info("socket")
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * UNACKNOWLEDGED))
        self._unread = Untaken(transport, self.limits, self.places)
        self._precedence = Precedence(transport)
        self._address = self._counted_as()
        if (why := self.places.take(self._address)) is not None:
            self._turn_away(why)
            return
        self.app_state = self.app_state | self._precedence.of_requests
        self._since = self.loop.time()
        self._late = self.loop.call_later(self._often, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer, and free the connection's place."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
        self._unread.is_little()
        if self._turned_away:
            self.places.refused -= not self._silenced
        else:
            self.places.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data; a connection that needs many reads for one request is no longer read before others."""
        self._precedence.read()
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request; close the connection if the answered request's body does not end soon."""
        self._since = self.loop.time()
        self._unread.answered()
        if self.conn.their_state is h11.SEND_BODY:
            self.after_reading(self._end_body, self.cycle)
        super().on_response_complete()
        self._precedence.note()

    def pause_writing(self) -> None:
        """Note that much data waits for the reader."""
        super().pause_writing()
        scope = cast(Mapping[str, object] | None, self.scope)  # None before the first request
        self._unread.is_much(scope["client"] if scope else self.client)

    def resume_writing(self) -> None:
        """Note that the reader has taken the data."""
        super().resume_writing()
        self._unread.is_little()

    def _counted_as(self) -> str | None:
        proxies = self.config.forwarded_allow_ips
        believed = proxies.split(",") if isinstance(proxies, str) else proxies
        peer = "" if self.client is None else self.client[0]
        if not peer or {peer, "*"} & {one.strip() for one in believed}:
            return None
        return address_of({"client": self.client})

    def _turn_away(self, why: NoPlace) -> None:
        """Say why this connection is not served, and close it."""
        self._turned_away = True
        if self.places.refused >= MOST_REFUSED:
            self._silenced = True
            self.transport.abort()
            return
        self.places.refused += 1
        self.refuse(*why, wait=60.0)

    def _end_body(self, cycle: RequestResponseCycle) -> None:
        """Close the connection if it still sends the body of a request that was answered."""
        if self.cycle is cycle and self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def _look(self) -> None:
        """Disconnect a client that sends no request in time, or does not take the data sent to it.

        One timer serves all requests: setting one for each takes time that commands need.
        """
        now = self.loop.time()
        cycle = cast(RequestResponseCycle | None, self.cycle)
        waits = cycle is None or cycle.response_complete
        if self._unread.stands_still(now, waited_for=waits or self.flow.write_paused or self.transport.is_closing()):
            self._unread.forget()
            return
        end = self._since + self._rest
        if waits and now >= end and not self.transport.is_closing():
            self.transport.close()
        again = now + self._often
        self._late = self.loop.call_at(min(end, again) if waits and now < end else again, self._look)

    @property
    def _often(self) -> float:
        """Seconds between two checks of the client (`_look`)."""
        return min(self.limits.patience, self._rest)


def protocol_of(settings: Settings, metrics: Metrics) -> type[Protocol]:
    """Return the protocol class of one server, which counts the server's connections."""
    limits, headers = settings.limits, always(secure=settings.secure)
    members = {"limits": limits, "places": Places(limits, metrics), "headers_of_all": headers}
    return type("LimitedProtocol", (Protocol,), members)
