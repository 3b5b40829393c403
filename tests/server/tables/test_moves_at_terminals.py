"""A move to another device at a terminal: by six words, and as one that others are told of."""

import pytest

from tests.cli.program import Program, Terminal
from tests.server.guests import Guest, Made
from tests.server.liar import lying
from tests.server.test_join_lies import KeepsMyCards

from .moving import TWO, at, code_of, move, moved, types


@pytest.fixture
def made(server: Guest) -> Made:
    return server.made(*TWO).started()


def test_a_terminal_from_which_the_seat_moved_says_so_and_ends(made: Made, program: Program) -> None:
    terminal = program.terminal("join", at(made, 1))
    terminal.until("which is not shown: ")
    terminal.wait_until_typing_is_hidden()
    terminal.type(made.tokens[1])
    terminal.until("bet")
    moved(made, 1)
    terminal.until("You went on at another device.")
    assert terminal.end() == 0
    assert "went on at another device" not in made.watch.get("snapshot").text


def waiting_at_a_terminal(made: Made, program: Program) -> Terminal:
    """Join by the token of seat 2 before the game begins."""
    terminal = program.terminal("join", at(made, 2))
    terminal.until("which is not shown: ")
    terminal.wait_until_typing_is_hidden()
    terminal.type(made.tokens[2])
    terminal.until("The game has not begun")
    return terminal


def test_a_terminal_is_told_when_the_rights_of_the_host_move(server: Guest, program: Program) -> None:
    made = server.made(*TWO)
    terminal = waiting_at_a_terminal(made, program)
    moved(made, 0)
    terminal.until("The host goes on at another device.")
    made.started()
    terminal.until("Bob is dealt")
    moved(made, 0)
    terminal.until("The host goes on at another device.")


def test_a_terminal_is_told_of_a_move_before_the_game(server: Guest, program: Program) -> None:
    made = server.made(*TWO)
    terminal = waiting_at_a_terminal(made, program)
    moved(made, 1)
    terminal.until("Ann goes on at another device.")


@pytest.mark.parametrize("words", [True, False])
def test_a_terminal_joins_by_six_words_or_by_the_token_that_a_move_gave(
    server: Guest, program: Program, words: bool
) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob", "program": "minimum"}, rounds=1).started()
    typed = code_of(made, 1)
    if not words:
        moved(made, 1)
        typed = made.tokens[1]
    asked = "\n".join([typed.title() if words else typed, *("bet 50", "check", "call", "", "fold") * 50])
    ended = program.ended("join", at(made, 1), "--save", "mine.jsonl", typed=f"{asked}\n")
    assert ended.code == 0, ended.err
    assert "are right" in ended.out
    assert program.ended("verify", "mine.jsonl").code == 0
    assert types(made).count("DeviceChanged") == 1
    if words:
        assert made.seat(1).get("session").status_code == 401, "the device before is out"
        again = program.ended("join", at(made, 1), typed=f"{typed}\n")
        assert again.code == 0, "the same words open it for this device"


def test_words_of_another_seat_do_not_move_it_to_a_terminal(made: Made, program: Program) -> None:
    words = {seat: code_of(made, seat) for seat in (0, 2)}
    for typed in words.values():
        assert "These words are wrong" in program.refused("join", at(made, 1), typed=f"{typed}\n")
    assert made.seat(2).get("session").status_code == 204
    assert move(made, words[2]).status_code == 200


def test_a_card_that_is_withheld_before_a_move_is_a_lie_still(made: Made, program: Program) -> None:
    """Before a new link it may have been another person's; the person who moves has seen it."""
    moved(made, 1)
    with lying(KeepsMyCards(str(made.guest.base_url))) as url:
        said = program.refused("join", f"{url}/t/{made.table}/seat/1/", code=3, typed=f"{made.tokens[1]}\n")
    assert "found a secret withheld where there should be one that seat 1 may see" in said
