"""Sends requests to one server with the standard library.

It follows no redirects, so that a token is sent only to the server that the link names. It needs no package besides
pokersvc: a handful of small requests and one stream do not need a connection pool.
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
"""Maximum size of an answer: a command may deal a whole round, and even such an answer is far smaller."""
SECONDS: Final = 20.0
"""Seconds within which a server must answer, or send more of its answer."""


class Http:
    """A client of one server; it is thread-safe, because each request has its own connection."""

    def __init__(self, base: str, token: str | None, *, seconds: float = SECONDS) -> None:
        self._parts = urlsplit(base)
        self._seconds = seconds
        self._headers = {"User-Agent": f"pokersvc/{__version__}", "Accept-Encoding": "identity"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    @property
    def name(self) -> str:
        """The name of the server in messages."""
        return self._parts.netloc

    def get(self, path: str) -> dict[str, Any]:
        """Send a GET request, and return the JSON object of the answer."""
        with self._asked("GET", path, None, {}, self._seconds) as (_, answer):
            return self._object(answer)

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send a JSON object by POST, and return the JSON object of the answer."""
        sent = json.dumps(body).encode()
        with self._asked("POST", path, sent, {"Content-Type": "application/json"}, self._seconds) as (_, answer):
            return self._object(answer)

    @contextmanager
    def stream(self, path: str, after: int, seconds: float) -> Iterator[tuple[socket, HTTPResponse]]:
        """Open a stream of the events after number ``after``; raise `NotConnected` after ``seconds`` without a byte."""
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
            connected: socket = connection.sock  # taken now, as the response may take over the socket
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
            code, message = "http", f"{self.name} answered with the HTTP status {answer.status}."
        wait = answer.getheader("Retry-After") or "0"
        seconds = float(wait) if wait.isdecimal() and len(wait) < 4 else 0.0
        return RefusedByServer(answer.status, code, message, seconds, (found.get("count"), found.get("head")))
