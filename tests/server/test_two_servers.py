"""Two servers of one PostgreSQL database: any of them takes any request, and each hears what the other records."""

import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from time import sleep

import pytest
from sqlalchemy import URL

from pokersvc.eventlog import notices
from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
from tests import postgres
from tests.ports import free_port
from tests.waiting import eventually, own_time

from .conftest import FAST, served
from .guests import Guest, Made, Told, simple_action
from .processes import process
from .wires import Cable

NEVER = 3600.0
TWO = ({"name": "Ann"}, {"name": "Bob"})
TAKEN_OVER = 5.0
"""Seconds after its death in which another server does what a server would have done."""


@contextmanager
def serving(url: str) -> Iterator[Guest]:
    """Serve the tables of a database; nothing is ever polled for once the server hears of news."""
    with (
        Database.for_writing(url) as database,
        served(database, limits=FAST, poll=NEVER, pace=0.0, pause=0.0) as guest,
    ):
        yield guest


@pytest.fixture
def url(server_of_postgres: postgres.Server) -> Iterator[URL]:
    """A database that is ready for servers."""
    with server_of_postgres.empty() as found:
        Database.for_upgrading(postgres.text(found)).close()
        yield found


def at(guest: Guest, made: Made) -> Made:
    """Return a table as another server serves it."""
    return Made(guest, made.table, made.host, made.tokens)


@pytest.mark.slow
def test_a_stream_of_one_server_has_what_the_other_records_also_after_a_lost_connection(url: URL) -> None:
    with serving(postgres.text(url)) as here, serving(postgres.text(url)) as there:
        made = here.made(*TWO).started()
        with at(there, made).seat(2).stream() as told:
            count = made.watch.snapshot()["count"]
            for typed, seat in (("bet 50", 1), ("call", 2)):
                recorded = made.seat(seat).send(typed=typed).json()["events"][-1]["seq"]
                assert next(one for one in told if one.id == recorded).event == "record"
                assert recorded > count
                lost = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                assert postgres.run(url, f"{lost} AND datname = current_database()")


def records(told: Iterator[Told], last: str) -> list[Told]:
    """Return the events of a stream up to the first of a type."""
    found = []
    for one in told:
        if one.event == "record":
            found.append(one)
            if one.data["type"] == last:
                return found
    raise AssertionError("the stream ended")


@pytest.mark.slow
def test_a_table_is_played_to_its_end_by_requests_to_both_in_turn(url: URL) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(4) as readers:
        guests = [stack.enter_context(serving(postgres.text(url))) for _ in range(2)]
        here = guests[0].made(*TWO, kind="draw", rounds=2).started()
        there = at(guests[1], here)
        authentication = [here.watch, there.watch, here.seat(1), there.seat(2)]
        streams = [stack.enter_context(door.stream()) for door in authentication]
        seen = [readers.submit(records, told, "GameEnded") for told in streams]
        requests = 0
        while (now := (here, there)[requests % 2].watch.snapshot())["outcome"] is None:
            requests += 1
            for seat in now["awaited"]:
                # Asked of one server and sent to the other, which never knows the game from what it did itself.
                mine = (here, there)[requests % 2].seat(seat).snapshot()
                if mine["your_turn"]:
                    sent = (there, here)[requests % 2].seat(seat)
                    sent.send(head=mine["head"], action=simple_action(mine))
        assert requests > 4
        for found in seen:
            events = found.result(10)
            assert [one.id for one in events] == list(range(1, now["count"] + 1))
            assert events[-1].data["hash"] == now["head"]
    assert findings(url) == []


def findings(url: URL) -> list[str]:
    with Database.for_reading(postgres.text(url)) as database:
        return [str(finding) for audited in audit(database) for finding in audited.findings]


@pytest.mark.slow
def test_another_server_takes_over_within_five_seconds_where_one_is_killed_in_a_hand(url: URL) -> None:
    where, ports = postgres.text(url), (free_port(), free_port())
    with (
        process(where, ports[0], "--pace", "0.3") as first,
        Guest(f"http://127.0.0.1:{ports[0]}") as here,
        Guest(f"http://127.0.0.1:{ports[1]}") as there,
    ):
        bots = here.made({"program": "random"}, {"program": "random"}, kind="kalah").started()
        people = here.made(*TWO, kind="kalah", settings={"seconds": 60, "bank": 0}).started()
        while "pokersvc_tables_run 2.0" not in here.get("/metrics").text:
            sleep(0.05)
        with process(where, ports[1], "--pace", "0.3"):
            killed_in_a_hand(first, at(there, bots), at(there, people))
    assert findings(url) == []


def killed_in_a_hand(first: subprocess.Popen[str], bots: Made, people: Made) -> None:
    """Kill the server that runs two tables, and see the other one run them in time."""
    with own_time() as now, bots.watch.stream() as told:
        known = [next(one for one in told if one.id == seq) for seq in range(1, 5)][-1]
        first.kill()
        first.wait()
        killed = now()
        after = recorded_since(told, killed, now)
        assert after[0].data["seq"] > known.data["seq"]
        assert after[1].data["seq"] == after[0].data["seq"] + 1
        while "ClockRestarted" not in [one["type"] for one in people.watch.events(people.watch.snapshot()["count"])]:
            assert now() - killed < TAKEN_OVER
            sleep(0.05)
    mine = people.seat(1).snapshot()
    assert people.seat(1).send(head=mine["head"], action=simple_action(mine)).status_code == 200


def recorded_since(told: Iterator[Told], killed: float, now: Callable[[], float]) -> list[Told]:
    """Return the first events of the other server: what follows where nothing was told for a second."""
    found: list[Told] = []
    last = killed
    for one in told:
        if one.event == "record":
            at = now()
            assert at - killed < TAKEN_OVER
            if at - last > 1.0:
                found.append(one)
            elif found:
                return [*found, one]
            last = at
    raise AssertionError("the stream ended")


@pytest.fixture
def cables(url: URL) -> Iterator[tuple[Cable, Cable]]:
    """The connections of each server to the database, which can be cut."""
    to = url.host or "127.0.0.1", url.port or 5432
    with Cable(*to) as one, Cable(*to) as other:
        yield one, other


def through(url: URL, cable: Cable) -> str:
    return postgres.text(url.set(host="127.0.0.1", port=cable.port))


def test_what_was_recorded_while_a_server_was_cut_off_is_told_once_it_is_back(
    url: URL, cables: tuple[Cable, Cable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "AGAIN", 0.1)
    with serving(postgres.text(url)) as here, serving(through(url, cables[0])) as there:
        made = here.made(*TWO).started()
        far = at(there, made)
        with far.seat(2).stream() as told:
            count = made.watch.snapshot()["count"]
            assert next(one for one in told if one.id == count)
            cables[0].cut()
            refused = far.seat(2).send(typed="call")
            assert (refused.status_code, refused.json()["code"]) == (503, "database_unreachable"), refused.text
            assert there.get("/healthz").status_code == 503
            ready = there.get("/readyz")
            assert (ready.status_code, ready.json()["code"]) == (503, "database_unreachable")
            recorded = made.seat(1).send(typed="bet 50").json()["events"][-1]["seq"]
            cables[0].mend()
            missed = [next(told) for _ in range(recorded - count)]
            assert [one.id for one in missed] == list(range(count + 1, recorded + 1))
        assert there.get("/healthz").status_code == 200
        assert far.seat(2).send(typed="call").status_code == 200


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*ServerCursor.*was deleted while still open:ResourceWarning")  # the server is gone
def test_games_go_on_by_themselves_once_the_database_is_back(url: URL, cables: tuple[Cable, Cable]) -> None:
    with serving(through(url, cables[0])) as here, serving(through(url, cables[1])) as there:
        made = here.made(*TWO, kind="kalah").started()
        far = at(there, made)
        bots = here.made({"program": "random"}, {"program": "random"}, kind="kalah")
        with made.watch.stream() as one, far.watch.stream() as other, at(there, bots).watch.stream() as of_bots:
            move(made, far)
            count = made.watch.snapshot()["count"]
            bots.started()
            for cable in cables:
                cable.cut()
            sleep(1)
            assert made.seat(1).get("snapshot").status_code == 503
            for cable in cables:
                cable.mend()
            answered(made, far)
            move(far, made)
            now = made.watch.snapshot()
            assert now["count"] > count
            for told in (one, other):
                assert [next(told).id for _ in range(now["count"])] == list(range(1, now["count"] + 1))
            assert records(of_bots, "GameEnded")
    assert findings(url) == []


def move(asked: Made, sent: Made) -> None:
    """Have the seat whose turn it is move: one server is asked, and the other is sent the command."""
    seat = asked.watch.snapshot()["awaited"][0]
    mine = asked.seat(seat).snapshot()
    answer = sent.seat(seat).send(head=mine["head"], action=simple_action(mine))
    assert answer.status_code == 200, answer.text


def answered(*tables: Made) -> None:
    """Wait until servers answer again; until then they say that the database cannot be reached."""
    for made in tables:
        eventually(partial(answers, made))


def answers(made: Made) -> bool:
    answer = made.watch.get("snapshot")
    assert answer.status_code == 200 or answer.json()["code"] == "database_unreachable"
    return answer.status_code == 200


def test_what_is_said_at_one_server_is_heard_and_deleted_at_the_other(url: URL) -> None:
    with serving(postgres.text(url)) as here, serving(postgres.text(url)) as there:
        made = here.made(*TWO).started()
        with at(there, made).seat(2).stream() as told:
            say = here.post(f"{made.path}/seats/1/say", json={"text": "hello"}, headers=made.seat(1).headers)
            assert say.status_code == 200
            (line,) = next(one for one in told if one.event == "chat").data["lines"]
            assert line["text"] == "hello"
            assert made.ask_host("chat/clear").status_code == 204
            assert next(one for one in told if one.event == "chat").data["deleted"] == [1]
