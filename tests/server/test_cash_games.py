"""A cash game over HTTP: made by its options, and what people do between its rounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import running
from .guests import Guest, Made, simple_action

CASH = {"rules": "no-limit", "cash": True, "stack": "Ann=100,Bob=120", "rake": "5%", "rake_cap": "3"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Guest]:
    """A server that waits between two rounds for as long as these tests take."""
    with running(tmp_path / "games.sqlite", pause=60.0) as guest:
        yield guest


@pytest.fixture
def made(server: Guest) -> Made:
    """A cash game of two people between its first two rounds."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, options=CASH).started()
    while not (now := made.watch.snapshot())["pausing"]:
        seat = made.seat(now["awaited"][0])
        mine = seat.snapshot()
        if mine["your_turn"]:
            seat.send(head=mine["head"], action=simple_action(mine))
    return made


def test_the_form_offers_what_makes_a_cash_game(server: Guest) -> None:
    draw = next(game for game in server.get("/api/games").json()["games"] if game["kind"] == "draw")
    assert {"cash", "stack", "rake", "rake_cap"} <= {option["name"] for option in draw["options"]}


def test_chips_are_bought_by_an_action_or_by_a_text(made: Made) -> None:
    ann, bob = made.seat(1), made.seat(2)
    now = ann.snapshot()
    assert now["view"]["table"]["cash"] is True
    stack = now["view"]["seats"][0]["stack"]
    assert now["between"] == [f"buy 1 to {200 - stack}", "sit out"]
    assert made.watch.snapshot()["between"] == []
    sent = ann.send(head=now["head"], action={"type": "BuyChips", "chips": 10})
    assert (sent.status_code, [one["type"] for one in sent.json()["events"]]) == (200, ["ChipsBought"])
    sent = bob.send(head=bob.snapshot()["head"], typed="sit out")
    assert [one["type"] for one in sent.json()["events"]] == ["SatOut"]
    refused = ann.send(head=ann.snapshot()["head"], typed="buy 500")
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal_amount")
    assert ann.snapshot()["view"]["seats"][0]["stack"] == stack + 10


def test_a_stack_for_nobody_is_refused_in_a_sentence(server: Guest) -> None:
    asked = {"kind": "draw", "seats": [{"name": "Ann"}, {"name": "Bob"}], "options": {**CASH, "stack": "Zoe=5"}}
    refused = server.post("/api/tables", json=asked)
    assert refused.status_code == 422
    assert refused.json()["message"] == "Nobody at the table is called 'Zoe'; the players are Ann and Bob."
