"""The end of an evening: what each brought home over all games of a table, as each viewer may know it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pokersvc.core.registry import game_kinds, game_of
from tests.server.conftest import running
from tests.server.guests import Guest, Made, bearer, short, token_in
from tests.server.tables.test_again import again, ended

CASH = {"rules": "no-limit", "cash": True, "stack": "200", "blinds": "1/2", "rake": "5%"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=3600.0) as guest:
        yield guest


def played_out(made: Made) -> Made:
    """Play to the end, and begin each round as the host."""
    while made.play_to_the_pause().watch.snapshot()["outcome"] is None:
        made.ask_host("next")
    return made


def results(made: Made, seat: int | None = None) -> dict[str, Any]:
    door, headers = ("", {}) if seat is None else (f"/seats/{seat}", bearer(made.tokens[seat]))
    answer = made.guest.get(f"{made.path}{door}/results", headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind == "draw")) for kind in game_kinds()]
)
def test_an_evening_of_any_game_adds_up_what_each_game_said(server: Guest, kind: str) -> None:
    options, rounds = short(kind)
    made = server.made({"name": "Ann"}, {"name": "Bob"}, kind=kind, options=options, rounds=rounds).started()
    sums: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for number in (1, 2):
        played_out(made)
        told = results(made)
        (game,) = (one for one in told["games"] if one["number"] == number)
        history = server.get(f"{made.path}/history").json()
        assert (game["title"], game["result"], game["over"]) == (history["title"], history["result"], True)
        assert game["rounds"] == len(history["history"])
        for best in told["best"]:
            assert best["name"] == game_of(kind).words.best_name
            lines = [one["line"] for one in history["history"]]
            assert all(one["line"] == lines[one["round"] - 1] for one in best["rounds"] if one["number"] == number)
        sums.update({one["name"]: one["net"] for one in game["nets"]})
        snapshot = made.watch.snapshot()
        won.update(name for name, rank in zip(("Ann", "Bob"), snapshot["outcome"]["ranks"], strict=True) if rank == 1)
        again(made)
    told = results(made)
    (people,) = told["sums"]
    assert (people["kind"], people["unit"], told["first"]) == (kind, game_of(kind).unit, 1)
    assert {one["name"]: (one["net"], one["games"]) for one in people["people"]} == {
        name: (sums[name], 2) for name in ("Ann", "Bob")
    }
    assert len(told["games"]) == 3, "the one that has begun is there, and nothing of it counts yet"
    assert told["own"] == []
    for seat, name in enumerate(("Ann", "Bob"), 1):
        (own,) = results(made, seat)["own"]
        assert (own["name"], own["games"], own["won"]) == (name, 2, won[name])
        assert (own["hands"] is None) is not game_of(kind).counts_rounds
        assert results(made, seat) | {"own": []} == told


@pytest.mark.slow
def test_in_cash_a_name_that_left_stays_and_one_that_comes_back_goes_on(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}, options=CASH, public=True).started()
    made.play_to_the_pause()
    assert made.seat(3).send(action={"type": "Leave"}).status_code == 200
    taken = server.post(f"{made.path}/sit", json={"name": "Dan", "seat": 3}).json()
    made.tokens[3] = token_in(taken["link"])
    assert made.seat(3).send(action={"type": "SitDown", "chips": 200}).status_code == 200
    for _ in range(3):
        made.ask_host("next")
        made.play_to_the_pause()
    before = results(made)
    (sums,) = before["sums"]
    people = {one["name"]: one for one in sums["people"]}
    assert {name: one["seat"] for name, one in people.items()} == {"Ann": 1, "Bob": 2, "Cid": None, "Dan": 3}
    ended(made)
    again(made)
    played = results(made)
    assert [one["nets"] for one in played["games"]][:1] == [before["games"][0]["nets"]]
    (sums,) = played["sums"]
    assert [one["rank"] for one in sums["people"]] == sorted(one["rank"] for one in sums["people"])
    ranked = {one["net"]: one["rank"] for one in sums["people"]}
    assert all(one["rank"] == ranked[one["net"]] for one in sums["people"]), "equal results share a rank"


def test_a_token_of_a_seat_is_asked_for_its_own_figures(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"})
    assert results(made) == {
        "table": made.table, "first": 0, "games": [], "sums": [], "best": [], "own": [], "persons": [],
    }  # fmt: skip
    assert results(made, 1)["own"] == []
    for headers in ({}, bearer("A" * 22), bearer(made.tokens[2]), bearer(made.host)):
        assert server.get(f"{made.path}/seats/1/results", headers=headers).status_code == 401


def test_whoever_has_left_is_told_of_later_games_as_watchers_are(server: Guest) -> None:
    """Given Cid, who left in the first game, when the host sets a delay, then Cid sees the second one later."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}, public=True).started().play_to_the_pause()
    assert made.seat(3).send(action={"type": "Leave"}).status_code == 200
    assert made.ask_host("end").status_code == 204
    again(made)
    first = Made(server, made.game, made.host, dict(made.tokens))
    taken = server.post(f"{made.path}/sit", json={"name": "Dan"}).json()
    made.tokens[3] = token_in(taken["link"])
    made.play_to_the_pause()
    assert [one["rounds"] for one in results(made)["games"]] == [1, 1]
    made.ask_host("access", delay=3600)
    assert results(made)["games"] == []
    assert [one["number"] for one in results(made, 1)["games"]] == [1, 2]
    assert [one["number"] for one in results(first, 3)["games"]] == [1]
    assert [one["number"] for one in results(made, 3)["games"]] == [2], "who came for the second sees the first later"
    made.ask_host("access", delay=0)
    assert [one["number"] for one in results(first, 3)["games"]] == [1, 2]
