"""The review of a seat: its choices with their costs, and the rounds in which they were made."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import fsum, hypot
from typing import NamedTuple

from pokersvc.core.bots.reviewing import Reviewed, ReviewedChoice, ReviewedRound, Reviewer, ReviewTerms
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.errors import InvalidValue

DEAREST = 5
"""The number of choices that a review names first."""


class Cost(NamedTuple):
    """The total cost of several choices, in the game's unit, with half the width of the 95 % interval."""

    amount: float
    error: float


class RoundLine(NamedTuple):
    """One round of a review, and the total cost of its choices."""

    of: ReviewedRound
    cost: Cost


@dataclass(frozen=True, slots=True)
class Review:
    """A seat's choices in the rounds that are over, in order."""

    choices: tuple[ReviewedChoice, ...]
    rounds: tuple[ReviewedRound, ...]
    """The rounds in which the seat made the choices."""
    programs: tuple[tuple[str, str], ...]
    """The kinds of programs that choices were compared with, the most frequent first, with a sentence on each."""
    unit: str
    """The unit of amounts as text; empty if ``say`` names it."""
    say: Callable[[float], str]
    """Formats an amount in the game's unit."""
    called: str | None = "round"
    """What a round is called; None if the game is one round (`Reviewer.called`)."""

    @property
    def dearest(self) -> list[ReviewedChoice]:
        """The most expensive choices, the most expensive first; at most `DEAREST`, and none that cost nothing."""
        dear = [choice for choice in self.choices if choice.cost > 0]
        return sorted(dear, key=lambda choice: -choice.cost)[:DEAREST]

    @property
    def cost(self) -> Cost:
        """The total cost of all choices."""
        return cost_of(self.choices)

    def said(self, cost: Cost) -> str:
        """Return a cost with its error as text, such as ``3.2 ± 0.3``."""
        amount = self.say(cost.amount)
        return f"{amount} ± {self.say(cost.error)}" if cost.error else amount

    def said_of(self, choice: ReviewedChoice) -> str:
        """Return the cost of a choice as text."""
        return self.said(Cost(choice.cost, choice.error))

    def net(self, one: ReviewedRound) -> str:
        """Return a seat's result in a round as text."""
        return self.say(one.net).removesuffix(".0")

    @property
    def lines(self) -> list[RoundLine]:
        """The rounds with the costs of their choices."""
        made = {number: list(choices) for number, choices in groupby(self.choices, lambda choice: choice.round)}
        return [RoundLine(one, cost_of(made.get(one.round, ()))) for one in self.rounds]


def cost_of(choices: Iterable[ReviewedChoice]) -> Cost:
    """Return the total cost of choices; their errors are independent."""
    known = list(choices)
    return Cost(fsum(choice.cost for choice in known), hypot(*(choice.error for choice in known)))


def reviewed(
    game: Game,
    events: Iterable[Event],
    seat: int,
    terms: ReviewTerms,
    *,
    rounds: int | None = None,
    told: Callable[[int, int], object] | None = None,
) -> Review:
    """Review a seat from all events of a game as the seat saw them: its choices in the rounds that are over.

    With ``rounds``, only that many of the last rounds in which the seat chose are reviewed. ``told`` is called with
    the number of choices reviewed so far, and the number of all choices to review.

    Raises `InvalidValue` if there is no review for the game.
    """
    started, *rest = [event for event in events if not isinstance(event, TableEvent)]
    passed = list(_taken(game, started, rest, seat, terms, frozenset()))
    over = [one for one in passed if isinstance(one, ReviewedRound)]
    chosen = over if rounds is None else over[-rounds:]
    count = sum(one.choices for one in chosen)
    choices: list[ReviewedChoice] = []
    for one in _taken(game, started, rest, seat, terms, {one.round for one in chosen}):
        if isinstance(one, ReviewedChoice):
            choices.append(one)
            if told is not None:
                told(len(choices), count)
    kinds = Counter(choice.by for choice in choices)
    reviewer = _reviewer(game, started, seat, terms)
    programs = tuple((kind, reviewer.about(kind)) for kind, _ in kinds.most_common())
    return Review(tuple(choices), tuple(chosen), programs, reviewer.unit, reviewer.say, reviewer.called)


def _taken(
    game: Game, started: Event, rest: Iterable[Event], seat: int, terms: ReviewTerms, judged: Container[int]
) -> Iterator[Reviewed]:
    reviewer = _reviewer(game, started, seat, terms)
    for event in rest:
        if (one := reviewer.take(event, judged)) is not None:
            yield one


def _reviewer(game: Game, started: Event, seat: int, terms: ReviewTerms) -> Reviewer:
    reviewer = game.review(started, seat, terms)
    if reviewer is None:
        raise InvalidValue(f"There is no review of the game {game.kind} yet.")
    return reviewer
