"""A code that moves a seat, or the host's rights, to another device: what it does, how often, and until when."""

import hmac
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.eventlog.record import timestamp
from pokersvc.server.authentication import COOKIE
from pokersvc.server.code_words import WORDS, WORDS_OF_A_CODE, letters_of, new_code
from pokersvc.server.commands import Commands
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.tables import moves
from pokersvc.server.tokens import new_token
from pokersvc.service import Service
from tests.cli.program import Program
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Made, bearer
from tests.server.sharers import Sharer, dealing_of
from tests.web.node import node

from .moving import TWO, asked, code_of, move, moved, types

TOGETHER: dict[str, Any] = {"dealing": "together", "opens_seeds": True}


@pytest.fixture
def made(server: Guest) -> Made:
    return server.made(*TWO).started()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Made, Path]]:
    """A table, and the file of its database."""
    path = tmp_path / "games.sqlite"
    with running(path) as guest:
        yield guest.made(*TWO).started(), path


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


WRONG = (401, "wrong_code")


def stored(path: Path, query: str, *given: object) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    try:
        found = connection.execute(query, given).fetchall()
        connection.commit()
        return found
    finally:
        connection.close()


# The code.


def test_the_list_has_1024_short_words_of_which_none_begins_another() -> None:
    assert len(WORDS) == len(set(WORDS)) == 1024 == 2**10
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 6 for word in WORDS)
    assert list(WORDS) == sorted(WORDS)
    assert [(one, after) for one, after in pairwise(WORDS) if after.startswith(one)] == []
    assert WORDS_OF_A_CODE * 10 >= 60


def test_a_code_is_six_words_at_random_and_its_letters_are_what_counts() -> None:
    codes = [new_code().split(" ") for _ in range(200)]
    assert {len(one) for one in codes} == {6}
    assert len({word for one in codes for word in one}) > 600, "of all of the list"
    assert set(WORDS).issuperset(word for one in codes for word in one)
    assert letters_of("Able-ABOUT  above\tacorn\n") == letters_of("able about above acorn")


def test_a_code_is_kept_as_a_keyed_digest_until_five_minutes_from_now(kept: tuple[Made, Path]) -> None:
    made, path = kept
    before = datetime.now(UTC)
    answer = asked(made, 1).json()
    expires = datetime.fromisoformat(answer["expires_at"])
    assert before <= expires - timedelta(minutes=5) <= datetime.now(UTC)
    ((salt, digest, wrong),) = stored(path, "SELECT salt, digest, wrong FROM move_codes")
    assert hmac.digest(salt, letters_of(answer["code"]).encode(), "sha256") == digest
    assert (len(salt), wrong) == (16, 0)
    first, second, *_ = answer["code"].split()  # one word alone may be a word of the database's own, like "over"
    stored_bytes = path.read_bytes()
    assert not any(f"{first}{between}{second}".encode() in stored_bytes for between in ("", " ", "-"))


def test_only_the_device_that_has_a_seat_makes_its_code(made: Made) -> None:
    for token in (made.tokens[2], made.host, made.links[1], made.invitation):
        answer = made.guest.post(f"{made.path}/seats/1/code", headers=bearer(token))
        assert answer.status_code == 401
    for token in (*made.tokens.values(), made.invitation):
        assert made.guest.post(f"{made.path}/host/code", headers=bearer(token)).status_code == 401


# The move of a seat.


def test_a_seat_moves_and_the_device_before_is_out_at_once(made: Made) -> None:
    old = made.seat(1)
    assert old.send(typed="bet 50").status_code == 200
    before, cards = old.snapshot(), old.snapshot()["view"]["seats"][0]["cards"]
    with old.stream() as told:
        next(told)
        moved(made, 1)
        assert [one.data for one in told if one.event == "gone"] == [{"code": "moved"}]
    for what in ("snapshot", "stream", "replay", "export", "session", "advice"):
        assert code(old.get(what)) == (401, "wrong_token"), what
    assert code(old.send(typed="fold")) == (401, "wrong_token")
    assert made.guest.post(f"{old.path}/code", headers=old.headers).status_code == 401
    new = made.seat(1)
    now = new.snapshot()
    assert (now["view"]["seats"][0]["cards"], now["count"]) == (cards, before["count"] + 1)
    assert made.seat(2).send(typed="call").status_code == 200
    assert new.send(action={"type": "Discard", "cards": []}).status_code == 200, "it plays on"


def test_all_at_the_table_are_told_that_the_same_person_goes_on_at_another_device(made: Made) -> None:
    count = made.watch.snapshot()["count"]
    moved(made, 1)
    for held in (made.watch, made.seat(1), made.seat(2)):
        (event,) = held.events(count + 1, after=count)
        assert (event["type"], event["version"], json.loads(event["payload"])) == ("DeviceChanged", 1, {"seat": 1})
        assert held.snapshot()["lines"][-1]["text"] == "Ann goes on at another device."


@pytest.mark.slow
def test_the_holder_goes_on_seeing_the_hands_from_before(made: Made, tmp_path: Path, program: Program) -> None:
    hands = 2
    for _ in range(hands):
        made.play_to_the_pause()
        if made.watch.snapshot()["outcome"] is None:
            made.ask_host("next")
    old = made.seat(1).events(made.watch.snapshot()["count"])
    moved(made, 1)
    new = made.seat(1)
    records = new.events(made.watch.snapshot()["count"])
    assert records[: len(old)] == old
    assert sum(record.get("secret") is not None for record in records) >= hands
    steps = new.get("replay").json()["steps"]
    assert any(None not in step["view"]["seats"][0]["cards"] != [] for step in steps)
    export = new.get("export")
    assert export.status_code == 200
    (program.home / "mine.jsonl").write_bytes(export.content)
    assert program.ended("verify", "mine.jsonl").code == 0
    page = tmp_path / "exports.json"
    page.write_text(f"{json.dumps(export.content.decode('latin-1'))}\n")
    checked = node("verify_files.js", page)
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout) in ({"state": "good"}, {"state": "complete"}, {"state": "unfinished"})


def test_the_audit_passes_over_a_move(server: Guest) -> None:
    made = server.made(*TWO, rounds=1).started()
    moved(made, 2)
    made.play_to_the_end()
    report = server.get(f"{made.path}/audit").json()
    assert (report["findings"], report["passed"]) == ([], True)


def test_a_page_is_given_its_token_as_a_cookie_alone(made: Made) -> None:
    origin = {"Origin": str(made.guest.base_url).rstrip("/")}
    for seat, door in ((1, "seats/1"), (0, "host")):
        asked = {"code": code_of(made, seat)}
        answer = made.guest.post(f"{made.path}/move", json=asked, headers=origin)
        assert answer.json() == {"table": made.table, "seat": seat}
        said = answer.headers["set-cookie"]
        assert f"Path={made.path}/{door};" in said
        assert "HttpOnly" in said
        assert made.guest.get(f"{made.path}/{door}/session").status_code == 204
        assert COOKIE in made.guest.cookies
        made.guest.cookies.clear()


def test_a_code_may_be_written_in_any_way(made: Made) -> None:
    for write in (str.upper, str.title, lambda text: text.replace(" ", "-"), lambda text: text.replace(" ", "")):
        answer = move(made, write(code_of(made, 1)))
        assert answer.status_code == 200
        made.tokens[1] = answer.json()["token"]


def test_a_seat_moves_before_the_game_and_after_it_without_an_event(server: Guest) -> None:
    made = server.made(*TWO, rounds=1)
    old = made.seat(1)
    with old.stream() as told:
        next(told)
        moved(made, 1)
        assert [one.data for one in told if one.event == "gone"] == [{"code": "moved"}]
    made.started().play_to_the_end()
    moved(made, 2)
    assert "DeviceChanged" not in types(made)
    assert made.seat(2).get("session").status_code == 204


# The move of the host's rights.


def test_the_rights_of_the_host_move_likewise(made: Made) -> None:
    before, invitation = made.host, made.invitation
    moved(made, 0)
    assert made.ask_host("pause").status_code == 204
    assert made.ask_host("resume").status_code == 204
    made.host = before
    for what in ("pause", "seats/1/link", "invitation", "close", "code"):
        assert code(made.ask_host(what)) == (401, "wrong_token")
    assert "DeviceChanged" not in types(made), "no seat is at another device"
    refused = made.guest.post(f"{made.path}/sit", json={"name": "Zoe", "token": invitation})
    assert code(refused) == (409, "not_waiting"), "the link to sit down is as good as before"


# Once, within five minutes, with so many wrong tries.


@pytest.mark.parametrize("seat", [0, 1])
def test_a_code_is_good_once(made: Made, seat: int) -> None:
    words = code_of(made, seat)
    assert move(made, words).status_code == 200
    assert code(move(made, words)) == WRONG
    assert "make new ones at the device that sits there" in move(made, words).json()["message"]


def test_a_new_code_ends_the_one_before(made: Made) -> None:
    first, second = code_of(made, 1), code_of(made, 1)
    other = code_of(made, 2)
    assert code(move(made, first)) == WRONG
    assert [move(made, words).json()["seat"] for words in (second, other)] == [1, 2]


def test_a_code_of_another_table_is_wrong(made: Made, server: Guest) -> None:
    other = server.made(*TWO)
    words = code_of(made, 1)
    assert code(move(other, words)) == WRONG
    assert move(made, words).status_code == 200


@pytest.mark.parametrize(("later", "found"), [(4.9, 200), (5.1, 401)])
def test_a_code_is_good_for_five_minutes(made: Made, monkeypatch: pytest.MonkeyPatch, later: float, found: int) -> None:
    words = code_of(made, 1)
    monkeypatch.setattr(moves, "_now", lambda: datetime.now(UTC) + timedelta(minutes=later))
    assert move(made, words).status_code == found


def test_a_thousand_wrong_codes_end_a_code_and_not_the_right_to_make_another(kept: tuple[Made, Path]) -> None:
    made, path = kept
    words, of_host = code_of(made, 1), code_of(made, 0)
    for _ in range(3):
        assert code(move(made, new_code())) == WRONG
    assert stored(path, "SELECT seat, wrong FROM move_codes ORDER BY seat") == [(0, 3), (1, 3)], "on every live code"
    stored(path, "UPDATE move_codes SET wrong = 998 WHERE seat = 1")
    assert code(move(made, new_code())) == WRONG
    assert stored(path, "SELECT wrong FROM move_codes WHERE seat = 1") == [(moves.MOST_WRONG - 1,)]
    assert code(move(made, new_code())) == WRONG
    assert code(move(made, words)) == WRONG, "the thousandth has ended it"
    assert stored(path, "SELECT wrong FROM move_codes WHERE seat = 1") == [(1000,)], "and is counted no further"
    assert move(made, of_host).status_code == 200
    moved(made, 1)


def test_wrong_codes_are_limited_by_address(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, entries=Rate(0.01, 6))) as guest:
        made = guest.made(*TWO).started()
        words = code_of(made, 1)
        found = [code(move(made, new_code())) for _ in range(7)]
        assert found[0] == WRONG
        assert found[-1] == (429, "too_many")
        assert code(move(made, words)) == (429, "too_many"), "nor is a right one told from a wrong one then"
        elsewhere = {"X-Forwarded-For": "192.0.2.1"}
        answer = guest.post(f"{made.path}/move", json={"code": words, "bearer": True}, headers=elsewhere)
        assert answer.status_code == 200


def test_every_live_digest_is_compared_in_constant_time_whatever_is_found(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes, compared = [code_of(made, seat) for seat in (0, 1, 2)], []
    compare = hmac.compare_digest

    def counted(one: Any, other: Any) -> bool:
        if isinstance(one, bytes) and len(one) == 32:
            compared.append(other)
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    for words, live in ((new_code(), 3), (codes[0], 3), (codes[2], 2), (new_code(), 1)):
        compared.clear()
        move(made, words)
        assert len(set(compared)) == live


@pytest.mark.parametrize("seat", [0, 1])
def test_of_many_moves_at_once_one_wins(made: Made, seat: int) -> None:
    words = code_of(made, seat)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: move(made, words), range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 11
    assert types(made).count("DeviceChanged") == (seat != 0)


# What ends a code.


def test_a_code_ends_when_its_seat_is_no_longer_the_makers(server: Guest) -> None:
    ways: dict[str, Any] = {
        "removed": lambda made: made.ask_host("seats/1/remove"),
        "replaced": lambda made: made.new_link(1),
    }
    for way, ends in ways.items():
        made = server.made(*TWO)
        words = code_of(made, 1)
        ends(made)
        assert code(move(made, words)) == WRONG, way


def test_a_new_link_during_the_game_ends_a_code(made: Made) -> None:
    words = code_of(made, 1)
    made.renewed(1)
    assert code(move(made, words)) == WRONG
    assert made.seat(1).get("session").status_code == 204


def test_a_device_that_is_out_makes_no_code(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    made_code = moves.Moves.code

    def late(*arguments: Any) -> Any:
        monkeypatch.setattr(moves.Moves, "code", made_code)
        made.new_link(1)
        return made_code(*arguments)

    monkeypatch.setattr(moves.Moves, "code", late)
    assert code(asked(made, 1)) == (401, "wrong_token")


# Answers that are lost, and tables that cannot tell.


@pytest.mark.parametrize("seat", [0, 1])
def test_a_device_that_missed_the_answer_asks_again(made: Made, seat: int) -> None:
    words, fresh = code_of(made, seat), new_token()
    first, again = move(made, words, fresh=fresh), move(made, words, fresh=fresh)
    assert first.json() == again.json() == {"table": made.table, "seat": seat, "token": fresh}
    assert types(made).count("DeviceChanged") == (seat != 0), "all are told once"
    assert code(move(made, words, fresh=new_token())) == WRONG, "another device does not"


def test_a_move_that_was_cut_off_is_told_when_its_device_asks_again(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        raise OSError

    words, fresh, old = code_of(made, 1), new_token(), made.seat(1)
    with monkeypatch.context() as cut:
        cut.setattr(Commands, "at_table", killed)
        assert move(made, words, fresh=fresh).status_code == 500
    assert old.get("session").status_code == 401
    assert code(move(made, words, fresh=new_token())) == WRONG
    assert move(made, words, fresh=fresh).status_code == 200
    assert types(made)[-1] == "DeviceChanged"


def test_a_full_log_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, table_bytes=1)) as guest:
        made = guest.made(*TWO).started()
        words, head = code_of(made, 1), made.watch.snapshot()["head"]
        for asked_before in (True, False):
            if not asked_before:
                monkeypatch.setattr(Service, "check_room", lambda *_: None)  # as if it had been asked a moment before
            assert code(move(made, words)) == (409, "log_full")
            assert made.watch.snapshot()["head"] == head
            assert made.seat(1).get("session").status_code == 204
        monkeypatch.undo()
        moved(made, 0)
        made.play_to_the_end()
        assert move(made, words).status_code == 200, "the code is as good as before, and there is nobody to tell"


def test_all_games_of_the_table_move(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=600) as guest:
        made = guest.made(*TWO).started().play_to_the_pause()
        first = Made(guest, made.game, made.host, dict(made.tokens))
        assert made.ask_host("end").status_code == 204
        second = made.ask_host("again").json()["game"]
        words = code_of(first, 1)  # at the address of the game that is over
        answer = move(first, words).json()
        assert (answer["table"], answer["seat"]) == (made.table, 1)
        for address in (made.table, made.game, second):
            path = f"/api/tables/{address}/seats/1/session"
            assert guest.get(path, headers=bearer(answer["token"])).status_code == 204
            assert guest.get(path, headers=bearer(made.tokens[1])).status_code == 401
        assert types(made)[-1] == "DeviceChanged"
        assert types(first)[-1] == "GameEnded"


# At a table that shuffles together.


def test_a_move_ends_the_binding_and_the_new_device_binds_anew(server: Guest) -> None:
    made = server.made(*TWO, rounds=2, settings=TOGETHER).started()
    assert Sharer(made, 1).bind().status_code == 200
    moved(made, 1)
    assert dealing_of(made).bindings == {}
    ann = Sharer(made, 1)
    assert ann.bind().status_code == 200
    assert set(dealing_of(made).bindings) == {1}
    bob = Sharer(made, 2)
    assert bob.bind().status_code == 200
    words = code_of(made, 2)
    assert code(move(made, words)) == (422, "shares_awaited"), "nothing comes between shares"
    assert made.seat(2).get("session").status_code == 204
    assert (ann.open().status_code, bob.open().status_code) == (200, 200)
    assert move(made, words).status_code == 200, "and the code is as good as before"
    assert made.watch.snapshot()["shares"]["bound"].keys() == {"1"}


def test_codes_say_until_when_in_the_form_of_all_times(made: Made) -> None:
    expires = asked(made, 0).json()["expires_at"]
    assert timestamp(datetime.fromisoformat(expires)) == expires
