"""Choices in advance at a drawn table of `pokersvc join`: kept here, and sent in one's turn after a delay."""

import time

import pytest

from pokersvc.cli.play.advance import DELAY, SETTLED
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program

from .guests import Guest, Made
from .test_join_drawn import joined

THREE = ({"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"})


def waiting(server: Guest, program: Program) -> tuple[Made, DrawnTerminal]:
    """Return a table of three, and the terminal of Ann, whose raise Bob has raised: now Cy chooses."""
    made = server.made(*THREE, options={"rules": "no-limit"}).started()
    for seat, typed in ((1, "raise 20"), (2, "raise 60")):
        assert made.seat(seat).send(typed=typed).status_code == 200
    table = joined(program, made)
    table.until("Waiting for Cy", "f fold", "c call 40", "ca call any")
    time.sleep(SETTLED)
    return made, table


def cy(made: Made, typed: str) -> None:
    assert made.seat(3).send(typed=typed).status_code == 200


def awaited(made: Made) -> list[int]:
    seats: list[int] = made.watch.snapshot()["awaited"]
    return seats


@pytest.mark.slow
def test_a_choice_in_advance_is_sent_in_ones_turn_after_a_delay_and_not_before(server: Guest, program: Program) -> None:
    made, table = waiting(server, program)
    count = made.watch.snapshot()["count"]
    table.type("ca", "in advance: call any", "t take back")
    assert made.watch.snapshot()["count"] == count, "nothing is sent before the turn"
    cy(made, "call")
    came = time.monotonic()
    table.until("In advance: call any…", "t take back")
    while awaited(made) == [1]:
        assert time.monotonic() < came + 20
        time.sleep(0.02)
    assert time.monotonic() - came >= DELAY[0] - 0.1
    table.until("Ann calls")
    table.press("\x03")
    table.end()


def she_chooses_herself(made: Made, table: DrawnTerminal) -> None:
    """Check that nothing is sent for Ann in her turn, and leave."""
    time.sleep(DELAY[1])
    assert awaited(made) == [1]
    table.press("\x03")
    table.end()


@pytest.mark.slow
def test_what_was_chosen_is_taken_back_before_the_turn_and_in_it(server: Guest, program: Program) -> None:
    made, table = waiting(server, program)
    table.type("f", "; in advance: ")
    table.type("t", "ca call any", without="in advance: ")
    table.type("f", "; in advance: ")
    cy(made, "call")
    table.until("In advance: ")
    table.type("t", "f fold", without="In advance")
    she_chooses_herself(made, table)


@pytest.mark.slow
def test_a_call_whose_price_has_changed_is_dropped_with_a_sentence(server: Guest, program: Program) -> None:
    made, table = waiting(server, program)
    table.type("c", "; in advance: ")
    cy(made, "raise 200")
    table.until("The price has changed: your call in advance was dropped.", "or fold")
    she_chooses_herself(made, table)


def test_another_text_is_no_choice_and_what_was_wrong_goes_with_the_next(server: Guest, program: Program) -> None:
    made, table = waiting(server, program)
    table.type("zzz", "I don't understand 'zzz'. It is not your turn.")
    table.type("ca", "; in advance: call any", without="zzz")
    table.press("\x03")
    table.end()
    assert awaited(made) == [3]
