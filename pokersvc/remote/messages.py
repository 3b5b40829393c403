"""Parses the lines of a stream of server-sent events."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from pokersvc.remote.errors import InvalidReply

MOST_BYTES: Final = 1 << 22
"""Maximum size of a line: an event of a game has at most 1 MiB, and its JSON may escape every byte."""


class Message(NamedTuple):
    """One event of a stream."""

    event: str
    id: int | None
    data: bytes


def messages(readline: Callable[[int], bytes]) -> Iterator[Message]:
    r"""Yield the messages of a stream until it ends; raise `InvalidReply` for a line or an event that is too long.

    >>> import io
    >>> list(messages(io.BytesIO(b": heartbeat\n\nevent: gone\ndata: {}\n\ndata: cut").readline))
    [Message(event='gone', id=None, data=b'{}')]
    """
    event, id_, data = "message", None, b""
    while (line := readline(MOST_BYTES)).endswith(b"\n"):
        line = line.rstrip(b"\r\n")
        if not line:
            if data:
                yield Message(event, id_, data)
            event, id_, data = "message", None, b""
            continue
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            event = value.decode("utf-8", "replace")
        elif name == b"id" and value.isdigit() and len(value) < 10:
            id_ = int(value)
        elif name == b"data":
            data = data + b"\n" + value if data else value
            if len(data) > MOST_BYTES:
                raise InvalidReply("The server sends an event that does not end.")
    if len(line) >= MOST_BYTES:
        raise InvalidReply("The server sends a line that does not end.")
