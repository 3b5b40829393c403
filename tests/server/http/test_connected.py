"""Who of the people at a table has a stream open: told to all who see the table live, and to nobody else."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

import pytest

from pokersvc.eventlog.record import timestamp
from pokersvc.server.following import connected_seats, stream
from pokersvc.server.following.channel import Channel, Reading
from pokersvc.server.following.connected_seats import ConnectedSeats
from pokersvc.server.running.runner import Leases
from pokersvc.server.tables.delay import Delay
from tests.server.conftest import running
from tests.server.guests import Guest, Told

SHORT: Final = 0.2
NEVER: Final = 3600.0
ANN, BO = {"name": "Ann"}, {"name": "Bo"}


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    """A server that takes a seat for lost soon after its last stream, and never one that it has not seen yet."""
    monkeypatch.setattr(connected_seats, "GRACE", SHORT)
    monkeypatch.setattr(connected_seats, "AT_FIRST", NEVER)
    with running(tmp_path / "games.sqlite", pause=NEVER) as found:
        yield found


def seats_in(told: Told) -> dict[int, bool]:
    assert set(told.data) == {"seats"}
    return {one.pop("seat"): one.pop("connected") for one in told.data["seats"]}


def next_of(told: Iterator[Told]) -> dict[int, bool]:
    """Return what a stream tells next of who is connected."""
    return seats_in(next(one for one in told if one.event == "connected"))


def until(told: Iterator[Told], wanted: dict[int, bool]) -> None:
    while next_of(told) != wanted:
        pass


def test_who_loses_the_connection_is_told_to_the_others_and_so_is_who_has_it_again(guest: Guest) -> None:
    made = guest.made(ANN, BO).started()
    with made.seat(1).stream() as ann:
        assert next_of(ann) == {1: True}, "Bo may come yet"
        with made.seat(2).stream() as bo:
            assert next_of(bo) == next_of(ann) == {1: True, 2: True}
        assert next_of(ann) == {1: True, 2: False}
        with made.seat(2).stream() as bo, made.seat(2).stream():
            assert next_of(bo) == next_of(ann) == {1: True, 2: True}
        assert next_of(ann) == {1: True, 2: False}, "with both streams"


def test_whoever_never_comes_has_no_connection_after_some_time(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected_seats, "AT_FIRST", SHORT)
    made = guest.made(ANN, BO, {"program": "minimum"}).started()
    with made.seat(1).stream() as ann:
        until(ann, {1: True, 2: False})


def test_a_page_that_is_loaded_again_does_not_blink(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected_seats, "GRACE", NEVER)
    made = guest.made(ANN, BO).started()
    with made.seat(1).stream() as ann:
        for _ in range(3):
            with made.seat(2).stream() as bo:
                assert next_of(bo) == {1: True, 2: True}
        assert made.ask_host("say", text="mark").status_code == 200
        assert [seats_in(one) for one in until_chat(ann) if one.event == "connected"] == [{1: True}, {1: True, 2: True}]


def until_chat(told: Iterator[Told]) -> Iterator[Told]:
    for one in told:
        if one.event == "chat":
            return
        yield one


def test_watchers_of_a_table_without_a_delay_are_told_with_the_next_news(guest: Guest) -> None:
    made = guest.made(ANN, BO).started()
    with ExitStack() as stack:
        ann = stack.enter_context(made.seat(1).stream())
        assert next_of(ann) == {1: True}
        watched = stack.enter_context(made.watch.stream())
        assert next_of(watched) == {1: True}
        with made.seat(2).stream() as bo:
            assert next_of(bo) == next_of(ann) == {1: True, 2: True}
        assert next_of(ann) == {1: True, 2: False}
        assert made.ask_host("pause").status_code == 204
        until(watched, {1: True, 2: False})  # there may have been other news while Bo was connected


def test_nobody_is_told_who_watches(guest: Guest) -> None:
    made = guest.made(ANN, BO).started()
    with made.seat(1).stream() as ann, made.watch.stream():
        assert next_of(ann) == {1: True}


def test_watchers_of_a_table_with_a_delay_are_told_of_nobody(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LOOKS", 0.02)
    monkeypatch.setattr(Delay, "before", lambda *_: timestamp(datetime.now(UTC)))  # as a second later
    made = guest.made(ANN, BO)
    made.ask_host("access", delay=1)
    made.started()
    with made.watch.stream() as watched, made.seat(1).stream() as ann:
        assert next_of(ann) == {1: True}
        found = []
        for one in watched:
            found.append(one.event)
            if found.count("record") >= 4:
                break
    assert "connected" not in found


@pytest.mark.parametrize("status", ["waiting", "over"])
def test_nothing_is_told_before_and_after_a_game(guest: Guest, status: str) -> None:
    made = guest.made(ANN, BO)
    if status == "over":
        made.started().ask_host("end")
    made.ask_host("say", text="mark")
    with made.seat(1).stream() as ann:
        assert "connected" not in [one.event for one in until_chat(ann)]


def test_it_is_in_no_log_and_changes_nothing_stored(guest: Guest) -> None:
    made = guest.made(ANN, BO).started()
    before = made.watch.snapshot()
    with made.seat(1).stream() as ann:
        with made.seat(2).stream():
            until(ann, {1: True, 2: True})
        until(ann, {1: True, 2: False})
    assert made.watch.snapshot()["head"] == before["head"]


def test_the_end_of_a_game_takes_back_what_was_told(guest: Guest) -> None:
    made = guest.made(ANN, BO, rounds=1).started()
    with made.seat(1).stream() as ann:
        assert next_of(ann) == {1: True}
        made.play_to_the_end()
        assert next_of(ann) == {}


def test_where_another_server_lives_nobody_is_called_lost_for_being_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRACE", "AT_FIRST"):
        monkeypatch.setattr(connected_seats, name, SHORT)
    monkeypatch.setattr(Leases, "is_alone", lambda _: False)
    with running(tmp_path / "games.sqlite", pause=NEVER) as guest:
        made = guest.made(ANN, BO).started()
        with made.seat(1).stream() as ann:
            assert next_of(ann) == {1: True}
            with made.seat(2).stream():
                assert next_of(ann) == {1: True, 2: True}
            assert next_of(ann) == {1: True}, "it may be connected to the other server"


def test_whoever_comes_or_goes_does_not_wake_what_runs_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected_seats, "GRACE", 0.0)

    async def come_and_go() -> None:
        channel = Channel(cast(Reading, None), "game")
        runner, told = channel.changed, channel.connected.changed
        with channel.connected.at(1):
            assert told.done()
            told = channel.connected.changed
        await asyncio.wait_for(told, 10)
        assert not runner.done(), "a table that rests goes on resting"
        channel.close()

    asyncio.run(come_and_go())


def test_whoever_comes_back_in_time_is_told_to_nobody() -> None:
    async def blink() -> bool:
        seats = ConnectedSeats()
        with seats.at(1):
            told = seats.changed
        for _ in range(3):
            with seats.at(1), seats.at(1):
                pass
        seats.close()
        return told.done()

    assert not asyncio.run(blink())
