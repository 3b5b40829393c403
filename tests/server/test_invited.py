"""Who has opened the link of their seat, as everybody at the table and in the lobby sees it."""

from typing import Any

from .guests import Guest, Made

TWO = ({"name": "Ann"}, {"name": "Bob"})


def came(made: Made) -> list[bool]:
    seats: list[dict[str, Any]] = made.guest.get(made.path).json()["seats"]
    return [seat["came"] for seat in seats]


def trade(made: Made, seat: int) -> None:
    made.guest.cookies.clear()  # each person has a browser of their own
    answer = made.guest.post(f"{made.path}/seats/{seat}/session", json={"token": made.tokens[seat]})
    assert answer.status_code == 204


def test_who_was_invited_is_here_once_their_link_was_opened(server: Guest) -> None:
    made = server.made(*TWO, {"program": "steady"}, public=True)
    assert came(made) == [False, False, True], "a bot is here"
    with made.watch.stream() as told:
        assert [seat["came"] for seat in next(told).data["seats"]] == [False, False, True]
        trade(made, 2)
        assert [seat["came"] for seat in next(told).data["seats"]] == [False, True, True], "all are told at once"
    assert came(made) == [False, True, True]
    listed = next(one for one in server.get("/api/tables").json()["tables"] if one["table"] == made.table)
    assert [seat["came"] for seat in listed["seats"]] == [False, True, True]


def test_a_program_is_here_once_it_follows_its_seat(server: Guest) -> None:
    made = server.made(*TWO)
    made.seat(1).get("snapshot")
    assert came(made) == [False, False]
    with made.seat(1).stream() as told:
        next(told)
        assert came(made) == [True, False]


def test_who_sat_down_in_the_lobby_is_here_and_an_empty_seat_is_not(server: Guest) -> None:
    made = server.made({}, {}, {}, public=True)
    assert server.post(f"{made.path}/sit", json={"name": "Bob", "seat": 2}).status_code == 201
    assert came(made) == [False, True, False]
    assert made.ask_host("seats/2/remove").status_code == 204
    assert came(made) == [False, False, False]


def test_a_new_link_was_not_opened_yet(server: Guest) -> None:
    made = server.made(*TWO).started()
    trade(made, 1)
    trade(made, 2)
    made.tokens[2] = made.ask_host("seats/2/link").json()["link"].partition("#")[2]
    assert came(made) == [True, False], "in a game too"
    trade(made, 2)
    assert came(made) == [True, True]


def test_a_wrong_token_opens_no_link(server: Guest) -> None:
    made = server.made(*TWO)
    wrong = made.tokens[1]
    assert server.post(f"{made.path}/seats/2/session", json={"token": wrong}).status_code == 401
    assert came(made) == [False, False]
