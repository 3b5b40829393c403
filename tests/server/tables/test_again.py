"""A table outlives its games: who may see and do what in which of them, and what is carried over."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.registry import game_kinds
from pokersvc.eventlog.database import Database
from pokersvc.server.app import parts_of
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.settings import Settings
from pokersvc.server.tables import opening
from pokersvc.server.tables.housekeeping import IDLE_DAYS, Housekeeping
from tests import postgres
from tests.downgraded import downgrade
from tests.server.conftest import FAST, running, served
from tests.server.guests import Guest, Made, bearer, short, simple_action

TWO = ({"name": "Ann"}, {"name": "Bob"})
CASH: dict[str, Any] = {"options": {"cash": True, "rules": "no-limit"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A server whose tables wait between two rounds."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600) as guest:
        yield guest


def at(made: Made, game: str) -> Made:
    """The same people at the address of a game."""
    return Made(made.guest, game, made.host, made.tokens)


def ended(made: Made) -> Made:
    """Play a round, and end the game after it."""
    made.play_to_the_pause()
    assert made.ask_host("end").status_code == 204
    return made


def again(made: Made) -> str:
    answer = made.ask_host("again")
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["game"]
    return found


def test_play_again_is_another_game_of_the_same_people(server: Guest) -> None:
    made = ended(server.made(*TWO, name="Friends").started())
    first = made.game
    before, came = made.seat(1).snapshot(), [seat["came"] for seat in server.get(made.path).json()["seats"]]
    second = again(made)
    told = server.get(made.path).json()
    assert (told["table"], told["game"], told["number"], told["next"]) == (made.table, second, 2, None)
    assert (told["status"], told["name"]) == ("playing", "Friends")
    assert [seat["name"] for seat in told["seats"]] == [
        seat["name"] for seat in server.get(f"/api/tables/{first}").json()["seats"]
    ]
    assert [seat["came"] for seat in told["seats"]] == came, "who was there need not open the link again"
    assert made.seat(1).snapshot()["view"]["seats"][0]["cards"]
    old = at(made, first)
    assert old.seat(1).snapshot() == before, "an old address shows the game that it always showed"
    assert server.get(old.path).json()["next"] == second
    assert made.seat(1).get("snapshot", game=first).json() == before
    listed = server.get(f"{made.path}/games").json()["tables"]
    assert [(one["game"], one["number"], one["status"]) for one in listed] == [
        (second, 2, "playing"),
        (first, 1, "over"),
    ]


@pytest.mark.parametrize("kind", game_kinds())
def test_every_game_is_played_again(server: Guest, kind: str) -> None:
    options, rounds = short(kind)
    made = server.made(*TWO, kind=kind, options=options, rounds=rounds and 1).started()
    while (now := made.watch.snapshot())["outcome"] is None:
        seat = made.seat(now["awaited"][0])
        mine = seat.snapshot()
        assert seat.send(head=mine["head"], action=simple_action(mine)).status_code == 200
    assert made.watch.snapshot()["count"] > 2
    again(made)
    assert made.seat(1).snapshot()["outcome"] is None


def test_no_table_has_two_games_at_once(server: Guest) -> None:
    made = server.made(*TWO).started()
    refused = made.ask_host("again")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
    ended(made)
    asked = partial(server.post, f"{made.path}/host/again", params={"game": made.game}, headers=bearer(made.host))
    with ThreadPoolExecutor(8) as pool:
        games = {answer.json()["game"] for answer in pool.map(lambda _: asked(), range(8))}
    assert len(games) == 1
    assert len(server.get(f"{made.path}/games").json()["tables"]) == 2


def test_only_the_host_plays_again(server: Guest) -> None:
    made = ended(server.made(*TWO).started())
    for headers in ({}, bearer(made.tokens[1])):
        assert server.post(f"{made.path}/host/again", headers=headers).status_code == 401
    assert server.get(made.path).json()["next"] is None


def test_a_command_is_for_the_game_that_it_names(server: Guest) -> None:
    made = ended(server.made(*TWO).started())
    first, head = made.game, made.watch.snapshot()["head"]
    second = again(made)
    seat = made.seat(1)
    body = {"id": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "head": head, "action": {"type": "Check"}}
    late = server.post(f"{seat.path}/commands", params={"game": first}, json=body, headers=seat.headers)
    assert late.status_code in (409, 422)
    stale = server.post(f"{seat.path}/commands", params={"game": second}, json=body, headers=seat.headers)
    assert (stale.status_code, stale.json()["code"]) == (409, "concurrent_update")
    for what in ("start", "pause", "next", "close", "end", "seats/2/link", "seats/2/remove"):
        refused = at(made, first).ask_host(what)
        assert (refused.status_code, refused.json()["code"]) == (409, "not_last"), what
    other = server.made(*TWO)
    for wrong in (other.table, "no-such-game", other.game):
        assert server.get(made.path, params={"game": wrong}).status_code == 404


def test_a_stream_tells_that_the_table_goes_on(server: Guest) -> None:
    made = ended(server.made(*TWO).started())
    with made.seat(1).stream() as told:
        before = next(one.data for one in told if one.event == "table")
        assert (before["next"], before["closed"]) == (None, False)
        second = again(made)
        assert next(one.data for one in told if one.event == "table")["next"] == second


def test_whoever_left_is_not_at_the_next_game(server: Guest) -> None:
    made = server.made(*TWO, {"name": "Cid"}, public=True).started().play_to_the_pause()
    assert made.seat(2).send(action={"type": "Leave"}).status_code == 200
    assert made.ask_host("end").status_code == 204
    first = made.game
    second = again(made)
    told = server.get(made.path).json()
    assert (told["status"], [seat["kind"] for seat in told["seats"]]) == ("waiting", ["human", "empty", "human"])
    assert made.seat(2).get("stream").status_code == 401
    assert at(made, first).seat(2).get("snapshot").status_code == 200, "their own hands stay theirs"
    taken = server.post(f"{made.path}/sit", json={"name": "Dan"}).json()
    dan = bearer(taken["link"].partition("#")[2])
    assert server.get(made.path).json()["status"] == "playing"
    assert server.get(f"{made.path}/seats/2/snapshot", headers=dan).status_code == 200
    for address in (f"/api/tables/{first}", made.path):
        for what in ("snapshot", "replay", "export", "stream"):
            hers = server.get(f"{address}/seats/2/{what}", params={"game": first}, headers=dan)
            assert hers.status_code == 401, "a token opens only hands of its own person"
    assert at(made, second).seat(2).get("snapshot").status_code == 401


def test_a_link_that_is_replaced_ends_in_all_games(server: Guest) -> None:
    made = ended(server.made(*TWO).started())
    first, old = made.game, made.seat(2).headers
    again(made)
    token = made.renewed(2)
    for address in (f"/api/tables/{first}", made.path):
        for what in ("snapshot", "export", "replay", "stream"):
            assert server.get(f"{address}/seats/2/{what}", headers=old).status_code == 401
            new = server.get(f"/api/tables/{first}/seats/2/{what}", headers=bearer(token))
            assert new.status_code == 401, "and the new one shows no hand from before"
    assert server.get(f"{made.path}/seats/2/snapshot", headers=bearer(token)).status_code == 200
    assert (
        server.get(f"{made.path}/seats/1/snapshot", params={"game": first}, headers=made.seat(1).headers).status_code
        == 200
    )


def stacks(made: Made) -> list[int]:
    return [seat["stack"] for seat in made.watch.snapshot()["view"]["seats"]]


def test_stacks_of_a_cash_game_are_carried_over(server: Guest) -> None:
    made = server.made(*TWO, {"name": "Cid"}, **CASH).started().play_to_the_pause()
    assert made.seat(3).send(action={"type": "Leave"}).status_code == 200
    assert made.seat(2).send(action={"type": "BuyChips", "chips": 1}).status_code in (200, 422)
    had = stacks(made)
    assert made.ask_host("end").status_code == 204
    assert sum(had[:2]) > 0
    again(made)
    start = made.watch.events(1)[0]
    assert json.loads(start["payload"])["table"]["stacks"] == [*had[:2], 0]
    assert server.get(made.path).json()["options"] == CASH["options"], "the table's settings stay as they were"
    assert made.play_to_the_pause().ask_host("end").status_code == 204
    had = stacks(made)
    again(made)
    assert json.loads(made.watch.events(1)[0]["payload"])["table"]["stacks"] == had


def test_whoever_lost_all_begins_afresh_where_nobody_could_play_otherwise(server: Guest) -> None:
    options = CASH["options"] | {"stack": "Ann=4, Bob=4"}
    made = server.made(*TWO, options=options).started()
    for _ in range(200):
        now = made.watch.snapshot()
        if now["pausing"]:
            if 0 in stacks(made):
                break
            made.ask_host("next")
            continue
        if not now["awaited"]:
            continue
        seat = made.seat(now["awaited"][0])
        mine = seat.snapshot()
        legal = mine["legal"]
        action = simple_action(mine)
        if legal["discard"] is None and legal["raise_to"]:
            action = {"type": "Raise", "to": legal["raise_to"][1]}
        elif legal["discard"] is None and legal["bet"]:
            action = {"type": "Bet", "amount": legal["bet"][1]}
        seat.send(head=mine["head"], action=action)
    assert sorted(stacks(made)) == [0, 8]
    made.ask_host("end")
    again(made)
    begun = json.loads(made.watch.events(1)[0]["payload"])
    assert sorted(begun["table"]["stacks"]) == sorted([8, begun["rules"]["stack"]])


def test_a_closed_table_has_no_other_game(server: Guest) -> None:
    made = server.made(*TWO).started().play_to_the_pause()
    assert made.ask_host("close").status_code == 204
    told = server.get(made.path).json()
    assert (told["status"], told["closed"]) == ("over", True)
    refused = made.ask_host("again")
    assert (refused.status_code, refused.json()["code"]) == (409, "over")
    with made.watch.stream() as events:
        assert next(one.data for one in events if one.event == "table")["closed"]


def test_a_table_in_the_middle_of_a_hand_is_neither_closed_nor_ended(server: Guest) -> None:
    made = server.made(*TWO).started()
    for what in ("close", "end"):
        assert made.ask_host(what).status_code in (409, 422)
    told = server.get(made.path).json()
    assert (told["status"], told["closed"]) == ("playing", False)


@pytest.mark.parametrize("idle_days", [0, 3])
def test_a_table_is_closed_long_after_its_last_event(tmp_path: Path, idle_days: int) -> None:
    path = tmp_path / "games.sqlite"
    with running(path, pause=600) as guest:
        made = ended(guest.made(*TWO).started())
        waiting = ended(guest.made(*TWO, public=True).started())
    with Database.for_writing(str(path)) as database:
        parts = parts_of(database, Settings(idle_days=idle_days))
        keeps, days = Housekeeping(parts), idle_days or IDLE_DAYS
        keeps.look(datetime.now(UTC) + timedelta(days=days, hours=-1))
        assert not parts.tables.find(made.table).closed
        keeps.look(datetime.now(UTC) + timedelta(days=days, hours=1))
        assert parts.tables.find(made.table).closed
        assert parts.tables.find(waiting.table).closed
        parts.hub.close()


def test_a_database_of_tables_with_one_game_is_brought_over(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with running(path, pause=600) as guest:
        made = ended(guest.made(*TWO, name="Friends").started())
        going = guest.made(*TWO, public=True).started()
        waits = guest.made(*TWO)
        shut = guest.made(*TWO)
        assert shut.ask_host("close").status_code == 204
        games = [one.game for one in (made, going, waits, shut)]
        kept = [at(one, one.game).seat(1).get("snapshot").json() for one in (made, going)]
    downgrade(path, "0010")
    with running(path, pause=600) as guest:
        old = [Made(guest, one.game, one.host, one.tokens) for one in (made, going, waits, shut)]
        told = [guest.get(one.path).json() for one in old]
        assert [one["game"] for one in told] == games, "an old address shows the game that it always showed"
        assert len({one["table"] for one in told} | set(games)) == 8, "a table has an ID of its own"
        assert [(one["status"], one["closed"]) for one in told] == [
            ("over", False), ("playing", False), ("waiting", False), ("over", True),
        ]  # fmt: skip
        assert told[0]["name"] == "Friends"
        assert [one.seat(1).get("snapshot").json() for one in old[:2]] == kept, "old links open what they opened"
        second = again(old[0])
        assert guest.get(f"/api/tables/{told[0]['table']}").json()["game"] == second
        assert guest.get(old[0].path).json()["game"] == games[0]
        there = Made(guest, told[0]["table"], made.host, made.tokens)
        assert there.seat(1).get("snapshot", game=second).status_code == 200, "and at the table's address"
        guest.cookies.clear()
        assert guest.post(f"{old[0].path}/seats/1/session", json={"token": made.tokens[1]}).status_code == 204
        assert guest.get(f"{there.path}/seats/1/snapshot").status_code == 401, "a cookie is for one address"
        assert (
            guest.post(
                f"{old[0].path}/seats/1/session", json={}, headers={"Origin": str(guest.base_url).rstrip("/")}
            ).status_code
            == 204
        )
        assert guest.get(f"{there.path}/seats/1/snapshot").status_code == 200, "which leads on to the table's"
        guest.cookies.clear()
        assert old[2].ask_host("start").status_code == 204


def test_a_host_plays_again_only_as_often_as_one_may_make_tables(tmp_path: Path) -> None:
    limits = replace(FAST, entries=Rate(0.001, 3))
    with running(tmp_path / "games.sqlite", pause=600, limits=limits) as guest:
        made = ended(guest.made(*TWO).started())
        again(made)
        ended(made)
        again(made)
        refused = ended(made).ask_host("again")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
        assert len(guest.get(f"{made.path}/games").json()["tables"]) == 3


def test_who_left_is_found_in_a_long_log(server: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PART", 3)
    made = server.made(*TWO, {"name": "Cid"}, public=True).started().play_to_the_pause()
    assert made.seat(3).send(action={"type": "Leave"}).status_code == 200
    assert made.ask_host("end").status_code == 204
    again(made)
    assert [seat["kind"] for seat in server.get(made.path).json()["seats"]] == ["human", "human", "empty"]


def test_what_a_table_weighs_does_not_grow_with_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with running(path, pause=600) as guest:
        made = guest.made(*TWO).started()
        for _ in range(3):
            ended(made)
            again(made)
    with Database.for_writing(str(path)) as database:
        parts = parts_of(database, Settings())
        assert (parts.tables.open_count(), parts.tables.open_weight()) == (1, 1)
        assert parts.tables.open_among([made.table]) == {made.table: 1}
        assert len(parts.tables.games(made.table, 10)) == 4
        parts.hub.close()


@pytest.mark.slow
def test_a_database_of_postgresql_is_brought_over(server_of_postgres: postgres.Server) -> None:
    with server_of_postgres.migrated() as url:
        with Database.for_writing(postgres.text(url)) as database, served(database, pause=600) as guest:
            made = guest.made(*TWO, name="Friends").started()
            game, before = made.game, made.seat(1).snapshot()
        downgrade(url, "0010")
        Database.for_upgrading(postgres.text(url)).close()
        with Database.for_writing(postgres.text(url)) as database, served(database, pause=600) as guest:
            old = Made(guest, game, made.host, made.tokens)
            assert old.seat(1).snapshot() == before
            again(ended(old))
            assert guest.get(old.path).json()["name"] == "Friends"
