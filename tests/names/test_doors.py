"""Every place that accepts names refuses unreadable and look-alike names; recorded names stay valid."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest
from sqlalchemy import URL

from pokersvc import core
from pokersvc.betting.cash import SitDown
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.names import like
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.evidence.export import write as write_export
from pokersvc.evidence.verified import verify_export
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from pokersvc.service.read_models import history
from pokersvc.tournament.plan import plan
from tests import postgres
from tests.cli.program import Program
from tests.server.conftest import FAST, running, served
from tests.server.guests import Guest, Made
from tests.server.test_newcomers import CASH, does, sit, taken
from tests.server.test_two_servers import at
from tests.service.support import play_to_the_pause
from tests.service.test_newcomers import cash_game

SARA, CAPA = "Сара", "Capa"
"""One name in Cyrillic, one in Latin letters; they look alike."""
UNREADABLE = ["\u3164", "\u2800", "Zoe\u3164", "\u0410da", "\u0391da", "Z" + "\u0301" * 19]
REFUSED = "cannot be a name"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=60.0) as guest:
        yield guest


def made(guest: Guest, *seats: dict[str, str], **asked: Any) -> httpx.Response:
    return guest.post("/api/tables", json={"kind": "draw", "seats": list(seats), **asked})


def cash_table(server: Guest) -> Made:
    """A public cash game of two people and two free seats, between its first two rounds."""
    made = server.made({"name": "Ann"}, {"name": "Bob"}, {}, {}, options=CASH, public=True).started()
    made.play_to_the_pause()
    return made


# One name at a time.


def test_each_door_of_a_server_refuses_a_name_that_nobody_can_read(server: Guest) -> None:
    waiting = server.made({"name": "Eve"}, {}, public=True)
    link = server.made({"name": "Eve"}, {"name": "Zoe"}, all_come=False)
    running = cash_table(server)
    free = taken(running, "Carl", 3)
    for name in UNREADABLE:
        answers = [
            made(server, {"name": name}, {"name": "Eve"}),
            sit(waiting, name),
            link.guest.post(f"{link.path}/seats/2/session", json={"token": link.links[2], "name": name}),
            sit(running, name),
            does(free, type="SitDown", chips=100, name=name),
        ]
        assert [(one.status_code, REFUSED in one.json()["message"]) for one in answers] == [(422, True)] * 5, name


@pytest.mark.parametrize("name", UNREADABLE)
def test_no_game_starts_with_such_a_name_at_a_terminal_or_in_a_tournament(program: Program, name: str) -> None:
    assert REFUSED in program.refused("play", "--auto", "--player", f"{name}=minimum", "--player", "Eve=minimum")
    with pytest.raises(InvalidValue, match=REFUSED):
        plan(game_of("draw"), {}, (Seat("minimum", name), Seat("minimum", "Eve")), 1)


def test_a_name_in_cyrillic_alone_is_welcome_everywhere(server: Guest, program: Program) -> None:
    assert made(server, {"name": SARA}, {"name": "Eve"}).status_code == 201
    running = cash_table(server)
    assert does(taken(running, SARA), type="SitDown", chips=100).status_code == 200
    assert SARA in program.run("play", "--auto", "--player", f"{SARA}=minimum", "--player", "Eve=minimum")


# Two that look alike.


@pytest.mark.parametrize(("one", "other"), [(CAPA, SARA), ("Bill", "BiIl"), ("Ann", "ＡＮＮ")])
def test_each_door_of_a_server_refuses_a_name_that_looks_like_anothers(server: Guest, one: str, other: str) -> None:
    refused = made(server, {"name": one}, {"name": other})
    assert (refused.status_code, "look alike" in refused.json()["message"]) == (422, True)
    assert made(server, {"name": one}, {"program": "steady", "name": other}).status_code == 422
    public, private = (
        server.made({"name": one}, {}, public=True),
        server.made({"name": one}, {"name": "Zoe"}, all_come=False),
    )
    running = server.made({"name": one}, {"name": "Bob"}, {}, {}, options=CASH, public=True).started()
    running.play_to_the_pause()
    running.renewed(4)
    said = f"Somebody at the table is called {one!r}, which looks like {other!r}; take another name."
    for answer in (
        sit(public, other),
        private.guest.post(f"{private.path}/seats/2/session", json={"token": private.links[2], "name": other}),
        sit(running, other),
        does(running.seat(4), type="SitDown", chips=100, name=other),
        running.seat(4).send(typed=f"sit down with 100 as {other}"),  # as `pokersvc join` sends it
    ):
        assert (answer.status_code, answer.json()["message"]) == (422, said)


def test_a_seat_that_is_open_has_a_name_that_nobody_else_may_look_like(server: Guest) -> None:
    others = [{"name": f"P{number}"} for number in range(2, 10)]
    refused = made(server, {"name": "SeatlO"}, *others, {}, options=CASH, public=True)
    assert (refused.status_code, "'Seat10' is the name of seat 10" in refused.json()["message"]) == (422, True)


def test_a_bot_gets_a_name_that_looks_like_nobodys(server: Guest) -> None:
    named = server.made({"name": "PIayer2"}, {"program": "steady"}, public=True)
    (table,) = [one for one in named.guest.get("/api/tables").json()["tables"] if one["table"] == named.table]
    assert [seat["name"] for seat in table["seats"]] == ["PIayer2", "Player3"]


def test_who_got_up_comes_back_under_their_name_and_nobody_under_one_like_it(server: Guest) -> None:
    made = cash_table(server)
    held = taken(made, CAPA, 3)
    assert does(held, type="SitDown", chips=100).status_code == 200
    assert does(held, type="Leave").status_code == 200
    for seat in (3, 4, None):
        assert sit(made, SARA, seat).status_code == 422
    assert sit(made, "CAPA").json()["seat"] == 3


def test_at_a_terminal_and_in_a_tournament_no_two_names_look_alike(program: Program) -> None:
    said = program.refused("play", "--auto", "--player", f"{CAPA}=minimum", "--player", f"{SARA}=minimum")
    assert "The names 'Capa' and 'Сара' look alike; every seat needs a name that looks different." in said
    with pytest.raises(InvalidValue, match="look alike"):
        plan(game_of("draw"), {}, (Seat("minimum", CAPA), Seat("minimum", SARA)), 1)


# The head that a command is appended at.


def test_a_name_is_compared_with_those_at_the_head_also_where_others_were_faster(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.sqlite") as one, open_database(tmp_path / "a.sqlite") as two:
        here, there = Service(EventLog(one)), Service(EventLog(two))
        game_id = cash_game(here)
        there.status(game_id)
        there.act(game_id, SitDown(3, 80, "Zoe"))  # so that it has the game in memory
        there.act(game_id, Leave(3))
        here.act(game_id, SitDown(4, 80, CAPA))
        with pytest.raises(IllegalAction, match=f"is called '{CAPA}', which looks like '{SARA}'") as refused:
            there.act(game_id, SitDown(3, 80, SARA))
        assert refused.value.code == "name_taken"
        with pytest.raises(IllegalAction, match=REFUSED) as refused:
            there.act(game_id, SitDown(3, 80, "\u0410nn"))
        assert refused.value.code == "illegal_name"


def test_of_two_services_that_both_found_a_name_free_one_alone_records_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(tmp_path / "a.sqlite") as one, open_database(tmp_path / "a.sqlite") as two:
        here, there = Service(EventLog(one)), Service(EventLog(two))
        game_id = cash_game(here)
        compared: list[str] = []

        def slow(name: str, others: list[str]) -> str | None:
            found = like(name, others)
            compared.append(name)
            if compared == [SARA]:  # which is found free; the other is faster
                here.act(game_id, SitDown(4, 80, CAPA))
            return found

        monkeypatch.setattr("pokersvc.service.service.like", slow)
        with pytest.raises(IllegalAction, match=f"is called '{CAPA}', which looks like '{SARA}'"):
            there.act(game_id, SitDown(3, 80, SARA))
        assert compared == [SARA, CAPA, SARA], "and compared again at the new head, where it is refused"
        assert [seat.name for seat in here.status(game_id).seats] == ["Ann", "Bob", "Seat3", CAPA]


@contextmanager
def two_servers(url: URL) -> Iterator[tuple[Guest, Guest]]:
    """Serve one database twice, and wait between two rounds for as long as these tests take."""
    with ExitStack() as stack:
        here, there = (
            stack.enter_context(served(database, limits=FAST, poll=3600.0, pace=0.0, pause=60.0))
            for database in (stack.enter_context(Database.for_writing(postgres.text(url))) for _ in range(2))
        )
        yield here, there


def at_one_moment(*asked: Callable[[], httpx.Response]) -> list[int]:
    """Send requests simultaneously, and return the answers, in order."""
    barrier = Barrier(len(asked))

    def send(one: Callable[[], httpx.Response]) -> int:
        barrier.wait(10)
        return one().status_code

    with ThreadPoolExecutor(len(asked)) as senders:
        return sorted(senders.map(send, asked))


def test_of_two_who_join_at_one_moment_on_two_servers_one_alone_is_let_in(url: URL) -> None:
    with two_servers(url) as (here, there):
        waiting = here.made({"name": "Ann"}, {}, {}, {}, public=True)
        assert at_one_moment(lambda: sit(waiting, CAPA), lambda: sit(at(there, waiting), SARA)) == [201, 422]

        private = here.made({"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}, all_come=False)
        named = [
            lambda: private.guest.post(
                f"{private.path}/seats/2/session", json={"token": private.links[2], "name": CAPA}
            ),
            lambda: there.post(f"{private.path}/seats/3/session", json={"token": private.links[3], "name": SARA}),
        ]
        assert at_one_moment(*named)[1] == 422


@pytest.mark.slow
def test_of_two_who_sit_down_at_one_moment_on_two_servers_one_alone_is_recorded(url: URL) -> None:
    with two_servers(url) as (here, there):
        asked: list[dict[str, str]] = [{"name": "Ann"}, {"name": "Bob"}, {}, {}, {}, {}]
        made = here.made(*asked, options=CASH, public=True).started()
        made.play_to_the_pause()
        assert at_one_moment(lambda: sit(made, CAPA, 3), lambda: sit(at(there, made), SARA, 4)) == [201, 422]

        for seat in (5, 6):
            made.renewed(seat)
        sitting = [
            lambda: made.seat(5).send(action={"type": "SitDown", "chips": 50, "name": "Bill"}),
            lambda: at(there, made).seat(6).send(action={"type": "SitDown", "chips": 50, "name": "BiIl"}),
        ]
        assert at_one_moment(*sitting) == [200, 422]
        assert len({"Bill", "BiIl"} & {seat["name"] for seat in made.watch.snapshot()["view"]["seats"]}) == 1


# What was recorded before names were compared.


def test_a_log_with_such_names_replays_audits_and_goes_on_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sqlite"
    names = ["Ann", "\u0410nn", "\u3164", SARA]
    with monkeypatch.context() as patched, open_database(path) as database:
        patched.setattr(core.setup, "apart", lambda _: None)
        patched.setattr("pokersvc.service.service.unreadable", lambda _: None)
        patched.setattr("pokersvc.service.service.like", lambda *_: None)
        service = Service(EventLog(database))
        seats = tuple(Seat(kind, name) for kind, name in zip((HUMAN, "minimum"), names, strict=False))
        options = {"rules": "no-limit", "cash": True, "open_seats": 3}
        game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text("old"), None, options))
        play_to_the_pause(service, game_id)
        for seat, name in ((3, names[2]), (4, SARA), (5, CAPA)):
            service.act(game_id, SitDown(seat, 80, name))
        service.go_on(game_id)
        play_to_the_pause(service, game_id)
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log)
        assert [seat.name for seat in service.status(game_id).seats] == [*names, CAPA]
        service.act(game_id, Leave(4))
        service.act(game_id, SitDown(4, 50))  # under the name that the seat has
        service.act(game_id, Leave(5))
        service.act(game_id, SitDown(5, 50, CAPA))
        service.go_on(game_id)
        play_to_the_pause(service, game_id)
        service.close(game_id)
        assert [seat.name for seat in history.summary(database, game_id).seats] == [*names, CAPA]
        assert [finding for one in audit(database) for finding in one.findings] == []
        with (tmp_path / "a.jsonl").open("wb") as file:
            write_export(file, log, game_id)
    assert verify_export(tmp_path / "a.jsonl").findings == ()
