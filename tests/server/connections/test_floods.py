"""Floods of a server: refusals and tables that an address asks for without end wait their turn."""

import asyncio
import select
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Semaphore
from typing import ClassVar

import pytest
from starlette.requests import Request

from pokersvc.server.authentication import Authentication
from pokersvc.server.connections.protocol import Protocol
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.connections.turns import Turns
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.settings import Limits
from pokersvc.server.tables import opening
from pokersvc.server.tables.opening import Opening
from tests.waiting import eventually

from ..conftest import running
from ..guests import Guest
from .test_slow_clients import NEVER, PATIENT, SHORT, answered, connected, request, told, whole


def test_refusals_of_an_address_wait_their_turn_and_nothing_else_does(tmp_path: Path) -> None:
    limits = replace(PATIENT, refused=Rate(0.001, 2), refusal_seconds=NEVER)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, ExitStack() as stack:
        one, two = (stack.enter_context(connected(guest, address="127.0.0.2")) for _ in range(2))
        other = stack.enter_context(connected(guest, address="127.0.0.3"))
        wrong, right = request(guest, "GET /", host="elsewhere"), request(guest, "GET /healthz")
        for _ in range(2):
            one.sendall(wrong)
            assert answered(one) == 421
        one.sendall(wrong)
        two.sendall(right)
        other.sendall(wrong)
        assert (answered(two), answered(other)) == (200, 421)
        assert not select.select([one], [], [], 0)[0], "it waits"
        assert told(guest, "pokersvc_connections") == 4
        one.close()
        eventually(lambda: told(guest, "pokersvc_connections") == 3)


BODIES = {
    413: "Transfer-Encoding: chunked\r\n\r\nfffffff\r\n" + "x" * 20_000,
    403: "Origin: http://elsewhere\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
    408: "Transfer-Encoding: chunked\r\n\r\nfffffff\r\n",
    421: "Host: elsewhere\r\nContent-Length: 999999999\r\n\r\n",
}
"""Requests that are refused before their bodies have come, by the answer."""


def begun(guest: Guest, status: int) -> bytes:
    host = "" if status == 421 else f"Host: {guest.base_url.netloc.decode()}\r\n"
    return f"POST /api/tables HTTP/1.1\r\n{host}{BODIES[status]}".encode()


@pytest.mark.parametrize("status", BODIES)
def test_no_more_of_a_body_is_read_while_its_refusal_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    read, receive = Counter[str](), Protocol.data_received

    def counting(self: Protocol, data: bytes) -> None:
        assert self.client is not None
        read[self.client[0]] += len(data)
        receive(self, data)

    monkeypatch.setattr(Protocol, "data_received", counting)
    limits = replace(PATIENT, refused=Rate(0.001, 0), refusal_seconds=NEVER, body_seconds=SHORT)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, connected(guest, address="127.0.0.2") as client:
        client.sendall(begun(guest, status))
        eventually(lambda: told(guest, 'pokersvc_requests_total{status="4xx"}') == 1)
        client.settimeout(SHORT)
        left = 1 << 26  # more than systems hold
        with suppress(TimeoutError):
            while left > 0:
                left -= client.send(b"x" * 65_536)
        assert not select.select([client], [], [], 0)[0], "it waits"
        assert read["127.0.0.2"] < 1 << 20


@pytest.mark.parametrize("status", BODIES)
def test_the_refusal_of_a_body_comes_in_the_end(tmp_path: Path, status: int) -> None:
    limits = replace(PATIENT, refused=Rate(0.001, 0), refusal_seconds=SHORT, body_seconds=SHORT)
    with running(tmp_path / "games.sqlite", limits=limits) as guest, connected(guest) as client:
        client.sendall(begun(guest, status))
        assert answered(client) == status


def test_a_server_that_ends_waits_for_no_refusal(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = replace(PATIENT, refused=Rate(0.001, 0), refusal_seconds=NEVER)
    with ExitStack() as stack:
        with running(tmp_path / "games.sqlite", limits=limits) as guest:
            client = stack.enter_context(connected(guest))
            client.sendall(request(guest, "GET /", host="elsewhere"))
            eventually(lambda: 'pokersvc_requests_total{status="4xx"} 1.0' in guest.get("/metrics").text)
        assert whole(client).startswith(b"HTTP/1.1 421")
    assert [one for one in caplog.records if one.name.startswith("uvicorn")] == []


def test_a_refusal_comes_in_the_end(tmp_path: Path) -> None:
    limits = replace(PATIENT, refused=Rate(0.001, 0), refusal_seconds=SHORT)
    with running(tmp_path / "games.sqlite", limits=limits) as guest:
        assert guest.get("/api/tables/none").status_code == 404


def test_tables_are_made_for_one_address_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, entered, made, make, enter = Event(), Semaphore(0), list[str](), Opening.make, Authentication.enter

    def entering(authentication: Authentication, asked: Request) -> None:
        enter(authentication, asked)
        entered.release()

    def making(self: Opening, asked: NewTable) -> opening.Made:
        assert go.wait(30)
        made.append(asked.name)
        return make(self, asked)

    monkeypatch.setattr(Opening, "make", making)
    monkeypatch.setattr(Authentication, "enter", entering)
    with running(tmp_path / "games.sqlite") as guest, ThreadPoolExecutor(8) as others:
        asked = []
        for number, address in enumerate((1, 1, 1, 1, 2, 3)):
            body = {"kind": "kalah", "seats": [{}, {}], "name": f"{address}"}
            from_ = {"X-Forwarded-For": f"192.0.2.{address}"}
            asked.append(others.submit(guest.post, "/api/tables", json=body, headers=from_))
            assert entered.acquire(timeout=30), number
        go.set()
        assert [one.result().status_code for one in asked] == [201] * 6
    assert made == ["1", "1", "2", "3", "1", "1"], "the first one was being made"


def test_making_tables_takes_a_tenth_of_the_time_and_the_next_waits_five_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Loop:
        """A loop whose clock stands at what the test says."""

        at = 0.0
        later: ClassVar[list[float]] = []

        def time(self) -> float:
            return self.at

        def call_later(self, seconds: float, _: Callable[[], None]) -> None:
            self.later.append(seconds)

    async def work() -> None:
        loop, turns = Loop(), Turns(Limits().making)
        monkeypatch.setattr("pokersvc.server.connections.turns.asyncio.get_running_loop", lambda: loop)
        for took in (0.01, 0.5, 60.0):
            turns._busy = False
            async with turns.turn("a"):
                loop.at += took
        monkeypatch.undo()

    asyncio.run(work())
    assert Loop.later == pytest.approx([0.09, 4.5, 5.0])


def test_who_goes_before_their_turn_holds_up_nobody() -> None:
    async def work() -> list[str]:
        turns, done = Turns(1.0), list[str]()

        async def one(name: str) -> None:
            async with turns.turn(name):
                done.append(name)

        async with turns.turn("first"):
            waiting = [asyncio.create_task(one(name)) for name in ("gone", "stays")]
            await asyncio.sleep(0)
            waiting[0].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await one("last")
        return done

    assert asyncio.run(work()) == ["stays", "last"]
