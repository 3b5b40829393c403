"""The contract of a game: everything it must have so that it can be played, stored and replayed.

A game's state changes in exactly one place, `State.apply`. The service, the log, the program and the readers know games
only by this contract; code that needs one facet of the contract imports that facet.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Generic, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.core.auditable import Auditable
from pokersvc.core.bots.estimates import Estimate
from pokersvc.core.bots.learning import Learnable
from pokersvc.core.bots.ranges import AskedPolicies, Range, RangeTerms
from pokersvc.core.bots.reviewing import Reviewable
from pokersvc.core.bots.seating import Seating
from pokersvc.core.counting import Countable
from pokersvc.core.event import Event
from pokersvc.core.persons import Persons
from pokersvc.core.setup import Options
from pokersvc.core.state import Outcome, StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.core.words import Words


class Measure(NamedTuple):
    """A unit in which results per round are usually stated for a game, such as thousandths of a big blind."""

    name: str
    per_unit: float
    """The amount of this measure that equals one of the game's own units."""


class Competitive(Generic[StartT]):
    """The facet of a game that tournaments need."""

    unit: ClassVar[str] = "points"
    """The unit of a seat's gain in a tournament."""
    round_unit: ClassVar[str | None] = None
    """The word for a round in "chips per …"; None if gains are not shown per round."""
    tournament_rounds: ClassVar[int | None] = None
    """The default number of rounds of a tournament game; None for the default of any game."""
    rated: ClassVar[bool] = False
    """Whether tournaments show ratings, which count only ranks; True only for a game that is simply won or lost."""

    pair_seats: ClassVar[int] = 2
    """The default number of seats of a ladder's tables, half of them for each of two bots: an even number."""

    def gains(self, started: StartT, outcome: Outcome) -> tuple[int, ...]:
        """Return the result of a game for each seat, from the first; tournaments show the mean of results."""
        return outcome.scores

    def measure(self, started: StartT) -> Measure | None:
        """Return a second unit for results per round, besides the game's own unit; None if there is none."""
        return None

    def tournament_kind(self, kind: str) -> str:
        """Return the kind of bot that plays in a tournament for a given kind; by default, the same kind."""
        return kind

    def range_of(
        self, started: StartT, seat: int, terms: RangeTerms, asked: AskedPolicies, random: Random
    ) -> Range | None:
        """Return the range of the other of two seats, as one seat sees it; None if the game has no ranges.

        ``asked`` returns policies of the other player, if the range needs more of them than `Range.narrow` is given.
        """
        return None

    def estimate(self, started: StartT) -> Estimate | None:
        """Return the estimate of a game's results that takes luck out of them; None if the game has none."""
        return None


class Game(
    Auditable[StartT, StateT],
    Seating[ViewT, LegalT],
    Competitive[StartT],
    Countable[StartT],
    Learnable[StartT, ViewT, LegalT],
    Reviewable[StartT],
    Generic[StartT, StateT, ViewT, LegalT],
):
    """Base of every game: each is a subclass, and the registry has one instance of it."""

    words: Words[StartT, StateT, ViewT, LegalT]
    """The game's texts for people, and the parser of what they type."""
    hides: ClassVar[bool] = True
    """Whether a seat may know what other seats must not see; if False, people can share a screen like a board."""

    def carried_over(self, state: StateT) -> tuple[int, ...] | None:
        """Return the amount that each seat carries over into the table's next game; None if each game begins afresh.

        `Seating.carrying` passes these amounts to the next game.
        """
        return None

    def persons(self, state: StateT) -> Persons | None:
        """Return the persons of a game and the amounts they brought; None in games whose people have no numbers."""
        return None

    def person_seated(self, event: Event) -> tuple[int, int] | None:
        """Return the seat and the number of the person who sits down by an event; None for any other event."""
        return None

    def as_person(self, action: Action, person: int) -> Action:
        """Fill a person's number (0 for a new person) into an action of sitting down; leave other actions unchanged."""
        return action

    def numbering(self, options: Options, persons: Persons, numbers: Mapping[str, int]) -> Options:
        """Return the options of a table's next game, which keep people's numbers and the amounts they brought.

        ``persons`` are those of the game before; ``numbers`` has the number of each name that continues.
        """
        return options
