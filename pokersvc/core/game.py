"""The contract of a game: what a game must be, so that it can be played, stored and replayed.

A game's state changes in exactly one place, `State.apply`. The service, the log, the program and the readers know games
by this contract alone; code that needs one part of it imports that part.
"""

from typing import ClassVar, Generic

from pokersvc.core.auditable import Auditable
from pokersvc.core.bots.seating import Seating
from pokersvc.core.competitive import Competitive
from pokersvc.core.counting import Countable
from pokersvc.core.state import StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.core.words import Words


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
