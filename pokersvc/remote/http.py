"""Requests to one server, by the standard library.

It follows no redirects, so a token goes nowhere but to the server that the link names, and it needs no package besides
pokersvc: a handful of small requests and one stream have no use for a pool of connections.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import socket
from typing import Any, Final
from urllib.parse import urlsplit

from pokersvc.core.version import __version__
from pokersvc.remote.errors import InvalidReply, NotConnected, RefusedByServer

MOST_BYTES: Final = 1 << 24
"""Of an answer: a command may deal a whole round, and no answer is near this."""
SECONDS: Final = 20.0
"""In which a server must answer, or send something more."""


class Http:
    """One server; for any number of threads, as each request has its own connection."""

    def __init__(self, base: str, token: str | None, *, seconds: float = SECONDS) -> None:
        self._parts = urlsplit(base)
        self._seconds = seconds
        self._headers = {"User-Agent": f"pokersvc/{__version__}", "Accept-Encoding": "identity"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    @property
    def name(self) -> str:
        """What a sentence calls the server."""
        return self._parts.netloc

    def get(self, path: str) -> dict[str, Any]:
        """Return the object that the server answers."""
        with self._asked("GET", path, None, {}, self._seconds) as (_, answer):
            return self._object(answer)

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send an object, and return the one that the server answers."""
        sent = json.dumps(body).encode()
        with self._asked("POST", path, sent, {"Content-Type": "application/json"}, self._seconds) as (_, answer):
            return self._object(answer)

    @contextmanager
    def stream(self, path: str, after: int, seconds: float) -> Iterator[tuple[socket, HTTPResponse]]:
        """Open a stream that continues after an event; ``seconds`` without a byte end it (`NotConnected`)."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._asked("GET", path, None, headers, seconds) as (connected, answer):
            if not (answer.getheader("Content-Type") or "").startswith("text/event-stream"):
                raise InvalidReply(f"{self.name} sends no stream of events; is it a server of pokersvc?")
            yield connected, answer

    @contextmanager
    def _asked(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> Iterator[tuple[socket, HTTPResponse]]:
        secure = self._parts.scheme == "https"
        made = HTTPSConnection if secure else HTTPConnection
        connection = made(self._parts.hostname or "", self._parts.port, timeout=seconds)
        try:
            connection.request(method, path, body, {**self._headers, **headers})
            connected: socket = connection.sock  # the answer may take it over
            answer = connection.getresponse()
            if answer.status != 200:
                raise self._refusal(answer)
            yield connected, answer
        except (HTTPException, OSError) as error:
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise NotConnected(f"{self.name} cannot be reached ({why}).") from error
        finally:
            connection.close()

    def _object(self, answer: HTTPResponse) -> dict[str, Any]:
        body = answer.read(MOST_BYTES + 1)
        try:
            found = json.loads(body) if len(body) <= MOST_BYTES else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InvalidReply(f"{self.name} did not answer as a server of pokersvc does.")
        return found

    def _refusal(self, answer: HTTPResponse) -> RefusedByServer:
        try:
            found = self._object(answer)
        except InvalidReply:
            found = {}
        code, message = found.get("code"), found.get("message")
        if not isinstance(code, str) or not isinstance(message, str):
            code, message = "http", f"{self.name} answered with the status {answer.status} of HTTP."
        wait = answer.getheader("Retry-After") or "0"
        seconds = float(wait) if wait.isdecimal() and len(wait) < 4 else 0.0
        return RefusedByServer(answer.status, code, message, seconds, (found.get("count"), found.get("head")))
