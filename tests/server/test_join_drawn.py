"""`pokersvc join` and `watch` at a real terminal: a server's table, drawn."""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from pokersvc.server.following import connected_seats
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import CARD, Program

from .guests import Guest, Made, simple_action
from .liar import Liar, Told, lying
from .test_join import link
from .test_playing import play

BOB = {"name": "Bob", "program": "minimum"}


def joined(program: Program, made: Made, *, url: str | None = None, plain: bool = False) -> DrawnTerminal:
    address = link(made, 1) if url is None else f"{url}/t/{made.table}/seat/1/"
    table = DrawnTerminal(program, "join", address, *["--plain"] * plain)
    table.program.wait_until_typing_is_hidden()
    table.press(f"{made.tokens[1]}\n")
    return table


@pytest.mark.slow
def test_a_seat_is_played_at_a_drawn_table_with_its_clock_and_left_with_the_verdict(
    server: Guest, program: Program
) -> None:
    program.variables.clear()  # advice is shown
    made = server.made({"name": "Ann"}, BOB, rounds=1, settings={"seconds": 600}).started()
    table = joined(program, made)
    shown = table.until("or fold", "Bob is dealt")
    assert "Five-card draw" in table.lines[0]
    assert re.search(r"You have (600|59\d) seconds\.", shown), "the clock stands with the question"
    assert made.tokens[1] not in table.raw
    table.type("bet 50", "Best: ")
    table.type("q")
    assert table.end() == 0
    assert "The game goes on at the table." in " ".join(table.left.split())
    assert table.settings() == table.before

    table = joined(program, made)
    table.until("Best: ")
    table.type("", "final betting")
    table.type("fold", "Press Enter to leave the table", "are right")
    table.type("")
    assert table.end() == 0
    for said in ("Bob wins", "are right", "Compare with the other players"):
        assert said in " ".join(table.left.split())
    assert "Ann antes" not in table.left, "a recap, not the history"
    plain = program.ended("join", link(made, 1), "--plain", typed=f"{made.tokens[1]}\n")
    assert plain.code == 0
    assert "\x1b" not in plain.out


@pytest.mark.parametrize("plain", [False, True], ids=["drawn", "plain"])
def test_who_lost_the_connection_is_said_and_so_is_who_has_it_again(
    server: Guest, program: Program, monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    monkeypatch.setattr(connected_seats, "GRACE", 0.1)
    made = server.made({"name": "Ann"}, {"name": "Bob"}, rounds=1).started()
    ann = made.seat(1)
    ann.send(action=simple_action(ann.snapshot()))
    table = joined(program, made, plain=plain)
    while "Ann bets 50" not in table.raw:
        table.look()

    def see(*texts: str) -> None:
        while not all(text in (table.raw if plain else table.shown) for text in texts):
            table.look()

    for _ in range(1 if plain else 2):
        with made.seat(2).stream() as bob:
            next(bob)
        see("Bob has lost the connection.", *["Waiting for Bob (no connection)"] * (not plain))
        table.raw = ""
        with made.seat(2).stream() as bob:
            next(bob)
            see("Bob is connected again.", *["Waiting for Bob\n"] * (not plain))


TIMED: dict[str, Any] = {"rules": "no-limit", "levels": "evening", "stack": "1000"}
NEXT = re.compile(r"(You have \d+ seconds\. )?Next level 10/20 in (20:00|19:\d\d)\.")


@pytest.mark.slow
def test_the_time_to_the_next_level_stands_above_the_question_and_runs(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, options=TIMED, settings={"seconds": 600}).started()
    table = joined(program, made)
    shown = NEXT.search(table.until("or fold"))
    assert shown is not None
    assert shown[1], "beside the clock of the choice"
    while (later := NEXT.search(table.shown)) is None or later[2] == shown[2]:
        table.look()
    table.type("call", "Waiting for Bob")
    assert (waits := NEXT.search(table.shown)) is not None
    assert waits[1] is None
    watching = DrawnTerminal(program, "watch", f"{str(server.base_url).rstrip('/')}/t/{made.table}/")
    assert NEXT.search(watching.until("Waiting for Bob"))
    for one in (table, watching):
        one.press("\x03")
        one.end()


def test_line_by_line_the_time_to_the_next_level_is_said_with_each_choice(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, options=TIMED).started()
    said = program.ended("join", link(made, 1), "--plain", typed=f"{made.tokens[1]}\n")
    assert len(NEXT.findall(said.out)) == 1


class BreaksAndLies(Liar):
    """Loses the stream once, or choices, when it is told to; tells of another seat when it is told to lie."""

    breaks = lies = loses = False

    def cuts(self, method: str, path: str) -> bool:
        return self.loses and method == "POST"

    def record(self, record: Told) -> Iterable[Told]:
        if self.breaks:
            self.breaks = False
            raise OSError
        return [record | {"payload": record["payload"].replace('"seat":2', '"seat":1')}] if self.lies else [record]


@pytest.mark.slow
def test_what_happens_to_the_connection_stands_on_the_table_and_a_lie_ends_it(server: Guest, program: Program) -> None:
    program.variables.clear()  # advice is shown
    made = server.made({"name": "Ann"}, {"name": "Bob"}, rounds=1).started()
    liar = BreaksAndLies(str(server.base_url).rstrip("/"))
    with lying(liar) as url:
        table = joined(program, made, url=url)
        table.until("or fold")
        liar.loses = True
        table.type("bet 50")
        while "it is sent again." not in table.shown:  # drawn although nobody is asked
            table.look()
        liar.loses = False
        table.until("Waiting for Bob")
        liar.breaks = True
        assert made.seat(2).send(typed="call").status_code == 200
        table.until("The connection is lost:", "The connection is back.", "Best: ")
        table.type("", "Waiting for Bob")
        liar.lies = True
        assert made.seat(2).send(action=simple_action(made.seat(2).snapshot())).status_code == 200
        assert table.end() == 3
    assert " ".join(table.left.split()).startswith("pokersvc: The server does not tell the truth. ")
    assert "connection" not in table.left
    assert table.settings() == table.before


@pytest.mark.slow
def test_who_watches_a_servers_table_sees_it_drawn_and_is_asked_nothing(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, BOB, rounds=1).started()
    table = DrawnTerminal(program, "watch", link(made, None))
    assert "fold" not in table.until("Waiting for Ann", "Bob is dealt")
    assert made.seat(1).send(typed="bet 50").status_code == 200
    seen = table.until("Bob calls 50")
    assert not CARD.search(seen), "who watches sees no hand"
    table.press("h")
    table.until("No round is over yet.")
    table.press("q")
    assert table.end() == 0
    assert "The game goes on at the table." in " ".join(table.left.split())

    table = DrawnTerminal(program, "watch", link(made, None))
    table.until("Waiting for Ann")
    play(made)
    table.until("Press Enter to leave the table", "are right")
    table.type("q")
    assert table.end() == 0
    assert "are right" in " ".join(table.left.split())
    assert "goes on" not in table.left
