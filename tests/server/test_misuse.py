"""The doors of a server, by who might misuse each, and with what they know."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
from pokersvc.server.commands import Commands
from pokersvc.server.doors import Doors, SeatDoor
from pokersvc.service import Service

from .conftest import running
from .guests import Guest, Made
from .test_playing import play
from .test_secrecy import hidden_from

TWO = ({"name": "Ann"}, {"name": "Bob"})


def replaced(made: Made, seat: int) -> str:
    """Return the token of a seat's new link."""
    answer = made.ask_host(f"seats/{seat}/link")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["link"].partition("#")[2])


# A guest who watches, of a log that somebody has tampered with.


def test_who_watches_learns_nothing_hidden_from_the_audit_of_a_log_that_was_changed(tmp_path: Path) -> None:
    """They know the table's address, and that what an audit finds quotes what it compares."""
    path = tmp_path / "games.sqlite"
    with running(path) as guest:
        made = guest.made(*TWO, rounds=1).started()
        play(made)
        hidden = hidden_from("everyone", path, made.table)
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER events_refuse_update")
            swap = "SELECT seq, secret FROM events WHERE game_id = ? AND type = 'HandDealt' ORDER BY seq"
            dealt = dict(connection.execute(swap, [made.table]).fetchall())
            for seq, other in zip(dealt, reversed(dealt.values()), strict=True):
                changed = "UPDATE events SET secret = ? WHERE game_id = ? AND seq = ?"
                connection.execute(changed, [other, made.table, seq])
            connection.execute("UPDATE game_summaries SET facts = ? WHERE game_id = ?", [dealt[min(dealt)], made.table])
        connection.close()
        hidden |= set(dealt.values())
        cards = {card for secret in dealt.values() for card in json.loads(secret)["cards"]}
        with Database.for_reading(str(path)) as database:
            (found,) = audit(database, [made.table])
        quoted = [f"{one.found} {one.expected}" for one in found.findings]
        assert any(secret in text for secret in dealt.values() for text in quoted), "the operator is told all"
        answer = guest.get(f"{made.path}/audit")
    said = answer.json()
    assert not said["passed"]
    assert [(one["seq"], one["check"]) for one in said["findings"]] == [(one.seq, one.check) for one in found.findings]
    assert {"chain", "deal", "read_models"} <= {one["check"] for one in said["findings"]}
    assert all(one["message"].endswith(".") for one in said["findings"])
    assert [secret for secret in hidden if secret in answer.text] == []
    assert not cards & set(re.findall(r"\w+", answer.text))


# Whoever held a seat's link that was replaced: they know its token, and had a command on its way.


class Late:
    """Lets something happen after a request was let in, and before its command is recorded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.meanwhile: Any = lambda: None
        seat = Doors.seat

        def late(doors: Doors, *arguments: Any) -> SeatDoor:
            opened = seat(doors, *arguments)
            meanwhile, self.meanwhile = self.meanwhile, lambda: None
            meanwhile()
            return opened

        monkeypatch.setattr(Doors, "seat", late)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Late:
    return Late(monkeypatch)


@pytest.mark.parametrize("names_head", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_a_command_on_its_way_is_not_recorded_once_the_link_was_replaced(
    server: Guest, late: Late, names_head: bool, again: bool
) -> None:
    made = server.made(*TWO).started()
    if again:  # it has a new link already, and gets another
        made.tokens[1] = replaced(made, 1)
    old, new = made.seat(1), ""

    def replace() -> None:
        nonlocal new
        new = replaced(made, 1)

    named = {"head": old.snapshot()["head"]} if names_head else {}
    late.meanwhile = replace
    refused = old.send(action={"type": "Bet", "amount": 50}, **named)
    assert refused.status_code in ((401, 409) if names_head else (401,)), refused.text
    count = made.watch.snapshot()["count"]
    assert [one["type"] for one in made.watch.events(count)][-1] == "SeatReplaced"
    made.tokens[1] = new
    assert made.seat(1).send(action={"type": "Bet", "amount": 50}).status_code == 200, "the new link acts"


def test_a_command_on_its_way_is_not_recorded_in_a_game_that_starts_behind_a_new_link(
    server: Guest, late: Late
) -> None:
    made = server.made(*TWO)
    old = made.seat(1)

    def replace_and_start() -> None:
        made.tokens[1] = replaced(made, 1)
        made.started()

    late.meanwhile = replace_and_start
    refused = old.send(action={"type": "Bet", "amount": 50})
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_token")
    late.meanwhile = lambda: None
    assert made.seat(1).send(action={"type": "Bet", "amount": 50}).status_code == 200


def test_a_new_link_is_told_to_a_game_whose_start_is_not_recorded_yet(
    server: Guest, late: Late, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = server.made(*TWO)
    with monkeypatch.context() as killed:
        killed.setattr(Commands, "start_once", lambda *_: None)
        made.started()
    monkeypatch.setattr("pokersvc.server.runner.Runner._next", lambda *_: None)
    made.tokens[1] = replaced(made, 1)
    assert "SeatReplaced" in [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]


def test_a_name_on_its_way_is_not_taken_once_the_link_was_replaced(server: Guest, late: Late) -> None:
    made = server.made(*TWO)
    token = made.tokens[1]
    late.meanwhile = lambda: replaced(made, 1)
    refused = server.post(f"{made.path}/seats/1/session", json={"token": token, "name": "Mallory"})
    server.cookies.clear()
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_token")
    assert [seat["name"] for seat in server.get(made.path).json()["seats"]] == ["Ann", "Bob"]


def test_commands_that_name_no_head_are_decided_anew_where_others_were_first(
    server: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = server.made(*TWO, kind="kalah").started()
    table, asked = Service.table, 0

    def behind(*arguments: Any, **named: Any) -> Any:
        nonlocal asked
        asked += 1
        found = table(*arguments, **named)
        if asked == 1:  # and then somebody pauses and resumes the table
            made.ask_host("pause")
            made.ask_host("resume")
        return found

    with monkeypatch.context() as others:
        others.setattr(Service, "table", behind)
        assert made.seat(1).send(action={"type": "Sow", "hole": 1}).status_code == 200
    assert asked > 1
