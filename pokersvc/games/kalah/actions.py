"""The actions of a seat in Kalah."""

from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.core.actions import Action


@dataclass(frozen=True, slots=True)
class Sow(Action):
    """Sow the beans of one of the seat's own holes (from 1)."""

    hole: int


class LegalActions(NamedTuple):
    """The holes from which the seat may sow."""

    holes: tuple[int, ...]
