"""Where the rules of a house come from: presets, and TOML files of one's own."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from pokersvc.games.draw_poker.playable import InvalidRules, check_playable
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.game import House


def preset_names() -> list[str]:
    """Return the names of the houses that come with the program."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in files("pokersvc.games.draw_poker").joinpath("presets").iterdir()
        if entry.name.endswith(".toml")
    )


def preset_text(name: str) -> str:
    """Return the TOML of a house that comes with the program."""
    if name not in preset_names():
        raise InvalidRules(
            f"There is no house {name!r}; the houses are {', '.join(preset_names())},"
            " or give the path of a .toml file of your own."
        )
    return files("pokersvc.games.draw_poker").joinpath("presets", f"{name}.toml").read_text("utf-8")


def house(name: str) -> House:
    """Return a house that comes with the program, in a line and as TOML."""
    text = preset_text(name)
    return House(name, text.partition("\n")[0].removeprefix("# "), text)


@cache
def preset(name: str) -> DrawPokerRules:
    """Return the rules of a house that comes with the program."""
    return rules_of(tomllib.loads(preset_text(name)), name)


def load_rules(source: str) -> DrawPokerRules:
    """Return the rules of a preset, or of a TOML file where the source ends in ``.toml``."""
    if not source.endswith(".toml"):
        return preset(source)
    try:
        return rules_of(tomllib.loads(Path(source).read_text("utf-8")), source)
    except OSError as error:
        raise InvalidRules(f"The rules file {source} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidRules(f"The rules file {source} is not TOML: {error}.") from error


def rules_of(data: Mapping[str, Any], source: str) -> DrawPokerRules:
    """Return rules read from a mapping; `InvalidRules` names the first field that is wrong, its value and why."""
    try:
        return check_playable(DrawPokerRules.model_validate(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        if first["type"] == "missing":
            raise InvalidRules(f"The rules {source} lack the field {field}.") from error
        if first["type"] == "extra_forbidden":
            raise InvalidRules(f"The rules {source} have a field {field}, which no house has.") from error
        right = _RIGHT.get(first["type"]) or first["msg"].replace("Input should be", "it has to be", 1)
        raise InvalidRules(f"The rules {source} have {field} = {first['input']!r}; {right}.") from error


_RIGHT: Final = {
    "model_type": "it has to be a table with fields of its own",
    "string_pattern_mismatch": "it has to be lower-case letters, digits and hyphens",
    "string_too_short": "it has to be one character or more",
    "string_too_long": "it has to be 40 characters or fewer",
}
"""What would be right, where pydantic's words are not for people."""
