"""The state of a game in progress, its outcome, and the lines of its history."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias

from typing_extensions import TypeVar

from pokersvc.core.actions import Action, Lapse
from pokersvc.core.event import Event, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.record import GameRecord
from pokersvc.core.seats import Seat
from pokersvc.core.typevars import LegalT, ViewT
from pokersvc.errors import PokersvcError

Facts: TypeAlias = Mapping[str, Any]
"""Facts about a game, or about a line of its history, which read models store: JSON values, without words."""


class WithheldSecrets(PokersvcError):
    """The dealer's next event depends on secrets that this copy of the game does not hold.

    ``due`` has the types that the event may be of, as far as the game names them.
    """

    code = "hidden_cards"  # outputs have always had this code

    def __init__(self, *due: type[Event]) -> None:
        super().__init__("This copy of the game lacks the dealer's secrets; it can be replayed, but not continued.")
        self.due = due


class TimedLevel(NamedTuple):
    """A level whose end is set by time."""

    number: int
    seconds: int | None
    """For how many seconds the level is played; None for the last level, which lasts to the end of the game."""
    rest: int
    """The seconds of the break with which the level begins."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game: for each seat, from the first, its score and its rank (1 is best, equal scores share)."""

    scores: tuple[int, ...]
    """The final chips, points or beans of each seat, from the first."""
    ranks: tuple[int, ...]
    """The rank of each seat, from the first: 1 is best, and equal scores share a rank."""

    @classmethod
    def by_score(cls, scores: tuple[int, ...]) -> "Outcome":
        """Return the outcome of a game in which a higher score is better."""
        return cls(scores, tuple([1 + sum([other > score for other in scores]) for score in scores]))

    @classmethod
    def won_by(cls, winners: tuple[int, ...], scores: tuple[int, ...], nobodys: Collection[int] = ()) -> "Outcome":
        """Return an outcome in which ``winners`` have rank 1 with any scores, and the others rank by score.

        The seats in ``nobodys`` come last.

        >>> Outcome.won_by((2,), (50, 40, 30)).ranks
        (2, 1, 3)
        >>> Outcome.won_by((1,), (50, 0, -50), nobodys=(2,)).ranks
        (1, 3, 2)
        """
        order = [(seat in winners, seat not in nobodys, score) for seat, score in enumerate(scores, 1)]
        return cls(scores, tuple([1 + sum([other > own for other in order]) for own in order]))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's history: its number in the game and its facts, plain JSON values.

    A line that is shown ``again`` replaces the line with the same number (see `Game.opens_all`).
    """

    number: int
    """The number of the line, from 1: in a game of rounds, the number of the round."""
    facts: Facts
    """The game's own facts, which its `Words.line` puts into words."""
    again: bool = False
    net: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """(seat, amount won or lost) for each seat whose result the game tells; no read model stores them."""
    names: tuple[str, ...] = field(default=(), compare=False)
    """The names at the seats at that time, in order; empty if nobody can join later; no read model stores them."""


class State(ABC, Generic[ViewT, LegalT]):
    """A game in progress. Every method but `apply` leaves it unchanged.

    At any moment exactly one of three holds: the dealer must act by the rules (`dealer_event`), one
    seat or several must choose (`awaited`), or the game is over (`outcome`).
    """

    __slots__ = ()

    record: GameRecord[Event]
    """The events after the start: `apply` adds each event, and a view shows the events as its viewer has seen them."""

    @abstractmethod
    def dealer_event(self, entropy: Entropy) -> Event | None:
        """Return the next event of the dealer, which nobody chooses; None if a seat must choose or the game is over.

        Raise `WithheldSecrets` if the event depends on secrets that this copy lacks; the error names the types that the
        event may be of.
        """

    def contradiction(self, event: Event) -> str | None:
        """Return what an event should be, if the event contradicts this copy's knowledge; None if it does not.

        This method is called for an event for which `dealer_event` raises `WithheldSecrets`, and for a hidden choice,
        because such an event may be hidden only in part.
        """
        return None

    @property
    @abstractmethod
    def awaited(self) -> tuple[int, ...]:
        """The seats that must choose, in ascending order; they may choose in any order."""

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, if exactly one must; None otherwise."""
        awaited = self.awaited
        return awaited[0] if len(awaited) == 1 else None

    @property
    def pausing(self) -> bool:
        """Whether the game is between two rounds, when a person may `Leave` although the dealer acts next."""
        return False

    @property
    def changeable(self) -> bool:
        """Whether the start allows the host to change amounts and the clock between two rounds."""
        return False

    @property
    def timed_level(self) -> TimedLevel | None:
        """The level of blinds or the like that is played now, if levels end by time; None in other games."""
        return None

    @property
    def ends_next(self) -> bool:
        """Whether the game is `pausing` and will end without another round, unless a person acts first."""
        return False

    def deals_to(self) -> tuple[int, ...] | None:
        """Return the seats dealt in by the next round, ascending, if the round begins now and needs a new shuffle.

        None at all other times, and in games whose seats cannot shuffle together (`Rules.dealt_together`).
        """
        return None

    def playing(self, seat: int) -> bool:
        """Return whether the seat may still have to choose, now or later in the game."""
        return self.outcome is None

    def may_come_back(self, seat: int) -> bool:
        """Return whether a person who is out may come back, now or later between two rounds; False in most games."""
        return False

    def seats_now(self) -> tuple[Seat, ...] | None:
        """Return the players now at the seats, of kind `OPEN` where nobody has sat yet; None if nobody has changed.

        Only events of `Rules.reseating` change the result. A person who has left keeps the seat until somebody else
        sits down there.
        """
        return None

    @abstractmethod
    def legal(self, seat: int) -> LegalT:
        """Return the legal choices of a seat now; raise `IllegalAction` if it is not awaited."""

    @abstractmethod
    def decide(self, action: Action) -> Event:
        """Return the event of an action, or raise `IllegalAction`."""

    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        """Return the action that is taken for a seat whose time is over; ``away`` says that the seat sits out.

        The action must be legal, and follow from what the seat may know. A game whose rules name no such move draws
        one from ``random``; an audit then checks only that the move was legal. By default the choice is forfeited, in a
        `SeatedState` by the event `Forfeited`.
        """
        return Lapse(seat)

    @abstractmethod
    def apply(self, event: Event) -> None:
        """Change the state by a recorded event; this is the only place where the state changes.

        Raise `ImpossibleEvent` if the event cannot happen here, for example because its seat or chips do not exist; the
        state is then unchanged. An event that breaks the rules may be applied, because auditors continue after it;
        `decide` and `dealer_event` say what the rules allow.
        """

    @abstractmethod
    def view(self, viewer: Viewer) -> ViewT:
        """Return everything that the viewer may know and nothing more: an immutable value of the game's own type.

        Its ``record`` is the part of the events that the viewer has `Seen`. So if a viewer can tell two games apart,
        the views of the two games differ, as far back as the record goes.
        """

    @abstractmethod
    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return the line of history that the last applied event completed, if any, as the viewer may know it."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The outcome of the game once it is over; None before."""


StateT = TypeVar("StateT", bound=State, default=Any)
"""The type of a game's own state."""
