"""Two people want one seat of a cash game that runs, or its server ends in the midst: one of them has it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pokersvc.core.table_event import TableAction
from pokersvc.games.draw_poker.cash import SitDown
from pokersvc.server import chairs
from pokersvc.server.commands import Commands

from .conftest import running
from .guests import Guest, Held, Made
from .test_newcomers import CASH, does, kinds, sit, taken


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Guest]:
    with running(tmp_path / "games.sqlite", pause=60.0) as guest:
        yield guest


@pytest.fixture
def made(server: Guest) -> Made:
    """A public cash game between its first two rounds, from which Bob has got up."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {}, options=CASH, public=True).started()
    made.play_to_the_pause()
    assert does(made.seat(2), type="Leave").status_code == 200
    return made


def test_who_sits_again_keeps_the_seat_though_the_server_ended_before_it_noted_that(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Commands, "_note_seats", lambda *_: None)
        assert does(made.seat(2), type="SitDown", chips=100).status_code == 200
    assert kinds(made)[1] == ("Bob", "empty"), "as it was noted last"
    refused = sit(made, "Carl", 2)
    assert (refused.status_code, refused.json()["code"]) == (409, "seat_taken")
    assert sit(made, "Carl").json()["seat"] == 3
    assert does(made.seat(2), type="BuyChips", chips=10).status_code == 200


def test_who_sits_down_again_before_the_game_is_told_of_a_newcomer_keeps_the_seat(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, at_table = made.seat(2), Commands.at_table

    def late(self: Commands, game_id: str, action: TableAction, expected: int | None = None) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(Commands, "at_table", at_table)
            self._service.act(game_id, SitDown(2, 100), viewer=2)  # of Bob, who was let in before
            self._note_seats(game_id)
        at_table(self, game_id, action, expected)

    with monkeypatch.context() as patched:
        patched.setattr(Commands, "at_table", late)
        refused = sit(made, "Carl", 2)
    assert (refused.status_code, refused.json()["code"]) == (409, "seat_taken")
    assert kinds(made)[1] == ("Bob", "human")
    assert does(bob, type="BuyChips", chips=10).status_code == 200, "Bob has his link still"
    assert taken(made, "Carl").number == 3


def test_of_two_who_took_a_seat_one_after_the_other_the_later_has_it(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_table = Commands.at_table
    monkeypatch.setattr(chairs, "KEPT", timedelta())  # as where nothing has happened for long
    second: list[Held] = []

    def late(self: Commands, game_id: str, action: TableAction, expected: int | None = None) -> None:
        if not second:
            with monkeypatch.context() as patched:
                patched.setattr(Commands, "at_table", at_table)
                second.append(taken(made, "Dee", 3))
        at_table(self, game_id, action, expected)

    with monkeypatch.context() as patched:
        patched.setattr(Commands, "at_table", late)
        first = sit(made, "Carl", 3)
    assert (first.status_code, first.json()["code"]) == (409, "seat_taken")
    assert does(second[0], type="SitDown", chips=50).status_code == 200
    assert kinds(made)[2] == ("Dee", "human")


def test_a_seat_that_a_server_ended_in_the_midst_of_giving_away_is_free_after_a_while(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Commands, "at_table", _fail)
        assert sit(made, "Carl", 3).status_code == 500
    assert sit(made, "Dee", 3).status_code == 409
    monkeypatch.setattr(chairs, "KEPT", timedelta())
    assert does(taken(made, "Dee", 3), type="SitDown", chips=50).status_code == 200


def _fail(*_: object) -> None:
    raise OSError("the server ends")


def test_who_comes_back_under_their_name_has_the_seat_until_they_sit_down(made: Made) -> None:
    bob = taken(made, "Bob")
    assert does(made.seat(1), type="SitOut").status_code == 200
    assert kinds(made)[1] == ("Bob", "human")
    assert sit(made, "Carl", 2).status_code == 409, "Bob has yet to sit down"
    assert does(bob, type="SitDown", chips=100).status_code == 200


def test_who_got_up_as_a_server_ended_has_left_the_seat(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = taken(made, "Bob")
    assert does(bob, type="SitDown", chips=100).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(Commands, "_note_seats", lambda *_: None)
        assert does(bob, type="Leave").status_code == 200
    assert does(taken(made, "Carl", 2), type="SitDown", chips=50).status_code == 200
    assert kinds(made)[1] == ("Carl", "human")


def test_the_host_removes_no_bot_of_a_cash_game(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"program": "steady"}, {"program": "steady"}, options=CASH).started()
    refused = made.ask_host("seats/2/remove")
    assert (refused.status_code, refused.json()["code"]) == (422, "not_a_person")


def test_who_leaves_a_game_that_nobody_joins_leaves_no_free_seat(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}, options={"rules": "no-limit"}, public=True)
    made.started().play_to_the_pause()
    assert does(made.seat(2), type="Leave").status_code == 200
    assert kinds(made)[1] == ("Bob", "human")
