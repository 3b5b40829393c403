"""Reviews: the cost of a seat's choices, compared with those of a good bot.

A game gives a `Reviewer` of a seat (`Reviewable.review`), which follows the game as the seat saw it.
`pokersvc.core.bots.review` collects what the reviewer finds.
"""

from abc import ABC, abstractmethod
from collections.abc import Container
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias

from pokersvc.core.event import Event
from pokersvc.core.typevars import StartT


class ReviewTerms(NamedTuple):
    """The settings of a review."""

    seed: bytes
    """The source of all randomness in the review: the same seed makes the same review."""
    samples: int | None = None
    """The number of simulations for each action compared at a choice; None for the game's default."""


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """One choice of the seat; amounts are in the game's unit."""

    round: int
    number: int
    """The number of the choice in its round, from 1."""
    when: str
    """The part of the round, in words."""
    had: str
    """What the seat had, in words."""
    situation: str
    """The situation in which the seat had to choose, in words."""
    chose: str
    """The action that the seat chose, in words."""
    by: str
    """The kind of the program with which the choice is compared."""
    would: tuple[tuple[str, float], ...]
    """What that program would have done, in words, with the probability of each action, the most likely first."""
    cost: float
    """How much less the choice brings than the program's mixture; below 0 if it brings more."""
    error: float
    """Half the width of the 95 % interval of the cost; 0 if the cost is computed exactly."""
    points: float | None = None
    """How much less often the choice wins than the best one, in percentage points; given only if that is known
    exactly."""
    improvised: bool = False
    """Whether the program would hardly have come here: the seat, or another one (`doubted`), chose otherwise before.

    The program then has no plan, and ``would`` is the action that wins most in simulation.
    """
    doubted: bool = False
    """Whether another seat has made a choice that the program would hardly make, whatever that seat may have."""


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """The end of a round in which the seat chose something."""

    round: int
    had: str
    """What the seat had when the round began, in words."""
    net: int
    """What the seat won or lost in the round, in the game's unit."""
    choices: int
    """How many choices the seat had."""


Reviewed: TypeAlias = ReviewedChoice | ReviewedRound


class Reviewer(ABC):
    """Follows a game as one seat saw it, and judges the seat's choices only by what the seat saw."""

    unit: str
    """The unit of amounts as text, such as ``chips``; empty if `say` names it."""
    called: str | None = "round"
    """What a round is called; None if a game is one round, all of whose choices are shown."""

    @abstractmethod
    def take(self, event: Event, judged: Container[int]) -> Reviewed | None:
        """Take an event after the start, as the seat saw it; return the choice or round that the event ends, if any.

        Only choices in the rounds ``judged``, by number, are returned; skipping other choices takes no time.
        """

    @abstractmethod
    def about(self, kind: str) -> str:
        """Return a sentence about the bot of this kind, whose choices are the standard (`ReviewedChoice.by`)."""

    def say(self, amount: float) -> str:
        """Return an amount in the game's unit as text."""
        return f"{amount:z.1f}"


class Reviewable(Generic[StartT]):
    """The facet of a game whose seats can be reviewed."""

    reviews_at_tables: bool = True
    """Whether a server reviews seats too; a review must then take only a few seconds."""
    samples_at_tables: int = 1000
    """The `ReviewTerms.samples` of a review at a server's table."""

    def review(self, started: StartT, seat: int, terms: ReviewTerms) -> Reviewer | None:
        """Return a reviewer of a seat, given the start as the seat saw it; None if the game has no review.

        Raise `InvalidValue` if the game has reviews, but none for this start.
        """
        return None
