"""The plan of a tournament, as it is written into the results before a seed is drawn.

Somebody who knew the deals could choose the players, the number of deals or the difference to look for so that the
results come out as they like. So these are written down first: the first line of the results is the plan, and
everything that depends on a seed comes after it.
"""

import json
from typing import BinaryIO, Final

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from pokersvc.tournament.plan import Tournament

_BEGINS: Final = b'{"plan"'
LONGEST_PLAN: Final = 1 << 20
"""The most bytes of a plan that are read."""


class Announced(BaseModel):
    """The line that states a plan: `Tournament.in_advance`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    plan: dict[str, JsonValue]

    @classmethod
    def of(cls, tournament: Tournament) -> "Announced":
        """Return the plan of a tournament; the seed has no influence on it."""
        return cls.model_validate_json(json.dumps({"plan": tournament.in_advance}))

    @property
    def line(self) -> bytes:
        """The line in the file."""
        return json.dumps(self.model_dump()).encode() + b"\n"


def announced_in(line: bytes) -> Announced | None:
    """Return the plan in a line; None for another line, or a plan that was only partly written."""
    if not line.startswith(_BEGINS) or not line.endswith(b"\n"):
        return None
    try:
        return Announced.model_validate_json(line)
    except ValidationError:
        return None


def is_begun(line: bytes) -> bool:
    """Return whether a line is the beginning of a plan that was only partly written."""
    return bool(line) and (_BEGINS.startswith(line) or line.startswith(_BEGINS)) and not line.endswith(b"\n")


def after_plan(file: BinaryIO, longest: int) -> tuple[Announced | None, bytes]:
    """Read the plan at the beginning of a file, if there is one; return it and the line after it."""
    first = file.readline(LONGEST_PLAN)
    plan = announced_in(first)
    return (plan, first[:longest]) if plan is None else (plan, file.readline(longest))
