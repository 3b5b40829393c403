"""Who is told that a seat, or the host's rights, moved before, between and during games."""

from typing import Any

import pytest

from tests.server.guests import Guest, bearer

from .moving import TWO, moved


def came_at(information: dict[str, Any]) -> list[str | None]:
    return [seat["came_at"] for seat in information["seats"]]


def test_a_move_before_the_game_is_told_by_when_they_came(server: Guest) -> None:
    made = server.made(*TWO)
    for seat in (1, 2):
        made.seat(seat)
    before = came_at(server.get(made.path).json())
    with made.seat(2).stream() as told, made.seat(1).stream() as old:
        assert came_at(next(told).data) == before
        next(old)
        moved(made, 1)
        now = came_at(next(one for one in told if one.event == "lobby").data)
        assert next(one for one in old if one.event == "gone").data == {"code": "moved"}
    assert now[0] is not None
    assert now[0] > (before[0] or "")
    assert now[1] == before[1]
    assert came_at(server.get(made.path).json()) == now


def test_watchers_of_a_table_with_a_delay_do_not_see_a_move(server: Guest) -> None:
    made = server.made(*TWO)
    made.ask_host("access", delay=60)
    before = server.get(made.path).json()
    moved(made, 1)
    moved(made, 0)
    assert server.get(made.path).json() == before
    assert came_at(before) == [None, None]
    asked = server.get(f"{made.path}/seats/1/table", headers=bearer(made.tokens[1])).json()
    assert came_at(asked)[0] is not None


@pytest.mark.parametrize("begun", [False, True], ids=["before the game", "during it"])
def test_all_are_told_when_the_rights_of_the_host_move(server: Guest, begun: bool) -> None:
    made = server.made(*TWO)
    if begun:
        made.started()

    def told() -> list[str | None]:
        seat = server.get(f"{made.path}/seats/1/table", headers=bearer(made.tokens[1])).json()
        return [one["host_came_at"] for one in (seat, server.get(made.path).json())]

    assert told() == [None, None]
    with made.seat(1).stream() as mine, made.watch.stream() as watched:
        if not begun:
            assert [next(mine).event, next(watched).event] == ["lobby", "lobby"]
        moved(made, 0)
        (when, _) = now = told()
        assert when is not None
        assert now == [when, when]
        for stream in (mine, watched):
            news = next(one for one in stream if one.event in ("lobby", "table"))
            assert news.data["host_came_at"] == when
    moved(made, 0)
    again = told()[0]
    assert again is not None
    assert again > when


def test_the_next_game_of_a_table_tells_of_a_move_of_the_rights_too(server: Guest) -> None:
    made = server.made(*TWO, rounds=1).started()
    made.play_to_the_end()
    moved(made, 0)
    when = server.get(made.path).json()["host_came_at"]
    assert when is not None
    assert made.ask_host("again").status_code == 200
    assert server.get(made.path).json()["host_came_at"] == when
