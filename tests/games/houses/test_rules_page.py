"""The page about houses: it has every parameter of the model, and its example is a valid house."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.house.houses import preset_names, rules_of
from pokersvc.games.draw_poker.house.rules import Ante, Betting, Blinds, DrawPokerRules, Rake, SeatCount
from pokersvc.games.draw_poker.strategy.kinds import KINDS

from ..draw_poker.played import Plan
from ..draw_poker.test_properties import chips_are_conserved, the_game_ends

PAGE: Final = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")

SECTIONS: Final[dict[str, type[BaseModel]]] = {
    "The house": DrawPokerRules,
    "`[seats]`": SeatCount,
    "`[ante]`": Ante,
    "`[blinds]`": Blinds,
    "`[betting]`": Betting,
    "`[rake]`": Rake,
}
PARTS: Final = {"seats", "ante", "blinds", "betting", "rake"}


def rows_of(section: str) -> dict[str, list[str]]:
    """Return the table of a section: field → type, default, meaning, houses."""
    body = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines() if line.startswith("| `")
    ]
    return {row[0].strip("`"): row[1:] for row in cells}


@pytest.mark.parametrize(("section", "model"), SECTIONS.items(), ids=list(SECTIONS))
def test_every_parameter_is_on_the_page_and_no_other(section: str, model: type[BaseModel]) -> None:
    assert set(rows_of(section)) == set(model.model_fields) - (PARTS if model is DrawPokerRules else set())
    for field, (type_, _, meaning, houses) in rows_of(section).items():
        assert type_, field
        assert meaning, field
        assert houses, field


def fields() -> list[Any]:
    return [
        pytest.param(section, name, field, id=f"{section.strip('`')} {name}")
        for section, model in SECTIONS.items()
        for name, field in model.model_fields.items()
        if name not in PARTS
    ]


@pytest.mark.parametrize(("section", "name", "field"), fields())
def test_a_parameter_has_its_default_and_its_values_on_the_page(section: str, name: str, field: FieldInfo) -> None:
    type_, default, _, _ = rows_of(section)[name]
    if field.default is PydanticUndefined:
        assert default == ""
    elif field.default is None:
        assert default == "none"
    else:
        written = list(field.default) if isinstance(field.default, tuple) else field.default
        assert tomllib.loads(f"default = {default.strip('`')}") == {"default": written}
    if get_origin(field.annotation) is Literal:
        assert tuple(re.findall(r'"(\w+)"', type_)) == get_args(field.annotation)


def test_the_kinds_of_programs_on_the_page_are_those_there_are() -> None:
    meaning = rows_of("The house")["player"][2]
    plain = sorted(kind for kind in KINDS if "/" not in kind)
    assert list(dict.fromkeys(re.findall(r"`([\w/-]+)`", meaning))) == [*plain, "house/monte-carlo", "exploiter/10"]


def test_every_house_is_on_the_page() -> None:
    lines = [line for line in PAGE.split("## ")[0].splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([a-z-]+)`", " ".join(line.split("|")[1] for line in lines))) == preset_names()


def example() -> DrawPokerRules:
    text, _levels = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    return rules_of(tomllib.loads(text), "example")


def test_the_example_is_a_house_that_can_be_played() -> None:
    rules = example()
    assert DRAW_POKER.options({"rules": rules}) == {"rules": rules}
    for seed in range(5):
        plan = Plan((rules.player, "human", "random", "table")[: 3 + seed % 2], 10, rules, seed, rules.stack)
        the_game_ends(plan)
        chips_are_conserved(plan)


def test_the_example_of_a_refusal_is_what_is_said() -> None:
    data = example().model_dump()
    data["betting"]["cap"] = 3
    with pytest.raises(ValueError, match="kitchen-table") as refused:
        rules_of(data, "example")
    assert f"    {refused.value}\n" in PAGE
