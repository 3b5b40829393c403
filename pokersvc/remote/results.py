"""The results of all games of a table, as its server counts them; this client checks none of them against a copy."""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from pokersvc.errors import printable
from pokersvc.text import counted

MOST_NAMED: Final = 50
"""The maximum number of people that a line names."""


class _Net(TypedDict):
    name: str
    net: int


class _Game(TypedDict):
    kind: str
    currency: str
    nets: list[_Net]


class _Sum(TypedDict):
    kind: str
    unit: str
    currency: str
    exponent: Annotated[int, Field(ge=0, le=18)]
    people: list[_Net]


class _Told(TypedDict):
    games: list[_Game]
    sums: list[_Sum]


def result_lines(found: object) -> list[str]:
    """Return a line for each kind of amounts; none unless the table had several games and the answer is valid.

    >>> one = {"kind": "draw", "unit": "chips", "currency": "", "exponent": 0}
    >>> people = [{"name": "Bob", "net": 1200}, {"name": "Ann", "net": -1200}]
    >>> games = [{**one, "nets": people}, {**one, "nets": people}]
    >>> result_lines({"games": games, "sums": [{**one, "people": people}]})
    ['2 games at this table, in chips, as the server counts: Bob +1,200, Ann -1,200']
    """
    try:
        told = TypeAdapter(_Told).validate_python(found)
    except ValidationError:
        return []
    return [line for sums in told["sums"] if (line := _line(sums, told["games"])) is not None]


def _line(sums: _Sum, games: Sequence[_Game]) -> str | None:
    """Return the sums of games of one kind as a line; None for a single game."""
    count = sum(
        bool(one["nets"]) and (one["kind"], one["currency"]) == (sums["kind"], sums["currency"]) for one in games
    )
    if count < 2:
        return None
    said = [f"{printable(one['name'])} {_amount(one['net'], sums)}" for one in sums["people"][:MOST_NAMED]]
    unit = printable(sums["currency"] or sums["unit"])
    return f"{counted(count, 'game')} at this table, in {unit}, as the server counts: {', '.join(said)}"


def _amount(net: int, sums: _Sum) -> str:
    exponent = sums["exponent"] if sums["currency"] else 0
    return f"{net / 10**exponent:+,.{exponent}f}" if exponent else f"{net:+,}" if net else "0"
