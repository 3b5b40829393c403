"""What streams are told: from the commands of this process themselves, and from the database where others wrote."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pokersvc.core.common_events import GameClosed
from pokersvc.core.seats import HUMAN
from pokersvc.core.tables.table_events import SeatReplaced
from pokersvc.eventlog.database import Database
from pokersvc.server.following.channel import RECENT, WOKEN_AT_ONCE, Channel, Latest
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.pushed_snapshots import PushedSnapshot, SnapshotMaker
from pokersvc.server.following.wire import Wired
from pokersvc.server.tables.chat_lines import ChatLine
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.threads import Ending
from pokersvc.server.viewpoint import PUBLIC_VIEW, Viewpoint
from pokersvc.service import WithSecrets
from tests.server.conftest import FAST, running, served
from tests.server.guests import Guest, Made

TWO = ({"name": "Ann"}, {"name": "Bob"})
PLAYED = (("bet 50", 1), ("call", 2), ("1,3", 1), ("2", 2))


def row(token: bytes = b"old") -> TableRow:
    return TableRow(
        "table", "t", 1, "draw", "", {}, None, {}, True, "playing", "", b"", 1, None, (SeatRow(1, HUMAN, "A", token),)
    )


def event(seq: int, what: Any = None) -> Wired:
    return Wired(seq, b'{"seq":%d}' % seq, None, what or GameClosed())


def at(count: int) -> Latest:
    latest: Any = SimpleNamespace(status=SimpleNamespace(count=count), table=None)
    return Latest(latest.status, latest.table)


class Log:
    """A database that has so many events, and notes what is read of it."""

    runs = True

    def __init__(self, count: int) -> None:
        self.count, self.row = count, row()
        self.read_events: list[tuple[int, int]] = []
        self.looks, self.fails, self.ending = 0, False, False
        self.before_an_answer: Callable[[], object] = lambda: None

    async def look(self, game_id: str) -> tuple[TableRow, int]:
        self.looks += 1
        found = self.row, self.count
        self.before_an_answer()
        await asyncio.sleep(0)
        if self.fails:
            raise OSError
        if self.ending:
            raise Ending
        return found

    async def read(self, game_id: str, after: int, upto: int) -> list[Wired]:
        self.read_events.append((after, upto))
        await asyncio.sleep(0)
        return [event(seq) for seq in range(after + 1, upto + 1)]

    async def said(self, row: TableRow) -> tuple[ChatLine, ...]:
        return ()

    async def opened(self, game_id: str) -> bytes | None:
        return None

    async def snapshot(
        self, make: SnapshotMaker, row: TableRow, viewpoint: Viewpoint, after: int, known: int
    ) -> PushedSnapshot:
        await asyncio.sleep(0)
        return make(row, viewpoint, after, known)


def in_a_channel(count: int, act: Callable[[Channel, Log], Awaitable[None]]) -> Log:
    """Have a channel that knows so many events act; in the end it knows every event, each once and in order."""
    log = Log(count)

    async def run() -> None:
        channel = Channel(log, "t")
        await channel.load()
        log.looks = 0
        await act(channel, log)
        for _ in range(10):
            await asyncio.sleep(0)
        assert channel.count == log.count
        sent, after = b"", count
        while after < channel.count:
            part, after = await channel.part(PUBLIC_VIEW, after)
            sent += part
        assert [int(line[4:]) for line in sent.splitlines() if line.startswith(b"id: ")] == [
            *range(count + 1, channel.count + 1)
        ]

    asyncio.run(run())
    return log


def test_what_follows_is_taken_without_the_database_and_wakes_who_waits() -> None:
    async def act(channel: Channel, log: Log) -> None:
        for seq in range(6, 9):
            log.count, changed = seq, channel.changed
            channel.take([event(seq)], at(seq))
            assert changed.done()
            assert channel.latest == at(seq)

    log = in_a_channel(5, act)
    assert (log.looks, log.read_events) == (0, [])


def test_those_with_the_same_eyes_share_a_snapshot_until_the_next_event() -> None:
    async def act(channel: Channel, log: Log) -> None:
        made: list[tuple[Viewpoint, int]] = []

        def make(row: TableRow, viewpoint: Viewpoint, after: int, known: int) -> PushedSnapshot:
            made.append((viewpoint, known))
            return PushedSnapshot(known, b"")

        ann = Viewpoint(1)
        for seq in (6, 7):
            log.count = seq
            channel.take([event(seq)], at(seq))
            await asyncio.gather(*[channel.snapshot(eyes, 0, make) for eyes in (PUBLIC_VIEW, ann, PUBLIC_VIEW)])
            assert made == [(PUBLIC_VIEW, seq), (ann, seq)]
            made.clear()

    in_a_channel(5, act)


def test_of_many_who_watch_a_few_hear_of_something_new_at_a_time_and_all_of_them_in_turn() -> None:
    async def act(channel: Channel, log: Log) -> None:
        waiting = [channel.changed_in_turn() for _ in range(50)]
        for seq in (6, 7):  # the second comes before all have heard of the first
            log.count = seq
            channel.take([event(seq)], at(seq))
        before = 0
        while not all(one.done() for one in waiting):
            await asyncio.sleep(0)
            heard = [one.done() for one in waiting]
            assert heard == sorted(heard, reverse=True), "who waited first hears first"
            assert heard.count(True) - before <= WOKEN_AT_ONCE
            assert heard.count(True) > before, "and each time somebody does"
            before = heard.count(True)
        later = channel.changed_in_turn()
        await asyncio.sleep(0)
        assert not later.done(), "until there is something new again"
        log.count = 8
        channel.take([event(8)], at(8))
        await asyncio.sleep(0)
        assert later.done()

    in_a_channel(5, act)


def test_where_an_event_is_missing_the_database_is_read() -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count = 7  # another process has recorded 6
        channel.take([event(7)], at(7))
        assert channel.count == 5

    log = in_a_channel(5, act)
    assert (log.looks, log.read_events) == (1, [(5, 7)])


def test_a_server_that_ends_reads_nothing_more_and_says_nothing_of_it(caplog: pytest.LogCaptureFixture) -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count, log.ending = 7, True
        channel.take([event(7)], at(7))
        for _ in range(5):
            await asyncio.sleep(0)
        log.count, log.ending = 5, False

    in_a_channel(5, act)
    assert caplog.messages == []


def test_commands_that_come_in_another_order_are_not_read_again() -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count = 8
        channel.take([event(8)], at(8))
        channel.take([event(6), event(7)], at(7))
        channel.take([event(6), event(7)], at(7))

    log = in_a_channel(5, act)
    assert (log.looks, log.read_events) == (1, [])


def test_what_comes_while_the_database_is_read_is_neither_lost_nor_told_twice() -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count = 6

        def meanwhile() -> None:
            if log.looks == 1:
                log.count = 7
                channel.take([event(7)], at(7))

        log.before_an_answer = meanwhile
        channel.nudge()

    log = in_a_channel(5, act)
    assert (log.looks, log.read_events) == (2, [(5, 6)])


def test_events_that_wait_for_those_before_them_are_few() -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count = 3 * RECENT
        log.fails = True
        for seq in range(7, log.count + 1):
            channel.take([event(seq)], at(seq))
        assert len(channel._ahead) <= RECENT + 1
        log.fails = False

    log = in_a_channel(5, act)
    assert log.looks == 1


@pytest.mark.parametrize("fails", [False, True])
def test_no_event_after_a_replaced_link_is_told_before_the_table_is_read(fails: bool) -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.count, log.row, log.fails = 7, row(b"new"), fails
        channel.take([event(6, SeatReplaced(1))], at(6))
        channel.take([event(7)], at(7))
        for _ in range(5):
            assert (channel.count == 5) or channel.row.seat(1).token == b"new"
            await asyncio.sleep(0)
        if fails:
            assert channel.count == 5
            log.fails = False
            log.count = 8
            channel.take([event(8)], at(8))  # tries again

    log = in_a_channel(5, act)
    assert log.looks == 1 + fails
    assert log.read_events == []


def test_a_change_that_could_not_be_read_is_read_before_the_next_event() -> None:
    async def act(channel: Channel, log: Log) -> None:
        log.fails = True
        channel.nudge()
        for _ in range(5):
            await asyncio.sleep(0)
        log.fails, log.row, log.count = False, row(b"new"), 6
        channel.take([event(6)], at(6))
        assert channel.count == 5
        for _ in range(5):
            await asyncio.sleep(0)
        assert channel.row.seat(1).token == b"new"

    log = in_a_channel(5, act)
    assert (log.looks, log.read_events) == (2, [])


# The same with servers.


@contextmanager
def deaf(path: Path) -> Iterator[Guest]:
    """Serve a database, and never look whether others have written."""
    with (
        Database.for_writing(str(path)) as database,
        served(database, limits=FAST, poll=3600.0, pace=0.0, pause=0.0) as guest,
    ):
        yield guest


def test_a_table_that_is_followed_is_not_read_again_after_a_command_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def noted(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def noting(*arguments: Any, **named: Any) -> Any:
            reads.append(name)
            return function(*arguments, **named)

        monkeypatch.setattr(owner, name, noting)

    with deaf(tmp_path / "games.sqlite") as guest:
        made = guest.made(*TWO).started()
        with made.seat(2).stream() as told:
            count = made.seat(2).snapshot()["count"]
            next(one for one in told if one.id == count)
            noted(WithSecrets, "part")
            noted(Hub, "look")
            quiet = False
            while not quiet:  # the news of the start may come late, and are no command's
                time.sleep(0.5)
                quiet = not reads
                reads.clear()
            for typed, seat in PLAYED:
                events = made.seat(seat).send(typed=typed).json()["events"]
                for expected in events:
                    one = next(told)
                    assert (one.id, one.data["hash"]) == (expected["seq"], expected["hash"])
    assert reads == []


def test_two_servers_of_a_file_tell_every_event_in_order_whichever_recorded_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with running(path) as here, running(path) as there:
        made = here.made(*TWO).started()
        elsewhere = Made(there, made.table, made.host, made.tokens)
        with made.watch.stream() as told, elsewhere.watch.stream() as told_there:
            for number, (typed, seat) in enumerate(PLAYED):
                door = (made, elsewhere)[number % 2].seat(seat)
                last = door.send(typed=typed).json()["events"][-1]["seq"]
            for stream in (told, told_there):
                seqs = []
                for one in stream:
                    seqs.append(one.id)
                    if one.id == last:
                        break
                assert seqs == list(range(1, last + 1))


def test_a_link_that_another_server_replaced_is_told_nothing_that_comes_after(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with deaf(path) as here, deaf(path) as there:
        made = here.made(*TWO).started()
        with made.seat(2).stream() as told:
            count = made.watch.snapshot()["count"]
            next(one for one in told if one.id == count)
            answer = there.post(f"{made.path}/host/seats/2/link", headers={"Authorization": f"Bearer {made.host}"})
            assert answer.status_code == 200
            assert made.seat(1).send(typed="bet 50").status_code == 200, (
                "recorded here, after the link was replaced there"
            )
            assert [one.event for one in told] == ["gone"]


def test_a_table_in_memory_is_as_it_stands_in_the_database(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")
    with Database.for_writing(path) as database, Database.for_writing(path) as another:
        mine, theirs = TableStore(database), TableStore(another)
        made = TableRow(
            "table",
            "t",
            1,
            "draw",
            "",
            {},
            None,
            {},
            True,
            "waiting",
            "",
            bytes(32),
            1,
            None,
            (SeatRow(1, HUMAN, "A"),),
        )
        mine.create(made)
        assert mine.get("t") == theirs.get("t") == made
        assert mine.get("t") is mine.get("t"), "it is kept"
        with theirs.changing("t") as table:
            table.seat(SeatRow(1, HUMAN, "A", bytes(32), 7))
        assert mine.get("t").seat(1) == SeatRow(1, HUMAN, "A", bytes(32), 7)
        with theirs.changing("t") as table:
            table.status("playing")
        assert mine.get("t").status == "playing"
        assert theirs.claim(["t"], "a server", None) == ["t"]
        assert mine.get("t").runner == "a server"
        theirs.release("a server")
        assert mine.get("t").runner is None
        assert mine.get("t") == theirs.get("t")
