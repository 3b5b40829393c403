"""Answers that are typed before their question is drawn: every drawing begins on an empty screen."""

import re

import pyte

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program

ROWS, COLUMNS = 24, 60
DRAWN = re.compile(r"(?<=\x1b\[\?25h)")
"""The end of a drawing: it shows the cursor again."""
REMAINS = re.compile(r"\w\S*\s?─{3,}|─{3,}\s?\w")
"""A text that runs into a rule."""


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
