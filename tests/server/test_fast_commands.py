"""The short way of commands and the framework's answer alike; and the threads that commands run in."""

import asyncio
import json
import threading
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from starlette.responses import Response

from pokersvc.server.connections.turns import Precedence
from pokersvc.server.fast_commands import FastCommands
from pokersvc.server.tables.information import MOST_SEATS
from pokersvc.server.threads import Soon, Threads

from .guests import Guest, Held, bearer

SHORT, LONG = "application/json", "application/json; charset=utf-8"
ID = "00000000-0000-4000-8000-000000000007"
COMMANDS: list[Any] = [
    {"id": ID, "action": {"type": "Bet", "amount": 10**9}},
    {"id": ID, "action": {"type": "Fly"}},
    {"id": ID, "typed": "fly"},
    {"id": ID},
    {"id": "me", "typed": "bet 50"},
    {"id": ID, "typed": 5},
    {"id": ID, "typed": "bet 50", "more": 1},
    {"id": ID, "head": "00" * 32, "typed": "bet 50"},
    {"id": ID, "typed": "bet 50"},
    [],
    None,
]


def post(door: Held, content: bytes, how: str, path: str | None = None) -> httpx.Response:
    headers = {**door.headers, "content-type": how}
    return door.guest.post(path or f"{door.path}/commands", content=content, headers=headers)


def alike(short: httpx.Response, long: httpx.Response) -> bool:
    same = {"date", "content-length"}
    headers = [{name: value for name, value in one.headers.items() if name not in same} for one in (short, long)]
    return (short.status_code, short.json()) == (long.status_code, long.json()) and headers[0] == headers[1]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: json.dumps(command)[:60])
def test_both_ways_answer_alike(server: Guest, command: Any) -> None:
    door = server.made({"name": "Ann"}, {"name": "Bob"}).started().seat(1)
    content = json.dumps(command).encode()
    assert alike(post(door, content, SHORT), post(door, content, LONG))


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 9000, b'{"id": NaN}', b"\xff", b'{"id": "\\ud800"}'])
def test_what_is_no_json_is_refused_alike(server: Guest, content: bytes) -> None:
    door = server.made({"name": "Ann"}, {"name": "Bob"}).started().seat(1)
    short, long = post(door, content, SHORT), post(door, content, LONG)
    assert alike(short, long)
    assert short.status_code in (400, 422)


def test_who_may_not_is_refused_alike(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"})
    door, content = made.seat(1), json.dumps({"id": ID, "typed": "fold"}).encode()
    assert post(door, content, SHORT).json()["code"] == "not_started"
    for path in (
        f"{made.path}/seats/11/commands",
        f"{made.path}/seats/3/commands",
        "/api/tables/none/seats/1/commands",
    ):
        assert alike(post(door, content, SHORT, path), post(door, content, LONG, path)), path
    door.headers = bearer("A" * 22)
    assert post(door, content, SHORT).json()["code"] == "wrong_token"
    assert alike(post(door, content, SHORT), post(door, content, LONG))


def test_only_a_command_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[bytes] = []

    async def framework(scope: Any, receive: Any, send: Any) -> None:
        passed.append((await receive())["body"])

    async def call(function: Any, *arguments: Any) -> Response:
        return Response(str(arguments[2:4]))

    parts: Any = SimpleNamespace(threads_of_others=SimpleNamespace(call=call))
    way = FastCommands(framework, parts)

    def asked(path: str, body: bytes, method: str = "POST", how: bytes = b"application/json") -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "path": path, "headers": [(b"content-type", how)]}
        asyncio.run(way(scope, receive, send))
        return sent

    command = json.dumps({"id": ID, "typed": "fold"}).encode()
    assert asked("/api/tables/t/seats/2/commands", command)[1]["body"] == b"('t', 2)"
    assert not passed
    others = [
        ("/api/tables/t/seats/2/command", command, "POST", b"application/json"),
        ("/api/tables/t/seats/02/commands", command, "POST", b"application/json"),
        ("/api/tables/t/seats/2/commands", b"{}", "POST", b"application/json"),
        ("/api/tables/t/seats/2/commands", command, "GET", b"application/json"),
        ("/api/tables/t/seats/2/commands", command, "POST", b"text/plain"),
    ]
    for other in others:
        assert asked(*other) == []
    assert passed == [body for _, body, _, _ in others], "whole, although it was read"
    assert MOST_SEATS < 100, "two digits are all that a seat can have"


def test_who_plays_waits_for_no_command_of_others() -> None:
    """Refused commands, which anybody can send, are carried out by threads of their own."""
    used: list[str] = []

    def threads(name: str) -> Any:
        async def call(*_: Any) -> Response:
            used.append(name)
            return Response()

        return SimpleNamespace(call=call)

    way = FastCommands(
        cast(Any, None), cast(Any, SimpleNamespace(threads=threads("players"), threads_of_others=threads("others")))
    )
    body = json.dumps({"id": ID, "typed": "fold"}).encode()

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(_: Any) -> None:
        pass

    connection = Precedence(cast(Any, None))
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/tables/t/seats/2/commands",
        "headers": [(b"content-type", b"application/json")],
        "state": connection.of_requests,
    }
    for plays in (False, True):
        connection.plays = plays
        asyncio.run(way(scope, receive, send))
    assert used == ["others", "players"]


def test_threads_answer_fail_and_end() -> None:
    async def run() -> None:
        threads = Threads(2, "test")
        assert await asyncio.gather(*(threads.call(pow, 2, number) for number in range(20))) == [
            2**number for number in range(20)
        ]
        with pytest.raises(ZeroDivisionError):
            await threads.call(divmod, 1, 0)
        enough = threading.Event()
        held = [asyncio.ensure_future(threads.call(enough.wait, 10)) for _ in range(2)]
        late = asyncio.ensure_future(threads.call(pow, 1, 1))
        while threads._tasks.qsize() != 1:
            await asyncio.sleep(0.001)
        threads.close()
        enough.set()
        assert await asyncio.gather(*held) == [True, True], "what was begun is finished"
        with pytest.raises(asyncio.CancelledError):
            await late
        with pytest.raises(RuntimeError, match="ending"):
            await threads.call(pow, 1, 1)
        for thread in threads._threads:
            thread.join(10)
            assert not thread.is_alive()

    asyncio.run(run())


def test_what_threads_ask_for_is_called_in_order_and_wakes_the_loop_once() -> None:
    async def run() -> None:
        woken: list[Any] = []
        loop: Any = SimpleNamespace(call_soon_threadsafe=woken.append)
        soon, called = Soon(loop), list[int]()
        for number in range(3):
            soon.call(called.append, number)
        assert len(woken) == 1
        woken.pop()()
        assert called == [0, 1, 2]
        soon.call(called.append, 3)
        assert len(woken) == 1
        closed = asyncio.new_event_loop()
        closed.close()
        Soon(closed).call(called.append, 4)

    asyncio.run(run())
