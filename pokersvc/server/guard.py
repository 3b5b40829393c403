"""What every request must pass: the right host, no wrong origin, a small body, a rate; and the headers of answers."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pokersvc.server.errors import place_of
from pokersvc.server.limits import Meter, address_of
from pokersvc.server.metrics import Metrics
from pokersvc.server.settings import ALL_ADDRESSES, Settings
from pokersvc.text import counted

BODY_SECONDS: Final = 10
MOST_HEADERS: Final = 8192
"""Bytes."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
SECURE_HEADERS: Final = HEADERS | {"cross-origin-opener-policy": "same-origin"}
"""Behind https: over plain http browsers take no such policy, and complain of it in every console."""

_log: Final = logging.getLogger("pokersvc.server")


class Hosts:
    """By which hosts the server may be called.

    A page of somebody else's can have its own name lead to this machine (DNS rebinding), so names are listed. An
    address in digits cannot be made to lead elsewhere; where the server listens on all of the machine's, any will do.
    """

    def __init__(self, settings: Settings) -> None:
        port = settings.port
        names = {"localhost", "127.0.0.1", "[::1]", settings.host}
        self._any_address = settings.host in ALL_ADDRESSES
        if self._any_address:
            names.add(socket.gethostname().lower())
        self._names = {f"{name}:{port}" for name in names if name}
        if port == 80:
            self._names |= names
        self._outside = None if settings.base is None else urlsplit(settings.base).netloc.lower()
        self._scheme = "https" if settings.secure else "http"
        self._port = port

    def allowed(self, host: str) -> bool:
        """Tell whether a request may name this host."""
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
    """A request that goes no further."""

    def __init__(self, status: int, code: str, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.code, self.wait = status, code, wait


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._hosts = Hosts(settings)
        headers = SECURE_HEADERS if settings.secure else HEADERS
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]  # no answer has its own
        self._most = settings.limits.body
        self._requests = Meter(settings.limits.requests)
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._metrics.requests.labels(f"{message['status'] // 100}xx").inc()
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check(scope, headers)
            if scope["method"] not in SAFE:
                receive = await _with_body(receive, headers, self._most)
            await self._app(scope, receive, answer)
        except Refused as refused:
            await _refuse(refused, answer)
        except Exception as error:  # its message may quote what is secret, so only its place is logged
            _log.error("A request failed: %s", place_of(error))
            if not begun:
                await _refuse(Refused(500, "failed", "Something went wrong in the server; its log says where."), answer)

    def _check(self, scope: Scope, headers: Headers) -> None:
        if wait := self._requests.wait(address_of(scope)):
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


async def _with_body(receive: Receive, headers: Headers, most: int) -> Receive:
    """Return what receives a body that was read already, as it is short; who sends it slowly is cut off."""
    too_long = Refused(413, "too_long", f"The body of a request is at most {counted(most, 'byte')}.")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 9 or int(length) > most:
        raise too_long
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                message = await receive()
                body, more = body + message.get("body", b""), message.get("more_body", False)
                if len(body) > most:
                    raise too_long
    except TimeoutError:
        raise Refused(408, "too_slow", f"The body of a request must come within {BODY_SECONDS} seconds.") from None
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    return again


async def _refuse(refused: Refused, send: Send) -> None:
    body = json.dumps({"code": refused.code, "message": str(refused)}).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if refused.wait:
        headers = [*headers, (b"retry-after", str(int(refused.wait) + 1).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
