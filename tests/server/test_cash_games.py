"""A cash game over HTTP: made by its options, and what people do between its rounds."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from .conftest import running
from .guests import Guest, Made

CASH = {
    "rules": "no-limit",
    "cash": True,
    "stack": "Ann=100,Bob=120",
    "straddle": 4,
    "rake": "5%",
    "rake_cap": "3",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


@pytest.fixture
def made(server: Guest) -> Made:
    """A cash game of two people between its first two rounds."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, options=CASH).started()
    made.play_to_the_pause()
    return made


def test_the_form_offers_what_makes_a_cash_game(server: Guest) -> None:
    draw = next(game for game in server.get("/api/games").json()["games"] if game["kind"] == "draw")
    assert {"cash", "stack", "straddle", "rake", "rake_cap"} <= {option["name"] for option in draw["options"]}


def test_chips_are_bought_by_an_action_or_by_a_text(made: Made) -> None:
    ann, bob = made.seat(1), made.seat(2)
    now = ann.snapshot()
    assert now["view"]["table"]["cash"] is True
    stack = now["view"]["seats"][0]["stack"]
    assert now["between"][:2] == [f"buy {200 - stack} (1 to {200 - stack})", "sit out (dealt no hands)"]
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


@pytest.mark.parametrize("number", [10**21, -1])
@pytest.mark.parametrize("option", ["open_seats", "straddle"])
def test_a_number_that_no_option_takes_is_refused_before_a_table_is_made(
    server: Guest, option: str, number: int
) -> None:
    asked = {"kind": "draw", "seats": [{"name": "Ann"}, {"name": "Bob"}], "options": {**CASH, option: number}}
    refused = server.post("/api/tables", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_value")


def test_what_is_not_understood_between_rounds_is_answered_with_what_may_be_typed(made: Made) -> None:
    ann = made.seat(1)
    most = 200 - ann.snapshot()["view"]["seats"][0]["stack"]
    refused = ann.send(head=ann.snapshot()["head"], typed="buy 1.5")
    assert (refused.status_code, refused.json()["message"]) == (
        422,
        f"I don't understand 'buy 1.5'. Now you can type: next, leave, buy {most} (1 to {most}), sit out (dealt no"
        " hands), top up to 200 (before each round), sit out at blind (the next big blind).",
    )


@pytest.mark.slow
def test_a_game_in_which_one_sits_out_waits_and_nobody_ends_it_for_others(tmp_path: Path) -> None:
    """Given a cash game of two whose pauses are short, when one sits out, then it waits until that one is back."""
    with running(tmp_path / "games.sqlite", pause=1.0) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, options=CASH).started()
        ann, bob = made.seat(1), made.seat(2)
        made.play_to_the_pause()
        assert bob.send(typed="sit out").status_code == 200
        time.sleep(1.5)
        now = ann.snapshot()
        assert (now["pausing"], now["ends_next"], now["outcome"]) == (True, True, None)
        assert now["beforehand"] == [
            "Fewer than two players can be dealt in: a next round needs somebody who buys chips, sits down or sits in."
        ]
        for answer in (ann.send(action={"type": "GoOn"}), made.ask_host("next")):
            assert (answer.status_code, answer.json()["code"]) == (422, "too_few")
        assert bob.send(typed="sit in").status_code == 200
        assert ann.snapshot()["ends_next"] is False
        round_ = now["view"]["round"]
        while ann.snapshot()["view"]["round"] == round_:
            time.sleep(0.1)
        made.play_to_the_pause()
        assert bob.send(typed="leave").status_code == 200
        assert ann.snapshot()["ends_next"] is True
        assert ann.send(typed="leave").status_code == 200
        while ann.snapshot()["outcome"] is None:
            time.sleep(0.1)
        assert made.guest.get(f"{made.path}/audit").json()["findings"] == []


def test_whoever_asks_at_once_is_answered_one_after_another(made: Made) -> None:
    """Given chips for one of several that buy at once, when all ask, then no more is sold than the house sells."""
    ann = made.seat(1)
    most = 200 - ann.snapshot()["view"]["seats"][0]["stack"]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: ann.send(action={"type": "BuyChips", "chips": most}), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]
    assert ann.snapshot()["view"]["seats"][0]["stack"] == 200
    id_ = str(uuid4())
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: ann.send(id=id_, typed="sit out"), range(3)))
    assert len({answer.text for answer in answers}) == 1, "one command, however often it is sent"
    assert answers[0].status_code == 200
