"""What tournaments ask of a game."""

from typing import ClassVar, Generic

from pokersvc.core.state import Outcome
from pokersvc.core.typevars import StartT


class Competitive(Generic[StartT]):
    """How a game counts in a tournament."""

    unit: ClassVar[str] = "points"
    """What a seat's gain in a tournament counts."""
    round_unit: ClassVar[str | None] = None
    """What a round is called, if gains are shown per round too, as chips per ``round``."""
    tournament_rounds: ClassVar[int | None] = None
    """How many rounds a game of a tournament has where nobody says; None: as in any game."""
    rated: ClassVar[bool] = False
    """Whether a game is won or lost: only then tournaments tell ratings, which know ranks and no amounts."""

    def gains(self, started: StartT, outcome: Outcome) -> tuple[int, ...]:
        """Return what a game brought each seat, from the first: what tournaments take the mean of."""
        return outcome.scores

    def tournament_kind(self, kind: str) -> str:
        """Return the kind as which a program plays a tournament: bounded by work, so that a seed plays it again."""
        return kind
