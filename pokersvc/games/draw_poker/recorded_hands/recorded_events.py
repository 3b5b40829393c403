"""The events of a hand that was dealt elsewhere: recorded cards take the place of the deck.

Cards that nobody recorded are unknown (``??``). Fields are in alphabetical order.
"""

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from pokersvc.cards.unknown import AnyCard
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number
from pokersvc.core.event import Audience, Event
from pokersvc.core.value import Value
from pokersvc.games.draw_poker.events import Chips, Share
from pokersvc.games.draw_poker.house.cash_table import Currency

Text: TypeAlias = Annotated[str, Field(max_length=200)]
Hand: TypeAlias = Annotated[tuple[AnyCard, ...], Field(min_length=5, max_length=5)]
UpToFive: TypeAlias = Annotated[tuple[AnyCard, ...], Field(max_length=5)]
SomeCards: TypeAlias = Annotated[tuple[AnyCard, ...] | None, Audience.SEAT]
Digest: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class PlayedAt(Value):
    """When a hand was played."""

    ambiguous: bool
    """Whether the hour occurred twice, at the end of summer time; ``utc`` is then in the first of the two."""
    text: Text
    """The time as the file writes it."""
    utc: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$")]
    zone: Text
    """The site's name for its time zone, such as ``ET``; empty if the file itself gives UTC."""

    @property
    def in_full(self) -> str:
        """``utc`` to the microsecond, in the format of the log's timestamps, so that the texts sort by time."""
        seconds, _, fraction = self.utc.removesuffix("Z").partition(".")
        return f"{seconds}.{fraction:0<6}Z"


@dataclass(frozen=True, slots=True)
class Tournament(Value):
    """The tournament that a hand belonged to."""

    buy_in: Chips | None
    currency: Currency
    """The currency of the buy-in and the fee."""
    fee: Chips | None
    level: Text | None
    number: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuoted(Event):
    """A file was quoted: its text of this hand, verbatim, with facts on the hand and on the file.

    It comes after the start, and again after the end for another file that tells the same hand.
    """

    dialect: Text
    """The format, such as ``pokerstars``."""
    digest: Digest
    """The SHA-256 of the whole file."""
    findings: tuple[Annotated[str, Field(max_length=500)], ...]
    """Contradictions in the text, by line: a hand that has any is stored only on request."""
    first_line: Number
    """The line of the file on which the text begins."""
    hero: Number | None
    """The seat of the player who saved the file, whose cards it shows."""
    lines: tuple[Annotated[int, Field(ge=0)], ...]
    """For each event after this one, the line of the file that tells it; 0 if the event follows from earlier events."""
    number: Text
    """The hand's number at the site."""
    played: PlayedAt | None
    site: Text
    size: Number | None
    """The number of seats at the table."""
    table: Text | None
    text: Annotated[str | None, Audience.DEALER]
    """The text of the hand, secret because it shows the hero's cards."""
    tournament: Tournament | None


@dataclass(frozen=True, slots=True)
class SeatCards(Value):
    """The recorded cards of a seat."""

    dealt: Hand
    drawn: UpToFive
    """The cards dealt in the draw, one for each card discarded; empty if none is known."""
    held: UpToFive
    """The hand as it was made known to everybody at the end; empty if it was not."""
    seat: Number


@dataclass(frozen=True, slots=True)
class Award(Value):
    """The recorded shares of one pot (1 is the main pot)."""

    pot: Number
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class DealRecorded(Event):
    """The cards and the showdown were recorded; everything that the dealer does follows from this record.

    ``awards`` decide pots that depend on cards nobody recorded, and odd chips; ``mucked`` are the seats that gave up
    their hands in the showdown.
    """

    awards: tuple[Award, ...]
    cards: Annotated[tuple[SeatCards, ...] | None, Audience.DEALER]
    mucked: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class RecordedHandDealt(Event):
    """A seat was dealt its hand, of which cards may be unknown."""

    cards: SomeCards
    count: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class RecordedCardsDiscarded(Event):
    """A seat discarded cards, which may be unknown, or none."""

    cards: SomeCards
    count: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class RecordedCardsDrawn(Event):
    """A seat was dealt cards, which may be unknown, in place of those it discarded."""

    cards: SomeCards
    count: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class CardsLearned(Event):
    """Cards of a seat became known after the end: those that it was dealt, discarded, drew or held."""

    dealt: SomeCards
    discarded: SomeCards
    drawn: SomeCards
    held: SomeCards
    seat: Number


EVENT_TYPES: Final[EventTypes] = {
    ("HandQuoted", 1): HandQuoted,
    ("DealRecorded", 1): DealRecorded,
    ("RecordedHandDealt", 1): RecordedHandDealt,
    ("RecordedCardsDiscarded", 1): RecordedCardsDiscarded,
    ("RecordedCardsDrawn", 1): RecordedCardsDrawn,
    ("CardsLearned", 1): CardsLearned,
}
