"""The link to sit down, by which people come to a table: what it gives, to whom, how often, and until when."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.server.authentication import COOKIE, Authentication
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.tokens import new_token
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Made, bearer, token_in

OPEN: tuple[dict[str, str], ...] = ({"name": "Ann"}, {}, {})
CASH: dict[str, Any] = {"options": {"cash": True, "rules": "no-limit"}}


@pytest.fixture
def made(server: Guest) -> Made:
    return server.made(*OPEN)


@pytest.fixture
def paused(tmp_path: Path) -> Iterator[Guest]:
    with running(tmp_path / "games.sqlite", pause=600) as guest:
        yield guest


def sit(made: Made, name: str, seat: int | None = None, **asked: Any) -> httpx.Response:
    asked = {"token": made.invitation, "name": name, "seat": seat, **asked}
    return made.guest.post(f"{made.path}/sit", json={key: value for key, value in asked.items() if value is not None})


def sits(made: Made, name: str, seat: int | None = None, **asked: Any) -> int:
    answer = sit(made, name, seat, **asked)
    assert answer.status_code == 201, answer.text
    found: int = answer.json()["seat"]
    made.tokens[found] = token_in(answer.json()["link"])
    return found


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def seats(made: Made) -> list[tuple[str | None, str]]:
    return [(seat["name"], seat["kind"]) for seat in made.guest.get(made.path).json()["seats"]]


def test_who_has_the_link_sits_down_at_a_free_seat_under_a_name(made: Made) -> None:
    assert (sits(made, "Bob", 3), sits(made, "Cid")) == (3, 2)
    assert seats(made) == [("Ann", "human"), ("Cid", "human"), ("Bob", "human")]
    assert [made.seat(seat).get("session").status_code for seat in (1, 2, 3)] == [204] * 3
    assert len(set(made.tokens.values())) == 3, "a token of each device's own"
    assert code(sit(made, "Dee")) == (409, "seat_taken")
    made.started()


def test_the_address_without_the_token_only_watches(made: Made) -> None:
    assert code(sit(made, "Bob", token=None)) == (403, "not_allowed")
    assert code(sit(made, "Bob", token=new_token())) == (401, "wrong_token")
    assert code(sit(made, "Bob", token=made.links[1])) == (401, "wrong_token")
    assert made.invitation not in made.guest.get(made.path).text
    assert made.guest.get(f"{made.path}/seats/2/session", headers=bearer(made.invitation)).status_code == 401


def test_a_page_is_given_its_token_as_a_cookie_for_that_seat_alone(made: Made) -> None:
    origin = {"Origin": str(made.guest.base_url).rstrip("/")}
    asked = {"token": made.invitation, "name": "Bob"}
    answer = made.guest.post(f"{made.path}/sit", json=asked, headers=origin)
    said = answer.headers["set-cookie"]
    assert f"Path={made.path}/seats/2;" in said
    assert "HttpOnly" in said
    assert made.guest.get(f"{made.path}/seats/2/session").status_code == 204
    assert COOKIE in made.guest.cookies


def test_of_many_who_take_one_seat_at_once_one_does(made: Made) -> None:
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda at: sit(made, f"Guest {at}", 2).status_code, range(12)))
    assert sorted(codes) == [201] + [409] * 11


def test_who_missed_the_answer_asks_again_and_has_the_same_seat(made: Made, paused: Guest) -> None:
    running_game = paused.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, **CASH).started()
    for table in (made, running_game):
        fresh = new_token()
        first, again = sit(table, "Zoe", fresh=fresh), sit(table, "Zoe", fresh=fresh)
        assert (first.status_code, again.json()) == (201, first.json())
        assert token_in(first.json()["link"]) == fresh
        assert [name for name, _ in seats(table)].count("Zoe") == 1


def test_the_host_makes_a_new_link_at_any_time_and_the_old_one_ends(made: Made, paused: Guest) -> None:
    for table in (made, paused.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, **CASH).started()):
        old = table.invitation
        answer = table.ask_host("invitation")
        assert f"/t/{table.table}/sit/#" in answer.json()["link"]
        table.invitation = token_in(answer.json()["link"])
        assert code(sit(table, "Zoe", token=old)) == (401, "wrong_token")
        sits(table, "Zoe")
    assert made.guest.post(f"{made.path}/host/invitation", headers=bearer(made.tokens[1])).status_code == 401


def test_a_link_that_is_replaced_while_somebody_sits_down_lets_nobody_in(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:

    let_in = Authentication.invited

    def late(*arguments: Any) -> Any:
        row = let_in(*arguments)
        assert made.ask_host("invitation").status_code == 200
        return row

    monkeypatch.setattr(Authentication, "invited", late)
    assert code(sit(made, "Bob")) == (401, "wrong_token")
    assert seats(made)[1:] == [(None, "empty")] * 2


def test_where_each_is_admitted_newcomers_wait_for_the_host(made: Made) -> None:
    assert made.ask_host("access", admits="each").status_code == 204
    with made.watch.stream() as told:
        assert [seat["admitted"] for seat in next(told).data["seats"]] == [True] * 3
        sits(made, "Bob")
        assert [seat["admitted"] for seat in next(told).data["seats"]] == [True, False, True], "all see who asks"
    sits(made, "Cid")
    early = made.ask_host("start")
    assert code(early) == (409, "not_admitted")
    assert "2 and 3" in early.json()["message"]
    assert made.ask_host("seats/2/admit").status_code == 204
    assert code(made.ask_host("start")) == (409, "not_admitted")
    assert made.ask_host("access", admits="all").status_code == 204, "the switch lets in who waits"
    made.started()
    assert code(made.ask_host("seats/9/admit")) == (404, "unknown_table")


def test_who_is_not_admitted_does_nothing_in_a_running_game(paused: Guest) -> None:
    made = paused.made({"name": "Ann"}, {"name": "Bob"}, {}, **CASH).started().play_to_the_pause()
    assert made.ask_host("access", admits="each").status_code == 204
    assert sits(made, "Cid") == 3
    cid = made.seat(3)
    assert code(cid.send(action={"type": "SitDown", "chips": 50})) == (403, "not_admitted")
    assert made.ask_host("seats/3/admit").status_code == 204
    assert cid.send(action={"type": "SitDown", "chips": 50}).status_code == 200


def test_the_host_refuses_who_asks_by_removing_them(made: Made) -> None:
    assert made.ask_host("access", admits="each").status_code == 204
    sits(made, "Eve", 2)
    assert made.ask_host("seats/2/remove").status_code == 204
    assert made.seat(2).get("session").status_code == 401
    assert seats(made)[1] == (None, "empty")


def test_people_sit_down_at_a_table_and_from_an_address_so_often_and_no_more(tmp_path: Path) -> None:
    for limits in (replace(FAST, sitting=Rate(0.001, 2)), replace(FAST, entries=Rate(0.001, 3))):
        with running(tmp_path / f"{limits.sitting.at_once}.sqlite", limits=limits) as guest:
            made = guest.made({"name": "Ann"}, *[{}] * 5)
            codes = [sit(made, f"Guest {at}").status_code for at in range(3)]
            assert codes == [201, 201, 429]


def test_the_host_renames_and_moves_people_before_the_game(made: Made) -> None:
    sits(made, "Bob", 2)
    assert made.ask_host("seats/2/name", name="Robert").status_code == 204
    assert code(made.ask_host("seats/2/name", name="ANN")) == (422, "invalid_value")
    assert made.ask_host("seats/2/move", to=3).status_code == 204
    assert seats(made) == [("Ann", "human"), (None, "empty"), ("Robert", "human")]
    followed = made.guest.post(f"{made.path}/seats/2/follow", headers=made.seat(2).headers)
    assert followed.json() == {"seat": 3}
    assert made.guest.post(f"{made.path}/seats/2/follow", headers=bearer(new_token())).status_code == 401
    made.tokens[3] = made.tokens.pop(2)
    assert made.seat(3).get("session").status_code == 204, "their device goes with them"
    assert made.ask_host("seats/3/move", to=1).status_code == 204, "two change places"
    assert seats(made) == [("Robert", "human"), (None, "empty"), ("Ann", "human")]
    sits(made, "Cid")
    made.started()
    for what, body in (("name", {"name": "Rob"}), ("move", {"to": 2})):
        assert code(made.ask_host(f"seats/1/{what}", **body)) == (409, "not_waiting")


def test_who_is_removed_can_ask_again_and_is_admitted_by_the_host(made: Made) -> None:
    sits(made, "Bob", 2)
    assert made.ask_host("seats/2/remove").status_code == 204
    sits(made, "Bobby", 2)
    assert [seat["admitted"] for seat in made.guest.get(made.path).json()["seats"]] == [True, False, True]


def test_what_the_host_does_not_name_stays_as_it_was_decided(made: Made) -> None:
    decided = {"admits": "each", "delay": 5, "chat": "folded", "watchers_read": True}
    for name, value in decided.items():
        assert made.ask_host("access", **{name: value}).status_code == 204
    assert made.guest.get(made.path).json()["access"] == decided
