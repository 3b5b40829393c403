"""What a client may send, how often, and what happens to one that reads nothing."""

import asyncio
import gc
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event, Lock, Semaphore, Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.types import Message

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TablePaused
from pokersvc.eventlog.changes import Changes
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.server import run
from pokersvc.server.api.games import Viewing
from pokersvc.server.app import parts_of
from pokersvc.server.connections.rate_limits import Meter, Rate
from pokersvc.server.connections.slow_answers import AT_ONCE
from pokersvc.server.following import viewer_copies as followed_module
from pokersvc.server.following.channel import RECENT, SHARED, Channel
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.stream import EventStream, Streams
from pokersvc.server.following.viewer_copies import ViewerCopies
from pokersvc.server.following.wire import Wired
from pokersvc.server.metrics import Metrics
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.run import Server, listen
from pokersvc.server.running.presence import Presence
from pokersvc.server.settings import Limits, Settings
from pokersvc.server.tables import opening, store
from pokersvc.server.tables.chat_lines import ChatStore
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.viewpoint import PUBLIC_VIEW, Viewpoint
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from pokersvc.system.eviction import NEWCOMERS
from tests.server.conftest import FAST, running
from tests.server.guests import Guest


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    limits = replace(FAST, commands=Rate(0.001, 3), streams_of_address=2, open_tables=4)
    with running(tmp_path_factory.mktemp("narrow") / "games.sqlite", limits=limits) as guest:
        yield guest


def test_a_body_is_short(narrow: Guest) -> None:
    for content in (b"[" * 16_385, iter([b"{" * 10_000, b"{" * 10_000])):
        answer = narrow.post("/api/tables", content=content, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_long")
    deep = narrow.post("/api/tables", content=b"[" * 16_000, headers={"content-type": "application/json"})
    assert deep.status_code in (400, 422)


def test_headers_are_short(narrow: Guest) -> None:
    assert narrow.get("/api/tables", headers={"x-long": "x" * 70_000}).status_code in (400, 431)


def test_a_seat_asks_so_often_and_no_more(narrow: Guest) -> None:
    made = narrow.made({"name": "Ann"}, {"name": "Bob"}).started()
    answers = [made.seat(1).send(typed="fly") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [422] * 3 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert made.seat(2).send(typed="fly").status_code == 422, "another seat is another's"
    codes = [made.ask_host(what).status_code for what in ("pause", "resume", "pause")]
    assert codes == [204, 204, 429], "and so does the host, who has started the game"


def test_replays_hold_up_nobody_who_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enough, begun, replay = Event(), Semaphore(0), Viewing.replay

    def slowly(*arguments: Any) -> Any:
        begun.release()
        enough.wait(60)
        return replay(*arguments)

    monkeypatch.setattr(Viewing, "replay", slowly)
    with running(tmp_path / "games.sqlite", limits=replace(FAST, slow=Rate(0.001, 20))) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
        with ThreadPoolExecutor(20) as others:
            asked = [others.submit(made.watch.get, "replay") for _ in range(20)]
            assert all(begun.acquire(timeout=60) for _ in range(AT_ONCE))
            assert made.seat(1).send(typed="bet 50").status_code == 200
            assert not begun.acquire(blocking=False), "the others wait"
            enough.set()
        assert {one.result().status_code for one in asked} == {200}
        assert made.watch.get("export").status_code == 429


def test_an_address_has_so_many_streams_and_no_more(narrow: Guest) -> None:
    made = narrow.made({"name": "Ann"}, {"name": "Bob"}).started()
    with made.watch.stream() as one, made.watch.stream() as two:
        assert next(one).event == next(two).event == "record"
        assert made.watch.get("stream").status_code == 429


def test_there_are_so_many_tables_and_no_more(narrow: Guest) -> None:
    asked = {"kind": "kalah", "seats": [{}, {}]}
    codes = [narrow.post("/api/tables", json=asked).status_code for _ in range(6)]
    assert codes[-1] == 429


def test_a_full_server_ends_tables_that_nobody_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, open_tables=2)) as guest:
        playing, waiting = guest.made(*TWO, kind="kalah").started(), guest.made(*TWO, kind="kalah")
        asked = {"kind": "kalah", "seats": [{}, {}]}
        assert guest.post("/api/tables", json=asked).status_code == 429
        monkeypatch.setattr(opening, "FORGOTTEN", timedelta(0))
        with waiting.watch.stream() as told:
            assert next(told).event == "lobby"
            assert guest.post("/api/tables", json=asked).status_code == 201
            assert [one.event for one in told] == ["gone"]
        assert [guest.get(one.path).json()["status"] for one in (playing, waiting)] == ["playing", "over"]


def test_wrong_tokens_are_not_tried_often(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, entries=Rate(0.001, 3))) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"})
        made.tokens[1] = "A" * 22
        assert [made.seat(1).get("snapshot").status_code for _ in range(4)] == [401, 401, 429, 429]


@pytest.mark.parametrize("begun", [b"", b"GET /api/tables HTTP/1.1\r\nHost: 127."])
def test_who_sends_no_whole_request_is_cut_off_and_a_stream_is_not(tmp_path: Path, begun: bytes) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, rest=0.05)) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"})
        with made.watch.stream() as told:
            assert next(told).event == "lobby"
            with socket.create_connection((guest.base_url.host, guest.base_url.port or 0), timeout=10) as slow:
                slow.sendall(begun)
                assert slow.recv(1) == b"", "cut off"
            made.started()
            assert next(one for one in told if one.event == "record").id == 1


ANYBODY = cast(Presence, SimpleNamespace(at=lambda _: nullcontext()))
"""Takes no note of who is there."""


TWO = ({"name": "Ann"}, {"name": "Bob"})


class NobodyConnected:
    """What a channel knows of streams of people: nothing, and nothing new."""

    @property
    def changed(self) -> "asyncio.Future[None]":
        return asyncio.get_running_loop().create_future()

    def at(self, _seat: int) -> AbstractContextManager[None]:
        return nullcontext()

    def known(self, _row: TableRow, *, alone: bool) -> dict[int, bool]:
        return {}


class Endless:
    """A hub whose one table has always something new."""

    def __init__(self) -> None:
        self.row = TableRow("table", "t", 1, "kalah", "", {}, None, {}, True, "playing", "", b"", 1, None, ())
        self.count, self.read = 10**9, 0
        self.connected = NobodyConnected()

    @property
    def changed(self) -> "asyncio.Future[None]":
        return asyncio.get_running_loop().create_future()

    def changed_in_turn(self) -> "asyncio.Future[None]":
        return self.changed

    def is_alone(self) -> bool:
        return True

    @asynccontextmanager
    async def channel(self, game_id: str) -> AsyncIterator["Endless"]:
        yield self

    async def part(self, viewpoint: Viewpoint, after: int, known: int | None = None) -> tuple[bytes, int]:
        self.read += 1
        return b"x" * 1000, after + 1


def test_a_reader_who_takes_nothing_is_dropped_and_nothing_is_kept_for_it() -> None:
    endless, streams = Endless(), Streams(replace(FAST, patience=0.01), Metrics())
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) == 4:  # the connection's buffer is full
            await asyncio.Event().wait()

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    stream = EventStream(cast(Hub, endless), streams, ANYBODY, "t", PUBLIC_VIEW, 0, token=None, address="a")
    asyncio.run(stream({"type": "http"}, receive, send))
    assert endless.read == 2, "one was taken, and one was in the buffer"
    assert b"streams_dropped_total 1.0" in streams.metrics.text()
    assert b"pokersvc_streams 0.0" in streams.metrics.text()


def test_a_process_that_serves_has_no_garbage_looked_for_in_all_its_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That would hold up everybody for a tenth of a second, each time that many connections come or go."""
    done: list[str] = []
    monkeypatch.setattr(Server, "serve_here", lambda _: done.append("serves"))
    for what in ("collect", "freeze"):  # which takes a second in a process with all tests
        monkeypatch.setattr(gc, what, partial(done.append, what))
    monkeypatch.setattr(run, "listen", lambda *_: None)
    monkeypatch.setattr(run, "allow_many_files", lambda: None)
    monkeypatch.setattr(logging.getLogger("uvicorn"), "level", logging.ERROR)  # as it is set to: it is set back after
    with open_database(tmp_path / "frozen.sqlite") as database:
        run.serve(database, Settings(port=0), lambda _: None)
    assert done == ["collect", "freeze", "serves"]


def test_a_link_is_not_gone_where_the_channel_has_not_heard_of_it_yet() -> None:
    """As in another server than the one that made the link: until it looks, it knows the old one."""

    async def listen() -> list[bytes]:
        behind = Behind()
        stream = EventStream(
            cast(Hub, behind),
            Streams(FAST, Metrics()),
            ANYBODY,
            "t",
            Viewpoint(1),
            0,
            token=b"new",
            address="a",
            changes=2,
        )
        sent: list[bytes] = []

        async def send(message: Message) -> None:
            sent.append(message.get("body", b""))
            if b"lobby" in sent[-1]:
                behind.gone.set_result(None)

        async def receive() -> Message:
            await behind.gone
            return {"type": "http.disconnect"}

        await stream({"type": "http"}, receive, send)
        return sent

    said = b"".join(asyncio.run(listen()))
    assert b"event: lobby" in said
    assert b"event: gone" not in said


class Behind:
    """A hub whose one table is behind until it is looked for."""

    said = ()

    def __init__(self) -> None:
        self.count, self.opened = 0, None
        self.connected = NobodyConnected()
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._knows(b"old", 1)

    def _knows(self, token: bytes, changes: int) -> None:
        seat = SeatRow(1, HUMAN, "Ann", token)
        self.row = TableRow(
            "table", "t", 1, "kalah", "", {}, None, {}, True, "waiting", "", b"", changes, None, (seat,)
        )

    def nudge(self) -> None:
        self._knows(b"new", 2)
        before, self.changed = self.changed, asyncio.get_running_loop().create_future()
        before.set_result(None)

    @asynccontextmanager
    async def channel(self, game_id: str) -> AsyncIterator["Behind"]:
        yield self

    async def part(self, viewpoint: Viewpoint, after: int, known: int | None = None) -> tuple[bytes, int]:
        return b"", after


def test_parts_of_a_game_that_streams_share_are_few() -> None:
    async def ask() -> int:
        hub = Hub(cast(Service, None), cast(TableStore, None), cast(ChatStore, None), cast(Changes, None), 1.0)
        channel = Channel(hub, "t")
        channel.count = RECENT
        channel._recent.extend(Wired(seq, b"{}", None, TablePaused()) for seq in range(1, RECENT + 1))
        for after in range(RECENT):
            await channel.part(PUBLIC_VIEW, after)
        return len(channel._shared)

    assert asyncio.run(ask()) == SHARED


def test_a_meter_forgets_nobody_who_asks_too_much() -> None:
    now = 0.0
    meter = Meter(Rate(1, 2), now=lambda: now)
    assert [meter.wait("a") for _ in range(3)] == [0, 0, 1]
    now = 1.0
    assert [meter.wait("a"), meter.wait("a")] == [0, 1]


def test_a_server_that_ends_ends_its_streams_in_order(tmp_path: Path) -> None:
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    with open_database(tmp_path / "games.sqlite") as database:
        server = Server(database, Settings(port=port, limits=FAST), [listening])
        thread = Thread(target=server.serve_here)
        thread.start()
        with Guest(f"http://127.0.0.1:{port}") as guest:
            made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
            with made.watch.stream() as told:
                assert next(told).event == "record"
                server.should_exit = True
                assert {one.event for one in told} == {"record"}  # httpx raises for a stream that is broken off
        thread.join()


# Memory.


def test_points_of_view_stay_in_memory_by_bytes_and_one_too_many_does_not_drive_out_all(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        service = Service(EventLog(database))
        people = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
        games = [service.start("draw", Setup(people, EntropySource.fresh()))[0] for _ in range(41)]
        with ViewerCopies(service, 10**9).now("draw", games[0], PUBLIC_VIEW) as followed:
            memory = 40 * followed.size
        following, replayed = ViewerCopies(service, memory), 0
        for game_id in games * 2:
            with following.now("draw", game_id, PUBLIC_VIEW):
                assert following.bytes <= memory
        for game_id in games:
            replayed += (game_id, PUBLIC_VIEW) not in following._kept
            with following.now("draw", game_id, PUBLIC_VIEW) as followed:
                assert followed.count == service.status(game_id).count
        assert 0 < replayed <= NEWCOMERS + 1


@pytest.mark.parametrize("kept", [2, 5])
def test_all_tables_that_may_be_open_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setattr(store, "MOST_KNOWN", 2)
    with open_database(tmp_path / "games.sqlite") as database:
        tables = [
            parts_of(database, Settings()).opening.make(NewTable(kind="kalah", seats=[None, None])).table.game_id
            for _ in range(6)
        ]
        parts = parts_of(database, Settings(limits=Limits(open_tables=kept)))
        found = [parts.tables.get(table) for table in tables[:kept]]
        assert all(parts.tables.get(row.game_id) is row for row in found)
        parts.tables.get(tables[kept])
        assert parts.tables.get(tables[0]) is not found[0], "one more than that takes a place"


class Awaited:
    """A lock for which somebody waits until another has done something with what it guards."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile: Callable[[], None] | None = meanwhile

    def __enter__(self) -> None:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()

    def __exit__(self, *_: object) -> None: ...


def test_a_point_of_view_that_failed_with_one_thread_is_not_used_by_one_that_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        monkeypatch.undo()
        raise RuntimeError("no words")

    with open_database(tmp_path / "games.sqlite") as database:
        service = Service(EventLog(database))
        people = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
        game_id, _ = service.start("draw", Setup(people, EntropySource.fresh()))
        following = ViewerCopies(service, 10**9)
        with following.now("draw", game_id, PUBLIC_VIEW) as kept:
            pass
        service.act(game_id, Bet(1, 50))

        def another() -> None:
            monkeypatch.setattr(followed_module, "event_words", fail)
            with pytest.raises(RuntimeError, match="no words"), following.now("draw", game_id, PUBLIC_VIEW):
                pass

        kept.lock = cast(Lock, Awaited(another))
        with following.now("draw", game_id, PUBLIC_VIEW) as found:
            assert found is not kept
            assert [line.seq for line in found.lines] == list(range(1, service.status(game_id).count + 1))
        with following.now("draw", game_id, PUBLIC_VIEW) as again:
            assert again is found, "it stays in memory"
        assert following.bytes == found.size


def test_games_and_points_of_view_share_the_memory_that_the_operator_sets(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings(memory=64_000_000))
        assert parts.service._open_games._eviction.most == 48_000_000
        assert parts.viewer_copies._eviction.most == 16_000_000
