"""What a seat may do in Kalah."""

from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.core.actions import Action


@dataclass(frozen=True, slots=True)
class Sow(Action):
    """Sow the beans of one of the seat's own holes (from 1)."""

    hole: int


class LegalActions(NamedTuple):
    """The holes that the seat may sow from."""

    holes: tuple[int, ...]
