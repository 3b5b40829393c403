"""The checks that every request must pass: host, origin, size of the body, rate; and the headers of answers."""

import asyncio
import logging
import socket
from collections import Counter
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pokersvc.server.connections.headers import always, for_one, refusal
from pokersvc.server.connections.places import spread
from pokersvc.server.connections.rate_limits import Meter, address_of
from pokersvc.server.connections.turns import Turnstile, precedence_of
from pokersvc.server.errors import place_of
from pokersvc.server.following.stream import Streams
from pokersvc.server.metrics import Metrics
from pokersvc.server.settings import ALL_ADDRESSES, Limits, Settings
from pokersvc.system.network import as_host
from pokersvc.text import counted

MOST_HEADERS: Final = 8192
"""The most bytes of all headers of a request together."""
_CHUNKED: Final = "transfer-encoding"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_log: Final = logging.getLogger("pokersvc.server")


class Hosts:
    """The host names and addresses under which requests may reach the server.

    Another site's page can make its own name lead to this machine (DNS rebinding), so names are listed. A numeric
    address cannot be made to lead elsewhere. If the server listens on all addresses of the machine, any numeric address
    is allowed; if it listens on those in the local network, only these are.
    """

    def __init__(self, settings: Settings) -> None:
        port = settings.port
        names = {"localhost", "127.0.0.1", "[::1]", settings.host}
        self._any_address = settings.host in ALL_ADDRESSES
        if settings.lan:
            names, self._any_address = {as_host(address) for address in settings.lan}, False
        if self._any_address:
            names.add(socket.gethostname().lower())
        self._names = {f"{name}:{port}" for name in names if name}
        if port == 80:
            self._names |= names
        self._outside = None if settings.base is None else urlsplit(settings.base).netloc.lower()
        self._scheme = "https" if settings.secure else "http"
        self._port = port

    def allowed(self, host: str) -> bool:
        """Return whether a request may name this host."""
        host = host.lower()
        return host == self._outside or host in self._names or (self._any_address and self._is_address(host))

    def origin(self, host: str) -> str:
        """Return the origin of a page that came from this host."""
        host = host.lower()
        return f"{self._scheme if host == self._outside else 'http'}://{host}"

    def _is_address(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        try:
            ip_address(name.strip("[]"))
        except ValueError:
            return False
        return port == str(self._port)


class Refused(Exception):
    """Raised for a request that is not passed on."""

    def __init__(self, status: int, code: str, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.code, self.wait = status, code, wait


class Guard:
    """The outermost ASGI layer of the application: it checks requests, and adds headers to all answers."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, streams: Streams) -> None:
        self._app = app
        self._hosts = Hosts(settings)
        self._headers = always(secure=settings.secure)
        self._limits = settings.limits
        self._under_way: Counter[str] = Counter()
        """Client's address, even behind a proxy → the number of its requests being answered, streams included."""
        self._requests = Meter(settings.limits.requests)
        self._refusals = Meter(settings.limits.refused)
        self._metrics, self._streams = metrics, streams
        self._turnstile = Turnstile()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, address, headers = False, address_of(scope), Headers(scope=scope)
        unread = headers.get("content-length", "0") != "0" or _CHUNKED in headers  # a body that may still be coming
        self._under_way[address] += 1

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._metrics.requests.labels(f"{message['status'] // 100}xx").inc()
                if 400 <= message["status"] < 500 and self._under_way[address] <= self._limits.connections_of_address:
                    await self._turn(address, _nothing if unread else receive)
                message["headers"] = [*message["headers"], *self._headers, *for_one(message["headers"])]
            await send(message)

        connection = precedence_of(scope)
        if connection is None or not connection.plays:
            await self._turnstile.enter(address)
        try:
            self._check(scope, headers, address)
            if unread or scope["method"] not in SAFE:
                receive, unread = await _with_body(receive, headers, self._limits), False
            await self._app(scope, receive, answer)
        except Refused as refused:
            await _refuse(refused, answer)
        except Exception as error:  # its message may quote secrets, so only its place is logged
            _log.error("A request failed: %s", place_of(error))
            if not begun:
                await _refuse(Refused(500, "failed", "Something went wrong in the server; its log says where."), answer)
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    async def _turn(self, address: str, receive: Receive) -> None:
        """Delay a refusal if the address was refused often, unless the client disconnects or the server ends meanwhile.

        A refusal costs as much as an answer, and a client that is refused loses nothing by asking again at once. If the
        request's body has not arrived completely, it is not read any further: to check whether the client stays
        connected, the server would have to read the body, without end.
        """
        if wait := self._refusals.turn(address, self._limits.refusal_seconds):
            gone = self._streams.reader(receive)
            await asyncio.wait({gone}, timeout=spread(wait))
            gone.cancel()

    def _check(self, scope: Scope, headers: Headers, address: str) -> None:
        if self._under_way[address] > self._limits.connections_of_address:
            raise Refused(429, "too_many", "Your address has too many requests under way: wait for their answers.", 60)
        if wait := self._requests.wait(address):
            raise Refused(429, "too_many", "Too many requests came from your address: wait, then try again.", wait)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            raise Refused(431, "too_long", f"The headers of a request are at most {counted(MOST_HEADERS, 'byte')}.")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._hosts.allowed(hosts[0]):
            raise Refused(421, "wrong_host", "The server is not called by this name; see the option --url.")
        origins = headers.getlist("origin")
        if any(origin != self._hosts.origin(hosts[0]) for origin in origins):
            raise Refused(403, "wrong_origin", "The request comes from another site's page.")
        by_cookie = "cookie" in headers and "authorization" not in headers
        if by_cookie and not origins and scope["method"] not in SAFE:
            raise Refused(403, "no_origin", "A request by cookie that changes something must name its origin.")


async def _nothing() -> Message:
    """Wait without end: a receive function that never returns a message."""
    never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await never


async def _with_body(receive: Receive, headers: Headers, limits: Limits) -> Receive:
    """Read a short body and return a receive function that returns it; a client that sends slowly is cut off."""
    most, seconds = limits.body, limits.body_seconds
    too_long = Refused(413, "too_long", f"The body of a request is at most {counted(most, 'byte')}.")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 9 or int(length) > most:
        raise too_long
    body, more = b"", True
    try:
        async with asyncio.timeout(spread(seconds)):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":  # this also comes if the rest of the body was refused
                    raise Refused(400, "bad_request", "The connection ended before the body of the request did.")
                body, more = body + message.get("body", b""), message.get("more_body", False)
                if len(body) > most:
                    raise too_long
    except TimeoutError:
        raise Refused(408, "too_slow", f"The body of a request must come within {seconds:g} seconds.") from None
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    return again


async def _refuse(refused: Refused, send: Send) -> None:
    headers, body = refusal(refused.code, str(refused), refused.wait)
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
