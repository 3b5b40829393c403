"""Over HTTP: a person keeps the number of their token through returns and games; a new device is somebody new."""

import json
from collections.abc import Iterator

import pytest

from .conftest import running
from .guests import Guest, Made

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
