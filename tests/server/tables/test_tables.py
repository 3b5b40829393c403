"""What host and guests do with a table, and what the server does at it by itself."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.commands import Asked, Commands
from pokersvc.server.following.hub import Hub
from pokersvc.server.metrics import Metrics
from pokersvc.server.models.game_models import Close, shape_of
from pokersvc.server.parts import Parts
from pokersvc.server.running import runner
from pokersvc.server.running.next_step import next_step
from pokersvc.server.running.runner import Leases
from pokersvc.server.running.share_waits import ShareWaits
from pokersvc.server.settings import Settings
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service, Status
from pokersvc.service.table_status import TableStatus
from tests.server.conftest import running
from tests.server.guests import Guest, Made, simple_action
from tests.shuffling import Turned

TWO = ({"name": "Ann"}, {"name": "Bob"})


def types_at(made: Made) -> list[str]:
    return [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]


@pytest.mark.parametrize("name", ["\u3164\u3164", "\u2800", f"a{chr(0x301) * 19}", "\u0410nn's table", "\u202e"])
def test_a_table_has_a_name_that_everybody_can_read(server: Guest, name: str) -> None:
    refused = server.post("/api/tables", json={"kind": "draw", "seats": [*TWO], "name": name, "public": True})
    assert refused.status_code == 422
    assert server.get("/api/tables").json()["tables"] == []


@pytest.mark.parametrize("name", ["", "Friends", "\u0421\u0430\u0440\u0430", "Table 7, no limit!"])
def test_a_table_has_any_other_name_or_none(server: Guest, name: str) -> None:
    made = server.made(*TWO, {}, name=name, public=True)
    assert [one["name"] for one in server.get("/api/tables").json()["tables"] if one["table"] == made.table] == [name]


def test_a_public_table_fills_and_starts(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {}, {}, public=True, name="Friends")
    assert [one["name"] for one in server.get("/api/tables").json()["tables"] if one["table"] == made.table]
    assert set(made.tokens) == {1}, "nobody has a link to an empty seat"
    start = made.ask_host("start")
    assert (start.status_code, start.json()["code"]) == (409, "seat_empty")
    sat = server.post(f"{made.path}/sit", json={"name": "Bob", "seat": 3})
    assert server.post(f"{made.path}/sit", json={"name": "Cid", "seat": 3}).status_code == 409
    assert server.post(f"{made.path}/sit", json={"name": "ann"}).status_code == 422
    made.tokens[3] = sat.json()["link"].partition("#")[2]
    assert made.ask_host("seats/2/program", kind="steady").status_code == 204
    assert made.ask_host("start").status_code == 204
    assert made.ask_host("start").status_code == 204, "it has started"
    assert [seat["kind"] for seat in server.get(made.path).json()["seats"]] == ["human", "steady", "human"]
    assert made.seat(3).snapshot()["count"] > 1
    late = server.post(f"{made.path}/sit", json={"name": "Cid"})
    assert (late.status_code, late.json()["code"]) == (409, "not_waiting")


def test_a_private_table_is_in_no_list_and_nobody_sits_down_unasked(server: Guest) -> None:
    made = server.made(*TWO)
    assert made.table not in server.get("/api/tables").text
    assert server.post(f"{made.path}/sit", json={"name": "Cid"}).status_code == 403


def test_the_host_sends_somebody_away_before_the_game(server: Guest) -> None:
    made = server.made(*TWO)
    assert made.ask_host("seats/2/remove").status_code == 204
    assert made.seat(2).get("snapshot").status_code == 401
    assert made.ask_host("seats/2/program", kind="steady").status_code == 204
    assert made.ask_host("start").status_code == 204


def test_the_host_pauses_and_closes(server: Guest) -> None:
    made = server.made(*TWO, kind="kalah").started()
    assert made.ask_host("pause").status_code == 204
    assert made.watch.snapshot()["paused"]
    mine = made.seat(1).snapshot()
    refused = made.seat(1).send(action={"type": "Sow", "hole": 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "paused"), mine
    assert made.ask_host("resume").status_code == 204
    assert made.ask_host("close").status_code == 204
    assert made.watch.snapshot()["status"] == "over"
    assert server.get(made.path).json()["status"] == "over"


def test_a_table_that_has_not_started_is_closed(server: Guest) -> None:
    made = server.made(*TWO)
    with made.watch.stream() as told:
        assert next(told).event == "lobby"
        assert made.ask_host("close").status_code == 204
        assert [one.event for one in told][-1] == "gone"


def test_the_host_removes_somebody_between_two_rounds(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=3600) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}).started()
        assert not made.watch.snapshot()["closable"]
        assert made.ask_host("close").status_code == 422
        while not (now := made.watch.snapshot())["pausing"]:
            (seat,) = now["awaited"]
            mine = made.seat(seat).snapshot()
            assert made.seat(seat).send(head=mine["head"], action=simple_action(mine)).status_code == 200
        assert now["closable"]
        with made.seat(2).stream(now["count"]) as told:
            assert made.ask_host("seats/2/remove").status_code == 204
            assert [one.data for one in told if one.event == "gone"] == [{"code": "link_replaced"}]
        assert made.ask_host("next").status_code == 204
        assert {"SeatRemoved", "PlayerLeft"} <= set(types_at(made))
        assert made.seat(2).get("snapshot").status_code == 401, "their tokens end"
        assert guest.get(made.path).json()["access"]["admits"] == "each", "and each newcomer is admitted"


def test_whom_the_host_removes_in_a_round_goes_once_it_is_over(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=3600) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}).started()
        assert made.ask_host("seats/2/remove").status_code == 204
        assert [seat["removed"] for seat in guest.get(made.path).json()["seats"]] == [False, True, False]
        assert "SeatRemoved" not in types_at(made)
        made.play_to_the_pause()
        with made.watch.stream() as told:
            assert any(one.data["type"] == "SeatRemoved" for one in told if one.event == "record")
        assert made.ask_host("end").status_code == 204
        assert made.seat(2).get("snapshot").status_code == 401
        made.ask_host("again")
        assert [seat["kind"] for seat in guest.get(made.path).json()["seats"]] == ["human", "empty", "human"]


def test_between_two_games_who_is_removed_is_not_at_the_next(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=3600) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}).started().play_to_the_pause()
        assert made.ask_host("end").status_code == 204
        assert made.ask_host("seats/3/remove").status_code == 204
        assert made.seat(3).get("snapshot").status_code == 401
        made.ask_host("again")
        assert [seat["kind"] for seat in guest.get(made.path).json()["seats"]] == ["human", "human", "empty"]


@pytest.mark.parametrize("kind", game_kinds())
def test_in_a_round_nobody_is_removed_at_once(server: Guest, kind: str) -> None:
    made = server.made(*TWO, kind=kind).started()
    answer = made.ask_host("seats/2/remove")
    seats = server.get(made.path).json()["seats"]
    assert (answer.status_code, seats[1]["removed"]) in ((204, True), (422, False)), "where no pause comes, never"
    assert made.seat(2).get("snapshot").status_code == 200


@pytest.mark.slow
def test_a_clock_times_people_out_until_they_sit_out_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokersvc.core.tables.clock.SECOND", 500_000)  # it goes twice as fast
    with running(tmp_path / "games.sqlite") as guest:
        made = guest.made(*TWO, kind="kalah", settings={"seconds": 1}).started()
        clock = made.watch.snapshot()["clock"]
        assert (clock["seconds"], clock["bank"]) == (1, {"1": 0, "2": 0})
        assert set(clock["deadline"]) == {"1"}
        with made.watch.stream() as told:
            lapsed: list[int] = []
            for one in told:
                if one.event == "record" and one.data["type"] == "TimedOut":
                    lapsed.append(json.loads(one.data["payload"])["seat"])
                if min(map(lapsed.count, (1, 2))) == 2:  # a move may give a seat another
                    break
        now = made.watch.snapshot()
        assert now["sitting_out"] == [1, 2], "where nobody is there, the game waits"
        assert made.seat(2).send(action={"type": "ComeBack"}).status_code == 200


def test_a_seat_ends_the_game_only_where_all_others_sit_out(server: Guest) -> None:
    made = server.made(*TWO, kind="kalah").started()
    refused = made.seat(1).send(action={"type": "Close"})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_alone")


def test_seeds_open_at_the_end_where_the_table_says_so(server: Guest) -> None:
    for opens in (False, True):
        made = server.made(*TWO, rounds=1, settings={"opens_seeds": opens}).started()
        while (now := made.watch.snapshot())["outcome"] is None:
            assert not [one for one in made.watch.events(now["count"]) if "secret" in one]
            assert made.watch.get("opened").json()["code"] == ("not_over" if opens else "not_allowed")
            for seat in now["awaited"]:
                mine = made.seat(seat).snapshot()
                if mine["your_turn"]:
                    made.seat(seat).send(head=mine["head"], action=simple_action(mine))
        check_opened(made, opens)
        dealt = [one["seq"] for one in made.watch.events(now["count"]) if one["type"] == "DeckShuffled"]
        with made.watch.stream(after=now["count"] - 1) as told:
            if opens:
                opened: Any = next(one.data for one in told if one.event == "opened")
                assert set(dealt) <= {one["seq"] for one in opened}
        assert opens or not [one for one in made.watch.events(now["count"]) if "secret" in one]


def check_opened(made: Made, opens: bool) -> None:
    """Check that a finished game shows all hands to everyone where its table opens its decks, and only there."""
    answer = made.watch.get("opened")
    if not opens:
        assert answer.status_code == 403
        return
    hands = [seat["cards"] for step in answer.json()["steps"] for seat in step["view"]["seats"]]
    assert any(hands)
    assert all(card is not None for cards in hands for card in cards)


def test_where_a_game_stands_is_said_in_words_too(server: Guest) -> None:
    made = server.made(*TWO, kind="kalah").started()
    asked, waits = made.seat(1).snapshot(), made.seat(2).snapshot()
    assert waits["show"] == list(asked["show"])
    assert any("Ann" in line for line in waits["show"])
    assert asked["ask"]
    assert waits["ask"] is None


def test_who_has_a_new_link_is_asked_without_advice_and_without_the_hand_from_before(server: Guest) -> None:
    made = server.made(*TWO).started()
    made.renewed(2)
    made.seat(1).send(typed="bet 50")
    made.seat(2).send(typed="call")
    made.seat(1).send(typed="1")
    mine = made.seat(2).snapshot()
    assert mine["ask"] == "You have not seen this hand: press Enter to keep all"
    for answer in ("1", "ok", "2c"):
        refused = made.seat(2).send(typed=answer)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_answer")
    assert mine["view"]["seats"][1]["cards"] == [None] * 5
    assert made.seat(2).get("advice").json() == {"lines": []}


@pytest.mark.parametrize("allowed", [True, False])
def test_advice_is_given_where_the_table_allows_it(server: Guest, allowed: bool) -> None:
    made = server.made(*TWO, settings={"advice": allowed}).started()
    made.seat(1).send(typed="bet 50")
    assert made.seat(1).get("advice").status_code == (200 if allowed else 403)
    made.seat(2).send(typed="call")
    advised = made.seat(1).get("advice")
    assert bool(advised.json().get("lines")) is allowed
    assert made.seat(1).send(typed="ok").status_code == (200 if allowed else 422)


@pytest.mark.slow
def test_bots_that_think_for_ever_hold_up_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enough = Event()
    monkeypatch.setattr(Commands, "step", lambda *_: enough.wait(60))
    with running(tmp_path / "games.sqlite") as guest:
        for _ in range(8):
            guest.made({"program": "bad"}, {"program": "bad"}, kind="kalah").started()
        made = guest.made(*TWO, kind="kalah", settings={"seconds": 1}).started()
        with made.watch.stream() as told:
            assert next(one for one in told if one.event == "record" and one.data["type"] == "TimedOut")
        enough.set()


def test_an_error_that_nobody_expected_stops_no_bot_and_is_not_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    renew, step, failed = Leases.renew, Commands.step, set[str]()

    def once(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def fails(*arguments: Any) -> Any:
            if what in failed:
                return function(*arguments)
            failed.add(what)
            raise RuntimeError("the seed is 00ff")

        return fails

    monkeypatch.setattr(runner, "BEAT", 0.02)
    monkeypatch.setattr(Leases, "renew", once("renew", renew))
    monkeypatch.setattr(Commands, "step", once("step", step))
    with running(tmp_path / "games.sqlite") as guest:
        made = guest.made({"program": "bad"}, {"name": "Bob"}, kind="kalah").started()
        with made.watch.stream() as told:
            assert next(one for one in told if one.event == "record" and one.data["type"] == "BeansSown")
    assert failed == {"renew", "step"}
    assert "RuntimeError at " in caplog.text
    assert "00ff" not in caplog.text


def test_a_server_is_known_to_live_once_its_beat_went_on() -> None:
    beats = {"other": 7}

    class Beating:
        def playing(self) -> list[tuple[str, str]]:
            return [("t", "other")]

        def beat(self, server: str) -> dict[str, int]:
            return {server: 1, **beats}

    presence = SimpleNamespace(tell=lambda *_: None)
    leases = Leases(cast(Parts, SimpleNamespace(tables=Beating(), settings=Settings(), presence=presence)))
    assert not leases.lives(None)
    assert leases.lives(leases.server_id)
    assert leases.renew() == set(), "it may live"
    assert not leases.lives("other"), "or have been dead for long"
    beats["other"] += 1
    leases.renew()
    assert leases.lives("other")


def test_a_server_is_alone_once_the_beats_of_all_others_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(runner, "monotonic", lambda: now)
    beats = SimpleNamespace(playing=lambda: [("t", None)], beat=lambda server: {server: now, "other": 7}, claim=claimed)
    presence = SimpleNamespace(tell=lambda *_: None)
    leases = Leases(cast(Parts, SimpleNamespace(tables=beats, settings=Settings(), presence=presence)))
    assert leases.is_alone()
    leases.renew()
    assert not leases.is_alone(), "the other may live"
    now += Settings().lease + 1
    leases.renew()
    assert leases.is_alone()


def claimed(games: list[str], server: str, held_by: str | None) -> list[str]:
    return games


class Closing:
    """A service whose table stands somehow, and whose games are closed by being noted."""

    def __init__(self, people: tuple[int, ...], away: tuple[int, ...]) -> None:
        self._status = TableStatus({}, None, 7, {}, {}, False, people, {}, None, None, away)

    def table(self, game_id: str, *, known: int = 0) -> TableStatus:
        return self._status

    def close(self, game_id: str, *, expected: int, **_: Any) -> None:
        raise Closed(expected)


class Closed(Exception):
    pass


@pytest.mark.parametrize(
    ("people", "away", "why"),
    [
        ((1, 2), (2,), Closed),
        ((1, 3), (3,), Closed),  # seat 2 has left
        ((1, 2), (), IllegalAction),
        ((1, 2, 3), (3,), IllegalAction),
        ((2, 3), (2, 3), IllegalAction),  # the seat itself has left
        ((1,), (), IllegalAction),
    ],
)
def test_who_may_end_the_game_for_all(people: tuple[int, ...], away: tuple[int, ...], why: type[Exception]) -> None:
    service = cast(Service, Closing(people, away))
    commands = Commands(service, cast(TableStore, None), cast(Hub, None), Metrics(), 3.0)
    row = TableRow("table", "t", 1, "draw", "", {}, None, {}, True, "playing", "", b"", 1, None, ())
    with pytest.raises(why) as raised:
        commands.act(SeatRequest(row, SeatRow(1, HUMAN)), Asked(str(uuid4()), None, Close(1)))
    assert why is IllegalAction or raised.value.args == (7,), "as it stood when it was looked at"


class NoNews:
    """A hub without listeners."""

    def news(self, _: str) -> None:
        pass


class Kept:
    """Tables that one server ran."""

    def __init__(self, row: TableRow) -> None:
        self._row = row

    def get(self, _: str) -> TableRow:
        return self._row


@pytest.mark.parametrize(("runs", "idle"), [(False, 20), (False, 2), (True, 20)])
def test_who_chooses_before_a_server_takes_the_table_over_does_not_pay_for_the_outage(runs: bool, idle: int) -> None:
    clock = Turned()
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database), clock)
        seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
        setup = Setup(seats, EntropySource.from_text("out"), None, game_of("kalah").options({}))
        service.start("kalah", setup, game_id="t", table=TableSettings(seconds=10, bank=60))
        head = service.status("t").head
        clock.turn(idle)
        row = TableRow("table", "t", 1, "kalah", "", {}, None, {}, True, "playing", "", b"", 1, "gone", ())
        hub, tables = cast(Hub, NoNews()), cast(TableStore, Kept(row))
        commands = Commands(service, tables, hub, Metrics(), 3.0)
        commands.is_alive = lambda _: runs
        sow = shape_of("kalah").action({"type": "Sow", "hole": 1}, 1)
        told = commands.act(SeatRequest(row, SeatRow(1, HUMAN)), Asked(str(uuid4()), head, sow))
        stored = [record.type for record in EventLog(database).read("t")]
    restarted = not runs and idle > 3
    assert ("ClockRestarted" in stored) is restarted
    assert json.loads(told[0])["type"] == "BeansSown", "and what was chosen is recorded all the same"


def next_of(
    awaited: tuple[int, ...],
    *,
    pausing: bool = False,
    ends_next: bool = False,
    people: tuple[int, ...] = (1,),
    paused: bool = False,
    deadline: timedelta | None = None,
    away: bool = False,
) -> Any:
    """Return what comes next at a table of a person and a bot."""
    now = datetime(2026, 1, 31, 12, tzinfo=UTC)
    seats = (Seat(HUMAN, "Ann"), Seat("steady", "Bob"))
    status = Status(awaited, 7, GENESIS, "draw", None, None, pausing, seats, None, ends_next)
    deadlines = {} if deadline is None else {1: now + deadline}
    table = TableStatus({}, None, 7, deadlines, {}, paused, people, {}, None, None, (1,) if away else ())
    return next_step(status, table, now, cast(Commands, Commands), Settings(pace=1.0, pause=5.0), "t", ShareWaits())


def test_what_the_server_does_next() -> None:
    assert next_of((1,)) is None
    assert next_of((2,)).seconds == 1.0
    assert next_of((2,)).do.args == ("t", 2, 7)
    assert next_of((), pausing=True).seconds == 5.0
    assert next_of((), pausing=True, ends_next=True).seconds == 300, "somebody may still buy chips or come back"
    assert next_of((), pausing=True, ends_next=True, people=()).seconds == 1.0
    assert next_of((), pausing=True, people=()).seconds == 5.0, "somebody may come"
    assert next_of((2,), paused=True) is None
    assert next_of((1,), deadline=timedelta(seconds=30)).seconds == 30
    assert next_of((1,), deadline=timedelta(seconds=-3)).seconds == 0
    assert next_of((1,), deadline=timedelta(seconds=-3), away=True) is None
    assert next_of((1, 2), deadline=timedelta(seconds=30)).do.args == ("t", 2, 7), "the bot first"
