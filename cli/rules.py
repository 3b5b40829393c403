"""`pokersvc rules`: the built-in houses, and their rules as TOML to start a custom house from."""

import tomllib
from typing import Annotated

import typer

import pokersvc
from pokersvc import core
from pokersvc.cli.output import print_json, stream_json
from pokersvc.errors import InvalidValue


def rules(
    house: Annotated[str | None, typer.Argument(metavar="HOUSE", help="The house whose rules to print.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the houses, or print the rules of one as TOML.

    Example: pokersvc rules rising-ante > my.toml; pokersvc play --rules my.toml
    """
    found = houses()
    if house is None:
        _list(found, as_json=as_json)
        return
    for _, one in found:
        if one.name == house:
            if as_json:
                print_json(tomllib.loads(one.text))
            else:
                print(one.text, end="")
            return
    names = ", ".join(one.name for _, one in found)
    raise InvalidValue(f"There is no house {house!r}; the houses are {names}.")


def houses() -> "list[tuple[str, pokersvc.House]]":
    """Return the houses of every game, each with the kind of its game."""
    return [
        (kind, house)
        for kind in pokersvc.game_kinds()
        if core.registry.usable(kind)
        for house in pokersvc.game_of(kind).houses()
    ]


def _list(found: "list[tuple[str, pokersvc.House]]", *, as_json: bool) -> None:
    if as_json:
        stream_json({"game": kind, "house": house.name, "summary": house.summary} for kind, house in found)
        return
    width = max((len(house.name) for _, house in found), default=0)
    for _, house in found:
        print(f"{house.name:<{width}}  {house.summary}")
