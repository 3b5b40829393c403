"""Who has come by the link of their seat, which works once, as everybody at the table and in the lobby sees it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pokersvc.server.tokens import new_token

from .conftest import running
from .guests import Guest, Made, bearer

TWO = ({"name": "Ann"}, {"name": "Bob"})


def came(made: Made) -> list[bool]:
    seats: list[dict[str, Any]] = made.guest.get(made.path).json()["seats"]
    return [seat["came"] for seat in seats]


def test_who_was_invited_is_here_once_their_link_was_exchanged(server: Guest) -> None:
    made = server.made(*TWO, {"program": "steady"}, public=True, all_come=False)
    assert came(made) == [False, False, True], "a bot is here"
    with made.watch.stream() as told:
        assert [seat["came"] for seat in next(told).data["seats"]] == [False, False, True]
        server.exchanged(made.table, 2, made.links[2])
        assert [seat["came"] for seat in next(told).data["seats"]] == [False, True, True], "all are told at once"
    assert came(made) == [False, True, True]
    listed = next(one for one in server.get("/api/tables").json()["tables"] if one["table"] == made.table)
    assert [seat["came"] for seat in listed["seats"]] == [False, True, True]


def test_who_sat_down_in_the_lobby_is_here_and_an_empty_seat_is_not(server: Guest) -> None:
    made = server.made({}, {}, {}, public=True)
    assert server.post(f"{made.path}/sit", json={"name": "Bob", "seat": 2}).status_code == 201
    assert came(made) == [False, True, False]
    assert made.ask_host("seats/2/remove").status_code == 204
    assert came(made) == [False, False, False]


def test_nobody_has_come_by_a_new_link_yet(server: Guest) -> None:
    made = server.made(*TWO).started()
    with made.watch.stream() as told:
        link = made.new_link(2)
        assert came(made) == [True, False], "in a game too"
        server.exchanged(made.table, 2, link)
        tables = (one.data for one in told if one.event == "table")
        assert [seat["came"] for seat in next(one for one in tables if one["seats"][1]["came"])["seats"]] == [True] * 2
    assert came(made) == [True, True]


def test_a_wrong_token_opens_no_link(server: Guest) -> None:
    made = server.made(*TWO, all_come=False)
    assert server.post(f"{made.path}/seats/2/session", json={"token": made.links[1]}).status_code == 401
    assert came(made) == [False, False]


def exchange(made: Made, seat: int, **asked: Any) -> Any:
    return made.guest.post(f"{made.path}/seats/{seat}/session", json={"bearer": True, **asked})


def test_a_link_is_good_for_one_exchange_and_for_nothing_else(server: Guest) -> None:
    made = server.made(*TWO, all_come=False)
    link = made.links[1]
    for what in ("snapshot", "stream", "session", "export", "replay"):
        refused = server.get(f"{made.path}/seats/1/{what}", headers=bearer(link))
        assert (refused.status_code, refused.json()["code"]) == (401, "link_not_exchanged")
    held = exchange(made, 1, token=link).json()["token"]
    made.tokens[1] = held
    assert made.seat(1).get("session").status_code == 204
    second = exchange(made, 1, token=link)
    assert (second.status_code, second.json()["code"]) == (409, "link_used")
    assert datetime.fromisoformat(second.json()["since"]) <= datetime.now(UTC)
    assert "ask the host" in second.json()["message"]
    assert server.get(f"{made.path}/seats/1/session", headers=bearer(link)).status_code == 401
    assert made.seat(1).get("session").status_code == 204, "who came first is not disturbed"
    new = made.new_link(1)
    assert made.seat(1).get("session").status_code == 401
    assert exchange(made, 1, token=link).status_code == 401, "and the used link is none any more"
    assert exchange(made, 1, token=new).status_code == 200


def test_of_many_who_exchange_a_link_at_once_one_does(server: Guest) -> None:
    made = server.made(*TWO, all_come=False)
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda _: exchange(made, 1, token=made.links[1]).status_code, range(16)))
    assert sorted(codes) == [200] + [409] * 15


def test_a_device_that_missed_the_answer_asks_again(server: Guest) -> None:
    made = server.made(*TWO, all_come=False)
    asked = {"token": made.links[1], "fresh": new_token()}
    first, again = exchange(made, 1, **asked), exchange(made, 1, **asked)
    assert (first.json(), again.json()) == ({"token": asked["fresh"]}, {"token": asked["fresh"]})
    assert exchange(made, 1, **{**asked, "fresh": new_token()}).status_code == 409, "another device does not"


def test_a_link_is_exchanged_once_for_all_games_of_the_table(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=600) as guest:
        made = guest.made(*TWO).started().play_to_the_pause()
        link = made.new_link(2)
        assert made.ask_host("end").status_code == 204
        assert made.ask_host("again").status_code == 200
        held = guest.exchanged(made.game, 2, link)
        for address in (made.table, made.game):
            path = f"/api/tables/{address}/seats/2/session"
            assert guest.post(path, json={"token": link, "bearer": True}).status_code == 409
            assert guest.get(path, headers=bearer(held)).status_code == 204


def test_the_host_is_given_no_token_of_another_seat(server: Guest) -> None:
    """By everything that the host is ever sent: a link that is not yet used, and after that, nothing that opens it."""
    made = server.made(*TWO).started()
    sent = [*made.links.values(), made.invitation, made.host]
    assert all(server.get(f"{made.path}/seats/2/snapshot", headers=bearer(one)).status_code == 401 for one in sent)
    assert all(exchange(made, 2, token=one).status_code in (401, 409) for one in sent)
