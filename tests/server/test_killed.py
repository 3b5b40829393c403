"""A server that is killed in the middle of a command, or of several that share a transaction: nothing is half done."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from tests import postgres
from tests.ports import free_port
from tests.waiting import eventually

from .conftest import running
from .guests import Guest, Made, simple_action
from .processes import process

pytestmark = pytest.mark.slow

TOGETHER = 5
"""Commands that share the transaction in which the server is killed."""
TWO = ({"name": "Ann"}, {"name": "Bob"})
LEASE = 3.0
"""Seconds of silence after which a clock begins anew."""


class Command(NamedTuple):
    """A command, and to which table it was sent."""

    made: Made
    body: dict[str, Any]

    @classmethod
    def at(cls, made: Made) -> "Command":
        now = made.seat(1).snapshot()
        return cls(made, {"id": str(uuid4()), "head": now["head"], "action": simple_action(now)})

    def send(self) -> httpx.Response | None:
        """Send it on a connection of its own; None where nobody answered."""
        with Guest(str(self.made.guest.base_url)) as guest, suppress(httpx.HTTPError):
            return Made(guest, self.made.table, self.made.host, self.made.tokens).seat(1).send(**self.body)
        return None

    def send_again(self, guest: Guest) -> dict[str, Any]:
        """Send it as a page that had no answer: with the same id, and with the present head where that is asked for."""
        seat = Made(guest, self.made.table, self.made.host, self.made.tokens).seat(1)
        body = self.body
        while (answer := seat.send(**body)).status_code == 409:
            body = body | {"head": answer.json()["head"]}
        assert answer.status_code == 200, answer.text
        assert seat.send(**body).json() == answer.json()
        found: dict[str, Any] = answer.json()
        return found


@contextmanager
def dying(database: object, folder: Path, moment: str, behind: int = 0) -> Iterator[Guest]:
    """Serve in a process that kills itself; it must have done so at the end."""
    port = free_port()
    program = ("-m", "tests.server.mortal", moment, str(behind), str(folder))
    with process(database, port, program=program) as server, Guest(f"http://127.0.0.1:{port}") as guest:
        yield guest
        assert server.wait(20) == -signal.SIGKILL


def recorded(database: Database, command: Command) -> int:
    """Return how often a command is recorded; it is there with all its events, or with none."""
    log = EventLog(database)
    records = [one for one in log.read(command.made.game) if one.command_id == command.body["id"]]
    assert [one.n for one in records] == list(range(1, len(records) + 1)), "its events stand together, each once"
    status = Service(log).status(command.made.game)
    assert status.awaited or status.pausing or status.outcome, "the dealer has done all that follows"
    return min(1, len(records))


def findings(database: Database) -> list[str]:
    return [str(finding) for audited in audit(database) for finding in audited.findings]


@pytest.mark.parametrize("moment", ["before 1", "after 1", "commit", "committed"])
def test_killed_in_a_command(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "games.sqlite"
    with dying(path, tmp_path, moment) as guest:
        command = Command.at(guest.made(*TWO).started())
        (tmp_path / "armed").touch()
        assert command.send() is None
    check(str(path), [command], moment == "committed")
    with running(path) as guest:
        answer = command.send_again(guest)
    check(str(path), [command], True)
    assert answer["events"][0]["command_id"] == command.body["id"]


@pytest.mark.parametrize("moment", ["after 3", "commit", "committed"])
def test_killed_in_commands_that_share_a_transaction(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "games.sqlite"
    with dying(path, tmp_path, moment, TOGETHER) as guest:
        first, *others = [Command.at(guest.made(*TWO).started()) for _ in range(1 + TOGETHER)]
        (tmp_path / "armed").touch()
        with ThreadPoolExecutor(1 + TOGETHER) as threads:
            alone = threads.submit(first.send)
            eventually((tmp_path / "holding").exists)
            together = [threads.submit(one.send) for one in others]
        assert [one.result() for one in together] == [None] * TOGETHER
        assert (answered := alone.result()) is None or answered.status_code == 200
    check(str(path), [first], True)
    check(str(path), others, moment == "committed")
    with running(path) as guest:
        again = first.send_again(guest)
        assert answered is None or again == answered.json()
        for one in others:
            one.send_again(guest)
    check(str(path), [first, *others], True)


def check(where: str, commands: list[Command], done: bool) -> None:
    with Database.for_reading(where) as database:
        assert [recorded(database, one) for one in commands] == [int(done)] * len(commands)
        assert findings(database) == []


@pytest.mark.parametrize("moment", ["before 1", "commit", "committed"])
def test_killed_in_a_command_of_postgresql(tmp_path: Path, server_of_postgres: postgres.Server, moment: str) -> None:
    with server_of_postgres.empty() as url:
        where = postgres.text(url)
        Database.for_upgrading(where).close()
        with dying(where, tmp_path, moment) as guest:
            command = Command.at(guest.made(*TWO).started())
            (tmp_path / "armed").touch()
            assert command.send() is None
        check(where, [command], moment == "committed")
        port = free_port()
        with process(where, port), Guest(f"http://127.0.0.1:{port}") as guest:
            command.send_again(guest)
        check(where, [command], True)


def restarts(made: Made) -> list[Any]:
    """Return where the log says that the clock began anew."""
    return [one for one in made.watch.events(made.watch.snapshot()["count"]) if one["type"] == "ClockRestarted"]


@pytest.mark.parametrize("moment", ["commit", "committed"])
def test_after_an_outage_the_clock_begins_anew_and_the_log_says_so(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "games.sqlite"
    with dying(path, tmp_path, moment) as guest:
        made = guest.made(*TWO, settings={"seconds": 60, "bank": 0}).started()
        command = Command.at(made)
        (tmp_path / "armed").touch()
        assert command.send() is None
    sleep(LEASE + 0.1)
    with running(path) as guest:
        command.send_again(guest)
        again = Made(guest, made.table, made.host, made.tokens)
        # The server that took the table over does it, where the command did not.
        eventually(lambda: restarts(again))
        assert len(restarts(again)) == 1
    check(str(path), [command], True)
