"""Refuses ambiguous requests, which a proxy may have read differently from the server.

Request smuggling, which hides one request within another, relies on that. RFC 9112 lets a server read a bare line feed
as the end of a line, read a folded header as one line, and prefer the length by chunks to a second one. h11 does all
three.
"""

import asyncio
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pokersvc.server.connections.headers import Headers, for_one, refusal

MOST_UNREAD: Final = 16_384
"""The maximum number of bytes of a request that are kept until the end of its headers has come."""
TO_READ: Final = 1.0
"""Seconds before a connection is closed: time for its client to read an answer, or to send the rest of a body."""
_BARE: Final = re.compile(rb"(?<!\r)\n")
_FOLDED: Final = re.compile(rb"\n[ \t]")
_ENDS_IN_A_LINE_FEED: Final = "A line of the request ends in a line feed alone; put a carriage return before it."
_SENTENCES: Final = {
    "Missing mandatory Host: header": "The request has no Host; send one.",
    "Found multiple Host: headers": "The request has several Hosts; send one.",
    "no request line received": "The request begins with an empty line; begin with its method.",
    "conflicting Content-Length headers": "The request has several lengths; send one Content-Length.",
    "bad Content-Length": "The Content-Length of the request is not a whole number.",
    "multiple Transfer-Encoding headers": "The request has Transfer-Encoding more than once; send it once.",
    "Only Transfer-Encoding: chunked is supported": "The request has a Transfer-Encoding that is not chunked.",
    "Receive buffer too long": "The headers of the request are too long.",
}
"""h11's message about a request that it cannot read → the server's sentence."""


class StrictConnection(h11.Connection):
    """Reads the requests of one connection; raises `h11.RemoteProtocolError` for an ambiguous request."""

    refused_because = "The request cannot be read: it is not HTTP/1.1."
    """The sentence that says why the request was refused."""
    asked_for_headers = False
    """Whether the last request was a HEAD, whose answer has no body."""
    _chunked = False
    _carriage_return = b""
    """The last byte that was read, if it may be the first half of a line ending."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA | h11.PAUSED]:
        """Return the next event of a request."""
        before = self.trailing_data[0]
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            why = _ENDS_IN_A_LINE_FEED if before.startswith(b"\n") else _SENTENCES.get(str(error))
            self.refused_because = why or self.refused_because
            raise
        read = before[: len(before) - len(self.trailing_data[0])]
        if isinstance(event, h11.Request):
            self.asked_for_headers = event.method == b"HEAD"
            self._check_lines(read)
            self._check_length(event)
        elif isinstance(event, h11.EndOfMessage) and self._chunked:
            self._check_lines(self._carriage_return + read)  # the end of the last chunk, and its trailers
        if read:
            self._carriage_return = b"\r" if read.endswith(b"\r") else b""
        return event

    def _check_lines(self, lines: bytes) -> None:
        if _BARE.search(lines):
            self._refuse(_ENDS_IN_A_LINE_FEED)
        if _FOLDED.search(lines):
            self._refuse("A header of the request goes on in the next line; write it in one.")

    def _check_length(self, request: h11.Request) -> None:
        names = [name for name, _ in request.headers]
        self._chunked = b"transfer-encoding" in names
        if self._chunked and b"content-length" in names:
            self._refuse("The request has both Content-Length and Transfer-Encoding; send one of them.")
        if self._chunked and request.http_version < b"1.1":
            self._refuse("The request has Transfer-Encoding, which HTTP/1.0 does not have; send Content-Length.")

    def _refuse(self, why: str) -> None:
        self.refused_because = why
        raise h11.RemoteProtocolError(why)


class StrictProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, except that it refuses an ambiguous request and closes the connection."""

    headers_of_all: ClassVar[Headers]
    """The headers that every answer of the server has."""
    conn: StrictConnection
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Begin to read requests strictly."""
        super().connection_made(transport)
        self.conn = StrictConnection(h11.SERVER, self.config.h11_max_incomplete_event_size or MOST_UNREAD)

    def data_received(self, data: bytes) -> None:
        """Read data, unless the client was refused."""
        if not self._refused:
            super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Say why a request is wrong, in the form of the server's other refusals, and close."""
        self.refuse(HTTPStatus.BAD_REQUEST, "bad_request", self.conn.refused_because)

    def refuse(self, status: int, code: str, message: str, wait: float = 0.0) -> None:
        """Send the reason for a refusal, unless an answer has begun, and close the connection.

        A client that is still sending would lose the answer if disconnected at once, so its data is ignored first.
        """
        self._refused = True
        self.flow.resume_reading()
        if self.cycle is not None:
            self.cycle.disconnected = True  # a handler that waits for the body gets none, and its answer is dropped
            self.cycle.message_event.set()
        # Otherwise the request was answered before its body was read.
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._say(status, code, message, wait)
        self.after_reading(self.transport.close)

    def after_reading(self, close: Callable[..., object], *arguments: object) -> None:
        """Call ``close`` after `TO_READ` seconds, so that the client can read an answer first."""
        self.loop.call_later(TO_READ, close, *arguments)

    def _say(self, status: int, code: str, message: str, wait: float) -> None:
        headers, body = refusal(code, message, wait)
        headers = [*headers, (b"connection", b"close"), *self.headers_of_all, *for_one(headers)]
        answer = h11.Response(status_code=status, reason=HTTPStatus(status).phrase.encode(), headers=headers)
        content = [] if self.conn.asked_for_headers else [h11.Data(data=body)]
        for event in (answer, *content, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        if self.transport.can_write_eof():
            self.transport.write_eof()  # a client that reads to the end need not wait for the close
