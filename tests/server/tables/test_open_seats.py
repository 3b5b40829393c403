"""Two people want one seat of a cash game that runs, or its server ends in the midst: one of them has it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pokersvc.betting.cash import SitDown
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import PauseTable, ResumeTable
from pokersvc.server.app import parts_of
from pokersvc.server.commands import Commands
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.settings import Settings
from pokersvc.server.tables import open_seats
from pokersvc.service import LogFull, Service
from pokersvc.service.opening import open_database
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Held, Made, simple_action
from tests.server.test_newcomers import CASH, does, kinds, sit, taken


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
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
    monkeypatch.setattr(open_seats, "KEPT", timedelta())  # as where nothing has happened for long
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
        patched.setattr(open_seats.RunningSeats, "put_back", lambda *_: None)  # it has ended before
        assert sit(made, "Carl", 3).status_code == 500
    assert sit(made, "Dee", 3).status_code == 409
    monkeypatch.setattr(open_seats, "KEPT", timedelta())
    assert does(taken(made, "Dee", 3), type="SitDown", chips=50).status_code == 200


def test_a_seat_is_free_again_at_once_if_it_cannot_be_recorded_who_took_it(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Commands, "at_table", _fail)
        assert sit(made, "Carl", 3).status_code == 500
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


def test_at_a_table_whose_log_is_full_only_the_round_is_played(tmp_path: Path) -> None:
    """Else a host who pauses it and goes on, or people who take a free seat, could write to it without end."""
    with running(tmp_path / "games.sqlite", limits=replace(FAST, table_bytes=1)) as server:
        made = server.made({"name": "Ann"}, {"name": "Bob"}, {}, options=CASH, public=True).started()
        refused = [made.ask_host("pause"), made.ask_host("seats/1/link"), sit(made, "Carl", 3), sit(made, "Carl", 3)]
        assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(409, "log_full")] * 4
        assert "is full, at 1 byte: the table ends after this round" in refused[0].json()["message"]
        assert kinds(made)[2] == (None, "empty")
        while (now := made.watch.snapshot())["status"] != "over":
            seat = made.seat(now["awaited"][0])
            mine = seat.snapshot()
            assert seat.send(head=mine["head"], action=simple_action(mine)).status_code == 200
        assert sit(made, "Carl", 3).status_code == 409


def test_a_seat_stays_its_holders_where_the_log_is_full_only_as_it_is_given_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, table_bytes=1)) as server:
        made = server.made({"name": "Ann"}, {"name": "Bob"}, {}, options=CASH, public=True).started()
        monkeypatch.setattr(Service, "check_room", lambda *_: None)  # as if it had been asked a moment before
        before, head = kinds(made), made.seat(1).snapshot()["head"]
        refused = [made.ask_host("seats/1/link"), sit(made, "Carl", 3), made.ask_host("seats/3/link")]
        assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(409, "log_full")] * 3
        assert kinds(made) == before
        assert made.seat(1).snapshot()["head"] == head  # by the link that she had


def test_the_clock_of_a_full_table_restarts_after_an_outage(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, replace(Settings(), lease=0))
        asked = {"kind": "draw", "seats": [{"name": "Ann"}, {"name": "Bob"}], "settings": {"seconds": 9}}
        table = parts.opening.make(NewTable.model_validate(asked)).table.game_id
        parts.opening.start(table)
        parts.service._most_bytes = 1
        count = parts.service.status(table).count
        assert [parts.commands.restart_clock(table) for _ in range(3)] == [count + 1, 0, 0]


def test_a_table_whose_log_was_full_while_it_was_paused_goes_on(tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts = parts_of(database, Settings())
        seats = [{"name": "Ann"}, {"name": "Bob"}]
        table = parts.opening.make(NewTable.model_validate({"kind": "draw", "seats": seats})).table.game_id
        parts.opening.start(table)
        parts.service.table_act(table, PauseTable())
        parts.service._most_bytes = 1
        parts.service.table_act(table, ResumeTable())
        with pytest.raises(LogFull):
            parts.service.table_act(table, PauseTable())
        assert not parts.service.table(table).paused
