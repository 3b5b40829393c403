"""Choices in advance that are typed line by line at `pokersvc join --plain`, by the laws of the drawn table."""

import time

import pytest

from pokersvc.cli.play.advance import DELAY, SETTLED
from tests.cli.program import Program, Terminal
from tests.waiting import eventually

from .guests import Guest, Made
from .test_join import link
from .test_join_in_advance import THREE, awaited, cy


def begun(server: Guest) -> Made:
    """Return a table of three, at which Bob has raised Ann's raise: now Cy chooses."""
    made = server.made(*THREE, options={"rules": "no-limit"}).started()
    for seat, typed in ((1, "raise 20"), (2, "raise 60")):
        assert made.seat(seat).send(typed=typed).status_code == 200
    return made


def waiting(server: Guest, program: Program) -> tuple[Made, Terminal]:
    """Return such a table, and the terminal of Ann, who waits."""
    made = begun(server)
    ann = program.terminal("join", link(made, 1), "--plain")
    ann.wait_until_typing_is_hidden()
    ann.type(made.tokens[1])
    ann.until("You can choose in advance: `ahead` says what.")
    time.sleep(SETTLED)
    return made, ann


def leave(ann: Terminal) -> None:
    ann.press_ctrl_c()
    ann.end()


def she_chooses_herself(made: Made, ann: Terminal) -> None:
    """Check that Ann is asked in her turn, and that nothing is sent for her."""
    ann.until("or fold")
    time.sleep(DELAY[1])
    assert awaited(made) == [1]
    leave(ann)


@pytest.mark.slow
def test_a_choice_that_is_typed_ahead_is_sent_in_ones_turn_after_a_delay_and_not_before(
    server: Guest, program: Program
) -> None:
    made, ann = waiting(server, program)
    count = made.watch.snapshot()["count"]
    ann.type("ahead")
    ann.until("While others choose, you can type `ahead fold` or `ahead call 40` or `ahead call any`.")
    ann.type("ahead call any")
    ann.until("In advance: call any.")
    assert made.watch.snapshot()["count"] == count, "nothing is sent before the turn"
    cy(made, "call")
    came = time.monotonic()
    eventually(lambda: awaited(made) != [1])
    assert time.monotonic() - came >= DELAY[0] - 0.1
    ann.until("Ann calls")
    leave(ann)


@pytest.mark.slow
def test_what_was_typed_ahead_is_taken_back_before_the_turn_and_in_it(server: Guest, program: Program) -> None:
    made, ann = waiting(server, program)
    for typed, said in (
        ("ahead f", "In advance: fold."),
        ("ahead take back", "Taken back."),
        ("AHEAD  f", "advance: fold."),
    ):
        ann.type(typed)
        ann.until(said)
    cy(made, "call")
    ann.until("Cy calls")
    ann.type("ahead t")
    ann.until("Taken back.")
    she_chooses_herself(made, ann)


@pytest.mark.slow
def test_an_answer_that_is_typed_in_ones_turn_takes_the_place_of_what_was_typed_ahead(
    server: Guest, program: Program
) -> None:
    made, ann = waiting(server, program)
    ann.type("ahead fold")
    ann.until("In advance: fold.")
    cy(made, "call")
    ann.until("Cy calls")
    ann.type("call")
    ann.until("Ann calls")
    leave(ann)


@pytest.mark.slow
def test_a_call_ahead_whose_price_has_changed_is_dropped_with_a_sentence(server: Guest, program: Program) -> None:
    made, ann = waiting(server, program)
    ann.type("ahead call")
    ann.until("In advance: call 40.")
    cy(made, "raise 200")
    ann.until("The price has changed: your call in advance was dropped.")
    she_chooses_herself(made, ann)


@pytest.mark.slow
def test_a_fold_ahead_outlasts_a_pause_of_the_table(server: Guest, program: Program) -> None:
    made, ann = waiting(server, program)
    ann.type("ahead check/fold")
    ann.until("In advance: fold.")
    made.ask_host("pause")
    ann.until("paused")
    made.ask_host("resume")
    cy(made, "fold")
    ann.until("Ann folds")
    leave(ann)


def test_what_cannot_be_chosen_ahead_is_said_and_so_is_a_wrong_moment(server: Guest, program: Program) -> None:
    made, ann = waiting(server, program)
    ann.type("ahead raise 900")
    ann.until("While others choose, you can type `ahead fold`")
    cy(made, "call")
    ann.until("or fold")
    ann.type("ahead fold")
    ann.until("`ahead` is for while others choose: now it is your turn.")
    assert awaited(made) == [1]
    leave(ann)


def test_other_lines_that_are_typed_while_one_waits_answer_the_next_questions(server: Guest, program: Program) -> None:
    made, ann = waiting(server, program)
    ann.type("call")
    ann.type("ahead fold")
    cy(made, "call")
    ann.until("Ann calls")
    leave(ann)


def test_lines_of_a_pipe_are_choices_ahead_and_answers_in_their_order(server: Guest, program: Program) -> None:
    made = server.made({"name": "Ann"}, {"program": "minimum"}, options={"rules": "no-limit"}, rounds=1).started()
    lines = [made.tokens[1], "ahead", "call", "k", "check", "check"]
    played = program.ended("join", link(made, 1), "--plain", typed="".join(f"{line}\n" for line in lines))
    assert "the input ended" in played.err.lower() or played.code == 0
    assert "Ann calls" in played.out
