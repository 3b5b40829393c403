"""The state of a game in progress, how a game ends, and what its history says."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from pokersvc.core.actions import Action, Lapse
from pokersvc.core.event import Event, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.record import Happened
from pokersvc.core.seats import Seat
from pokersvc.core.typevars import LegalT, ViewT
from pokersvc.errors import PokersvcError

Facts: TypeAlias = Mapping[str, Any]
"""What read models store of a game, or of a line of its history: plain JSON values, and no words."""


class WithheldSecrets(PokersvcError):
    """The dealer's next event depends on secrets that this copy of the game does not hold.

    ``due`` are the types of which that event is one, as far as the game says so.
    """

    code = "hidden_cards"  # as outputs have always had it

    def __init__(self, *due: type[Event]) -> None:
        super().__init__("This copy of the game lacks the dealer's secrets; it can be replayed, but not continued.")
        self.due = due


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: for each seat, from the first, its score and its rank (1 is best, equal scores share)."""

    scores: tuple[int, ...]
    """For each seat, from the first: chips, points or beans."""
    ranks: tuple[int, ...]
    """For each seat, from the first: 1 is best, and equal scores share a rank."""

    @classmethod
    def by_score(cls, scores: tuple[int, ...]) -> "Outcome":
        """Return the outcome in which more is better."""
        return cls(scores, tuple(1 + sum(other > score for other in scores) for score in scores))

    @classmethod
    def won_by(cls, winners: tuple[int, ...], scores: tuple[int, ...], nobodys: Collection[int] = ()) -> "Outcome":
        """Return the outcome in which these seats come first, whatever others have; among the others more is better.

        The last are seats that are ``nobodys``.

        >>> Outcome.won_by((2,), (50, 40, 30)).ranks
        (2, 1, 3)
        >>> Outcome.won_by((1,), (50, 0, -50), nobodys=(2,)).ranks
        (1, 3, 2)
        """
        order = [(seat in winners, seat not in nobodys, score) for seat, score in enumerate(scores, 1)]
        return cls(scores, tuple(1 + sum(other > own for other in order) for own in order))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's history: its number in the game and its facts, plain JSON values.

    A line that is shown ``again`` replaces the one of its number (see `Game.opens_all`).
    """

    number: int
    """From 1: the round, in a game of rounds."""
    facts: Facts
    """The game's own; its `Words.line` says them."""
    again: bool = False
    net: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """Seats with what each won or lost, as far as the game tells it; no read model stores it."""
    names: tuple[str, ...] = field(default=(), compare=False)
    """The names that the seats had then, from the first; empty where nobody comes later. No read model stores it."""


class State(ABC, Generic[ViewT, LegalT]):
    """A game in progress. Every method but `apply` leaves it as it was.

    At any moment exactly one of three holds: the dealer must act by the rules (`dealer_event`), one
    seat or several must choose (`awaited`), or the game is over (`outcome`).
    """

    __slots__ = ()

    record: Happened[Event]
    """Its events after the first: `apply` adds each of them, and every view shows what its viewer has seen of them."""

    @abstractmethod
    def dealer_event(self, entropy: Entropy) -> Event | None:
        """Return the one next event that nobody chooses, or None when a seat must choose or the game is over.

        `WithheldSecrets` where that depends on secrets that this copy lacks; it names the types that the event may be
        of.
        """

    def contradiction(self, event: Event) -> str | None:
        """Return what would be right of an event that contradicts what this copy knows; None if it does not.

        It is asked where `dealer_event` raises `WithheldSecrets`, and of a choice that is hidden: what the event says
        may be hidden in part only.
        """
        return None

    @property
    @abstractmethod
    def awaited(self) -> tuple[int, ...]:
        """The seats that must choose, in ascending order; they may choose in any order."""

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, if it is one; None if nobody must, or several must."""
        awaited = self.awaited
        return awaited[0] if len(awaited) == 1 else None

    @property
    def pausing(self) -> bool:
        """Whether the game is between two rounds and a person may `Leave`, although the dealer is to act."""
        return False

    @property
    def ends_next(self) -> bool:
        """Whether it is `pausing` and would, as it stands, end without another round."""
        return False

    def deals_to(self) -> tuple[int, ...] | None:
        """Return the seats, in ascending order, that are dealt in, where a round begins next that needs a new shuffle.

        None everywhere else, and in games whose seats cannot shuffle together (`Rules.dealt_together`).
        """
        return None

    def playing(self, seat: int) -> bool:
        """Tell whether the seat may still have to choose, now or later in the game."""
        return self.outcome is None

    def seats_now(self) -> tuple[Seat, ...] | None:
        """Return who sits where now, with a seat of the kind `OPEN` where nobody has sat yet; None as at the start.

        Only events of `Rules.reseating` change it. Who has left keeps the seat until somebody else sits down there.
        """
        return None

    @abstractmethod
    def legal(self, seat: int) -> LegalT:
        """Return what the seat may choose now; `IllegalAction` if it is not awaited."""

    @abstractmethod
    def decide(self, action: Action) -> Event:
        """Return the event of an action, or raise `IllegalAction`."""

    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        """Return what a seat does that must choose and whose time is over; ``away`` if it sits out.

        It must be legal, and follow from what the seat may know. A game whose rules name no such move draws one from
        ``random``; an audit then checks no more than that the move was legal. This one forfeits the choice, as the
        event `Forfeited` of a `SeatedState`.
        """
        return Lapse(seat)

    @abstractmethod
    def apply(self, event: Event) -> None:
        """Change the state by an event that was recorded; the only place where state changes.

        `ImpossibleEvent` for one that cannot come here, such as of a seat or of chips that there are not: the state is
        then as it was. What the rules do not allow may be taken, for auditors go on after it; what they allow, `decide`
        and `dealer_event` say.
        """

    @abstractmethod
    def view(self, viewer: Viewer) -> ViewT:
        """Return what the viewer may know, all of that and nothing more: an immutable value of the game's own.

        Its ``record`` is what the viewer has `Seen` of the events. So of two games that a viewer can tell apart the
        views differ, as far as the record goes back.
        """

    @abstractmethod
    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the line of history that the event, the last applied, completed, as the viewer may know it."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, once it is over."""


StateT = TypeVar("StateT", bound=State, default=Any)
"""A game's own state."""
