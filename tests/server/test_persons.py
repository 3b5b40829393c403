"""Over HTTP: a person keeps the number of their token through returns and games; a new device is somebody new."""

import json
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from pokersvc.betting.cash import SitDown
from pokersvc.server.commands import Commands
from pokersvc.server.tables.open_seats import RunningSeats
from pokersvc.server.tables.opening import Opening
from pokersvc.server.tables.rows import SeatRow

from .conftest import running
from .guests import Guest, Made, bearer
from .sharers import Sharer, awaited

RULES = {"rules": "no-limit", "cash": True, "stack": "200,Ann=100,Bob=100", "return_rounds": 50}


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A guest of a server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


@pytest.fixture
def made(guest: Guest) -> Made:
    """A cash game of two people and a bot between its first two rounds."""
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, {"program": "minimum"}, options=RULES).started()
    made.play_to_the_pause()
    return made


def persons(made: Made) -> list[int | None]:
    seats = made.watch.snapshot()["view"]["seats"]
    return [seat["at_cash"] and seat["at_cash"]["person"] for seat in seats]


def leave(made: Made, seat: int) -> int:
    """Have a person get up, and return the chips that they took."""
    one = made.seat(seat)
    sent = one.send(head=one.snapshot()["head"], action={"type": "Leave"})
    (event,) = sent.json()["events"]
    assert event["type"] == "GotUp"
    return int(json.loads(event["payload"])["amount"])


def test_nobody_comes_back_with_fewer_whatever_number_they_say(made: Made) -> None:
    assert persons(made) == [1, 2, None]
    took = leave(made, 2)
    bob = made.seat(2)
    for said in ({}, {"person": 9}, {"person": 0}):
        refused = bob.send(head=bob.snapshot()["head"], action={"type": "SitDown", "chips": took - 1, **said})
        assert (refused.status_code, refused.json()["code"]) == (422, "too_few_chips"), said
    sent = bob.send(head=bob.snapshot()["head"], action={"type": "SitDown", "chips": took, "person": 9})
    assert sent.status_code == 200, sent.text
    assert persons(made) == [1, 2, None]


def test_a_new_device_is_a_new_person(made: Made) -> None:
    leave(made, 2)
    made.tokens[2] = made.guest.exchanged(made.table, 2, made.new_link(2))
    bob = made.seat(2)
    sent = bob.send(head=bob.snapshot()["head"], action={"type": "SitDown", "chips": 5})
    assert sent.status_code == 200, sent.text
    assert persons(made) == [1, 3, None]


def elsewhere(made: Made, seat: int, to: int, name: str) -> httpx.Response:
    """Have whoever holds a seat take another."""
    path = f"{made.path}/seats/{seat}/elsewhere"
    return made.guest.post(path, headers=bearer(made.tokens[seat]), json={"name": name, "to": to})


@pytest.fixture
def wide(guest: Guest) -> Made:
    """A cash game of two people and a bot, with two free seats, between its first two rounds."""
    seats: tuple[dict[str, str], ...] = ({"name": "Ann"}, {"name": "Bob"}, {"program": "minimum"}, {}, {})
    return guest.made(*seats, options=RULES).started().play_to_the_pause()


def test_who_is_up_sits_elsewhere_as_the_same_person_and_owes_blinds_like_a_newcomer(wide: Made) -> None:
    took = leave(wide, 2)
    token = wide.tokens[2]
    assert elsewhere(wide, 2, 5, "Bob 5").json() == {"seat": 5}
    assert wide.seat(2).get("session").status_code == 401, "the seat of before is not theirs any more"
    assert elsewhere(wide, 2, 5, "Bob 5").json() == {"seat": 5}, "asked again, as the answer was lost"
    kinds = [(seat["kind"], seat["name"]) for seat in wide.guest.get(wide.path).json()["seats"]]
    assert (kinds[1], kinds[4]) == (("empty", "Bob"), ("human", "Bob 5"))
    wide.tokens[5] = token
    bob = wide.seat(5)
    refused = bob.send(action={"type": "SitDown", "chips": took - 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "too_few_chips"), "as at their old seat"
    (event,) = bob.send(action={"type": "SitDown", "chips": took}).json()["events"]
    assert json.loads(event["payload"]) == {"amount": took, "name": "Bob 5", "person": 2, "seat": 5}
    results = wide.guest.get(f"{wide.path}/results").json()["persons"]
    assert [(one["person"], one["name"], one["brought"], one["taken"]) for one in results] == [
        (1, "Ann", 100, 0),
        (2, "Bob 5", 100 + took, took),
    ]
    dealt = len(bob.events(bob.snapshot()["count"]))
    wide.play_until_dealt_in(5)
    posts = [json.loads(one["payload"]) for one in bob.events(bob.snapshot()["count"])[dealt:]
             if one["type"] in ("BlindPosted", "PostPosted")]  # fmt: skip
    assert any(one["seat"] == 5 for one in posts), "they wait for a blind, or post one"
    assert wide.seat(5).snapshot()["view"]["seats"][4]["cards"], "they see their cards"


def test_who_sits_elsewhere_is_the_same_person_in_the_next_game_even_before_they_bring_chips(wide: Made) -> None:
    leave(wide, 2)
    assert elsewhere(wide, 2, 4, "Bo").status_code == 200
    wide.tokens[4] = wide.tokens[2]
    assert wide.ask_host("end").status_code == 204
    following = wide.ask_host("again").json()["game"]
    view = wide.guest.get(f"{wide.path}/watch/snapshot?game={following}").json()["view"]
    assert view["seats"][3]["at_cash"]["person"] == 2


def test_a_seat_elsewhere_shows_no_hand_from_before_and_a_new_link_for_it_is_of_somebody_new(wide: Made) -> None:
    leave(wide, 2)
    assert elsewhere(wide, 2, 4, "Bo").status_code == 200
    wide.tokens[4] = wide.tokens[2]
    cards = [one for one in wide.seat(4).events(wide.seat(4).snapshot()["count"]) if one["type"] == "HandDealt"]
    assert all("secret" not in one or one["secret"] is None for one in cards)
    wide.renewed(4)
    sent = wide.seat(4).send(action={"type": "SitDown", "chips": 50, "name": "Cid"})
    assert sent.status_code == 200, sent.text
    assert persons(wide)[3] == 3


def test_who_sits_cannot_take_another_seat_nor_can_anybody_take_one_that_is_taken(wide: Made) -> None:
    assert elsewhere(wide, 2, 5, "Bo").json()["code"] == "already_seated"
    took = leave(wide, 2)
    for to, name, said in (
        (1, "Bo", "seat_taken"),
        (3, "Bo", "seat_taken"),
        (2, "Bo", "invalid_value"),
        (5, "Bob", "invalid_value"),
        (5, "Ann", "invalid_value"),
    ):
        refused = elsewhere(wide, 2, to, name)
        assert refused.status_code in (409, 422), refused.text
        assert refused.json()["code"] == said, (to, name, refused.text)
    assert wide.seat(2).send(action={"type": "SitDown", "chips": took}).status_code == 200, "nothing has changed"
    waiting = wide.guest.made({"name": "Ann"}, {"name": "Bob"}, {}, options=RULES)
    assert elsewhere(waiting, 2, 3, "Bo").json()["code"] == "not_joinable"


def seated(made: Made) -> list[tuple[str, str | None]]:
    """Return who holds each seat, as the host is told."""
    answer = made.guest.get(f"{made.path}/host/table", headers=bearer(made.host)).json()
    return [(seat["kind"], seat["name"]) for seat in answer["seats"]]


def test_what_was_sent_from_the_seat_before_and_comes_late_sits_nobody_down(
    wide: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was let in by the token while that was the seat's, and would be recorded after the change."""
    took, let_in, go_on, named = leave(wide, 2), Event(), Event(), Commands._under_name
    answers: list[httpx.Response] = []

    def held(commands: Commands, door: Any, asked: Any) -> Any:
        found = named(commands, door, asked)
        if not let_in.is_set():
            let_in.set()
            assert go_on.wait(10)
        return found

    monkeypatch.setattr(Commands, "_under_name", held)
    late = Thread(target=lambda: answers.append(wide.seat(2).send(action={"type": "SitDown", "chips": took})))
    late.start()
    assert let_in.wait(10)
    assert elsewhere(wide, 2, 5, "Bob 5").json() == {"seat": 5}
    go_on.set()
    late.join()
    assert answers[0].status_code in (401, 409), answers[0].text
    wide.tokens[5] = wide.tokens[2]
    assert wide.seat(5).send(action={"type": "SitDown", "chips": took}).status_code == 200


def test_who_sits_down_again_just_before_the_change_stays(wide: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    took, tell = leave(wide, 2), RunningSeats._tell_unless_seated

    def sits_first(seats: RunningSeats, game_id: str, before: SeatRow, seen: int) -> None:
        if before.seat == 5:
            service = seats._service
            service.act(game_id, SitDown(2, took, person=2), expected=service.status(game_id).count)
        tell(seats, game_id, before, seen)

    monkeypatch.setattr(RunningSeats, "_tell_unless_seated", sits_first)
    assert elsewhere(wide, 2, 5, "Bob 5").status_code == 409
    assert seated(wide)[1::3] == [("human", "Bob"), ("empty", None)]
    assert wide.seat(2).get("table").status_code == 200


@pytest.mark.parametrize("ends", ["end", "close"])
def test_where_the_game_ends_meanwhile_both_seats_are_as_they_were(
    wide: Made, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    leave(wide, 2)
    before, tell = seated(wide), RunningSeats._tell_unless_seated

    def too_late(*asked: Any) -> None:
        wide.ask_host(ends)
        tell(*asked)

    monkeypatch.setattr(RunningSeats, "_tell_unless_seated", too_late)
    assert elsewhere(wide, 2, 5, "Bob 5").json()["code"] == "over"
    assert seated(wide) == before
    assert wide.seat(2).get("table").status_code == 200


def test_while_shares_are_awaited_no_seat_is_taken(guest: Guest) -> None:
    seats: tuple[dict[str, str], ...] = ({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}, {}, {})
    together = {"dealing": "together", "opens_seeds": False, "share_seconds": 60}
    made = guest.made(*seats, options=RULES, settings=together).started()
    sharers = [Sharer(made, seat) for seat in (1, 2, 3)]
    for one in sharers:
        assert one.bind().status_code == 200
    awaited(made, 1)
    for one in sharers:
        assert one.open().status_code == 200
    made.play_to_the_pause()
    leave(made, 2)
    assert made.ask_host("next").status_code == 204
    awaited(made, 2)
    before = seated(made)
    assert elsewhere(made, 2, 4, "Bob 4").json()["code"] == "shares_awaited"
    taken = guest.post(f"{made.path}/sit", json={"name": "Dan", "seat": 5, "token": made.invitation})
    assert taken.json()["code"] == "shares_awaited"
    assert seated(made) == before


def test_who_is_not_let_in_or_is_to_go_changes_no_seat(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    seats: tuple[dict[str, str], ...] = ({"name": "Ann"}, {"name": "Bob"}, {"program": "minimum"}, {}, {})
    made = guest.made(*seats, options=RULES).started()
    assert made.ask_host("access", admits="each").status_code == 204
    taken = guest.post(f"{made.path}/sit", json={"name": "Mal", "seat": 4, "token": made.invitation}).json()
    made.tokens[4] = taken["link"].partition("#")[2]
    assert elsewhere(made, 4, 5, "Mally").json()["code"] == "not_admitted"
    monkeypatch.setattr(Opening, "remove_asked", lambda *asked: None)  # it comes a moment after the round
    assert made.ask_host("seats/2/remove").status_code == 204
    made.play_to_the_pause()
    leave(made, 2)
    assert elsewhere(made, 2, 5, "Bo").status_code == 401


def test_the_next_game_knows_its_people_and_what_they_brought(made: Made) -> None:
    took = leave(made, 2)
    bob = made.seat(2)
    bob.send(head=bob.snapshot()["head"], action={"type": "SitDown", "chips": took})
    bob.send(head=bob.snapshot()["head"], typed="buy 7")
    has = [seat["stack"] for seat in made.watch.snapshot()["view"]["seats"]]
    made.ask_host("end")
    following = made.ask_host("again").json()["game"]
    view = made.guest.get(f"{made.path}/watch/snapshot?game={following}").json()["view"]
    ann, bobs = (view["seats"][at]["at_cash"] for at in (0, 1))
    assert [seat["stack"] + seat["staked"] for seat in view["seats"]] == has
    assert (ann["person"], ann["brought"], ann["taken"]) == (1, 100, 0)
    assert (bobs["person"], bobs["brought"], bobs["taken"]) == (2, 100 + took + 7, took)
    results = made.guest.get(f"{made.path}/results?game={following}").json()
    assert [(one["person"], one["name"], one["brought"], one["taken"]) for one in results["persons"]] == [
        (1, "Ann", 100, 0),
        (2, "Bob", 107 + took, took),
    ]
    assert all(one["net"] == one["taken"] + one["has"] - one["brought"] for one in results["persons"])
