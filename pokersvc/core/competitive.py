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
    """How many rounds a game of a tournament has by default; None: as in any game."""
    rated: ClassVar[bool] = False
    """Whether a game is won or lost: only then do tournaments show ratings, which use ranks and not amounts."""

    def gains(self, started: StartT, outcome: Outcome) -> tuple[int, ...]:
        """Return the result of a game for each seat, from the first; tournaments show its mean."""
        return outcome.scores

    def tournament_kind(self, kind: str) -> str:
        """Return the kind with which a bot plays a tournament: bounded by work, not time, so that a seed repeats it."""
        return kind
