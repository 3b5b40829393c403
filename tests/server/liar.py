"""A server between an honest one and its guest, which tells lies or loses connections."""

import json
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

from pokersvc.eventlog.record import GENESIS, Record, SharedRecord, digest_of, event_hash
from pokersvc.remote.copy import record_of
from pokersvc.remote.messages import messages

Told = dict[str, Any]


class Liar:
    """What is told instead of the truth; each method may be replaced, and says the truth by default."""

    def __init__(self, url: str) -> None:
        self.url = httpx.URL(url)
        self.requests: list[str] = []
        self.commands: list[Told] = []

    def record(self, record: Told) -> Iterable[Told]:
        """Return what is streamed instead of an event."""
        return [record]

    def opened(self, opened: list[Told]) -> list[Told]:
        """Return what is streamed instead of the seeds that are opened."""
        return opened

    def answer(self, path: str, answer: Told) -> Told:
        """Return what is answered to a request."""
        return answer

    def cuts(self, method: str, path: str) -> bool:
        """Tell whether the connection is lost before the answer, or after the first event of a stream."""
        return False


class Rewriter(Liar):
    """Tells another story whose hashes are right: ``change`` makes it of each event."""

    def __init__(self, url: str, game_id: str, change: Callable[[Told], Told]) -> None:
        super().__init__(url)
        self.game_id, self.change = game_id, change
        self.heads: dict[int, bytes] = {0: GENESIS}

    def record(self, record: Told) -> Iterable[Told]:
        changed = self.change(dict(record))
        one = record_of(self.game_id, changed)
        self.heads[one.seq] = head = rehashed(self.heads[one.seq - 1], one)
        return [changed | {"hash": head.hex()}]

    def answer(self, path: str, answer: Told) -> Told:
        if "head" in answer and "snapshot" in path:
            return answer | {"head": self.heads[answer["count"]].hex()}
        return answer


def rehashed(previous: bytes, one: Record | SharedRecord) -> bytes:
    return event_hash(
        previous, seq=one.seq, n=one.n, game_id=one.game_id, type=one.type, version=one.version,
        recorded_at=one.recorded_at, command_id=one.command_id, payload=one.payload, digest=digest_of(one),
    )  # fmt: skip


@contextmanager
def lying(liar: Liar) -> Iterator[str]:
    """Serve what a liar says, and give its address."""

    upstreams: list[socket.socket] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.handle_it("GET")

        def do_POST(self) -> None:
            self.handle_it("POST")

        def handle_it(self, method: str) -> None:
            liar.requests.append(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            upstream = HTTPConnection(liar.url.host, liar.url.port, timeout=20)
            headers = {name: value for name, value in self.headers.items() if name != "Host"}
            upstream.request(method, self.path, body or None, headers)
            upstreams.append(upstream.sock)
            answer = upstream.getresponse()
            if method == "POST" and "/commands" in self.path:
                liar.commands.append(json.loads(body))
            cut = liar.cuts(method, self.path)
            if "stream" in self.path and answer.status == 200:
                self.stream(answer.readline, cut)
            elif not cut:
                told = json.dumps(liar.answer(self.path, json.loads(answer.read()))).encode()
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)
            upstream.close()

        def stream(self, readline: Callable[[int], bytes], cut: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                for message in messages(readline):
                    told: Any = json.loads(message.data)
                    told = liar.opened(told) if message.event == "opened" else told
                    for one in liar.record(told) if message.event == "record" else [told]:
                        id_ = f"id: {one['seq']}\n" if "seq" in one else ""
                        self.wfile.write(f"{id_}event: {message.event}\ndata: {json.dumps(one)}\n\n".encode())
                    if cut:
                        return
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        for one in upstreams:  # streams that nobody reads any more
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        server.shutdown()
        server.server_close()
        thread.join()
