"""A lying server: it alters its event streams on the way to the browser."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import event_hash, secret_digest
from pokersvc.server.run import Server, listen
from pokersvc.server.settings import Settings
from pokersvc.service.opening import open_database
from tests.server.conftest import FAST
from tests.server.guests import Guest

Event = dict[str, Any]
Lie = Callable[[Event], list[Event]]
"""A function that alters a stream: it takes each event, and returns the events to send instead."""

_END: Final = b"\n\n"


def honest() -> Lie:
    return lambda event: [event]


def changed(seq: int, was: str, now: str, *, secret: bool = False) -> Lie:
    """Alter the text of one event, and leave its hash."""
    key = "secret" if secret else "payload"

    def lie(event: Event) -> list[Event]:
        if event["seq"] != seq:
            return [event]
        assert was in event[key]
        return [event | {key: event[key].replace(was, now, 1)}]

    return lie


def withheld(seq: int) -> Lie:
    """Leave an event out of the stream."""
    return lambda event: [] if event["seq"] == seq else [event]


def reordered(seq: int) -> Lie:
    """Send an event after the one that should follow it."""
    held: list[Event] = []

    def lie(event: Event) -> list[Event]:
        if event["seq"] == seq:
            held.append(event)
            return []
        return [event, held.pop()] if held else [event]

    return lie


def rewritten(game_id: str, seq: int, was: str, now: str) -> Lie:
    """Change an event and recompute all later hashes: a stream that is consistent, but not what was recorded."""
    previous = bytes(32)

    def lie(event: Event) -> list[Event]:
        nonlocal previous
        if event["seq"] == seq:
            assert was in event["payload"]
            event = event | {"payload": event["payload"].replace(was, now, 1)}
        if event["seq"] >= seq:
            event = event | {"hash": _hash(previous, game_id, event).hex()}
        previous = bytes.fromhex(event["hash"])
        return [event]

    return lie


def _hash(previous: bytes, game_id: str, event: Event) -> bytes:
    digest = bytes.fromhex(event.get("digest", ""))
    if "secret" in event:
        digest = secret_digest(bytes.fromhex(event["salt"]), event["secret"])
    members = {key: event[key] for key in ("seq", "n", "type", "version", "recorded_at", "command_id", "payload")}
    return event_hash(previous, game_id=game_id, digest=digest, **members)


class Liar:
    """Wraps the application, and alters its streams with the given lies."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.lies: Callable[[], Lie] = honest
        self.opens: Callable[[list[Event]], list[Event]] = list
        """A function that takes the secrets that a table publishes, and returns those to send instead."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""
        if scope["type"] != "http" or not scope["path"].endswith("/stream"):
            await self._app(scope, receive, send)
            return
        lie, rest = self.lies(), b""

        async def altered(message: Message) -> None:
            nonlocal rest
            if message["type"] == "http.response.body" and message["body"]:
                *whole, rest = (rest + message["body"]).split(_END)
                message["body"] = b"".join(told for one in whole for told in _told(one, lie, self.opens))
            await send(message)

        await self._app(scope, receive, altered)


def _told(message: bytes, lie: Lie, opens: Callable[[list[Event]], list[Event]]) -> list[bytes]:
    lines = dict(line.split(b": ", 1) for line in message.split(b"\n") if not line.startswith(b":"))
    if lines.get(b"event") == b"opened":
        return [b"event: opened\ndata: %s\n\n" % json.dumps(opens(json.loads(lines[b"data"]))).encode()]
    if lines.get(b"event") != b"record":
        return [message + _END]
    events = lie(json.loads(lines[b"data"]))
    return [b"id: %d\nevent: record\ndata: %s\n\n" % (event["seq"], _line(event)) for event in events]


def _line(event: Event) -> bytes:
    """Return an event as canonical text, the only form that the page accepts, so that the lie is what it detects."""
    return json.dumps(event, sort_keys=True, separators=(",", ":")).encode()


class LyingServer(Server):
    """A server whose application is wrapped in a `Liar`."""

    def __init__(self, database: Database, settings: Settings, listening: list[socket.socket]) -> None:
        super().__init__(database, settings, listening)
        self.liar = Liar(self.config.app)  # type: ignore[arg-type]
        self.config.app = self.liar


@contextmanager
def lying(path: Path) -> Iterator[tuple[Guest, Liar]]:
    """Serve a database in a thread, and return a client of the server and its `Liar`."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    with open_database(path) as database:
        server = LyingServer(database, Settings(port=port, limits=FAST, pace=0.0, poll=0.02), [listening])
        thread = Thread(target=server.serve_here)
        thread.start()
        try:
            with Guest(f"http://127.0.0.1:{port}") as guest:
                yield guest, server.liar
        finally:
            server.should_exit = True
            thread.join()
