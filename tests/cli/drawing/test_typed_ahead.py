"""What stays on the screen between two questions: the drawing remains, and the next one starts on an empty screen."""

import re

import pyte

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program

ROWS, COLUMNS = 24, 60
NEXT = "\x1b[?2004h"
"""The beginning of a drawing: it turns on the marking of pastes."""
DRAWN = re.compile(r"(?<=\x1b\[\?25h)")
"""The end of a drawing: it shows the cursor again."""
REMAINS = re.compile(r"\w\S*\s?─{3,}|─{3,}\s?\w")
"""A text that runs into a rule."""


def test_the_drawing_stays_until_the_next_one(program: Program) -> None:
    program.variables["POKERSVC_ADVICE"] = "no"  # which takes a second
    bob = ("--player", "Bob=steady")
    table = DrawnTerminal(
        program, "play", "--rules=no-limit", "--player=Ann=human", *bob, "--seed", "s1", size=(ROWS, COLUMNS)
    )
    table.until("Call 1, raise to 4")
    count = len(table.raw)
    table.type("call", "to discard, type the numbers")
    between, again, _ = table.raw[count:].partition(NEXT)
    assert again
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    stream.feed(table.raw[:count])
    stream.feed(between)
    assert "Five-card draw" in screen.display[0]
    table.type("q")
    table.end()


def test_nothing_of_the_drawing_before_stays_beside_one_whose_answer_was_typed_ahead(program: Program) -> None:
    bob = ("--player", "Bob=steady")
    table = DrawnTerminal(
        program, "play", "--rules=no-limit", "--player=Ann=human", *bob, "--seed", "s1", size=(ROWS, COLUMNS)
    )
    before = table.until("Call 1, raise to 4")
    assert "─" * COLUMNS in before
    count = len(table.raw)
    table.press("xx\rzz\r")
    table.until("I don't understand 'zz'")
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    stream.feed(table.raw[:count])
    for part in DRAWN.split(table.raw[count:]):
        stream.feed(part)
        assert [line for line in screen.display if REMAINS.search(line)] == []
    table.type("q")
    table.end()
