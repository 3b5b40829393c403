"""`pokersvc rules`: lists the houses, and prints one as a template for new houses."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.cli.program import Program

HOUSES = ["buy-the-pot", "capped-raise", "fixed-limit", "no-limit", "pot-limit", "rising-ante"]
PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")


def test_the_houses_are_listed_a_line_each(program: Program) -> None:
    lines = program.run("rules").splitlines()
    assert [line.split()[0] for line in lines] == HOUSES
    assert lines[1] == "capped-raise  Five-card draw with raises that double the price, up to a cap."


def test_the_houses_are_listed_as_json(program: Program) -> None:
    listed = program.json("rules")
    assert [house["house"] for house in listed] == HOUSES
    assert listed[1] == {
        "game": "draw",
        "house": "capped-raise",
        "summary": "Five-card draw with raises that double the price, up to a cap.",
    }


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_is_printed_as_toml_with_comments_or_as_json(program: Program, house: str) -> None:
    text = program.run("rules", house)
    assert text.isascii(), "the file is the same in every encoding"
    assert text.startswith("# Five-card draw")
    assert tomllib.loads(text)["name"] == house
    assert program.json("rules", house) == tomllib.loads(text)


def test_the_rules_need_no_database_and_make_none(program: Program) -> None:
    program.run("--db", "postgresql://nobody@nowhere.invalid/nothing", "rules", "no-limit")
    assert list(program.home.iterdir()) == []


@pytest.mark.parametrize("house", ["rising", "Rising-ante", "", "../rising-ante", "my.toml"])
def test_an_unknown_house_is_refused_with_the_houses_there_are(program: Program, house: str) -> None:
    assert program.refused("rules", house) == f"There is no house {house!r}; the houses are {', '.join(HOUSES)}."


@pytest.mark.parametrize("house", HOUSES)
def test_a_printed_house_that_was_saved_and_edited_is_played(program: Program, house: str) -> None:
    text = re.sub(r"(?m)^stack = \d+", "stack = 77", program.run("rules", house))
    text = text.replace("minimum = 50", "minimum = 10").replace(f'name = "{house}"', 'name = "my-house"')
    text = re.sub(r'(?m)^player = ".*"', 'player = "minimum"', text)
    (program.home / "my.toml").write_text(text, "utf-8")
    program.run("play", "--rules", "my.toml", "--auto", "--rounds", "1", "--seed", "demo")
    started = program.facts()[0]["payload"]
    assert (started["rules"]["name"], started["rules"]["stack"]) == ("my-house", 77)
    assert program.json("games")[0]["title"] == "Five-card draw, my-house"


@pytest.mark.parametrize("house", HOUSES)
def test_every_house_is_played_by_its_name_with_its_own_seats_and_programs(program: Program, house: str) -> None:
    program.run("play", "--rules", house, "--auto", "--rounds", "1", "--seed", "demo")
    rules = tomllib.loads(program.run("rules", house))
    seats = program.facts()[0]["payload"]["seats"]
    assert [seat["kind"] for seat in seats] == [rules["player"]] * rules["seats"]["default"]


def test_the_example_of_the_docs_is_played(program: Program) -> None:
    house, levels = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    (program.home / "my.toml").write_text(house, "utf-8")
    program.run("play", "--rules", "my.toml", "--auto", "--rounds", "3", "--seed", "demo")
    assert program.json("games")[0]["title"] == "Five-card draw, kitchen-table"
    (program.home / "levels.toml").write_text(levels, "utf-8")
    program.run("play", "--rules", "no-limit", "--levels", "levels.toml", "--auto", "--rounds", "1", "--seed", "demo")
    assert "level 1, blinds 5/10" in program.run("replay", "last")


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("stack = 3", "The rules 'buy-the-pot' have stack = 3; it must be at least the ante, 5."),
        ("stack = -3", "The rules my.toml have stack = -3; it must be greater than or equal to 1."),
        ("stack = 100\njoker = 1", "The rules my.toml have an unknown field joker."),
        ("", "The rules my.toml lack the field stack."),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence_before_anything_is_made(
    program: Program, spoilt: str, told: str
) -> None:
    text = re.sub(r"(?m)^stack = 100", spoilt, program.run("rules", "buy-the-pot"))
    (program.home / "my.toml").write_text(text, "utf-8")
    assert program.refused("play", "--rules", "my.toml", "--auto") == told
    assert not program.database.exists()


def test_a_house_whose_program_is_not_there_is_refused(program: Program) -> None:
    text = program.run("rules", "buy-the-pot").replace('player = "regular"', 'player = "robot"')
    (program.home / "my.toml").write_text(text, "utf-8")
    assert program.refused("play", "--rules", "my.toml", "--auto") == (
        "The rules 'buy-the-pot' have player = \"robot\"; it must be one of "
        "beginner, club, equilibrium, exploiter, exploiter/10, exploiter/100, exploiter/200, exploiter/25, house, "
        "house/monte-carlo, minimum, random, regular, shark, steady, steady/monte-carlo, table, table/monte-carlo."
    )


PERSON = ("play", "--rules", "capped-raise", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")


@pytest.mark.parametrize("answer", ["ok", "{positions}"])
def test_a_person_is_advised_before_the_draw_and_takes_it_with_a_word_or_by_position(
    program: Program, answer: str
) -> None:
    said = program.run(*PERSON, typed="bet\nquit\n")
    (positions,) = re.findall(r'(?m)^Advice: .* \(([\d,]+) or "ok"\): about .*$', said)
    hand = re.findall(r"Ann is dealt (.*)", said)[-1].split()
    cards = " ".join(hand[int(one) - 1] for one in positions.split(","))
    program.run(*PERSON, typed=f"bet\n{answer.format(positions=positions)}\nquit\n")
    thrown = next(fact for fact in program.facts() if fact["type"] == "CardsDiscarded")
    assert thrown["payload"]["count"] == len(cards.split())
    assert {card.upper().replace("T", "10") for card in thrown["secret"]["cards"]} == set(cards.split())
