"""The sources of a house's rules: presets, and TOML files of custom houses."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from textwrap import shorten
from typing import Final

from pydantic import ValidationError

from pokersvc.core.setup import House
from pokersvc.games.draw_poker.house.amounts import ANTE, BLINDS, STACK
from pokersvc.games.draw_poker.house.playable import InvalidRules, check_playable, refusal_of
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.system.files import opened

USUAL_HOUSE: Final = "no-limit"
"""The house that forms offer first."""
MOST_BYTES: Final = 10_000
"""The maximum size of a rules file: more than any house needs, and little enough to be read quickly."""


def preset_names() -> list[str]:
    """Return the names of the built-in houses."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in files("pokersvc.games.draw_poker").joinpath("presets").iterdir()
        if entry.name.endswith(".toml")
    )


def preset_text(name: str) -> str:
    """Return the TOML of a built-in house."""
    if name not in preset_names():
        raise InvalidRules(
            f"There is no house {name!r}; the houses are {', '.join(preset_names())},"
            " or give the path of a .toml file for a custom house."
        )
    return files("pokersvc.games.draw_poker").joinpath("presets", f"{name}.toml").read_text("utf-8")


def house(name: str) -> House:
    """Return a built-in house, with its summary in one line and its TOML."""
    text, rules = preset_text(name), preset(name)
    values = {STACK.name: str(rules.stack)}
    if rules.blinds is not None:
        values[BLINDS.name] = f"{rules.blinds.small}/{rules.blinds.big}"
    else:
        values[ANTE.name] = str(rules.ante.amount)
    summary = text.partition("\n")[0].removeprefix("# ")
    return House(name, summary, text, usual=name == USUAL_HOUSE, values=values)


@cache
def preset(name: str) -> DrawPokerRules:
    """Return the rules of a built-in house."""
    return rules_of(tomllib.loads(preset_text(name)), name)


def load_rules(source: str) -> DrawPokerRules:
    """Return the rules of a preset, or of a TOML file if the source ends in ``.toml``."""
    if not source.endswith(".toml"):
        return preset(source)
    try:
        with opened(Path(source)) as file:
            text = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise InvalidRules(f"The rules file {source} cannot be read: {why}.") from error
    if len(text) > MOST_BYTES:
        raise InvalidRules(f"The rules file {source} is too large for a house: it has more than {MOST_BYTES:,} bytes.")
    try:
        data = tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits, and tables without end
        raise InvalidRules(f"The rules file {source} is not TOML: {shorten(str(error), 100)}.") from error
    return rules_of(data, source)


def rules_of(data: Mapping[str, object], source: str) -> DrawPokerRules:
    """Return rules read from a mapping; raise `InvalidRules`, naming the first wrong field, its value and the fault."""
    try:
        return check_playable(DrawPokerRules.model_validate(data))
    except ValidationError as error:
        # A misspelt field gives two errors, an unknown and a missing field: naming the unknown one helps to correct it.
        first = min(error.errors(include_url=False), key=lambda found: found["type"] != "extra_forbidden")
        field = shorten(".".join(str(part) for part in first["loc"]), 100)
        if first["type"] == "missing":
            raise InvalidRules(f"The rules {source} lack the field {field}.") from error
        if first["type"] == "extra_forbidden":
            raise InvalidRules(f"The rules {source} have an unknown field {field}.") from error
        right = _RIGHT.get(first["type"]) or first["msg"].removeprefix("Input should be ").replace("'", '"')
        raise refusal_of(source, field, first["input"], right) from error


_RIGHT: Final = {
    "bool_type": "true or false",
    "model_type": "a table with fields of its own",
    "string_pattern_mismatch": "lower-case letters, digits and hyphens",
    "string_too_long": "40 characters or fewer",
    "string_too_short": "one character or more",
    "string_type": "text",
}
"""Pydantic's error type → what the field must be, for errors whose own message is not meant for people."""
