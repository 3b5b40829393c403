"""Snapshots in a stream: after the events that they are made of, for the same eyes as those that are asked for."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc.server.following import stream
from pokersvc.server.following.pushed_snapshots import PushedSnapshot, SnapshotMaker, maker
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Held, Made, Told, events_in, simple_action


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    monkeypatch.setattr(stream, "LOOKS", 0.02)
    with running(tmp_path / "games.sqlite", limits=replace(FAST, heartbeat=0.05), pause=3600.0) as guest:
        yield guest


def told(door: Held, after: int = 0, *, snapshots: bool = True) -> list[Told]:
    """Return what a stream tells before its first heartbeat, which comes once there is nothing else to tell."""
    found: list[Told] = []
    asked = {"after": after, "snapshots": snapshots}
    with door.guest.stream("GET", f"{door.path}/stream", params=asked, headers=door.headers) as answer:
        for one in events_in(answer.iter_lines()):
            if one.event == "heartbeat":
                return found
            found.append(one)
    raise AssertionError("the stream ended")


def pushed(told: list[Told]) -> list[dict[str, Any]]:
    return [one.data for one in told if one.event == "snapshot"]


def table(guest: Guest) -> Made:
    return guest.made({"name": "Ann"}, {"name": "Bo"}, options={"rules": "no-limit"}).started()


@pytest.mark.parametrize("seat", [1, 2, None], ids=["Ann", "Bo", "a watcher"])
def test_a_snapshot_comes_after_the_events_as_if_it_were_asked_for(served: Guest, seat: int | None) -> None:
    made = table(served)
    door = made.watch if seat is None else made.seat(seat)
    found = told(door)
    names = [one.event for one in found if one.event in ("record", "snapshot")]
    assert names == ["record"] * (len(names) - 1) + ["snapshot"]
    (snapshot,) = pushed(found)
    assert snapshot == door.snapshot()
    assert snapshot["count"] == len(names) - 1
    cards = [len(one["cards"]) if one["cards"] and one["cards"][0] else 0 for one in snapshot["view"]["seats"]]
    assert [bool(number) for number in cards] == [seat == 1, seat == 2]


def test_the_next_snapshot_has_the_lines_since_the_last(served: Guest) -> None:
    made = table(served)
    (awaited,) = made.watch.snapshot()["awaited"]
    held = made.seat(awaited)
    asked = {"snapshots": True}
    with served.stream("GET", f"{held.path}/stream", params=asked, headers=held.headers) as answer:
        events = events_in(answer.iter_lines())
        first = next(one.data for one in events if one.event == "snapshot")
        assert held.send(head=first["head"], action=simple_action(first)).status_code == 200
        second = next(one.data for one in events if one.event == "snapshot")
    assert [line["seq"] for line in first["lines"]] == [*range(1, first["count"] + 1)]
    assert [line["seq"] for line in second["lines"]] == [*range(first["count"] + 1, second["count"] + 1)]
    assert not second["your_turn"] or second["legal"] != first["legal"]


def test_none_comes_to_those_who_do_not_want_it_or_have_everything_or_are_told_later(served: Guest) -> None:
    made = table(served)
    assert not pushed(told(made.seat(1), snapshots=False))
    assert not pushed(told(made.seat(1), made.watch.snapshot()["count"]))
    made.ask_host("access", delay=1)
    assert not pushed(told(made.watch))
    assert pushed(told(made.seat(1)))


def test_no_state_is_told_of_events_that_are_not_yet_known_to_be_for_the_reader(
    served: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ahead(*parts: Any) -> SnapshotMaker:
        make = maker(*parts)

        def later(*asked: Any) -> PushedSnapshot:
            made = make(*asked)
            return made._replace(events=made.events + 1)

        return later

    made = table(served)
    monkeypatch.setattr("pokersvc.server.api.games.maker", ahead)
    found = told(made.seat(1))
    assert "record" in [one.event for one in found]
    assert not pushed(found)
