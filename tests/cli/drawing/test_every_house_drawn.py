"""Whole games in every house, played at the drawn table with the short commands shown below each question."""

import re
from itertools import cycle

import pytest

from pokersvc.games.draw_poker.house.houses import preset_names
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program

ROUNDS = 4
_OFFERED = re.compile(r"(?:^|   )(c|k|a|f|[br] \d+|1(?: 3)?(?: 5)?|Enter|s)(?= )", re.MULTILINE)
_LIKED = (("b", "r", "c", "k"), ("c", "b", "1", "k"), ("r", "c", "b", "1"), ("c", "f", "k"))
"""Preferred answers; the first one offered is typed."""


def offered(shown: str) -> dict[str, str]:
    """Return the short commands shown on a screen, by their first letter."""
    return {typed[0]: typed for typed in _OFFERED.findall(shown)}


@pytest.mark.slow
@pytest.mark.parametrize("house", preset_names())
def test_a_house_is_played_whole_by_hand(program: Program, house: str) -> None:
    others = [word for name in ("Bob", "Cy", "Dan") for word in ("--player", f"{name}=steady")]
    options = (*others, "--rules", house, "--rounds", str(ROUNDS), "--seed", "hands")
    table, typed = DrawnTerminal(program, "play", "--player", "Ann=human", *options), set[str]()
    shown = table.question()
    for liked in cycle(_LIKED):
        assert table.lines[0] == f"Five-card draw, {house}"
        assert max(map(len, table.lines)) <= 80
        if "Press Enter to leave the table" in shown:
            break
        can = offered(shown)
        if "E" in can:
            assert "Net: " in shown, "a summary stands above the question"
            answer = ""
        else:
            answer = next(can[one] for one in (*liked, "c", "k", "f", "s") if one in can)
            typed.add(answer[0])
        table.type("nope")
        assert "nope" in table.question(), "a wrong key costs nothing"
        table.type(answer)
        shown = table.question()
        assert "don't understand" not in shown
    assert {"c", "1"} <= typed
    table.type("")
    assert table.end() == 0
    assert table.settings() == table.before
    [game] = program.json("games", "--finished")
    assert game["rounds"] == ROUNDS or "cannot continue" in program.read("replay", "last")
    program.run("audit")
