"""Which rules are refused when they are read, by field, value and what would be right: every combination."""

import re
from pathlib import Path
from typing import Any

import pytest

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.house.houses import load_rules, preset, preset_names, preset_text, rules_of
from pokersvc.games.draw_poker.house.playable import InvalidRules, in_toml
from pokersvc.games.draw_poker.house.rules import DrawPokerRules


def changed(house: str, /, **changes: Any) -> DrawPokerRules:
    """Return the rules of a house with changed fields; fields of a part are named as ``betting__minimum``."""
    data = preset(house).model_dump()
    for field, value in changes.items():
        *parts, last = field.split("__")
        part = data
        for key in parts:
            part = part[key]
        part[last] = value
    return rules_of(data, "changed")


REFUSED: list[tuple[str, dict[str, Any], str, object, str]] = [
    # What rules.md names.
    ("buy-the-pot", {"stack": 4}, "stack", 4, "at least the ante, 5"),
    ("capped-raise", {"stack": 2}, "stack", 2, "at least what it takes to stay in, 3"),
    ("rising-ante", {"betting__minimum": 1001}, "betting.minimum", 1001, "at most the stack, 1000"),
    ("capped-raise", {"betting__cap": 1}, "betting.cap", 1, "at least the minimum bet, 2"),
    ("no-limit", {"betting__opener": "first"}, "betting.opener", "first", '"button" where there are blinds'),
    ("no-limit", {"betting__opener": "random"}, "betting.opener", "random", '"button" where there are blinds'),
    # Bets that could not be made, or not be matched.
    ("fixed-limit", {"betting__final_minimum": 201}, "betting.final_minimum", 201, "at most the stack, 200"),
    ("rising-ante", {"betting__maximum": 49}, "betting.maximum", 49, "at least the minimum bet, 50"),
    (
        "rising-ante",
        {"betting__maximum": 60, "betting__final_minimum": 100},
        "betting.maximum",
        60,
        "at least the minimum bet, 100",
    ),
    ("capped-raise", {"betting__cap": None}, "betting.cap", None, 'a number where raises are "double", and only there'),
    ("buy-the-pot", {"betting__cap": 9}, "betting.cap", 9, 'a number where raises are "double", and only there'),
    (
        "capped-raise",
        {"betting__maximum": None},
        "betting.maximum",
        None,
        "at most betting.cap, 32, which no bet may exceed",
    ),
    (
        "capped-raise",
        {"betting__maximum": 33},
        "betting.maximum",
        33,
        "at most betting.cap, 32, which no bet may exceed",
    ),
    ("no-limit", {"betting__most_bets": 4}, "betting.most_bets", 4, 'left out unless raises are "fixed_limit"'),
    (
        "pot-limit",
        {"betting__maximum": 9},
        "betting.maximum",
        9,
        "left out where a limit already says how much may be bet",
    ),
    (
        "fixed-limit",
        {"betting__maximum": 9},
        "betting.maximum",
        9,
        "left out where a limit already says how much may be bet",
    ),
    (
        "rising-ante",
        {"betting__check_ends": True},
        "betting.check_ends",
        True,
        'false unless betting.check is "always"',
    ),
    # Blinds.
    ("rising-ante", {"button_rule": "dead"}, "button_rule", "dead", '"forward" where there are no blinds'),
    (
        "capped-raise",
        {"button_rule": "dead", "betting__opener": "button"},
        "button_rule",
        "dead",
        '"forward" where there are no blinds',
    ),
    ("no-limit", {"blinds__small": 3}, "blinds.small", 3, "at most the big blind, 2"),
    ("no-limit", {"betting__minimum": 3}, "betting.minimum", 3, "the big blind, 2"),
    (
        "no-limit",
        {"betting__check": "final"},
        "betting.check",
        "final",
        '"always" where there are blinds: the big blind may check',
    ),
    (
        "no-limit",
        {"betting__short": "fold"},
        "betting.short",
        "fold",
        '"all_in" where there are blinds: a short stack posts what it has',
    ),
    (
        "no-limit",
        {"ante__when": "after_deal", "ante__short": "surrender"},
        "ante.when",
        "after_deal",
        '"before_deal" where there are blinds',
    ),
    # All-ins need side pots, and a limit to bet by; a limit needs all-ins.
    ("no-limit", {"stay": 0}, "stay", 0, "at least 1 where players may go all in"),
    (
        "buy-the-pot",
        {"betting__short": "all_in"},
        "betting.raises",
        "none",
        'a limit ("no_limit", "pot_limit", "fixed_limit") where players may go all in',
    ),
    (
        "capped-raise",
        {"betting__short": "all_in"},
        "betting.raises",
        "double",
        'a limit ("no_limit", "pot_limit", "fixed_limit") where players may go all in',
    ),
    *[
        (
            "buy-the-pot",
            {"betting__raises": raises},
            "betting.short",
            "fold",
            f'"all_in" where raises are "{raises}": a short stack puts in what it has',
        )
        for raises in ("no_limit", "pot_limit", "fixed_limit")
    ],
    # Antes.
    (
        "rising-ante",
        {"ante__short": "post"},
        "ante.short",
        "post",
        '"sit_out" or "surrender" where a player cannot go all in',
    ),
    (
        "rising-ante",
        {"ante__short": "surrender"},
        "ante.when",
        "before_deal",
        '"after_deal" where a player who cannot pay leaves their chips in the pot',
    ),
    (
        "buy-the-pot",
        {"ante__short": "sit_out"},
        "ante.short",
        "sit_out",
        '"surrender" or "post" where the ante comes after the deal',
    ),
    # The table.
    ("capped-raise", {"seats__most": 3}, "seats.default", 4, "at most seats.most, 3"),
    ("capped-raise", {"remainder": "odd_chips"}, "remainder", "odd_chips", '"carry" in a house without a button'),
]


@pytest.mark.parametrize(("name", "changes", "field", "value", "right"), REFUSED)
def test_a_combination_that_cannot_be_played_is_refused(
    name: str, changes: dict[str, Any], field: str, value: object, right: str
) -> None:
    with pytest.raises(InvalidRules) as refused:
        changed(name, **changes)
    has = f"no {field}" if value is None else f"{field} = {in_toml(value)}"
    assert str(refused.value) == f"The rules {name!r} have {has}; it must be {right}."


NEGATIVE = [
    "stack",
    "stay",
    "discards",
    "version",
    "seats__default",
    "seats__most",
    "ante__amount",
    "ante__increase",
    "blinds__big",
    "blinds__small",
    "betting__minimum",
    "betting__final_minimum",
    "betting__most_bets",
    "betting__maximum",
    "betting__cap",
]


@pytest.mark.parametrize("field", NEGATIVE)
def test_negative_numbers_are_refused(field: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        changed("fixed-limit", **{field: -1})
    sentence = str(refused.value)
    assert sentence.startswith(f"The rules changed have {field.replace('__', '.')} = -1; it must be greater than")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("seats__most", 11, "= 11; it must be less than or equal to 10"),
        ("stack", "200", '= "200"; it must be a valid integer'),
        ("stack", True, "= true; it must be a valid integer"),
        ("stack", [200, "200"], '= [200, "200"]; it must be a valid integer'),
        ("stack", {"amount": 5}, "= { amount = 5 }; it must be a valid integer"),
        ("discards", 6, "= 6; it must be less than or equal to 5"),
        ("betting", 5, "= 5; it must be a table with fields of its own"),
        ("betting__fold_free", "no", '= "no"; it must be true or false'),
        ("name", 5, "= 5; it must be text"),
        ("name", "My House", '= "My House"; it must be lower-case letters, digits and hyphens'),
        ("name", "my\nhouse", '= "my\\nhouse"; it must be lower-case letters, digits and hyphens'),
        ("name", "", '= ""; it must be one character or more'),
        ("name", "x" * 41, f'= "{"x" * 41}"; it must be 40 characters or fewer'),
        ("betting__opener", "last", '= "last"; it must be "first", "random" or "button"'),
    ],
)
def test_a_wrong_value_is_told_as_toml_with_what_would_be_right(field: str, value: object, told: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        changed("no-limit", **{field: value})
    assert str(refused.value) == f"The rules changed have {field.replace('__', '.')} {told}."


def test_a_field_that_has_to_be_there_and_is_left_out_is_told_so() -> None:
    with pytest.raises(InvalidRules) as refused:
        changed("capped-raise", betting__cap=None)
    assert str(refused.value).startswith("The rules 'capped-raise' have no betting.cap; it must be a number where ")


def test_a_misspelt_field_is_told_before_the_one_that_it_leaves_out() -> None:
    data = preset("no-limit").model_dump()
    data["seat"] = data.pop("seats")
    with pytest.raises(InvalidRules, match=r"^The rules mine have an unknown field seat\.$"):
        rules_of(data, "mine")


def test_five_cards_for_every_seat_are_in_one_deck() -> None:
    assert 5 * changed("no-limit", seats__most=10).seats.most <= 52


@pytest.mark.parametrize("player", ["robot", "human", "Steady", ""])
def test_the_program_of_a_house_is_one_that_there_is(player: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        DRAW_POKER.options({"rules": changed("no-limit", player=player)})
    known = ", ".join(sorted(DRAW_POKER.players))
    assert str(refused.value) == f"The rules 'no-limit' have player = {in_toml(player)}; it must be one of {known}."


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_accepted(name: str) -> None:
    assert DRAW_POKER.options({"rules": name}) == {"rules": preset(name)}


def test_rules_made_by_a_program_are_checked_when_a_game_is_started() -> None:
    unplayable = preset("no-limit").model_copy(update={"stay": 0})
    with pytest.raises(InvalidRules, match="have stay = 0"):
        DRAW_POKER.options({"rules": unplayable})


def test_what_was_played_is_read_again_though_it_would_be_refused_today() -> None:
    unplayable = preset("no-limit").model_copy(update={"player": "a program that is gone", "stay": 0})
    assert DrawPokerRules.model_validate_json(unplayable.model_dump_json()) == unplayable


@pytest.mark.parametrize(
    "stack", ["9" * 5000, "0x" + "f" * 6000, "9" * 4000, "[" * 9000, "{a=" * 3000, "'" + "x" * 5000 + "'"]
)
def test_a_hostile_file_is_refused_in_a_sentence(tmp_path: Path, stack: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(re.sub(r"stack = \d+", f"stack = {stack}", preset_text("rising-ante")), "utf-8")
    with pytest.raises(InvalidRules) as refused:
        load_rules(str(file))
    assert len(str(refused.value)) < 400


def test_a_file_that_is_too_long_for_a_house_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("#" * 20_001, "utf-8")
    with pytest.raises(InvalidRules, match=r"more than 10,000 bytes"):
        load_rules(str(file))
