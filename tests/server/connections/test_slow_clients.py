"""Who sends or takes a byte now and then is let go, and one address takes no place of another's.

The server's patience is short here. A test waits for what the server does, however long that takes.
"""

import asyncio
import re
import select
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import NamedTuple, cast

import pytest

from pokersvc.server.connections.places import Places, spread
from pokersvc.server.connections.protocol import UNACKNOWLEDGED, Protocol
from pokersvc.server.connections.readers import Untaken
from pokersvc.server.metrics import Metrics
from pokersvc.server.run import AT_ONCE, BACKLOG, listen
from pokersvc.server.settings import Limits
from tests.waiting import eventually

from .. import conftest
from ..conftest import FAST, running
from ..guests import Guest, Held, Made

SHORT = 0.05
LITTLE = 0.25
"""Enough for the guest of the test, who reads what it asks for."""
NEVER = 3600.0
PATIENT = replace(FAST, rest=NEVER, body_seconds=NEVER, patience=NEVER)
BOTS = [{"program": "minimum"}] * 7


@contextmanager
def connected(guest: Guest, *, address: str = "127.0.0.1", window: int = 0) -> Iterator[socket.socket]:
    """Connect from an address of this machine; ``window`` is how many bytes the system takes for who reads nothing."""
    with socket.socket() as client:
        if window:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        client.settimeout(30)
        client.bind((address, 0))
        client.connect((guest.base_url.host, guest.base_url.port))
        yield client


def request(guest: Guest, line: str, *headers: str, host: str = "") -> bytes:
    return "\r\n".join(
        [f"{line} HTTP/1.1", f"Host: {host or guest.base_url.netloc.decode()}", *headers, "", ""]
    ).encode()


def whole(client: socket.socket) -> bytes:
    """Return all that comes until the server closes."""
    found = b""
    try:
        while some := client.recv(65_536):
            found += some
    except ConnectionResetError:
        pass
    return found


def answered(client: socket.socket) -> int:
    """Read one answer; return its status."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += client.recv(1)
    length = re.search(rb"content-length: (\d+)", found, re.IGNORECASE)
    assert length is not None
    left = int(length[1])
    while left:
        left -= len(client.recv(left))
    return int(found.split()[1])


def took_the_last(client: socket.socket) -> bool:
    """Read a byte; tell whether there is none any more."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


def dripped(client: socket.socket, byte: bytes) -> bytes:
    """Send a byte now and then, until the server closes; return what it said."""
    found = b""
    for _ in range(3000):
        if select.select([client], [], [], 0.01)[0]:
            try:
                if not (some := client.recv(65_536)):
                    return found
            except ConnectionResetError:
                return found
            found += some
        try:
            client.sendall(byte)
        except (BrokenPipeError, ConnectionResetError):
            return found + whole(client)
    raise AssertionError("the server waits for ever")


def told(guest: Guest, metric: str) -> float:
    """Return the value of a metric; 0 before there is anything to count."""
    lines = guest.get("/metrics").text.splitlines()
    return sum(float(line.split()[1]) for line in lines if line.startswith(f"{metric} "))


# Who sends little.


@pytest.mark.parametrize("begun", ["", "GET / HTTP/1.1\r\nHost: x\r\nX-Long: "])
def test_who_drips_headers_is_let_go(tmp_path: Path, begun: str) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(PATIENT, rest=SHORT)) as guest, connected(guest) as client:
        client.sendall(begun.encode())
        assert dripped(client, b"G") == b""


def test_who_drips_headers_behind_a_whole_request_is_let_go(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(PATIENT, rest=SHORT)) as guest, connected(guest) as client:
        client.sendall(request(guest, "GET /healthz") + b"GET / HTTP/1.1\r\nX-Long: ")
        assert dripped(client, b"x").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_who_drips_a_body_is_refused_and_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", SHORT)
    limits = replace(PATIENT, body_seconds=SHORT)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, connected(guest) as client:
        client.sendall(request(guest, f"{method} /api/tables", "Content-Length: 16000"))
        assert dripped(client, b"{").startswith(b"HTTP/1.1 408")


def test_nobody_waits_for_the_body_of_a_request_that_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", SHORT)
    with running(tmp_path / "games.sqlite", limits=PATIENT) as guest, connected(guest) as client:
        client.sendall(request(guest, "POST /api/tables", "Content-Length: 16000", host="elsewhere"))
        assert dripped(client, b"{").startswith(b"HTTP/1.1 421")


def test_a_body_that_comes_after_the_refusal_ends_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", NEVER)
    with running(tmp_path / "games.sqlite", limits=PATIENT) as guest, connected(guest) as client:
        client.sendall(request(guest, "POST /api/tables", "Content-Length: 2", host="elsewhere"))
        assert answered(client) == 421
        client.sendall(b"{}" + request(guest, "GET /healthz"))
        assert answered(client) == 200


# Who reads little.


class Played(NamedTuple):
    """A game that is over."""

    path: Path
    """Of its database."""
    table: str
    length: int
    """Of its file, in bytes."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A database with a game whose file is longer than what a small window and the server hold for a reader."""
    path = tmp_path_factory.mktemp("played") / "games.sqlite"
    with running(path) as guest:
        made = guest.made(*BOTS, rounds=32).started()
        while (now := made.watch.snapshot())["outcome"] is None:  # however long, as long as it goes on
            eventually(partial(has_more, made.watch, now["count"]))
        length = len(made.watch.get("export").content)
        assert length > 200_000
    return Played(path, made.game, length)


def has_more(seat: Held, count: int) -> bool:
    return bool(seat.snapshot()["count"] > count)


@pytest.fixture
def long(played: Played, monkeypatch: pytest.MonkeyPatch) -> Played:
    """That game, at a server whose system holds little for a reader."""
    monkeypatch.setattr("pokersvc.server.run.SEND_BUFFER", 4096)
    return played


def watched(guest: Guest, long: Played) -> Held:
    return Made(guest, long.table, "", {}).watch


@pytest.mark.parametrize(
    ("what", "drips"),
    [
        pytest.param("export", True, marks=pytest.mark.slow),
        ("stream", False),
        pytest.param("export", False, marks=pytest.mark.slow),
        pytest.param("stream", True, marks=pytest.mark.slow),
    ],
)
def test_a_reader_who_takes_little_is_let_go(long: Played, what: str, drips: bool) -> None:
    with running(long.path, limits=replace(PATIENT, patience=LITTLE)) as guest, connected(guest, window=2048) as client:
        watch = watched(guest, long)
        client.sendall(request(guest, f"GET {watch.path}/{what}"))
        assert client.recv(9) == b"HTTP/1.1 "
        eventually(lambda: (drips and took_the_last(client)) or told(guest, "pokersvc_connections") == 1)
        eventually(lambda: told(guest, "pokersvc_streams") == 0)
        assert len(whole(client)) < long.length


def test_a_reader_who_takes_nothing_of_many_small_answers_is_let_go(long: Played) -> None:
    with running(long.path, limits=replace(PATIENT, patience=LITTLE)) as guest, connected(guest, window=2048) as client:
        client.sendall(request(guest, "GET /api/games") * 100)
        assert client.recv(9) == b"HTTP/1.1 "
        eventually(lambda: told(guest, "pokersvc_connections") == 1)


def test_a_reader_who_takes_nothing_and_asked_to_close_is_let_go(long: Played) -> None:
    with running(long.path, limits=replace(PATIENT, patience=LITTLE)) as guest, connected(guest, window=2048) as client:
        client.sendall(request(guest, f"GET {watched(guest, long).path}/export", "Connection: close"))
        assert client.recv(9) == b"HTTP/1.1 "
        eventually(lambda: told(guest, "pokersvc_connections") == 1)


class Transport:
    """A connection whose reader takes what the test says."""

    def __init__(self) -> None:
        self.left = 200_000

    def get_write_buffer_size(self) -> int:
        return self.left


def test_a_reader_who_takes_four_kibibytes_a_second_is_not_let_go_however_often_one_looks() -> None:
    transport, limits = Transport(), replace(FAST, patience=20.0)
    unread = Untaken(cast(asyncio.WriteTransport, transport), limits, Places(limits, Metrics()))
    assert not unread.stands_still(0.0, waited_for=True)
    for now, left, slow in ((5, 190_000, False), (20, 118_080, False), (30, 100_000, False), (40, 36_161, True)):
        transport.left = left
        assert unread.stands_still(float(now), waited_for=True) is slow, now
    assert not unread.stands_still(60.0, waited_for=False), "a stream's answer goes on, and has a time of its own"


def test_only_so_much_waits_for_the_readers_of_an_address(long: Played) -> None:
    with (
        running(long.path, limits=replace(PATIENT, unread_of_address=150_000)) as guest,
        connected(guest, address="127.0.0.2", window=2048) as one,
        connected(guest, address="127.0.0.2", window=2048) as two,
        connected(guest, address="127.0.0.3", window=2048) as other,
    ):
        watch = watched(guest, long)
        asked = request(guest, f"GET {watch.path}/export")
        for client in (one, other):
            client.sendall(asked)
            assert client.recv(9) == b"HTTP/1.1 "
        two.sendall(asked)
        assert len(whole(two)) < long.length
        for client in (one, other):
            client.sendall(request(guest, "GET /healthz", "Connection: close"))
            assert len(whole(client)) > long.length


# Whoever takes all places.


def test_who_was_turned_away_takes_no_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", NEVER)
    limits = replace(PATIENT, connections=4, connections_of_address=2)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, ExitStack() as stack:
        for number in range(20):
            client = stack.enter_context(connected(guest, address="127.0.0.2"))
            if number >= 2:
                assert answered(client) == 429
        other = stack.enter_context(connected(guest, address="127.0.0.3"))
        other.sendall(request(guest, "GET /healthz"))
        assert answered(other) == 200


def test_only_so_many_are_told_why_they_have_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", NEVER)
    monkeypatch.setattr("pokersvc.server.connections.protocol.MOST_REFUSED", 2)
    limits = replace(PATIENT, connections_of_address=1)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, ExitStack() as stack:
        clients = [stack.enter_context(connected(guest, address="127.0.0.2")) for _ in range(4)]
        assert [answered(client) for client in clients[1:3]] == [429, 429]
        assert whole(clients[3]) == b""
        clients[0].sendall(request(guest, "GET /healthz"))
        assert answered(clients[0]) == 200


@pytest.mark.parametrize(
    ("mine", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"),
    ],
)
def test_an_address_behind_a_proxy_has_so_many_requests_under_way(
    tmp_path: Path, mine: str, same: str, other: str
) -> None:
    """The proxy's connections count as nobody's, so whoever is behind it is counted by their requests."""
    with running(tmp_path / "games.sqlite", limits=replace(PATIENT, connections_of_address=2)) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"})
        with ExitStack() as stack:
            for _ in range(2):
                asked = guest.stream("GET", f"{made.watch.path}/stream", headers={"X-Forwarded-For": mine})
                assert stack.enter_context(asked).status_code == 200
            refused = guest.get("/healthz", headers={"X-Forwarded-For": same})
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
            assert guest.get("/healthz", headers={"X-Forwarded-For": other}).status_code == 200
        eventually(lambda: guest.get("/healthz", headers={"X-Forwarded-For": mine}).status_code == 200)


# Whoever stays.


def test_a_stream_ends_in_order_after_its_time(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(PATIENT, stream_seconds=SHORT, heartbeat=SHORT)) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"})
        with made.watch.stream() as heard:
            assert {one.event for one in heard} <= {"lobby", "heartbeat"}, "and httpx raises for one that is broken off"


# Many who come or go at one moment.


def test_of_many_who_come_at_once_a_few_are_let_in_between_other_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, held, let_in, made = Event(), Event(), list[int](), Protocol.connection_made
    ticks, now, over = count(), [0], Event()

    def tick(loop: asyncio.AbstractEventLoop) -> None:
        now[0] = next(ticks)
        if not over.is_set():
            loop.call_soon(tick, loop)

    def making(self: Protocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        if held.is_set():
            let_in.append(now[0])
            return
        tick(self.loop)
        held.set()
        assert go.wait(30)

    monkeypatch.setattr(Protocol, "connection_made", making)
    with running(tmp_path / "games.sqlite", limits=PATIENT) as guest, ExitStack() as stack:
        stack.enter_context(connected(guest))
        assert held.wait(30)
        for _ in range(100):
            stack.enter_context(connected(guest))
        go.set()
        eventually(lambda: len(let_in) == 100)
        over.set()
    assert max(Counter(let_in).values()) <= AT_ONCE


def test_as_many_may_wait_to_be_let_in_as_the_system_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listening: list[socket.socket] = []

    def noted(host: str, port: int) -> socket.socket:
        listening.append(listen(host, port))
        return listening[-1]

    monkeypatch.setattr(conftest, "listen", noted)
    with running(tmp_path / "games.sqlite") as guest:
        assert guest.get("/healthz").status_code == 200
        *_, most = struct.unpack("8B6I", listening[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32))
        allowed = int(Path("/proc/sys/net/core/somaxconn").read_text(encoding="ascii"))
        assert most == min(BACKLOG, allowed)


def test_the_system_ends_a_connection_on_which_nothing_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    made = Protocol.connection_made

    def noted(self: Protocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        end = transport.get_extra_info("socket")
        found.append(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))

    monkeypatch.setattr(Protocol, "connection_made", noted)
    with running(tmp_path / "games.sqlite") as guest:
        assert guest.get("/healthz").status_code == 200
    assert set(found) == {1000 * UNACKNOWLEDGED}


def test_what_began_at_one_moment_does_not_end_at_one() -> None:
    found = [spread(30.0) for _ in range(64)]
    assert len(set(found)) == 64
    assert 30.0 <= min(found) < max(found) < 33.0


def test_limits_have_a_time_for_everything_that_a_client_may_take_long_for() -> None:
    limits = Limits()
    assert 0 < limits.body_seconds <= limits.patience <= limits.rest <= 60
