"""Over HTTP: a person who lost all chips enters a tournament again, and the evening has prizes less prices."""

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import running
from .guests import Guest, Made

OPTIONS: dict[str, Any] = {
    "rules": "no-limit", "levels": "turbo", "stack": "40", "entry": 10, "prizes": "70,30", "reentries": 1,
    "addon": "60/4", "entry_until": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A guest of a server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


def all_in(table: Made) -> None:
    """Play the round that is on: the first two seats still in go all in, and the others fold."""
    while not (now := table.watch.snapshot())["pausing"] and now["outcome"] is None:
        if not now["awaited"]:  # the dealer is to act
            continue
        seat = table.seat(now["awaited"][0])
        mine = seat.snapshot()
        if not mine["your_turn"]:
            continue
        legal, playing = mine["legal"], [one["seat"] for one in mine["view"]["seats"] if one["standing"] != "out"]
        if legal["discard"] is not None:
            action: dict[str, Any] = {"type": "Discard", "cards": []}
        elif mine["view"]["to_act"] not in playing[:2]:
            action = {"type": "Check"} if legal["check"] else {"type": "Fold"}
        elif legal["raise_to"]:
            action = {"type": "Raise", "to": legal["raise_to"][1]}
        else:
            action = {"type": "Call"} if legal["call"] else {"type": "Check"}
        seat.send(head=mine["head"], action=action)


def test_a_person_without_chips_enters_again_and_others_add_chips(guest: Guest) -> None:
    table = guest.made(*({"name": name} for name in ("Ann", "Bob", "Cy", "Dee")), options=OPTIONS).started()
    refused = table.seat(1).send(action={"type": "TakeAddOn"})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_between_rounds")
    bought = 0
    while (now := table.watch.snapshot())["outcome"] is None:
        all_in(table)
        now = table.watch.snapshot()
        if now["outcome"] is not None:
            break
        for one in now["view"]["seats"]:
            seat, action = table.seat(one["seat"]), None
            if one["may_reenter"]:
                action = {"type": "ReEnter"}
                assert seat.snapshot()["between"][0] == "re-enter (40 chips for 10 units)"
            elif one["may_add_on"] and one["seat"] == 1:
                action = {"type": "TakeAddOn"}
                assert seat.snapshot()["between"][0] == "add-on (60 chips for 4 units)"
            if action is not None:
                assert seat.send(action=action).status_code == 200
                bought += 1
        table.ask_host("next")
    assert bought > 1, "this test would show nothing"
    (paid, places) = ([one[what] for one in now["view"]["seats"]] for what in ("paid", "place"))
    scores = now["outcome"]["scores"]
    assert sum(scores) == 0
    assert now["outcome"]["ranks"] == places
    assert [one["prize"] - own for one, own in zip(now["view"]["seats"], paid, strict=True)] == scores
    told = guest.get(f"{table.path}/results").json()
    ((sums,), (best,)) = told["sums"], told["best"]
    assert (sums["unit"], best["unit"]) == ("units", "chips")
    assert {one["name"]: one["net"] for one in sums["people"]} == dict(
        zip(("Ann", "Bob", "Cy", "Dee"), scores, strict=True)
    )


def test_what_cannot_be_sold_is_refused_when_the_table_is_made(guest: Guest) -> None:
    body = {"kind": "draw", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
    for field, options in (
        ("prizes", {**OPTIONS, "prizes": "50,30,20"}), ("addon", {**OPTIONS, "addon": "x"}),
        ("entry_until", {**OPTIONS, "entry_until": 9}), ("reentries", {"rules": "no-limit", "reentries": 1}),
    ):  # fmt: skip
        refused = guest.post("/api/tables", json={**body, "options": options})
        assert (refused.status_code, refused.json()["field"]) == (422, field), refused.text
