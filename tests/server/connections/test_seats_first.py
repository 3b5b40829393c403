"""People who play are read first; of all others a few at a time, one address after the other."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from selectors import EVENT_READ
from threading import Event, Timer
from time import monotonic

import pytest

from pokersvc.server.connections import seats_first
from pokersvc.server.connections.guard import Guard
from pokersvc.server.connections.seats_first import AT_ONCE, LONGEST_HOLD, Loop, SeatsFirst, soon
from pokersvc.server.connections.turns import AT_ONCE as BEGIN_AT_ONCE
from pokersvc.server.connections.turns import MOST_READS, Precedence, Turnstile

from ..conftest import running
from ..guests import simple_action
from .test_slow_clients import PATIENT, connected, request


@pytest.fixture
def pairs() -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Sockets, each with the one that sends to it."""
    with ExitStack() as stack:
        made = [socket.socketpair() for _ in range(3 * AT_ONCE)]
        for one in made:
            for end in one:
                stack.enter_context(end)
        yield made


@pytest.fixture
def selector() -> Iterator[SeatsFirst]:
    """A selector, closed in the end."""
    with SeatsFirst() as made:
        yield made


Pairs = list[tuple[socket.socket, socket.socket]]


def ready(selector: SeatsFirst) -> list[object]:
    """What the selector says of sockets that are registered with their numbers."""
    return [key.data for key, _ in selector.select(0)]


def test_of_many_that_are_ready_a_few_are_returned_and_each_in_its_turn(selector: SeatsFirst, pairs: Pairs) -> None:
    for number, (here, there) in enumerate(pairs):
        selector.register(here, EVENT_READ, number)
        there.send(b"x")
    found = [ready(selector) for _ in range(6)]
    assert all(len(some) <= AT_ONCE for some in found)
    first = [one for some in found for one in some][: len(pairs)]
    assert sorted(map(str, first)) == sorted(map(str, range(len(pairs)))), "all of them before any again"


def test_a_preferred_one_is_returned_each_time_whoever_else_waits(selector: SeatsFirst, pairs: Pairs) -> None:
    for number, (here, there) in enumerate(pairs):
        selector.register(here, EVENT_READ, number)
        there.send(b"x")
    ready(selector)  # all wait now
    last = len(pairs) - 1
    selector.prefer(pairs[last][0], True)
    assert [ready(selector)[0] for _ in range(3)] == [last] * 3
    selector.prefer(pairs[last][0], False)
    again = [last in ready(selector) for _ in range(7)]
    assert again.count(True) in (1, 2), "one of the others again: the turns of all take three"


def test_what_is_closed_or_changed_while_it_waits_is_not_returned(selector: SeatsFirst, pairs: Pairs) -> None:
    for number, (here, there) in enumerate(pairs):
        selector.register(here, EVENT_READ, number)
        there.send(b"x")
    seen = ready(selector)
    waiting = [number for number in range(len(pairs)) if number not in seen]
    selector.unregister(pairs[waiting[0]][0])
    selector.modify(pairs[waiting[1]][0], EVENT_READ, "new")
    found = [one for _ in range(3) for one in ready(selector)]
    assert waiting[0] not in found
    assert waiting[1] not in found
    assert selector.get_key(pairs[waiting[1]][0]).data == "new"
    with pytest.raises(KeyError):
        selector.get_key(pairs[waiting[0]][0])


def test_who_waits_without_end_is_woken_by_a_preferred_one(selector: SeatsFirst, pairs: Pairs) -> None:
    (here, there), (other, _) = pairs[:2]
    selector.register(here, EVENT_READ, "plays")
    selector.register(other, EVENT_READ, "idle")
    selector.prefer(here, True)
    timer = Timer(0.05, there.send, (b"x",))
    timer.start()
    assert [key.data for key, _ in selector.select(30)] == ["plays"]
    timer.join()


def test_others_wait_while_a_command_is_carried_out_but_not_for_ever(
    selector: SeatsFirst, pairs: Pairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(seats_first, "monotonic", lambda: now)
    for number, (here, there) in enumerate(pairs):
        selector.register(here, EVENT_READ, number)
        there.send(b"x")
    selector.prefer(pairs[0][0], True)
    with selector.hold.by_command(), selector.hold.by_command():
        assert ready(selector) == [0], "whoever plays is read"
        pairs[0][0].recv(1)
        begun = monotonic()
        assert ready(selector) == []
        assert selector.select(None) == [], "for as long as others wait"
        assert monotonic() - begun >= LONGEST_HOLD / 2
        now = 1.5 * LONGEST_HOLD
        assert sum(len(ready(selector)) for _ in range(3)) == len(pairs) - 1, "then they have as long"
        now = 2.5 * LONGEST_HOLD
        assert ready(selector) == [], "and wait again"
    assert not selector.hold.left
    assert ready(selector)


def test_what_others_wait_for_goes_on_beside_commands_without_a_pause() -> None:
    """As on a slow disk, where one command is under way at any time."""

    async def chain() -> int:
        loop, steps = asyncio.get_running_loop(), 0

        def step() -> None:
            nonlocal steps
            steps += 1
            soon(step)

        soon(step)
        until = loop.time() + 8 * LONGEST_HOLD
        assert isinstance(loop, Loop)
        while loop.time() < until:
            with loop.sockets.hold.by_command():
                first = asyncio.ensure_future(asyncio.sleep(3 * LONGEST_HOLD))
                await asyncio.sleep(LONGEST_HOLD)
                with loop.sockets.hold.by_command():
                    await first
        return steps

    with asyncio.Runner(loop_factory=Loop) as runner:
        assert runner.run(chain()) > 200, "a thousand in each of their times, on an idle machine"


def test_a_thread_wakes_a_loop_in_which_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats_first, "LONGEST_HOLD", 1.0)  # far longer than a thread takes on a busy machine

    async def command(loop: Loop) -> tuple[list[str], float]:
        done, order = Event(), list[str]()
        soon(lambda: order.append("at once"))
        await asyncio.sleep(0)
        with loop.sockets.hold.by_command():
            soon(lambda: order.append("later"))
            waits = asyncio.ensure_future(asyncio.to_thread(done.wait, 10))
            await asyncio.sleep(0)
            begun = loop.time()
            done.set()
            await waits
            took = loop.time() - begun
            order.append("command")
        await asyncio.sleep(5 * LONGEST_HOLD)
        return order, took

    with asyncio.Runner(loop_factory=Loop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Loop)
        order, took = runner.run(command(loop))
    assert order == ["at once", "command", "later"]
    assert took < 1.0, "the thread's end wakes the loop"


def test_few_begin_at_a_time_and_each_address_in_its_turn() -> None:
    async def work() -> list[list[str]]:
        turnstile, begun, turns = Turnstile(), list[str](), list[list[str]]()

        async def one(address: str) -> None:
            await turnstile.enter(address)
            begun.append(address)

        tasks = [asyncio.create_task(one(address)) for address in ["many"] * 20 + ["few"] * 2]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            turns.append(begun.copy())
            begun.clear()
        return turns

    turns = [turn for turn in asyncio.run(work()) if turn]
    assert max(len(turn) for turn in turns) <= BEGIN_AT_ONCE
    order = [address for turn in turns for address in turn]
    assert order[BEGIN_AT_ONCE:].index("few") <= 1, "who comes last from an address of few waits for one of the many"
    assert order.count("many") == 20
    assert order.count("few") == 2


@pytest.mark.parametrize("played", [True, False])
def test_who_has_played_is_answered_before_strangers_who_came_earlier(
    played: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One request holds up the loop until a hundred strangers and a player have sent theirs."""
    held, go, order, check = Event(), Event(), list[str](), Guard._check

    def checked(self: Guard, scope: object, headers: object, address: str) -> None:
        path = scope["path"]  # type: ignore[index]
        if path == "/hold":
            held.set()
            assert go.wait(30)
        order.append(path)
        check(self, scope, headers, address)  # type: ignore[arg-type]

    monkeypatch.setattr(Guard, "_check", checked)
    with running(tmp_path / "games.sqlite", limits=PATIENT) as guest, ExitStack() as stack:
        made = guest.made({"name": "Ann"}, {"program": "random"}, kind="kalah").started()
        seat = made.seat(1)
        snapshot = seat.snapshot()
        if played:
            answer = seat.send(id="00000000-0000-4000-8000-000000000001", action=simple_action(snapshot))
            assert answer.status_code == 200
        strangers = [stack.enter_context(connected(guest)) for _ in range(100)]
        holder = stack.enter_context(connected(guest))
        holder.sendall(request(guest, "GET /hold"))
        assert held.wait(30)
        for stranger in strangers:
            stranger.sendall(request(guest, "GET /stranger"))
        Timer(0.2, go.set).start()  # once the player's request has come, too
        seat.send(id="00000000-0000-4000-8000-000000000002", typed="nothing")
    place = [one.endswith("/commands") for one in order[order.index("/hold") :]].index(True)
    assert (place <= 4 * AT_ONCE) == played, place


def test_who_has_played_and_then_sends_byte_by_byte_is_read_as_all_others_are() -> None:
    async def work() -> list[bool]:
        here, there = socket.socketpair()
        there.setblocking(False)
        transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=there)
        precedence, plays = Precedence(transport), list[bool]()
        for _ in range(2):
            precedence.answered = True
            precedence.note()
            plays.append(precedence.plays)
            for _ in range(MOST_READS):
                plays.append(precedence.plays)
                precedence.read()
            plays.append(precedence.plays)
        transport.close()
        here.close()
        return plays

    with asyncio.Runner(loop_factory=Loop) as runner:
        assert runner.run(work()) == ([True] * (MOST_READS + 1) + [False]) * 2
