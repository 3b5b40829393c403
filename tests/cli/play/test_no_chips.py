"""A person without chips at a cash table: amounts to buy are offered before anything else."""

import re

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program


def test_who_has_no_chips_is_offered_amounts_to_buy_before_anything_else(program: Program) -> None:
    program.variables["POKERSVC_ADVICE"] = "no"  # which takes a second
    cash = ("--rules=no-limit", "--cash", "--stack=Ann=40", "--seed=a")
    table = DrawnTerminal(program, "play", *cash, "--player=Ann=human", "--player=Bob=minimum", "--player=Cy=minimum")
    table.until("all in, 40")
    table.type("a", "to discard, type the numbers")
    table.type("k", "Ann has no chips: type `buy 200`, or press Enter for the next round")
    offered = next(line for line in table.lines if line.startswith("buy 200"))
    assert offered.startswith("buy 200 (1 to 200)   buy 100 (half)   buy 50 (a quarter)   Enter next round")
    assert sum("buy 200" in line for line in table.lines) == 2, "in the question, and once below it"
    assert re.search(r"1 Ann .*\$0 +-40 +no chips", table.shown)
    table.type("buy 100", "Press Enter for the next round, or type `leave`")
    assert "no chips" not in table.shown
    table.type("q")
    assert table.end() == 0
