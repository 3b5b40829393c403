"""The rules of a house as data: refused values, and the messages."""

from pathlib import Path
from typing import Any

import pytest

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.house.houses import load_rules, preset, preset_names, preset_text
from pokersvc.games.draw_poker.house.playable import InvalidRules, in_toml

from .scenario import RISING_ANTE, rules_with

BLINDS: dict[str, Any] = {
    "blinds": {"big": 50, "small": 25},
    "betting__check": "always",
    "betting__opener": "button",
    "betting__short": "all_in",
    "betting__raises": "no_limit",
    "ante__short": "post",
}
"""A house as card rooms deal it, to spoil in one place at a time."""


def straddled(straddle: int, raises: str = "no_limit") -> dict[str, Any]:
    """Return the same house with a straddle."""
    return BLINDS | {"blinds": {"big": 50, "small": 25, "straddle": straddle}, "betting__raises": raises}


REFUSED: list[tuple[str, object, dict[str, Any], str]] = [
    ("stack", 4, {"stack": 4, "betting__minimum": 1}, "at least the ante, 5"),
    ("stack", 1000, {"stay": 1001}, "at least what it takes to stay in, 1001"),
    ("betting.minimum", 1001, {"betting__minimum": 1001}, "at most the stack, 1000"),
    ("betting.maximum", 49, {"betting__maximum": 49}, "at least the minimum bet, 50"),
    ("betting.maximum", 60, {"betting__maximum": 60, "betting__final_minimum": 100}, "at least the minimum bet, 100"),
    ("betting.cap", 49, {"betting__cap": 49, "betting__raises": "double"}, "at least the minimum bet, 50"),
    ("betting.cap", 100, {"betting__cap": 100}, 'a number where raises are "double", and only there'),
    ("betting.cap", None, {"betting__raises": "double"}, 'a number where raises are "double", and only there'),
    ("betting.most_bets", 4, {"betting__most_bets": 4}, 'left out unless raises are "fixed_limit"'),
    ("betting.final_minimum", 1001, {"betting__final_minimum": 1001}, "at most the stack, 1000"),
    ("betting.check_ends", True, {"betting__check_ends": True}, 'false unless betting.check is "always"'),
    ("betting.opener", "first", BLINDS | {"betting__opener": "first"}, '"button" where there are blinds'),
    ("blinds.small", 51, BLINDS | {"blinds": {"big": 50, "small": 51}}, "at most the big blind, 50"),
    ("blinds.straddle", 99, straddled(99), "0, or at least twice the big blind, 100"),
    ("blinds.straddle", 1001, straddled(1001), "at most the stack, 1000"),
    (
        "blinds.straddle",
        176,
        straddled(176, "pot_limit"),
        "at most what a raise of the pot makes of the big blind, 175",
    ),
    ("blinds.straddle", 150, straddled(150, "fixed_limit"), "0 or twice the big blind, 100, under a fixed limit"),
    (
        "betting.most_bets",
        1,
        straddled(100, "fixed_limit") | {"betting__most_bets": 1},
        "at least 2 where there is a straddle",
    ),
    ("betting.short", "fold", BLINDS | {"betting__short": "fold"}, '"all_in" where there are blinds'),
    ("betting.minimum", 40, BLINDS | {"betting__minimum": 40}, "the big blind, 50"),
    ("ante.when", "after_deal", BLINDS | {"ante__when": "after_deal"}, '"before_deal" where there are blinds'),
    (
        "betting.maximum",
        60,
        BLINDS | {"betting__raises": "pot_limit", "betting__maximum": 60},
        "left out where a limit",
    ),
    ("stay", 0, BLINDS | {"stay": 0}, "at least 1 where players may go all in"),
    ("ante.short", "post", {"ante__short": "post"}, '"sit_out" or "surrender" where a player cannot go all in'),
    ("betting.raises", "none", {"betting__short": "all_in"}, "a limit"),
    ("ante.when", "before_deal", {"ante__short": "surrender"}, '"after_deal" where a player who cannot pay'),
    ("ante.short", "sit_out", {"ante__when": "after_deal"}, '"surrender" or "post" where the ante comes after'),
    ("seats.default", 5, {"seats": {"default": 5, "most": 4}}, "at most seats.most, 4"),
    ("remainder", "odd_chips", {"remainder": "odd_chips"}, '"carry" in a house without a button'),
]


@pytest.mark.parametrize(("field", "value", "changes", "right"), REFUSED)
def test_rules_that_cannot_be_played_are_refused_by_field_value_and_what_would_be_right(
    field: str, value: object, changes: dict[str, Any], right: str
) -> None:
    with pytest.raises(InvalidRules) as refused:
        rules_with(**changes)
    sentence = str(refused.value)
    has = f"no {field}" if value is None else f"{field} = {in_toml(value)}"
    assert sentence.startswith(f"The rules 'rising-ante' have {has}; it must be {right}"), sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stack", 0),
        ("stack", -1),
        ("stack", 10**9 + 1),
        ("stack", "1000"),
        ("stack", 1000.0),
        ("stack", True),
        ("discards", 6),
        ("discards", -1),
        ("seats__most", 11),
        ("seats__default", 1),
        ("ante__amount", -5),
        ("ante__increase", -1),
        ("ante__short", "leave"),
        ("betting__minimum", 0),
        ("betting__raises", "often"),
        ("name", ""),
        ("name", "Rising Ante"),
        ("version", 0),
        ("advice", "luck"),
    ],
)
def test_a_field_of_the_wrong_kind_or_size_is_refused_by_name_and_value(field: str, value: object) -> None:
    with pytest.raises(InvalidRules) as refused:
        rules_with(**{field: value})
    assert str(refused.value).startswith(f"The rules changed have {field.replace('__', '.')} = {in_toml(value)}; ")


def test_a_house_as_card_rooms_deal_it_fits_the_same_rules() -> None:
    assert rules_with(**BLINDS).button
    assert rules_with(**BLINDS).all_in
    assert not RISING_ANTE.button
    assert not RISING_ANTE.all_in


def test_the_ante_of_a_round() -> None:
    assert [RISING_ANTE.ante_of(round_) for round_ in (1, 2, 10)] == [5, 6, 14]


# Presets and files.


def test_every_preset_can_be_read_and_has_the_name_of_its_file() -> None:
    assert "rising-ante" in preset_names()
    for name in preset_names():
        assert preset(name).name == name
        assert load_rules(name) == preset(name)


def test_an_unknown_house_is_refused_with_the_houses_there_are() -> None:
    with pytest.raises(
        InvalidRules, match=r"no house 'rising'; the houses are .*rising-ante.* or give the path of a \.toml"
    ):
        load_rules("rising")


@pytest.mark.parametrize("name", ["../rising-ante", "presets/rising-ante", "", "rising-ante.TOML"])
def test_a_house_is_a_name_not_a_path(name: str) -> None:
    with pytest.raises(InvalidRules, match="There is no house"):
        load_rules(name)


def own_file(tmp_path: Path, text: str) -> str:
    file = tmp_path / "own.toml"
    file.write_text(text, "utf-8")
    return str(file)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    source = own_file(tmp_path, preset_text("rising-ante").replace("stack = 1000", "stack = 500"))
    assert load_rules(source) == rules_with(stack=500)
    assert DRAW_POKER.options({"rules": source}) == {"rules": rules_with(stack=500)}


def test_a_file_that_lacks_a_field(tmp_path: Path) -> None:
    source = own_file(tmp_path, preset_text("rising-ante").replace("stack = 1000", ""))
    with pytest.raises(InvalidRules, match=r"lack the field stack\.$"):
        load_rules(source)


def test_a_file_with_a_field_that_no_house_has(tmp_path: Path) -> None:
    source = own_file(tmp_path, preset_text("rising-ante") + "\njoker = 1\n")
    with pytest.raises(InvalidRules, match=r"have an unknown field betting\.joker\.$"):
        load_rules(source)


@pytest.mark.parametrize("text", ["stack = ", "not toml at all", "a = 1\na = 2"])
def test_a_file_that_is_not_toml(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidRules, match=r"own\.toml is not TOML: .*\.$"):
        load_rules(own_file(tmp_path, text))


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidRules, match="is not TOML"):
        load_rules(str(file))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidRules, match=r"cannot be read: No such file or directory\."):
        load_rules(str(tmp_path / "own.toml"))


def test_the_options_of_a_game_are_rules_by_name_as_data_or_as_they_are() -> None:
    whole = {"rules": RISING_ANTE}
    assert DRAW_POKER.options({}) == whole
    assert DRAW_POKER.options({"rules": "rising-ante"}) == whole
    assert DRAW_POKER.options({"rules": RISING_ANTE.model_dump()}) == whole
    assert DRAW_POKER.options(whole) == whole
    assert DRAW_POKER.default_seats(whole) == 2
    assert DRAW_POKER.default_kind(whole) == "regular"
    assert DRAW_POKER.default_kind({**whole, "advisor": "monte-carlo"}) == "steady", "which draws by samples too"
