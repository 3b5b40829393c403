"""Advice at the table: people ask for all of it, and bots draw by the method on the command line."""

import re
from typing import Final

import pytest

import pokersvc
from tests.cli.program import Program

PERSON: Final = (
    "play",
    "--rules",
    "capped-raise",
    "--players",
    "2",
    "--player",
    "Ann=human",
    "--player",
    "Bob=minimum",
    "--seed",
    "demo",
)
PROGRAMS: Final = ("play", "--auto", "--rounds", "2", "--seed", "demo")


@pytest.fixture
def program(program: Program) -> Program:
    """Fixture: the program with an empty home, with advice."""
    program.variables.clear()
    return program


def kinds(program: Program) -> list[str]:
    """Return who sits at the table of the last game."""
    return [seat["kind"] for seat in program.facts()[0]["payload"]["seats"]]


def test_a_person_may_see_the_table_of_all_discards_before_choosing(program: Program) -> None:
    said = program.run(*PERSON, typed="bet\ntable\nok\nquit\n")
    (positions,) = set(re.findall(r"(?m)^Advice: .* \(([\d,]+) or \"ok\"\): about .*$", said))
    head, *rows = said[said.index("\ndiscard") + 1 :].splitlines()[:33]
    assert head.split()[:2] == ["discard", "about"]
    assert len(rows) == 32
    hand = re.findall(r"Ann is dealt (.*)", said)[-1].split()
    assert rows[0].split()[: len(positions.split(","))] == [hand[int(one) - 1] for one in positions.split(",")]
    assert [fact["type"] for fact in program.facts()].count("CardsDiscarded") == 2  # asking was no choice


def test_programs_are_advised_exactly_unless_told_otherwise(program: Program) -> None:
    for exactly in ((), ("--advisor", "exact")):
        program.run(*PROGRAMS, "--opponents", "steady", *exactly)
        assert kinds(program) == ["steady", "steady"]
    program.run(*PROGRAMS, "--advisor", "monte-carlo")
    assert kinds(program) == ["steady/monte-carlo"] * 2, "the house's bot draws by the exact advice only"


def test_with_monte_carlo_programs_that_draw_by_advice_say_so_in_their_kind(program: Program) -> None:
    program.run(*PROGRAMS, "--advisor", "monte-carlo", "--player", "A=house", "--player", "B=random")
    assert kinds(program) == ["house/monte-carlo", "random"]


def test_a_game_by_monte_carlo_is_the_same_again_from_its_seed(program: Program) -> None:
    asked = (*PROGRAMS, "--advisor", "monte-carlo", "--rules", "capped-raise")
    program.run(*asked)
    first = program.facts()
    program.run(*asked)
    assert program.facts() == first


def test_one_seat_alone_may_draw_by_monte_carlo(program: Program) -> None:
    program.run(*PROGRAMS, "--player", "A=table/monte-carlo", "--player", "B=table")
    assert kinds(program) == ["table/monte-carlo", "table"]


AGAINST_THE_HOUSE: Final = ("play", "--rules", "buy-the-pot", "--player", "Ann=human", "--player", "Bob=house")


def advice_of(said: str) -> list[str]:
    """Return the advice before the draw: its first line, and the whole table of discards."""
    start = said.index("Advice: ")
    return [said[start : said.index("\n", start)], *said[said.index("\ndiscard") + 1 :].splitlines()[:33]]


def test_with_monte_carlo_a_person_is_advised_so_too_and_a_resumed_game_goes_on_so(program: Program) -> None:
    options = ("--advisor", "monte-carlo", "--seed", "demo")
    answers = "check\ntable\n"
    first = advice_of(program.ended(*AGAINST_THE_HOUSE, *options, typed=answers).out)
    assert re.fullmatch(r"Advice: keep .*: about .*", first[0])
    assert all("±" in row for row in first[2:] if not row.startswith("none ")), "standing pat leaves nothing to chance"
    assert advice_of(program.ended("resume", "last", typed="table\n").out) == first, "asked again, it is the same"
    said = program.run("resume", "last", typed="ok\nquit\n")
    thrown = re.findall(r"Ann discards (.+)", said)[0]
    assert first[2].startswith(f"{thrown} "), "the best of the table"


def test_where_kinds_are_hidden_advice_does_not_tell_them(program: Program) -> None:
    options = ("--advisor", "monte-carlo", "--seed", "demo", "--hide-kinds")
    assert "±" not in "".join(advice_of(program.ended(*AGAINST_THE_HOUSE, *options, typed="check\ntable\n").out))


def test_a_persons_advice_by_monte_carlo_is_near_the_exact_one(program: Program) -> None:
    def values(*options: str) -> dict[str, float]:
        said = program.ended(*AGAINST_THE_HOUSE, "--seed", "demo", *options, typed="check\ntable\n").out
        found = (re.match(r"(none|(?:\w+ )+) *([\d.]+)", row) for row in advice_of(said)[2:])
        return {row[1].strip(): float(row[2]) for row in found if row}

    exact, sampled = values(), values("--advisor", "monte-carlo")
    assert exact.keys() == sampled.keys()
    assert len(exact) == 32
    assert exact != sampled
    assert all(abs(exact[cards] - sampled[cards]) < 2 for cards in exact)


def test_an_advisor_that_changes_nothing_is_refused(program: Program) -> None:
    told = program.refused(*PROGRAMS, "--advisor", "monte-carlo", "--player", "A=random", "--player", "B=minimum")
    assert told == (
        "--advisor monte-carlo changes nothing: no program at this table draws by advice,"
        " and people get the same advice as programs."
    )
    assert not program.database.exists()


def test_odds_stand_with_the_best_next_to_the_question_in_every_game(program: Program) -> None:
    draw = program.ended(*AGAINST_THE_HOUSE, "--seed", "demo", typed="check\nodds\n").out
    _, *rows = draw[draw.index("\ndiscard ") + 1 :].splitlines()[:33]
    values = [float(re.findall(r" (\d+\.\d\d) ", row)[0]) for row in rows]
    assert len(rows) == 32
    assert values == sorted(values)
    assert advice_of(program.ended("resume", "last", typed="table\n").out)[2] == rows[-1], "a table has its best on top"

    options = ("--seed", "demo", "--player", "Ann=human", "--player", "Bob=random")
    board = program.ended("play", "--game", "kalah", *options, typed="o\n").out
    # How far the search sees depends on the machine; seen not far, a hole may be level.
    margins = re.findall(r"hole \d +(?:level|(\d+) (\w+))", board)
    ahead = [int(many or 0) * (-1) ** (where == "behind") for many, where in margins]
    assert len(ahead) == 6
    assert ahead == sorted(ahead)

    swaps = program.ended("play", "--game", "market", *options, typed="o\n").out
    game = program.json("games")[0]["game"]
    with pokersvc.Database.for_reading(str(program.database)) as database:
        turn = pokersvc.Service(pokersvc.EventLog(database)).turn(game, 1)
    best_first = pokersvc.game_of("market").words.advise(turn.view, turn.legal)
    assert best_first
    assert "\n".join(best_first[::-1]) in swaps
