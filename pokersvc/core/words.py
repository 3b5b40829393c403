"""How a game is told to people, and understood from what they type."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic

from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome, StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.errors import InvalidValue


class InvalidAnswer(InvalidValue):
    """A typed answer that names no action."""

    code = "invalid_answer"


class HistoryWords(ABC):
    """How the history of a game is told to people, from facts alone.

    A game's package may have it as ``HISTORY_WORDS`` in a module ``history_words``; a list of games then needs no game.
    """

    @abstractmethod
    def title(self, facts: Mapping[str, Any]) -> str:
        """Return what is played: the game, its house or its size, as `Game.facts` says it."""

    @abstractmethod
    def line(self, entry: Entry) -> str:
        """Return one line of the history, such as ``Round 1 -- Player2 won 210``."""

    @abstractmethod
    def details(self, entry: Entry) -> list[str]:
        """Return what `line` leaves out, or nothing."""

    @abstractmethod
    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, such as ``Winner is Player2 balance $1980``."""

    @abstractmethod
    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the score of each seat, such as final balances, line by line."""


class Words(HistoryWords, Generic[StartT, StateT, ViewT, LegalT]):
    """How a game is told to people and understood from them: plain text, no terminal codes.

    A game's words are a subclass, so that what most games do not say has a default here.
    """

    @abstractmethod
    def tell(self, event: Event, state: StateT) -> str:
        """Return an event, as redacted for the viewer, in a sentence; ``state`` is the one after it."""

    @abstractmethod
    def show(self, view: ViewT) -> list[str]:
        """Return where the game stands, line by line."""

    @abstractmethod
    def ask(self, view: ViewT, legal: LegalT) -> str:
        """Return the question to the person whose turn it is, with the answers that are possible."""

    @abstractmethod
    def explain(self, text: str, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return what a person asks to see before choosing, line by line; None where the text asks for nothing."""

    def before_round(self, view: ViewT, seat: int) -> list[str]:
        """Return what a person has to know before the next round, as they will not be asked: nothing in most games.

        ``view`` is everyone's, before the first round or between two.
        """
        return []

    @abstractmethod
    def read(self, text: str, view: ViewT, legal: LegalT) -> Action:
        """Return the action that a typed answer names; `InvalidAnswer` says what would be understood."""
