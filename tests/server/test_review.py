"""The review of a seat: for its holder alone, once the game is over, made once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah.perfect_play import review as reviewing
from pokersvc.server.tables import reviews
from tests.server.conftest import running
from tests.server.guests import Guest, Made, bearer, throws_all_away

EXACT = "The program perfect plays without a mistake, so costs are exact."


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with running(tmp_path / "games.sqlite") as found:
        yield found


def review(table: Made, seat: int) -> httpx.Response:
    """Ask for the review of a seat, for which a busy machine may need a while."""
    held = table.seat(seat)
    return table.guest.get(f"{held.path}/review", headers=held.headers, timeout=120)


def made(guest: Guest, rounds: int = 2, **options: Any) -> Made:
    return guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=rounds, options={"rules": "fixed-limit"}, **options)


def test_a_seat_is_told_what_its_choices_cost_once_and_for_all(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    table = made(guest).started().play_to_the_end()
    answer = review(table, 2)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["programs"] == ["The program equilibrium plays a strategy close to perfect play."]
    assert told["unit"] == "chips"
    assert told["choices"] == sum(one["choices"] for one in told["rounds"]) > 0
    assert all(choice["cost"] > "0" for choice in told["dearest"])
    monkeypatch.setattr(reviews, "reviewed", None)  # nothing can be reviewed any more
    assert review(table, 2).json() == told


def test_what_the_program_never_does_is_told_of_each_choice_after_it(guest: Guest) -> None:
    table = made(guest, 1).started()
    throws_all_away(table, 1)
    told = review(table.play_to_the_end(), 2).json()
    doubted = {choice["when"]: choice["doubted"] for choice in told["judged"]}
    assert (doubted["before the draw"], doubted["after the draw"]) == (False, True)
    of_bob = [choice["doubted"] for choice in review(table, 1).json()["judged"]]
    assert of_bob == [False, True, True], "he stood pat, which the program does here once in 600,000 hands"


def test_nobody_else_is_told_and_nothing_before_the_end(guest: Guest) -> None:
    table = made(guest).started()
    early = review(table, 1)
    assert (early.status_code, early.json()["code"]) == (409, "not_over")
    table.play_to_the_end()
    path = f"{table.path}/seats/1/review"
    assert guest.get(path).status_code == 401
    assert guest.get(path, headers=bearer(table.tokens[2])).status_code in (401, 403)
    table.renewed(1)
    late = review(table, 1)
    assert (late.status_code, late.json()["code"]) == (409, "link_replaced")


def test_each_move_of_kalah_has_its_exact_cost_where_that_is_found(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, kind="kalah", options={"holes": 3, "beans": 2})
    answer = review(table.started().play_to_the_end(), 1)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["programs"], told["unit"], told["called"]) == ([EXACT], "beans", None)
    margin, costs = 4, []  # South wins Kalah(3, 2) by 4 with perfect play
    for choice in told["judged"]:
        costs.append(int(choice["cost"]))
        assert choice["by"] == "perfect"
        assert (choice["chose"] == choice["would"][0]["action"]) == (costs[-1] == 0)
    assert told["choices"] == len(costs) > 0
    assert int(told["cost"]) == sum(costs)
    assert int(told["rounds"][0]["net"]) >= margin - sum(costs)


def test_a_move_of_kalah_whose_end_is_too_far_is_said_not_to_be_exact(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(KALAH), "samples_at_tables", 0)
    monkeypatch.setattr(reviewing, "AHEAD", 2)
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, kind="kalah", options={"holes": 4, "beans": 2})
    told = review(table.started().play_to_the_end(), 2).json()
    assert "smart/2" in {choice["by"] for choice in told["judged"]}
    assert "Where that takes too long, a cost is by the pots 2 sowings ahead, and not exact." in told["programs"]


def test_a_game_that_is_not_reviewed_at_tables_says_so(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(KALAH), "reviews_at_tables", False)
    table = guest.made({"name": "Ann"}, {"program": "random"}, kind="kalah").started().play_to_the_end()
    answer = review(table, 1)
    assert answer.status_code == 422
    assert answer.json()["message"] == "There is no review of the game kalah at tables; `pokersvc review` has one."
