"""Requests that a proxy may read otherwise than the server: refused, and nothing that follows them is read."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.server.conftest import running
from tests.server.guests import Guest, Made, simple_action

CRLF = "\r\n"
SECOND = "GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n"
"""A request that would be answered, were it read."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=60.0) as guest:
        yield guest


def sent(guest: Guest, *parts: str) -> bytes:
    """Send a text as it is, in one write for each part, and return all that is answered until the server closes."""
    where = guest.base_url
    with socket.create_connection((where.host, where.port or 0), timeout=10) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            wire.sendall(part.replace("{host}", where.netloc.decode()).encode("latin-1"))
        answered = b""
        while read := wire.recv(65_536):
            answered += read
        return answered


def refused(answered: bytes) -> str:
    """Return why the only request that was answered was refused, with its connection closed."""
    head, _, body = answered.partition(b"\r\n\r\n")
    assert answered.count(b"HTTP/1.1 ") == 1, answered
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"\r\nconnection: close" in head.lower()
    assert b"\r\ncache-control: no-store" in head.lower()
    said = json.loads(body)
    assert said["code"] == "bad_request"
    return str(said["message"])


def get(*headers: str, end: str = CRLF) -> str:
    lines = ["GET /healthz HTTP/1.1", "Host: {host}", *headers]
    return end.join([*lines, "", ""])


def post(*headers: str, body: str, version: str = "1.1") -> str:
    lines = [f"POST /api/tables HTTP/{version}", "Host: {host}", "Content-Type: application/json", *headers]
    return CRLF.join([*lines, "", body])


BOTH = "The request has both Content-Length and Transfer-Encoding; send one of them."
BARE = "A line of the request ends in a line feed alone; put a carriage return before it."
FOLDED = "A header of the request goes on in the next line; write it in one."
CHUNKED = "Transfer-Encoding: chunked"
AMBIGUOUS = {
    "both lengths": (post("Content-Length: 5", CHUNKED, body="0\r\n\r\n"), BOTH),
    "both lengths, the other way round": (post(CHUNKED, "Content-Length: 5", body="0\r\n\r\n"), BOTH),
    "both lengths in other letters": (post("content-LENGTH: 0", "TRANSFER-encoding: CHUNKED", body="0\r\n\r\n"), BOTH),
    "both lengths of a GET": (get("Content-Length: 0", CHUNKED) + "0\r\n\r\n", BOTH),
    "all lines end in a line feed": (get(end="\n"), BARE),
    "one line ends in a line feed": ("GET /healthz HTTP/1.1\r\nHost: {host}\nX-A: 1\r\n\r\n", BARE),
    "the request's line ends in a line feed": ("GET /healthz HTTP/1.1\nHost: {host}\r\n\r\n", BARE),
    "the empty line is a line feed": ("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\n", BARE),
    "a header is folded by a space": (get("X-A: 1", " 2"), FOLDED),
    "a header is folded by a tab": (get("X-A: 1", "\t2"), FOLDED),
    "a length is folded": (get("X-A:", " Content-Length: 5"), FOLDED),
    "trailers end in a line feed": (post(CHUNKED, body="2\r\n{}\r\n0\r\nX-A: 1\n\r\n"), BARE),
    "the last chunk ends in a line feed": (post(CHUNKED, body="2\r\n{}\r\n0\r\n\n"), BARE),
    "a trailer is folded": (post(CHUNKED, body="2\r\n{}\r\n0\r\nX-A: 1\r\n 2\r\n\r\n"), FOLDED),
    "chunks in HTTP/1.0": (
        post(CHUNKED, body="0\r\n\r\n", version="1.0"),
        "The request has Transfer-Encoding, which HTTP/1.0 does not have; send Content-Length.",
    ),
}


@pytest.mark.parametrize("what", AMBIGUOUS)
def test_a_request_that_can_be_read_in_two_ways_is_refused_and_its_connection_closed(server: Guest, what: str) -> None:
    request, why = AMBIGUOUS[what]
    assert refused(sent(server, request + SECOND)) == why


@pytest.mark.parametrize("request_", [get("X-A: 1", " 2"), post(CHUNKED, body="2\r\n{}\r\n0\r\nX-A: 1\n\r\n")])
def test_who_still_sends_is_told_why_nothing_more_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    monkeypatch.setattr("pokersvc.server.connections.request_smuggling.TO_READ", 3600.0)
    with running(tmp_path / "games.sqlite") as guest:
        where = guest.base_url
        with socket.create_connection((where.host, where.port or 0), timeout=30) as wire:
            wire.sendall(request_.replace("{host}", where.netloc.decode()).encode())
            assert wire.recv(9, socket.MSG_PEEK) == b"HTTP/1.1 "
            for _ in range(256):
                wire.sendall(b"x" * 65_536)
            answered = b""
            while read := wire.recv(65_536):
                answered += read
        assert refused(answered) in (FOLDED, BARE)
        assert guest.get("/healthz").status_code == 200


def test_a_refused_head_request_is_answered_without_a_body(server: Guest, caplog: pytest.LogCaptureFixture) -> None:
    answered = sent(server, get("Content-Length: 0", CHUNKED).replace("GET", "HEAD", 1) + "0\r\n\r\n" + SECOND)
    head, _, body = answered.partition(b"\r\n\r\n")
    assert (head.split()[1], body) == (b"400", b"")
    assert [one for one in caplog.records if one.name == "asyncio"] == [], "the protocol failed"


CODING = "The request has a Transfer-Encoding that is not chunked."
UNREADABLE = {
    "two lengths": (
        post("Content-Length: 2", "Content-Length: 3", body="{}"),
        "The request has several lengths; send one Content-Length.",
    ),
    "a length with a sign": (
        post("Content-Length: +2", body="{}"),
        "The Content-Length of the request is not a whole number.",
    ),
    "another coding": (post("Transfer-Encoding: gzip, chunked", body="0\r\n\r\n"), CODING),
    "the coding twice": (
        post(CHUNKED, CHUNKED, body="0\r\n\r\n"),
        "The request has Transfer-Encoding more than once; send it once.",
    ),
    "no host": ("GET /healthz HTTP/1.1\r\n\r\n", "The request has no Host; send one."),
    "two hosts": (get("Host: {host}"), "The request has several Hosts; send one."),
    "an empty line first": (CRLF + get(), "The request begins with an empty line; begin with its method."),
    "a line feed first": ("\n" + get(), BARE),
    "a chunk that ends in a line feed": (post(CHUNKED, body="2\r\n{}\n0\r\n\r\n"), BARE),
    "long headers": (get(f"X-A: {'a' * 70_000}", end=CRLF)[:-3], "The headers of the request are too long."),
}
NO_HTTP = {
    "a space before the colon": get("Content-Length : 5"),
    "the first header is folded": "GET /healthz HTTP/1.1\r\n Host: {host}\r\n\r\n",
    "a carriage return alone": get("X-A: 1\rX-B: 2"),
    "a chunk with a line feed alone": post(CHUNKED, body="2\n{}\r\n0\r\n\r\n"),
    "a zero byte": get("X-A: \0"),
    "no request": "hello\r\n\r\n",
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_who_sends_a_request_that_cannot_be_read_is_told_what_is_wrong_with_it(server: Guest, what: str) -> None:
    request, why = UNREADABLE[what]
    assert refused(sent(server, request)) == why


@pytest.mark.parametrize("what", NO_HTTP)
def test_a_request_that_is_no_http_is_refused_and_its_connection_closed(server: Guest, what: str) -> None:
    assert refused(sent(server, NO_HTTP[what] + SECOND)) == "The request cannot be read: it is not HTTP/1.1."


def test_the_second_request_of_a_connection_is_read_as_strictly_as_the_first(server: Guest) -> None:
    whole, refusal = sent(server, get() + get("X-A: 1", " 2") + SECOND).split(b'{"status":"ok"}')
    assert whole.startswith(b"HTTP/1.1 200 OK")
    assert refused(refusal) == FOLDED


def command(made: Made) -> str:
    """The body of a command that would be carried out."""
    mine = made.seat(made.watch.snapshot()["awaited"][0]).snapshot()
    return json.dumps({"id": str(uuid4()), "head": mine["head"], "action": simple_action(mine)})


def chunked(made: Made, seat: int) -> str:
    """The headers of a command that comes in chunks."""
    lines = [f"POST {made.path}/seats/{seat}/commands HTTP/1.1", "Host: {host}", "Content-Type: application/json"]
    return CRLF.join([*lines, f"Authorization: Bearer {made.tokens[seat]}", CHUNKED, "Connection: close", "", ""])


def test_no_command_is_carried_out_whose_trailers_were_refused(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}).started()
    seat, count = made.watch.snapshot()["awaited"][0], made.watch.snapshot()["count"]
    body = command(made)
    assert refused(sent(server, chunked(made, seat) + f"{len(body):x}\r\n{body}\r\n0\r\nX-A: 1\n\r\n")) == BARE
    assert server.get("/healthz").status_code == 200
    assert made.watch.snapshot()["count"] == count


@pytest.mark.parametrize("cut", range(8))
def test_chunks_are_read_wherever_they_are_cut(server: Guest, cut: int) -> None:
    """Also between a carriage return and its line feed."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}).started()
    seat = made.watch.snapshot()["awaited"][0]
    body = command(made)
    text = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    parts = [text[: len(text) - cut], *text[len(text) - cut :]]
    assert sent(server, chunked(made, seat), *parts).startswith(b"HTTP/1.1 200 OK")
