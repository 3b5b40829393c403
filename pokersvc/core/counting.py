"""The facet of a game that statistics need: figures of its rounds, which can be added up, and their counter."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Generic, NamedTuple, Protocol

from pokersvc.core.event import Event
from pokersvc.core.typevars import StartT

NO_BUTTON = "no button"
"""The position of every seat in a round without a button, and of a seat that was not dealt in."""

MIXED: Final = "mixed"
"""The kind of opponents who are of several kinds."""
UNTOLD: Final = "hidden"
"""The kind of opponents in a game that hides its kinds of players."""
NOBODY: Final = "nobody"
"""The kind of opponents where no one else was dealt in."""


class Figures(NamedTuple):
    """The statistics of one or more rounds as whole numbers, which can be added up; docs/stats.md defines them."""

    dealt: int = 0
    walks: int = 0
    net: int = 0
    net_milli: int = 0
    """The net result in thousandths of a big blind, rounded in each round."""
    square_high: int = 0
    """The upper bits of the squares of ``net_milli``, added up: each square divided by 2³² and rounded down."""
    square_low: int = 0
    """The lower 32 bits of the squares, added up; squares are split because databases add up only 64-bit numbers."""
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
        """The number of draws of 0, 1, … 5."""
        return (self.drew_0, self.drew_1, self.drew_2, self.drew_3, self.drew_4, self.drew_5)


NOTHING = Figures()


def total(figures: Iterable[Figures]) -> Figures:
    """Return the sum of figures.

    >>> total([Figures(dealt=1, net=-5), Figures(dealt=1, net=7)])[:3]
    (2, 0, 2)
    """
    return Figures(*map(sum, zip(NOTHING, *figures, strict=True)))


class SeatCount(NamedTuple):
    """The figures of one seat in a round."""

    seat: int
    """The seat's number, from 1."""
    player: str
    position: str
    """The position relative to the button: ``BTN``, ``CO``, ``BTN-2`` …, ``SB``, ``BB``; or `NO_BUTTON`."""
    opponents: tuple[str, ...]
    """The other players who were dealt in."""
    figures: Figures
    against: str = NOBODY
    """The kind that all opponents have in common; or `MIXED`, `UNTOLD` or `NOBODY`."""


class RoundCount(NamedTuple):
    """The figures of a finished round, for each seat that was dealt in or put chips in."""

    round: int
    day: str | None
    """The day on which the round was played, in UTC, such as ``2026-01-31``; None for the day of its recording."""
    played_at: str | None
    """The time at which the round was played, to the second, such as ``2026-01-31T12:00:00Z``."""
    house: str
    site: str
    """The site where it was played; empty if it was played here. A player is a name at a site."""
    currency: str
    """The currency code; empty for chips. Amounts of different currencies are never added up."""
    exponent: int
    """The number of decimal places of the currency's smallest unit."""
    seats: tuple[SeatCount, ...]


class RoundCounter(Protocol):
    """Makes the statistics of rounds from a game's public events alone; it can start before any round of the game."""

    def take(self, event: Event) -> RoundCount | None:
        """Take the next event; return the round that it completed, if any."""
        ...


class SeatPlayed(NamedTuple):
    """The net result of a finished round for a player."""

    player: str
    """The player's name; empty for a round that no player owns."""
    own: bool
    """Whether the player owns the round: they saved the file that records it, or are a person who played it here."""
    net: int | None
    """The amount that the player won or lost; None for a round that no player owns."""


class RoundPlayed(NamedTuple):
    """Where and when a finished round was played, for grouping rounds into sessions."""

    round: int
    at: str
    """The time at which the round began, in UTC: ``2026-01-31T12:00:00``; empty if unknown."""
    site: str
    """The site where it was played; empty if it was played here."""
    table: str | None
    """The table's name at that site."""
    tournament: str | None
    """The tournament's number at that site."""
    currency: str
    """The currency code; empty for chips."""
    exponent: int
    """The number of decimal places of the currency's smallest unit."""
    seats: tuple[SeatPlayed, ...]


class PlayedRounds(Protocol):
    """Tells where and when rounds were played, from all of a game's public events after its start."""

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        """Take the next event and the time when it was recorded; return the round that it completed, if any."""
        ...

    def pass_over(self, events: Sequence[tuple[Event, str]]) -> None:
        """Take several events, the last of which may end a round (`Countable.round_ends`), without returning rounds.

        This makes reading a long game faster: events on which later rounds do not depend are skipped.
        """
        ...


class Countable(Generic[StartT]):
    """The facet of a game that statistics need: its rounds, if they are counted."""

    counts_rounds: ClassVar[bool] = False
    """Whether the game has rounds that statistics count."""

    round_ends: ClassVar[frozenset[type[Event]]] = frozenset()
    """The types of events that can complete a round; `PlayedRounds.take` returns None for all others."""

    def round_counter(self, started: StartT) -> RoundCounter:
        """Return a counter of a game's rounds; only for a game that `counts_rounds`."""
        raise TypeError(f"{type(self).__name__} says that it counts rounds, and has no round_counter")

    def began_at(self, event: Event) -> str | None:
        """Return when a game that was played elsewhere began, in UTC, according to the event after its start.

        The form is ``2026-01-31T12:00:00.000000Z``. None if the game began when it was recorded, or if the time is
        unknown.
        """
        return None

    def played_rounds(self, started: StartT) -> PlayedRounds | None:
        """Return an object that tells where and when rounds were played; None if the game's rounds form no sessions."""
        return None
