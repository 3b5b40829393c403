"""The doors of a server, by who might misuse each, and with what they know."""

import json
import logging
import re
import socket
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.words import Words
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.server.authentication import Authentication, SeatRequest
from pokersvc.server.commands import Commands
from pokersvc.server.settings import Limits
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service
from tests.waiting import eventually

from .conftest import FAST, running
from .guests import Guest, Made
from .test_playing import play
from .test_secrecy import hidden_from

TWO = ({"name": "Ann"}, {"name": "Bob"})


def replaced(made: Made, seat: int) -> str:
    """Return the token by which somebody holds a seat whose link was replaced; `Made.seat` does not use it yet."""
    return made.guest.exchanged(made.table, seat, made.new_link(seat))


# A guest who watches, of a log that somebody has tampered with.


def test_who_watches_learns_nothing_hidden_from_the_audit_of_a_log_that_was_changed(tmp_path: Path) -> None:
    """They know the table's address, and that what an audit finds quotes what it compares."""
    path = tmp_path / "games.sqlite"
    with running(path) as guest:
        made = guest.made(*TWO, rounds=1).started()
        play(made)
        hidden = hidden_from("everyone", path, made.game)
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER events_refuse_update")
            swap = "SELECT seq, secret FROM events WHERE game_id = ? AND type = 'HandDealt' ORDER BY seq"
            dealt = dict(connection.execute(swap, [made.game]).fetchall())
            for seq, other in zip(dealt, reversed(dealt.values()), strict=True):
                changed = "UPDATE events SET secret = ? WHERE game_id = ? AND seq = ?"
                connection.execute(changed, [other, made.game, seq])
            connection.execute("UPDATE game_summaries SET facts = ? WHERE game_id = ?", [dealt[min(dealt)], made.game])
        connection.close()
        hidden |= set(dealt.values())
        cards = {card for secret in dealt.values() for card in json.loads(secret)["cards"]}
        with Database.for_reading(str(path)) as database:
            (found,) = audit(database, [made.game])
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
        seat = Authentication.seat

        def late(authentication: Authentication, *arguments: Any) -> SeatRequest:
            opened = seat(authentication, *arguments)
            meanwhile, self.meanwhile = self.meanwhile, lambda: None
            meanwhile()
            return opened

        monkeypatch.setattr(Authentication, "seat", late)


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


# Whoever kept the device from which a seat was moved: they had a command on its way.


@pytest.mark.parametrize("names_head", [False, True])
def test_a_command_on_its_way_is_not_recorded_once_the_seat_moved(server: Guest, late: Late, names_head: bool) -> None:
    made = server.made(*TWO).started()
    old, new = made.seat(1), ""

    def move() -> None:
        nonlocal new
        code = server.post(f"{old.path}/code", headers=old.headers).json()["code"]
        new = server.post(f"{made.path}/move", json={"code": code, "bearer": True}).json()["token"]

    named = {"head": old.snapshot()["head"]} if names_head else {}
    late.meanwhile = move
    refused = old.send(action={"type": "Bet", "amount": 50}, **named)
    assert refused.status_code in ((401, 409) if names_head else (401,)), refused.text
    count = made.watch.snapshot()["count"]
    assert [one["type"] for one in made.watch.events(count)][-1] == "DeviceChanged"
    head = {"head": made.watch.snapshot()["head"]} if names_head else {}
    assert old.send(action={"type": "Bet", "amount": 50}, **head).status_code == 401
    made.tokens[1] = new
    assert made.seat(1).send(action={"type": "Bet", "amount": 50}).status_code == 200, "the new device acts"


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
    monkeypatch.setattr("pokersvc.server.running.runner.Runner._next", lambda *_: None)
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
    table, asked = Service.table, 0  # by the command; the runner knows of more events

    def behind(*arguments: Any, **named: Any) -> Any:
        nonlocal asked
        found = table(*arguments, **named)
        if named.get("known") == 1 and not asked:  # and then somebody pauses and resumes the table
            asked = 1
            made.ask_host("pause")
            made.ask_host("resume")
        return found

    with monkeypatch.context() as others:
        others.setattr(Service, "table", behind)
        assert made.seat(1).send(action={"type": "Sow", "hole": 1}).status_code == 200
    assert asked
    told = [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]
    assert told[-3:] == ["TablePaused", "TableResumed", "BeansSown"]


# Whoever makes tables and leaves them: they know nothing but the server's address. test_housekeeping.py has the tables.


def test_an_address_has_so_many_tables_that_are_not_over(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, tables_of_address=2)) as guest:
        first, _ = guest.made({}, {}, kind="kalah"), guest.made({}, {}, kind="kalah")
        asked = {"kind": "kalah", "seats": [{}, {}]}
        refused = guest.post("/api/tables", json=asked)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
        elsewhere = guest.post("/api/tables", json=asked, headers={"X-Forwarded-For": "192.0.2.1"})
        assert elsewhere.status_code == 201, "another's address, as the proxy says"
        assert first.ask_host("close").status_code == 204
        assert guest.post("/api/tables", json=asked).status_code == 201


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (replace(FAST, connections_of_address=2), (429, "too_many")),
        (replace(FAST, connections=2), (503, "full")),
    ],
)
def test_an_address_has_so_many_connections_and_so_has_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits, said: tuple[int, str]
) -> None:
    """They need no request: to connect is enough. A proxy's connections count as nobody's."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.9")
    with running(tmp_path / "games.sqlite", limits=limits) as guest:
        where = guest.base_url.host, guest.base_url.port or 0
        with socket.create_connection(where), socket.create_connection(where):
            refused = guest.get("/healthz")
            assert (refused.status_code, refused.json()["code"]) == said
        guest.close()
        with Guest(str(guest.base_url)) as again:
            eventually(lambda: again.get("/healthz").status_code == 200)


# Whoever reads the server's log, its metrics or its errors: they know what was made to fail, and when.


def everything_fails(monkeypatch: pytest.MonkeyPatch, secret: str) -> Iterator[tuple[type, str, Exception]]:
    """Yield places that are made to fail one after the other, by errors that quote a secret."""
    unexpected = RuntimeError(secret)
    expected = PokersvcError(secret)
    damaged = DatabaseDamaged(secret)
    errors = cycle((unexpected, expected, damaged))
    for where, name in (
        (Service, "act"), (Service, "status"), (Service, "since"), (Service, "table"), (Service, "time_out"),
        (TableStore, "look"), (TableStore, "beat"), (TableStore, "marks"), (TableStore, "forget"),
        (EventLog, "append"), (EventLog, "snapshot"), (Words, "question"), (DrawPokerWords, "advise"),
    ):  # fmt: skip
        yield where, name, next(errors)


@pytest.mark.slow
def test_what_is_hidden_is_in_no_log_line_no_error_and_no_metric_whatever_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "games.sqlite"
    answers: list[str] = []
    failed = 0
    with running(path) as guest:
        made = guest.made(*TWO, settings={"seconds": 600}).started()
        hidden = hidden_from("everyone", path, made.game) | {made.host, *made.tokens.values()}
        secret = " ".join(sorted(hidden))
        head = made.watch.snapshot()["head"]
        for where, name, error in everything_fails(monkeypatch, secret):

            def fails(*_: Any, error: Exception = error, **__: Any) -> Any:
                raise error

            with monkeypatch.context() as broken:
                broken.setattr(where, name, fails)
                seat = made.seat(1)
                said = [
                    *(seat.get(what) for what in ("snapshot", "replay", "export", "advice")),
                    *(made.watch.get(what) for what in ("snapshot", "export", "opened")),
                    *(guest.get(f"{made.path}{what}") for what in ("", "/history", "/audit")),
                    seat.send(head=head, action={"type": "Discard", "cards": []}),
                    seat.send(typed="fly"),
                    made.ask_host("seats/2/remove"),
                    guest.get("/healthz"),
                ]
            failed += sum(one.status_code >= 500 for one in said)
            own = hidden_from(1, path, made.game)
            answers += [one.text for one in said[4:10]] + [guest.get("/metrics").text]
            assert [one for one in own if any(one in answer.text for answer in said)] == [], (where, name, error)
    assert failed > 20
    logged = "\n".join(
        [*(one.getMessage() for one in caplog.records if not one.name.startswith("http")), *capfd.readouterr()]
    )
    logged += "\n".join(str(one.exc_info) for one in caplog.records if one.exc_info)
    assert "A request failed" in logged
    assert [one for one in hidden if one in logged or any(one in answer for answer in answers)] == []
