"""The options of draw poker that are amounts of chips: everybody's stack, single stacks, blinds and ante."""

from typing import Any

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.game import DRAW_POKER
from pokersvc.games.draw_poker.house.houses import preset

NO_LIMIT = {"rules": "no-limit"}


def started(**options: Any) -> GameStarted:
    seats = tuple(Seat("human", name) for name in ("Ann", "Bo", "Cy"))
    return DRAW_POKER.start(Setup(seats, EntropySource.from_text("amounts"), None, {**NO_LIMIT, **options}))


def refused(**options: Any) -> InvalidValue:
    with pytest.raises(InvalidValue) as found:
        started(**options)
    return found.value


@pytest.mark.parametrize("given", ["300", ["300"], 300, " 300 "])
def test_a_number_is_the_stack_of_everybody(given: object) -> None:
    begun = started(stack=given)
    assert (begun.rules.stack, begun.table) == (300, None)
    assert DRAW_POKER.new(begun).stacks[1:] == [300, 300, 300]


@pytest.mark.parametrize("given", ["300, Bo=50", ["300", "Bo=50"], ["Bo=50", "300"]])
def test_single_stacks_stand_beside_everybodys(given: object) -> None:
    begun = started(stack=given)
    assert begun.table is not None
    assert (begun.rules.stack, begun.table.stacks) == (300, (300, 50, 300))


def test_who_sits_down_in_the_next_game_begins_with_everybodys_stack() -> None:
    options = {**NO_LIMIT, "cash": True, "stack": "300, Bo=50"}
    begun = started(**DRAW_POKER.carrying(options, {"Ann": 410, "Bo": 140}))
    assert begun.table is not None
    assert begun.table.stacks == (410, 140, 300)
    assert DRAW_POKER.carrying(NO_LIMIT, {"Ann": 410})["stack"] == {"Ann": 410}


def test_blinds_and_ante_are_rules_of_the_game_that_starts() -> None:
    rules = started(blinds="5/10", ante=2).rules
    assert rules.blinds is not None
    assert (rules.blinds.small, rules.blinds.big, rules.betting.minimum, rules.ante.amount) == (5, 10, 10, 2)
    assert started().rules == preset("no-limit"), "nothing is kept"


def test_a_fixed_limit_keeps_its_proportions() -> None:
    rules = started(rules="fixed-limit", blinds="5/10").rules
    assert (rules.betting.minimum, rules.betting.final_minimum) == (10, 20)


@pytest.mark.parametrize(
    ("options", "field", "said"),
    [
        ({"stack": "12x"}, "stack", "The stack '12x' cannot be read; write a number such as 200 for everybody"),
        ({"stack": "1"}, "stack", "The stack of no-limit cannot be 1; it must be at least 2"),
        ({"stack": "100, 200"}, "stack", "Everybody is given two stacks, 100 and 200; give one."),
        ({"stack": "1000000001"}, "stack", "Nobody can begin with 1000000001; the most is 1,000,000,000 chips."),
        ({"stack": "Ann=x"}, "stack.each", "The stack 'Ann=x' cannot be read; write NAME=CHIPS, such as Ann=350."),
        ({"stack": "Zoe=5"}, "stack.each", "Nobody at the table is called 'Zoe'"),
        (
            {"blinds": "10"},
            "blinds",
            "The blinds '10' cannot be read; write the small and the big blind, such as 5/10.",
        ),
        ({"blinds": "9/5"}, "blinds", "The small blind cannot be 9; it must be at most the big blind, 5."),
        ({"blinds": "500/1000"}, "blinds", "Everybody begins with 200 chips in no-limit, which is too little here;"),
        ({"blinds": "500/1000", "stack": "900"}, "stack", "The stack of no-limit cannot be 900; it must be at least"),
        ({"rules": "rising-ante", "blinds": "1/2"}, "blinds", "The house rising-ante has no blinds"),
        ({"ante": 201}, "ante", "Everybody begins with 200 chips in no-limit, which is too little here; give a stack"),
        ({"ante": -1}, "ante", "The ante -1 is not a number of chips; it must be from 0 to 1,000,000,000."),
        ({"straddle": 3}, "straddle", "The straddle of no-limit cannot be 3"),
        ({"rake": "lots"}, "rake", "The rake 'lots' is not a percentage"),
        ({"rake": "5", "rake_cap": "x"}, "rake_cap", "The rake cap 'x' is not a number of chips"),
        ({"uncapped": "never"}, "uncapped", "The house no-limit has no cap on raises"),
    ],
)
def test_a_refusal_names_its_field(options: dict[str, Any], field: str, said: str) -> None:
    found = refused(**options)
    assert str(found).startswith(said)
    assert found.field == field


def test_the_terms_say_blinds_and_stacks() -> None:
    def terms(**given: Any) -> list[str]:
        return DRAW_POKER.words.terms(DRAW_POKER.options(given))

    assert terms(rules="no-limit", blinds="5/10", stack="100") == ["blinds 5/10", "100 chips each"]
    assert terms() == ["ante 5, 1 more each round", "1,000 chips each"]
    options = {"rules": "no-limit", "cash": True, "stack": "Ann=50", "straddle": 4, "rake": "5", "rake_cap": "3"}
    assert terms(**options) == [
        *("cash game", "blinds 1/2", "straddle 4", "200 chips each", "50 chips for Ann", "rake 5%, at most 3"),
    ]


def test_a_short_title_has_the_blinds_or_the_house() -> None:
    def title(**given: Any) -> str | None:
        return DRAW_POKER.words.short_title(DRAW_POKER.options(given))

    assert title(rules="no-limit") == "Draw poker 1/2"
    assert title(rules="no-limit", cash=True, blinds="5/10") == "Cash game 5/10"
    assert title() == "Draw poker, rising-ante"
