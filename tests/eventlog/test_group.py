"""Group commit: concurrent appends share a transaction, with the same results as one after the other."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple, cast
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.group import GroupCommit
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record

from .support import record


class Sent(NamedTuple):
    """One append by a thread."""

    game: str
    expected: int
    command: str
    fails: bool = False
    """Whether writing its read models fails, as the last step."""


SENT = st.builds(Sent, st.sampled_from("ab"), st.integers(0, 4), st.sampled_from("xyz"), st.booleans())


class Counted(Database):
    """A database that counts its transactions, and can fail to commit."""

    transactions = 0
    fails = False

    @contextmanager
    def append(self) -> Iterator[Connection]:
        with super().append() as connection:
            yield connection
            self.transactions += 1
            if self.fails:
                raise StorageFailed("The disk is full.")


def together(log: EventLog, sent: Sequence[Sent]) -> list[Any]:
    """Append all at once, in order, while another append holds the transaction; return the results."""
    held, go = Event(), Event()

    def hold(_: object, __: object) -> None:
        held.set()
        assert go.wait(10)

    with ThreadPoolExecutor(len(sent) + 1) as threads:
        first = threads.submit(append, log, Sent(str(uuid4()), 0, "c"), hold)
        assert held.wait(10)
        told: list[Future[Any]] = []
        for one in sent:
            told.append(threads.submit(append, log, one))
            while log.waiting < len(told):
                assert not told[-1].done()
        go.set()
        assert first.result()
        return [one.result() for one in told]


def append(log: EventLog, sent: Sent, project: Callable[[Any, Any], None] | None = None) -> Any:
    """Append one event; return its number and command, or the refusal."""

    def fail(connection: Connection, records: Sequence[Record]) -> None:
        connection.exec_driver_sql("UPDATE games SET kind = 'changed'")
        raise StorageFailed(f"{records[-1].seq} cannot be written.")

    try:
        records = log.append(
            sent.game,
            [NewEvent("Raised", 1, "{}")],
            expected=sent.expected,
            command_id=sent.command,
            kind="test",
            project=fail if sent.fails else project,
        )
    except PokersvcError as error:
        return type(error), str(error)
    return records[0].seq, records[0].command_id


@pytest.fixture(scope="module")
def logs() -> Iterator[tuple[EventLog, EventLog]]:
    with Database.for_writing("sqlite://") as one, Database.for_writing("sqlite://") as other:
        yield EventLog(one), EventLog(other)


EXAMPLES = count()


@given(sent=st.lists(SENT, min_size=1, max_size=8))
def test_each_is_told_what_it_would_be_told_alone(logs: tuple[EventLog, EventLog], sent: list[Sent]) -> None:
    alone, at_once = logs
    example = next(EXAMPLES)
    sent = [one._replace(game=f"{example}{one.game}") for one in sent]
    assert together(at_once, sent) == [append(alone, one) for one in sent]
    assert stored(at_once, example) == stored(alone, example)


def stored(log: EventLog, example: int) -> list[tuple[str, int, str]]:
    games = [game for game, _ in log.games() if game[:-1] == str(example)]
    return [(game, found.seq, found.command_id) for game in games for found in log.read(game)]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Counted]:
    with Counted.for_writing(str(tmp_path / "games.sqlite")) as opened:
        yield opened


def test_those_who_wait_share_a_transaction_and_a_mark(database: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[int] = []
    monkeypatch.setattr(database, "note", lambda position, _: noted.append(position))
    before = database.transactions
    assert together(EventLog(database), [Sent(game, 0, "c") for game in "abcde"]) == [(1, "c")] * 5
    assert database.transactions == before + 2
    assert noted == [1, 6]


def test_where_the_commit_fails_all_fail_and_nothing_is_written(database: Counted) -> None:
    log = EventLog(database)
    record(log)
    database.fails = True
    told = together(log, [Sent("game", 3, "d"), Sent("other", 0, "c")])
    assert told == [(StorageFailed, "The disk is full.")] * 2
    assert [(game, head.count) for game, head in log.games()] == [("game", 3)]
    database.fails = False
    assert together(log, [Sent("game", 3, "d"), Sent("other", 0, "c")]) == [(4, "d"), (1, "c")]


def test_a_writer_that_is_interrupted_while_it_waits_leaves_nothing_to_be_written() -> None:
    """Otherwise a later writer would write data that its caller believes not to be written."""

    class Interrupted:
        def __enter__(self) -> None:
            raise KeyboardInterrupt

        def __exit__(self, *_: object) -> None:
            pass

    group: GroupCommit[int] = GroupCommit(cast(Any, None), lambda _: None)
    group._turn = cast(Any, Interrupted())
    with pytest.raises(KeyboardInterrupt):
        group.carry_out(lambda _: 1)
    assert group.waiting == 0
