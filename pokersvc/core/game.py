"""The contract of a game: what a game must be, so that it can be played, stored and replayed.

A game's state changes in exactly one place, `State.apply`. The service, the log, the program and the readers know games
by this contract alone; code that needs one part of it imports that part.
"""

from typing import ClassVar, Generic

from pokersvc.core.auditable import Auditable
from pokersvc.core.bots.seating import Seating
from pokersvc.core.counting import Countable
from pokersvc.core.state import Outcome, StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.core.words import Words


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


class Game(
    Auditable[StartT, StateT],
    Seating[ViewT, LegalT],
    Competitive[StartT],
    Countable[StartT],
    Generic[StartT, StateT, ViewT, LegalT],
):
    """A game that can be played: one instance of one subclass, named in the registry."""

    words: Words[StartT, StateT, ViewT, LegalT]
    """How the game is told to people, and understood from what they type."""
    hides: ClassVar[bool] = True
    """Whether a seat may know what another must not see; if not, people can share a screen like a board."""
