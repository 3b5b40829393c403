"""What a host delays for watchers is at no door of the application before its time, whatever route is asked."""

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from fastapi import APIRouter

from pokersvc.eventlog.record import timestamp
from pokersvc.server.app import parts_of
from pokersvc.server.following import stream
from pokersvc.server.settings import Settings
from pokersvc.server.tables.delay import Delay
from pokersvc.service.opening import open_database
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Made, simple_action, token_in

Routes = set[tuple[str, str]]
NOT_OF_A_GAME = {
    "/", "/t/{table}/", "/t/{table}/seat/{seat}/", "/t/{table}/host/", "/replay/{table}/", "/web/{name:path}",
    "/t/{table}/sit/", "/t/{table}/move/", "/t/{table}/hand/",
    "/worker.js", "/metrics", "/healthz", "/readyz", "/api/games",
    "/ladders/", "/api/ladders",
}  # fmt: skip
"""Routes whose answers are the same for every table, or count what the whole server does."""
HEARTBEAT = "event: heartbeat\ndata: {}\n"
CASH = {"cash": True, "rules": "no-limit"}
TABLE = "/api/tables/{table}"
TOLD = {
    "/api/tables", "/api/replays", TABLE, f"{TABLE}/games", f"{TABLE}/history", f"{TABLE}/audit", f"{TABLE}/results",
    *(f"{TABLE}/watch/{what}" for what in ("stream", "snapshot", "replay", "opened", "export", "chat")),
}  # fmt: skip
"""Routes that tell somebody without a token of games."""
REFUSED = {
    f"{TABLE}/sit", f"{TABLE}/move", f"{TABLE}/hand",
    *(f"{TABLE}/seats/{{seat}}/{what}" for what in (
        "session", "stream", "snapshot", "replay", "export", "commands", "binding", "share", "advice", "say", "chat",
        "table", "follow", "code", "elsewhere", "results", "review", "hands",
        "hands/end",
    )),
    *(f"{TABLE}/host/{what}" for what in (
        "session", "start", "seats/{seat}/program", "seats/{seat}/remove", "seats/{seat}/link", "pause", "resume",
        "next", "stakes", "clock", "end", "again", "close", "access", "say", "chat", "chat/clear", "chat/delete",
        "table", "code", "invitation", "seats/{seat}/admit", "seats/{seat}/name", "seats/{seat}/move",
        "seats/{seat}/purchase",
    )),
}  # fmt: skip
"""Routes that refuse everybody without the right token, or without a body."""


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Guest, Routes]]:
    """A server, and every method and path that its application was given."""
    routes: Routes = set()
    add = APIRouter.add_api_route

    def noted(self: APIRouter, path: str, endpoint: Any, **named: Any) -> None:
        routes.update((method, f"{self.prefix}{path}") for method in named.get("methods") or ["GET"])
        add(self, path, endpoint, **named)

    monkeypatch.setattr(APIRouter, "add_api_route", noted)
    monkeypatch.setattr(stream, "LOOKS", 0.02)
    with running(tmp_path / "games.sqlite", limits=replace(FAST, heartbeat=0.02), pause=3600.0) as guest:
        yield guest, routes


def streamed(guest: Guest, address: str) -> str:
    """Return what a stream tells before its first heartbeat, which comes once there is nothing else to tell."""
    with guest.stream("GET", address) as answer:
        return read_until(answer, lambda told: HEARTBEAT in told).partition(HEARTBEAT)[0]


def walk(
    guest: Guest, made: Made, routes: Routes, without: Set[str] = frozenset[str]()
) -> dict[tuple[str, str], object]:
    """Ask every route without a token, but those that are left out, and return every answer."""
    found: dict[tuple[str, str], object] = {}
    for method, path in sorted(routes):
        if path in NOT_OF_A_GAME or path in without:
            continue
        address = path.replace("{table}", made.table).replace("{seat}", "1")
        if path.endswith("watch/stream"):
            found[method, path] = streamed(guest, address)
        else:
            answer = guest.request(method, address)
            headers = [item for item in answer.headers.multi_items() if item[0] != "date"]
            found[method, path] = answer.status_code, answer.text, headers
            assert path in TOLD or answer.status_code >= 400, (method, path)
    return found


def play_to_the_end(made: Made) -> None:
    while (now := made.seat(1).snapshot())["outcome"] is None:
        if now["pausing"]:
            made.ask_host("next")
            continue
        seat = made.seat(now["awaited"][0])
        seat.send(action=simple_action(seat.snapshot()))


@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True], ids=["from the start", "from the first round on"])
def test_nothing_is_at_any_door_before_its_time(
    served: tuple[Guest, Routes], monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    guest, routes = served
    assert {path for _, path in routes} == NOT_OF_A_GAME | TOLD | REFUSED, "list the new route above"
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=2, public=True, settings={"opens_seeds": True})
    made.ask_host("access", delay=3600, watchers_read=True)
    at = moment()
    if begun:
        made.started()
        first = made.seat(1).snapshot()["awaited"][0]
        made.seat(first).send(action=simple_action(made.seat(first).snapshot()))
        at = moment()
    monkeypatch.setattr(Delay, "before", lambda self, row: at)
    before = walk(guest, made, routes)
    if begun:
        assert made.watch.get("snapshot").status_code == 200
        assert "record" in str(before["GET", f"{TABLE}/watch/stream"])
    else:
        made.started()
    play_to_the_end(made)
    assert (
        guest.post(f"{made.path}/seats/1/say", json={"text": "psst"}, headers=made.seat(1).headers).status_code == 200
    )
    assert made.ask_host("again").status_code == 200
    after = walk(guest, made, routes)
    for route, answer in before.items():
        assert after[route] == answer, route
    monkeypatch.setattr(Delay, "before", lambda self, row: moment())
    now = walk(guest, made, routes)
    told = {path for (method, path), answer in now.items() if path in TOLD and answer != before[method, path]}
    assert told >= {TABLE, f"{TABLE}/games", f"{TABLE}/results", f"{TABLE}/watch/chat", "/api/replays"}


@pytest.mark.parametrize(
    "begun",
    [*(pytest.param(begun, marks=pytest.mark.slow) for begun in ("at the start", "after a round")), "after a game"],
)
def test_who_comes_and_goes_in_a_running_game_is_at_no_door_before_its_time(
    served: tuple[Guest, Routes], monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    guest, routes = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, {}, options=CASH, public=True)
    made.ask_host("access", delay=3600, admits="each")
    if begun != "at the start":
        made.started()
        play_the_round(made)
    if begun == "after a game":
        move_the_host(made)
        assert made.ask_host("end").status_code == 204
        assert made.ask_host("again").status_code == 200
        play_the_round(made)
    at = moment()
    monkeypatch.setattr(Delay, "before", lambda self, row: at)
    before = walk(guest, made, routes)
    live = [told_of_seats(made, host=True)]

    def nothing_is_told(*, at_any_door: bool = False) -> None:
        """Ask the routes that tell somebody without a token, or at any door the others too, which refuse."""
        for route, answer in walk(guest, made, routes, frozenset() if at_any_door else REFUSED).items():
            assert before[route] == answer, route
        live.append(told_of_seats(made, host=True))
        assert live[-1] != live[-2], "the host sees it at once"

    with guest.stream("GET", f"{made.path}/watch/stream") as followed:
        if begun == "at the start":
            made.started()
            play_the_round(made)
        dee = guest.post(f"{made.path}/sit", json={"token": made.invitation, "name": "Dee", "seat": 3})
        made.tokens[3] = token_in(dee.json()["link"])
        nothing_is_told()
        assert made.seat(3).get("table").json()["seats"][2]["name"] == "Dee", "whoever holds a seat knows of it"
        assert made.ask_host("seats/3/admit").status_code == 204
        assert made.seat(3).send(action={"type": "SitDown", "chips": 50}).status_code == 200
        nothing_is_told()
        made.play_until_dealt_in(3)
        assert made.ask_host("seats/3/remove").status_code == 204, "after the round"
        nothing_is_told()
        play_the_round(made)
        assert made.seat(2).send(action={"type": "Leave"}).status_code == 200
        nothing_is_told()
        taken = guest.post(f"{made.path}/sit", json={"token": made.invitation, "name": "Cid", "seat": 2})
        assert taken.status_code == 201, "the seat of somebody who has a result of the game before"
        nothing_is_told()
        made.new_link(4)
        move_the_host(made)
        nothing_is_told(at_any_door=True)
        assert [one["name"] for one in live[-1]] == ["Ann", "Cid", "Dee", "Player4", None]
        until = monotonic() + 0.2  # ten times as long as it takes to look
        told = read_until(followed, lambda told: monotonic() > until)
        assert lines(told) == lines(str(before["GET", f"{TABLE}/watch/stream"])), "nor to who followed all the time"
    monkeypatch.setattr(Delay, "before", lambda self, row: moment())
    assert [(one["name"], one["kind"]) for one in told_of_seats(made)] == [
        ("Ann", "human"), ("Bob", "empty"), ("Dee", "empty"), (None, "empty"), (None, "empty")
    ]  # fmt: skip


def move_the_host(made: Made) -> None:
    """Move the rights of the host to another device."""
    words = made.ask_host("code").json()["code"]
    made.host = made.guest.post(f"{made.path}/move", json={"code": words, "bearer": True}).json()["token"]


def told_of_seats(made: Made, *, host: bool = False) -> Any:
    """Return what a table tells of its seats to everybody, or to its host."""
    path, headers = ("/host/table", {"Authorization": f"Bearer {made.host}"}) if host else ("", {})
    return made.guest.get(made.path + path, headers=headers).json()["seats"]


def read_until(answer: httpx.Response, enough: Callable[[str], bool]) -> str:
    """Read a stream, which beats often, until it has told enough."""
    told = ""
    for text in answer.iter_text():
        told += text
        if enough(told):
            return told
    raise AssertionError("the stream ended")


def lines(streamed: str) -> list[str]:
    """Return the lines of a stream, without the heartbeats that tell only how long it was open."""
    told = streamed.replace(HEARTBEAT, "")
    return [line for line in told.splitlines() if line and not line.startswith(":")]


def play_the_round(made: Made) -> None:
    while not (now := made.seat(1).snapshot())["pausing"]:
        if now["awaited"]:
            seat = made.seat(now["awaited"][0])
            seat.send(action=simple_action(seat.snapshot()))


def moment() -> str:
    return timestamp(datetime.now(UTC))


def test_a_whole_game_that_is_old_enough_is_at_every_door(served: tuple[Guest, Routes]) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=1).started()
    play_to_the_end(made)
    made.ask_host("access", delay=3600)
    for what in ("watch/export", "history", "audit"):
        assert guest.get(f"{made.path}/{what}").json()["code"] in ("delayed", "not_started")
    made.ask_host("access", delay=0)
    for what in ("watch/export", "history", "audit"):
        assert guest.get(f"{made.path}/{what}").status_code == 200


@pytest.mark.slow
def test_a_stream_of_watchers_has_each_event_when_it_is_old_enough(served: tuple[Guest, Routes]) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"})
    made.ask_host("access", delay=2)
    with made.watch.stream() as told:
        began = monotonic()
        made.started()
        assert made.seat(1).snapshot()["count"] > 0, "seats see it live"
        answer = made.watch.get("snapshot").json()
        assert answer.get("code") == "not_started" or monotonic() - began > 2, "before its time"
        next(one for one in told if one.event == "record")
        assert monotonic() - began > 1.5
        assert made.watch.snapshot()["count"] > 0


def test_a_longer_delay_takes_back_what_snapshots_show(
    served: tuple[Guest, Routes], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
    made.ask_host("access", delay=1)
    with monkeypatch.context() as patch:
        patch.setattr(Delay, "before", lambda self, row: moment())  # as a second later
        assert made.watch.get("snapshot").status_code == 200
    made.ask_host("access", delay=3600)
    assert made.watch.get("snapshot").json()["code"] == "not_started"


def test_who_is_not_let_in_yet_sees_what_watchers_see(served: tuple[Guest, Routes], tmp_path: Path) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
    made.ask_host("access", delay=3600)
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings())
        with parts.tables.changing(made.game) as table:
            table.seat(replace(table.row.seat(2), admitted=False))
        parts.hub.close()
    assert made.seat(1).snapshot()["count"] > 0
    for what in ("snapshot", "replay", "export"):
        assert made.seat(2).get(what).json()["code"] == "not_started"
    assert "record" not in streamed(guest, f"{made.path}/watch/stream")


def test_whoever_joins_a_running_game_sees_what_watchers_see_until_they_are_dealt_in(
    served: tuple[Guest, Routes],
) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, options=CASH).started()
    made.play_to_the_pause()
    made.ask_host("access", delay=3600)
    made.renewed(3)  # by a link of its own
    answer = guest.post(f"{made.path}/sit", json={"token": made.invitation, "name": "Dee", "seat": 4})
    made.tokens[4] = token_in(answer.json()["link"])

    def live() -> list[bool]:
        return [seat.get("snapshot").status_code == 200 for seat in map(made.seat, (3, 4))]

    assert live() == [False, False]
    assert made.seat(4).send(action={"type": "SitDown", "chips": 50}).status_code == 200
    assert live() == [False, False], "with chips, and not dealt in"
    made.play_until_dealt_in(4)
    assert live() == [False, True]
    made.renewed(4)
    assert live() == [False, True], "they play on with the hand of whoever sat there before"
    made.renewed(1)
    assert made.seat(1).snapshot()["count"] > 0


def test_seats_and_the_host_are_told_of_the_table_live(served: tuple[Guest, Routes]) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"})
    made.ask_host("access", delay=3600)
    made.started()
    assert guest.get(made.path).json()["status"] == "waiting"
    assert made.seat(1).get("table").json()["status"] == "playing"
    host = guest.get(f"{made.path}/host/table", headers={"Authorization": f"Bearer {made.host}"})
    assert host.json()["status"] == "playing"
