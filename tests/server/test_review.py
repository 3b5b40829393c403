"""The review of a seat: for its holder alone, once the game is over, made once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.server.tables import reviews
from tests.server.conftest import running
from tests.server.guests import Guest, Made, bearer


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


def test_a_game_that_is_not_reviewed_at_tables_says_so(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"program": "random"}, kind="kalah").started().play_to_the_end()
    answer = review(table, 1)
    assert answer.status_code == 422
    assert answer.json()["message"] == "There is no review of the game kalah at tables; `pokersvc review` has one."
