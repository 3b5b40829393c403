"""What a game counts of its rounds, for statistics: figures that add up, and a counter that makes them."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, NamedTuple, Protocol

from pokersvc.core.event import Event
from pokersvc.core.typevars import StartT

NO_BUTTON = "no button"
"""The position of every seat where there is no button, and of one that was not dealt in."""


class Figures(NamedTuple):
    """What is counted of rounds, each a whole number that adds up; docs/stats.md defines them."""

    dealt: int = 0
    walks: int = 0
    net: int = 0
    net_milli: int = 0
    """In thousandths of a big blind, each round's rounded."""
    square_high: int = 0
    """The squares of ``net_milli``, in units of 2³² …"""
    square_low: int = 0
    """… and what is left of each square: a database adds up 64 bits, and squares need more."""
    vpip: int = 0
    pfr: int = 0
    saw_draw: int = 0
    bets: int = 0
    raises: int = 0
    calls: int = 0
    folds: int = 0
    showdowns: int = 0
    won_showdowns: int = 0
    won: int = 0
    drew_0: int = 0
    drew_1: int = 0
    drew_2: int = 0
    drew_3: int = 0
    drew_4: int = 0
    drew_5: int = 0
    rake: int = 0

    @property
    def squares(self) -> int:
        """The sum of the squares of ``net_milli``."""
        return (self.square_high << 32) + self.square_low

    @property
    def draws(self) -> tuple[int, ...]:
        """How often 0, 1, … 5 were drawn."""
        return (self.drew_0, self.drew_1, self.drew_2, self.drew_3, self.drew_4, self.drew_5)


NOTHING = Figures()


def total(figures: Iterable[Figures]) -> Figures:
    """Return the sum of figures.

    >>> total([Figures(dealt=1, net=-5), Figures(dealt=1, net=7)])[:3]
    (2, 0, 2)
    """
    return Figures(*map(sum, zip(NOTHING, *figures, strict=True)))


class SeatCount(NamedTuple):
    """One seat's part in a round."""

    seat: int
    """From 1."""
    player: str
    position: str
    """Relative to the button: ``BTN``, ``CO``, ``BTN-2`` …, ``SB``, ``BB``; or `NO_BUTTON`."""
    opponents: tuple[str, ...]
    """Who else was dealt in."""
    figures: Figures


class RoundCount(NamedTuple):
    """What a finished round counts, for each seat that was dealt in or put chips in."""

    round: int
    day: str | None
    """On which it was played, in UTC, such as ``2026-01-31``; None: on the day on which it was recorded."""
    played_at: str | None
    """The same to the second, such as ``2026-01-31T12:00:00Z``."""
    house: str
    site: str
    """Where else it was played; empty for one that was played here. A player is a name at a site."""
    currency: str
    """Its code; empty for chips. Amounts of different currencies are never added up."""
    exponent: int
    """How many digits the currency's smallest unit has behind the point."""
    seats: tuple[SeatCount, ...]


class RoundCounter(Protocol):
    """Counts rounds from a game's public events alone; it can begin before any round of the game."""

    def take(self, event: Event) -> RoundCount | None:
        """Take the next event; return the round that it completed."""
        ...


class SeatPlayed(NamedTuple):
    """What a finished round brought a player."""

    player: str
    """Empty for a round that is nobody's own."""
    own: bool
    """Whether the round is theirs: they saved the file that tells it, or are a person who played it here."""
    net: int | None
    """None where nobody is asked about."""


class RoundPlayed(NamedTuple):
    """Where and when a finished round was played: by it sessions are found."""

    round: int
    at: str
    """When it began, in UTC: ``2026-01-31T12:00:00``; empty where nobody knows."""
    site: str
    """Where else it was played; empty for one that was played here."""
    table: str | None
    """The table's name at that site."""
    tournament: str | None
    """Its number at that site."""
    currency: str
    """Its code; empty for chips."""
    exponent: int
    """How many digits the currency's smallest unit has behind the point."""
    seats: tuple[SeatPlayed, ...]


class PlayedRounds(Protocol):
    """Tells where and when rounds were played, from all of a game's public events after its start."""

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        """Take the next event, and when it was recorded; return the round that it completed."""
        ...

    def pass_over(self, events: Sequence[tuple[Event, str]]) -> None:
        """Take the next events, up to one of `Countable.round_ends`, of which nobody asks what they completed.

        So a long game is read: what no later round is told by need not be looked at.
        """
        ...


class Countable(Generic[StartT]):
    """Whether a game has rounds that statistics count."""

    counts_rounds: ClassVar[bool] = False
    """Whether it has."""

    round_ends: ClassVar[frozenset[type[Event]]] = frozenset()
    """The events that complete what `played_rounds` tells, so that it is asked only then."""

    def round_counter(self, started: StartT) -> RoundCounter:
        """Return a counter of a game's rounds; only for a game that `counts_rounds`."""
        raise TypeError(f"{type(self).__name__} says that it counts rounds, and has no round_counter")

    def began_at(self, event: Event) -> str | None:
        """Return when a game began that was played elsewhere, in UTC, as the event after its start says it.

        It is written ``2026-01-31T12:00:00.000000Z``; None for a game that began when it was recorded, or nobody knows.
        """
        return None

    def played_rounds(self, started: StartT) -> PlayedRounds | None:
        """Return what tells where and when rounds were played; None for a game that is in no session."""
        return None
