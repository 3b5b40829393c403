"""People talk at a table: who says and reads what, when, and what becomes of it."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.core.tables.signs import SIGNS
from pokersvc.server.app import parts_of
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.errors import WrongToken
from pokersvc.server.settings import Limits, Settings
from pokersvc.server.tables import chat_lines
from pokersvc.server.tables.access import Access
from pokersvc.server.tables.housekeeping import Housekeeping
from pokersvc.service.opening import open_database
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Held, Made, Told, bearer, simple_action

TWO = ({"name": "Ann"}, {"name": "Bob"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the server that most tests share."""
    return tmp_path_factory.mktemp("served") / "games.sqlite"


@pytest.fixture(scope="module")
def guest(shared: Path) -> Iterator[Guest]:
    with running(shared) as guest:
        yield guest


@pytest.fixture
def made(guest: Guest) -> Made:
    return guest.made(*TWO).started()


def say(door: Held, text: str | None = None, **said: Any) -> httpx.Response:
    body = said if text is None else {"text": text, **said}
    return door.guest.post(f"{door.path}/say", json=body, headers=door.headers)


def lines(door: Held, **query: Any) -> list[str]:
    answer = door.get("chat", **query)
    assert answer.status_code == 200, answer.text
    return [f"{line['seat']} {line['name']}: {line['text']}" for line in answer.json()["lines"]]


def decide(made: Made, **access: Any) -> None:
    assert made.ask_host("access", **access).status_code == 204


def told(stream: Iterator[Told], event: str = "chat") -> dict[str, Any]:
    return next(one.data for one in stream if one.event == event)


def test_a_line_carries_its_seat_and_every_seat_reads_it(made: Made) -> None:
    answer = say(made.seat(1), "  nice hand ")
    assert answer.status_code == 200
    assert {**answer.json(), "said_at": ""} == {
        "number": 1, "seat": 1, "name": "Ann", "said_at": "", "text": "nice hand",
    }  # fmt: skip
    say(made.seat(2), "thanks")
    assert lines(made.seat(1)) == lines(made.seat(2)) == ["1 Ann: nice hand", "2 Bob: thanks"]
    assert lines(made.seat(2), after=1) == ["2 Bob: thanks"]


def test_each_of_eight_signs_is_said(made: Made) -> None:
    assert {sign: say(made.seat(1), sign=sign).json()["text"] for sign in SIGNS} == SIGNS
    assert len(SIGNS) == 8


def test_no_other_sign_and_not_both_are_said(made: Made) -> None:
    assert say(made.seat(1), sign="wave").status_code == 422
    assert say(made.seat(1), "a", sign="wow").json()["code"] == "unfit_text"
    assert say(made.seat(1)).status_code == 422
    assert say(made.seat(1), "see example.org").json()["code"] == "unfit_text"
    assert lines(made.seat(2)) == []


def test_only_the_holder_of_a_seat_says_something_there(made: Made) -> None:
    assert made.guest.post(f"{made.path}/seats/1/say", json={"text": "a"}).status_code == 401
    other = made.guest.post(f"{made.path}/seats/1/say", json={"text": "a"}, headers=bearer(made.tokens[2]))
    assert other.status_code == 401
    assert made.guest.post(f"{made.path}/host/say", json={"text": "a"}, headers=made.seat(1).headers).status_code == 401
    assert made.guest.get(f"{made.path}/seats/1/chat").status_code == 401
    assert made.guest.get(f"{made.path}/host/chat").status_code == 401
    assert say(made.seat(1), "a", seat=2).status_code == 422
    assert say(made.seat(1), "a", name="Bob").status_code == 422


def test_a_host_speaks_as_host_and_never_as_a_seat(made: Made) -> None:
    assert made.ask_host("say", text="a break of ten minutes").json()["seat"] == 0
    assert lines(made.seat(1)) == ["0 Host: a break of ten minutes"]
    asked = made.guest.get(f"{made.path}/host/chat", headers=bearer(made.host))
    assert [line["name"] for line in asked.json()["lines"]] == ["Host"]


def test_a_link_that_was_replaced_neither_writes_nor_reads(made: Made) -> None:
    made.ask_host("seats/2/link")
    assert say(made.seat(2), "still here").status_code == 401
    assert made.seat(2).get("chat").status_code == 401
    assert lines(made.seat(1)) == []


def test_a_link_that_is_replaced_while_its_line_is_on_the_way_does_not_write(file: Path) -> None:
    with running(file) as guest:
        made = guest.made(*TWO)
    with open_database(file) as database:
        parts = parts_of(database, Settings())
        row = parts.tables.get(made.game)
        door = SeatRequest(row, row.seat(2))
        parts.opening.new_link(made.game, 2)
        with pytest.raises(WrongToken):
            parts.chat.say(door, "still here", "192.0.2.1")
        assert parts.chat_lines.lines(row) == ()
        parts.hub.close()


def test_watchers_read_only_if_the_host_allows_it(made: Made) -> None:
    say(made.seat(1), "psst")
    assert made.watch.get("chat").json()["code"] == "not_allowed"
    decide(made, watchers_read=True)
    assert lines(made.watch) == ["1 Ann: psst"]


def test_streams_of_seats_have_every_line_and_what_is_deleted(made: Made) -> None:
    say(made.seat(1), "one")
    with made.seat(2).stream() as stream:
        first = told(stream)
        assert [line["text"] for line in first["lines"]] == ["one"]
        say(made.seat(1), "two")
        second = told(stream)
        assert [(line["number"], line["text"]) for line in second["lines"]] == [(2, "two")]
        made.ask_host("chat/delete", number=1)
        assert told(stream) == {"lines": [], "deleted": [1]}
        made.ask_host("chat/clear")
        assert told(stream) == {"lines": [], "deleted": [2]}
        say(made.seat(1), "three")
        assert [line["number"] for line in told(stream)["lines"]] == [3]


def test_what_is_said_at_one_server_is_heard_at_another_of_the_same_database(shared: Path, made: Made) -> None:
    with running(shared) as other, Made(other, made.table, made.host, made.tokens).seat(2).stream() as stream:
        say(made.seat(1), "from here")
        assert [line["text"] for line in told(stream)["lines"]] == ["from here"]
        made.ask_host("chat/clear")
        assert told(stream)["deleted"] == [1]


def test_streams_of_watchers_have_lines_only_if_the_host_allows_it(made: Made) -> None:
    with made.watch.stream() as stream:
        say(made.seat(1), "psst")
        decide(made, watchers_read=True)
        say(made.seat(1), "hello all")
        assert [line["text"] for line in told(stream)["lines"]][:1] == ["psst"]
    decide(made, watchers_read=False)
    with made.watch.stream() as stream:
        say(made.seat(1), "psst")
        made.ask_host("pause")
        for one in stream:
            assert one.event != "chat"
            if _pauses(one):
                break


def _pauses(one: Told) -> bool:
    return one.event == "record" and one.data["type"] == "TablePaused"


def test_what_the_host_deletes_is_gone_from_the_database_at_once(shared: Path, made: Made) -> None:
    for text in ("first", "second", "third"):
        say(made.seat(1), text)
    assert made.ask_host("chat/delete", number=2).status_code == 204
    assert lines(made.seat(1)) == ["1 Ann: first", "1 Ann: third"]
    assert made.ask_host("chat/clear").status_code == 204
    assert lines(made.seat(1)) == []
    with closing(sqlite3.connect(shared)) as database:
        kept = "SELECT DISTINCT name, text FROM chat_lines WHERE game_id = ?"
        assert database.execute(kept, (made.game,)).fetchall() == [("", "")]
    for what, body in (("clear", None), ("delete", {"number": 1})):
        refused = made.guest.post(f"{made.path}/host/chat/{what}", json=body, headers=made.seat(1).headers)
        assert refused.status_code == 401


def test_the_host_switches_it_off(made: Made) -> None:
    decide(made, chat="off")
    assert say(made.seat(1), "a").json()["code"] == "chat_off"
    assert made.ask_host("say", text="a").json()["code"] == "chat_off"
    decide(made, chat="all")
    assert say(made.seat(1), "a").status_code == 200


def test_who_is_still_in_a_hand_may_be_kept_from_talking(guest: Guest) -> None:
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cem"}).started()
    assert say(made.seat(1), "before").status_code == 200
    decide(made, chat="folded")
    for seat in (1, 2, 3):
        assert say(made.seat(seat), "my hand").json()["code"] == "in_hand"
    first = made.watch.snapshot()["awaited"][0]
    assert made.seat(first).send(typed="bet 50").status_code == 200
    second = made.watch.snapshot()["awaited"][0]
    assert made.seat(second).send(typed="fold").status_code == 200
    assert say(made.seat(second), "I am out").status_code == 200
    assert say(made.seat(first), "I am not").json()["code"] == "in_hand"
    assert made.ask_host("say", text="quiet please").status_code == 200


SLOWLY = Rate(0.001, 3)


@pytest.mark.parametrize(
    ("limits", "other"),
    [(replace(FAST, chat=SLOWLY), 200), (replace(FAST, chat_of_address=SLOWLY), 429)],
    ids=["of a seat", "of an address"],
)
def test_nobody_floods_a_table(file: Path, limits: Limits, other: int) -> None:
    with running(file, limits=limits) as guest:
        made = guest.made(*TWO)
        said = [say(made.seat(1), "again") for _ in range(4)]
        assert [answer.status_code for answer in said] == [200, 200, 200, 429]
        assert say(made.seat(2), "and I").status_code == other


def test_only_the_last_thousand_lines_are_kept_and_the_last_hundred_sent(file: Path) -> None:
    with running(file) as guest:
        made = guest.made(*TWO)
    with open_database(file) as database:
        parts = parts_of(database, Settings(limits=FAST))
        row = parts.tables.get(made.game)
        with parts.tables.changing(made.game) as table:
            for number in range(1005):
                chat_lines.add(table, 1, "Ann", "2026-01-01T00:00:00+00:00", f"line {number}")
        assert [line.number for line in parts.chat_lines.lines(row)] == [*range(906, 1006)]
        parts.hub.close()
    with closing(sqlite3.connect(file)) as stored:
        assert stored.execute("SELECT count(*), min(number) FROM chat_lines").fetchone() == (1000, 6)


def test_whoever_has_left_reads_nothing_of_the_next_game(guest: Guest) -> None:
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=1).started()
    say(made.seat(1), "good game")
    while (now := made.watch.snapshot())["outcome"] is None:
        seat = made.seat(now["awaited"][0])
        seat.send(action=simple_action(seat.snapshot()))
    following = made.ask_host("again").json()["game"]
    refused = made.guest.post(
        f"{made.path}/seats/1/say?game={made.game}", json={"text": "x"}, headers=made.seat(1).headers
    )
    assert refused.json()["code"] == "not_last"
    assert say(made.seat(1), "again?").status_code == 200
    assert lines(made.seat(1), game=made.game) == ["1 Ann: good game"]
    assert lines(made.seat(1), game=following) == ["1 Ann: good game", "1 Ann: again?"]


def test_lines_are_deleted_30_days_after_the_end_of_their_table(file: Path) -> None:
    with running(file) as guest:
        made, open_ = guest.made(*TWO), guest.made(*TWO)
        for table in (made, open_):
            say(table.seat(1), "hello")
        assert made.ask_host("close").status_code == 204
        assert say(made.seat(1), "late").json()["code"] == "table_closed"
    with open_database(file) as database:
        parts = parts_of(database, Settings())
        keeping, now = Housekeeping(parts), parts.service.now()
        row = parts.tables.get(made.game)
        keeping.look(now + timedelta(days=29))
        assert [line.text for line in parts.chat_lines.lines(row)] == ["hello"]
        keeping.look(now + timedelta(days=31))
        assert parts.chat_lines.lines(row) == ()
        parts.hub.close()


def test_what_is_said_is_in_no_export_log_history_or_metric(made: Made, caplog: Any, capfd: Any) -> None:
    caplog.set_level(logging.DEBUG)
    say(made.seat(1), "xyzzy plugh")
    say(made.seat(1), "xyzzy plugh example.org")
    found = [made.seat(1).get(what).text for what in ("export", "replay", "snapshot")]
    found += [made.watch.get(what).text for what in ("export", "replay", "snapshot")]
    found += [made.guest.get(path).text for path in (f"{made.path}/history", made.path, "/metrics", "/api/tables")]
    records = [record for record in caplog.records if not record.name.startswith("http")]
    logged = [*(record.getMessage() for record in records), *capfd.readouterr()]
    assert "xyzzy" not in json.dumps([*found, *logged])


def test_a_line_is_no_event(made: Made) -> None:
    count = made.watch.snapshot()["count"]
    say(made.seat(1), "hello")
    assert made.watch.snapshot()["count"] == count


def test_what_a_table_allows_at_first() -> None:
    assert Access().chat == "all"
    assert not Access().watchers_read


def test_only_the_host_decides_who_talks_and_everybody_is_told(made: Made) -> None:
    asked = made.guest.post(f"{made.path}/host/access", json={"chat": "off"}, headers=made.seat(1).headers)
    assert asked.status_code == 401
    assert made.ask_host("access", chat="whispered").status_code == 422
    decide(made, chat="folded", watchers_read=True)
    found = made.guest.get(made.path).json()["access"]
    assert (found["chat"], found["watchers_read"]) == ("folded", True)
