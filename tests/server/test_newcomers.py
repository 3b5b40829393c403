"""A cash game over HTTP in which people come and go: whoever takes a free seat sits down there under their own name."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from pokersvc.server.following import stream
from pokersvc.server.running import next_step
from pokersvc.server.tables import open_seats, opening, people
from tests.cli.program import Program
from tests.waiting import eventually

from .conftest import running
from .guests import Guest, Held, Made

CASH = {"rules": "no-limit", "cash": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


@pytest.fixture
def made(server: Guest) -> Made:
    """A public cash game of two people and two free seats, between its first two rounds."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, options=CASH, public=True).started()
    made.play_to_the_pause()
    return made


def sit(made: Made, name: str, seat: int | None = None) -> httpx.Response:
    return made.guest.post(f"{made.path}/sit", json={"name": name, "seat": seat})


def taken(made: Made, name: str, seat: int | None = None) -> Held:
    """Take a seat, and return its door."""
    answer = sit(made, name, seat)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    made.tokens[found["seat"]] = found["link"].partition("#")[2]
    return made.seat(found["seat"])


def does(held: Held, **action: Any) -> httpx.Response:
    return held.send(head=held.snapshot()["head"], action=action)


def kinds(made: Made) -> list[tuple[str | None, str]]:
    (table,) = [one for one in made.guest.get("/api/tables").json()["tables"] if one["table"] == made.table]
    return [(seat["name"], seat["kind"]) for seat in table["seats"]]


def test_a_cash_game_starts_with_two_and_the_lobby_shows_its_free_seats(made: Made) -> None:
    assert kinds(made) == [("Ann", "human"), ("Bob", "human"), (None, "empty"), (None, "empty")]
    seats = made.watch.snapshot()["view"]["seats"]
    assert [(seat["name"], seat["kind"]) for seat in seats[2:]] == [("Seat3", "open"), ("Seat4", "open")]


def test_it_takes_two_to_start_and_in_other_games_all(server: Guest) -> None:
    one = server.made({"name": "Ann"}, {}, {}, options=CASH, public=True).ask_host("start")
    assert (one.status_code, one.json()["code"]) == (409, "seat_empty")
    assert "it takes two to play" in one.json()["message"]
    other = server.made({"name": "Ann"}, {"name": "Bob"}, {}, public=True).ask_host("start")
    assert (other.status_code, other.json()["code"]) == (409, "seat_empty")


def test_nobody_gets_the_name_of_a_seat_that_is_open(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {}, {}, options=CASH, public=True)
    said = "'Seat3' is the name of seat 3 while it is open; take another name."
    for name in ("Seat3", "seat3", "Ｓeat3"):
        refused = sit(made, name, 2)
        assert (refused.status_code, refused.json()["message"]) == (422, said)
    bob = taken(made, "Bob", 2)
    token = {"name": "Seat3", "token": made.tokens[2]}
    assert server.post(f"{made.path}/seats/{bob.number}/session", json=token).json()["message"] == said
    seats = [{"name": "Seat3"}, {"name": "Ann"}, {}]
    refused = server.post("/api/tables", json={"kind": "draw", "seats": seats, "options": CASH, "public": True})
    assert (refused.status_code, refused.json()["message"]) == (422, said)
    assert made.started().watch.snapshot()["view"]["seats"][2]["name"] == "Seat3"


@pytest.mark.parametrize("named_before", [False, True], ids=["now", "by a program of before"])
def test_a_table_whose_start_is_refused_stays_as_it_was(
    server: Guest, monkeypatch: pytest.MonkeyPatch, *, named_before: bool
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(opening, "check_not_open", lambda *_: None)
        patched.setattr(people, "check_not_open", lambda *_: None)
        made = server.made({"name": "Ann"}, {}, {}, options=CASH, public=True)
        assert sit(made, "Seat3", 2).status_code == 201
        if named_before:
            patched.setattr(opening, "_check_start", lambda *_: None)
        refused = made.ask_host("start")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_value")
    assert "open seat 3 has the name 'Seat3'" in refused.json()["message"]
    assert server.get(made.path).json()["status"] == "waiting"
    assert made.ask_host("seats/2/remove").status_code == 204
    taken(made, "Bob", 2)
    early = made.ask_host("start")
    assert (early.status_code, early.json()["code"]) == (409, "not_admitted"), "since one was removed"
    assert made.ask_host("seats/2/admit").status_code == 204
    made.started()
    made.play_to_the_pause()
    assert made.ask_host("close").status_code == 204


def test_a_visitor_takes_a_seat_and_sits_down_with_chips_under_their_name(made: Made) -> None:
    carl = taken(made, "Carl")
    assert carl.number == 3
    assert carl.snapshot()["between"] == ["sit down with 200 as Carl (1 to 200)"]
    sent = does(carl, type="SitDown", chips=80)
    assert (sent.status_code, [one["type"] for one in sent.json()["events"]]) == (200, ["SatDown"])
    assert '"name":"Carl"' in sent.json()["events"][0]["payload"]
    assert made.watch.snapshot()["view"]["seats"][2]["name"] == "Carl"
    assert kinds(made)[2] == ("Carl", "human")
    assert does(made.seat(1), type="GoOn").status_code == 200
    made.play_to_the_pause()
    assert made.watch.snapshot()["view"]["seats"][2]["standing"] == "in"
    assert made.ask_host("close").status_code == 204
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []


def test_what_is_sent_again_is_recorded_once(made: Made) -> None:
    carl = taken(made, "Carl")
    command = {"id": "5a1f0f9e-6f0e-4f50-a6c9-6d3a3c1d0b7e", "action": {"type": "SitDown", "chips": 80}}
    first, again = carl.send(**command), carl.send(**command)
    assert first.json() == again.json()
    typed = {"id": "5a1f0f9e-6f0e-4f50-a6c9-6d3a3c1d0b7f", "typed": "buy 20"}
    assert carl.send(**typed).json() == carl.send(**typed).json()


@pytest.mark.parametrize("name", ["ann", "BOB", "Seat4", "Ａｎｎ"])
def test_a_name_that_somebody_has_is_refused(made: Made, name: str) -> None:
    refused = sit(made, name)
    assert refused.status_code == 422
    assert "take another name" in refused.json()["message"]


def test_a_name_cannot_be_changed_into_anothers_while_sitting_down(made: Made) -> None:
    carl = taken(made, "Carl")
    refused = does(carl, type="SitDown", chips=80, name="Ａｎｎ")
    assert refused.status_code == 422
    assert does(carl, type="SitDown", chips=80, name="Carla").status_code == 200
    assert kinds(made)[2] == ("Carla", "human")


def test_of_two_visitors_one_has_the_seat_and_of_three_two_have_seats(made: Made) -> None:
    with ThreadPoolExecutor() as threads:
        both = list(threads.map(lambda name: sit(made, name, 3), ["Carl", "Dee"]))
    assert sorted(answer.status_code for answer in both) == [201, 409]
    assert sit(made, "Eve").json()["seat"] == 4
    late = sit(made, "Flo")
    assert (late.status_code, late.json()["code"]) == (409, "seat_taken")
    assert late.json()["message"] == "No seat is free; you can watch."
    assert sit(made, "Flo", 3).json()["message"] == "That seat is taken; sit at another, or watch."


def test_who_gets_up_frees_the_seat_and_comes_back_until_somebody_else_takes_it(made: Made) -> None:
    bob = made.seat(2)
    assert does(bob, type="Leave").status_code == 200
    assert kinds(made)[1] == ("Bob", "empty")
    assert does(bob, type="SitDown", chips=100).status_code == 200, "nobody else has come"
    assert kinds(made)[1] == ("Bob", "human")
    assert does(bob, type="Leave").status_code == 200
    assert sit(made, "Bob", 3).json()["message"] == "Seat 2 is called 'Bob': sit down there, or take another name."
    again = taken(made, "Bob")
    assert again.number == 2
    assert bob.get("snapshot").status_code == 401, "whoever took the seat has it, by whatever name"
    assert does(again, type="SitDown", chips=90).status_code == 200
    recorded = made.watch.events(made.watch.snapshot()["count"])
    assert [one["payload"] for one in recorded if one["type"] == "SatDown"][
        -1
    ] == '{"amount":90,"name":null,"person":3,"seat":2}'


def test_who_takes_the_seat_sees_no_hand_of_whoever_had_it(made: Made) -> None:
    bob = made.seat(2)
    own = [one for one in bob.events(bob.snapshot()["count"]) if one["type"] == "HandDealt"]
    assert any("secret" in one and isinstance(one["secret"], str) for one in own)
    does(bob, type="Leave")
    carl = taken(made, "Carl", 2)
    for when in (1, 2):
        seen = [one for one in carl.events(carl.snapshot()["count"]) if one["type"] == "HandDealt"]
        assert not any(isinstance(one.get("secret"), str) for one in seen)
        assert carl.snapshot()["view"] == {**made.watch.snapshot()["view"], "viewer": 2}
        if when == 1:
            assert does(carl, type="SitDown", chips=60).status_code == 200
    assert bob.get("snapshot").status_code == 401
    assert bob.send(action={"type": "SitDown", "chips": 5}).status_code == 401


def test_a_seat_that_somebody_took_and_left_empty_is_free_after_a_while(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(made, "Carl", 3)
    taken(made, "Dee", 4)
    assert sit(made, "Eve").status_code == 409
    monkeypatch.setattr(open_seats, "KEPT", timedelta())
    assert taken(made, "Eve").number in (3, 4)


def test_a_seat_that_the_host_gave_by_a_link_is_no_visitors(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_seats, "KEPT", timedelta())
    taken(made, "Carl", 4)
    for number in (3, 4):  # a free seat, and one whose holder lost the link
        made.renewed(number)
        assert made.seat(number).get("snapshot").status_code == 200
    assert sit(made, "Dee").status_code == 409
    assert does(made.seat(1), type="GoOn").status_code == 200
    assert sit(made, "Dee").status_code == 409
    made.play_to_the_pause()
    assert does(made.seat(3), type="SitDown", chips=50, name="Flo").status_code == 200


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    """Let the server take this for the time, where seats are kept."""
    monkeypatch.setattr(open_seats, "_passed", lambda since: now - datetime.fromisoformat(since))


def test_a_seat_is_kept_while_a_round_lasts_and_as_long_after_it(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    does(made.seat(1), type="GoOn")
    carl = taken(made, "Carl", 3)
    in_round = datetime.now(UTC)
    at(monkeypatch, in_round + 2 * open_seats.KEPT)
    assert sit(made, "Dee", 3).status_code == 409, "Carl cannot sit down now"
    at(monkeypatch, in_round + open_seats.KEPT)
    made.play_to_the_pause()
    assert sit(made, "Dee", 3).status_code == 409, "Carl can since a moment ago"
    assert does(made.seat(2), type="SitOut").status_code == 200
    at(monkeypatch, datetime.now(UTC) + open_seats.KEPT)
    assert does(taken(made, "Dee", 3), type="SitDown", chips=50).status_code == 200
    assert carl.get("snapshot").status_code == 401


def test_a_seat_that_nobody_sat_down_at_is_shown_as_free_once_a_round_begins(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    carl, _ = taken(made, "Carl", 3), taken(made, "Dee", 4)
    assert does(made.seat(4), type="SitDown", chips=50).status_code == 200
    assert does(made.seat(1), type="GoOn").status_code == 200
    assert kinds(made)[2] == ("Carl", "human"), "it is kept for five minutes"
    made.play_to_the_pause()
    at(monkeypatch, datetime.now(UTC) + open_seats.KEPT)
    assert made.ask_host("next").status_code == 204
    assert kinds(made)[2:] == [("Carl", "empty"), ("Dee", "human")]
    assert carl.get("snapshot").status_code == 200, "until somebody else takes it"
    assert taken(made, "Eve").number == 3
    assert carl.get("snapshot").status_code == 401


def test_a_seat_that_nobody_sat_down_at_is_shown_as_free_where_the_game_waits(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_seats, "KEPT", timedelta())
    monkeypatch.setattr(next_step, "KEPT", timedelta(seconds=0.1))
    taken(made, "Carl", 3)
    assert does(made.seat(1), type="SitOut").status_code == 200
    eventually(lambda: kinds(made)[2] == ("Carl", "empty"))


def test_nobody_sits_down_in_the_middle_of_a_round_but_may_take_the_seat(made: Made) -> None:
    does(made.seat(1), type="GoOn")
    carl = taken(made, "Carl")
    refused = does(carl, type="SitDown", chips=80)
    assert (refused.status_code, refused.json()["code"]) == (422, "not_between_rounds")
    made.play_to_the_pause()
    refused = does(carl, type="SitDown", chips=201).json()
    assert (refused["code"], refused["message"]) == (
        "illegal_amount",
        "Carl cannot bring 201; the house sells 1 to 200.",
    )
    assert does(carl, type="SitDown", chips=80).status_code == 200


def test_the_host_invites_somebody_to_a_free_seat_of_a_private_table(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}, options=CASH)
    assert made.ask_host("seats/3/remove").status_code == 204
    made.started()
    made.play_to_the_pause()
    assert sit(made, "Carl").status_code == 403
    made.renewed(3)
    assert does(made.seat(3), type="SitDown", chips=50, name="Carl").status_code == 200
    assert made.watch.snapshot()["view"]["seats"][2]["name"] == "Carl"
    assert made.ask_host("seats/3/remove").status_code == 204
    assert made.seat(3).get("snapshot").status_code == 401
    assert made.ask_host("start").status_code == 204, "it has started, whoever sits there now"


def test_anybody_sits_down_between_the_rounds_of_bots_that_play_alone(server: Guest) -> None:
    bots = ({"name": name, "program": "minimum"} for name in ("Bob", "Cid"))
    made = server.made(*bots, {}, options=CASH, public=True).started()
    while not (now := made.watch.snapshot())["pausing"]:
        with made.watch.stream(after=now["count"]) as told:
            next(one for one in told if one.event == "record")
    carl = taken(made, "Carl")
    assert does(carl, type="SitDown", chips=50).status_code == 200
    assert made.watch.snapshot()["view"]["seats"][2]["name"] == "Carl"


def test_in_other_games_nobody_sits_down_once_they_have_started(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, public=True).started()
    refused = sit(made, "Carl")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_waiting")


def test_who_joins_at_a_terminal_by_the_link_of_a_free_seat_sits_down_there(made: Made, program: Program) -> None:
    carl = taken(made, "Carl")
    address = f"{str(made.guest.base_url).rstrip('/')}/t/{made.table}/seat/{carl.number}/"
    typed = "\n".join([made.tokens[3], "nonsense", "sit down with 500", "sit down with 70", "leave", "quit", ""])
    said = program.ended("join", address, typed=typed).out
    assert "Seat3 may type: `sit down with 200 as Carl` (1 to 200)" in said
    assert "the house sells 1 to 200" in said
    assert "Carl sits down at seat 3 with 70" in said
    assert "Carl gets up with 70" in said


def test_who_has_yet_to_be_dealt_in_sees_a_delayed_game_as_watchers_do_and_then_live(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LOOKS", 0.02)
    assert made.ask_host("access", delay=3600).status_code == 204
    cem = taken(made, "Cem", 3)
    assert cem.get("snapshot").json()["code"] == "not_started"
    with cem.stream() as told:
        sat = cem.send(head="00" * 32, action={"type": "SitDown", "chips": 80})
        assert sat.status_code == 200, sat.text
        assert cem.get("snapshot").json()["code"] == "not_started"
        made.play_until_dealt_in(3)
        assert [one.event for one in told if one.event == "record"] == [], "the stream ends, and another has it all"
    assert cem.snapshot()["count"] == made.seat(1).snapshot()["count"]
    assert made.watch.get("snapshot").json()["code"] == "not_started"
