"""The recorded cards and showdown of a hand that was dealt elsewhere, which take the place of its deck.

The engine is the same. A hand has either recorded inputs or a deck; the only differences follow from that:

- A card that nobody recorded is unknown. So the deal, the discards and the draws have events of their own, which can
  say so, and another file may tell the card later.
- Mucks are recorded, because the site chose the order in which hands were shown; a winning hand is shown all the same.
- Known hands decide a pot. If an unknown hand was paid, the pot is paid as it was recorded.
- A hand that was not shown may have been made known to everybody; it is revealed at the end.
- A file may contradict itself. Cards that cannot be where the file says do not make an event impossible: `CardBooks`
  reports them.

The other recorded facts, the button, the posts and the rake, are stated by the table, and betting uses them as at any
other table.
"""

from dataclasses import dataclass, field

from pokersvc.cards.unknown import UNKNOWN, AnyCard, unknown
from pokersvc.core.event import Event
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker.events import PotAwarded
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, DealRecorded, HandQuoted, SeatCards
from pokersvc.streets.state import Cards


@dataclass(slots=True)
class RecordedInputs:
    """The recorded inputs of a hand, and the facts of its events so far; lists by seat have an unused place 0."""

    dealt: list[Cards]
    """The cards that each seat was dealt before the draw."""
    drawn: list[Cards]
    """The cards that each seat was dealt in the draw."""
    quoted: list[HandQuoted] = field(default_factory=list)
    """The events that quote the hand's text, one for each file that has the hand."""
    deal: DealRecorded | None = None
    """The record of the cards and of the showdown."""
    awarded: list[tuple[int, PotAwarded]] = field(default_factory=list)
    """The pots that were paid, each with the set of seats that could win it."""
    learned: list[CardsLearned] = field(default_factory=list)
    """The cards that became known after the end."""

    @classmethod
    def of(cls, seats: int) -> "RecordedInputs":
        """Return the inputs of a hand with this many seats, before anything has happened."""
        return cls([()] * (seats + 1), [()] * (seats + 1))

    @property
    def withheld(self) -> bool:
        """Whether the recorded cards are hidden from the viewer for whom this copy of the game was made."""
        return self.deal is not None and self.deal.cards is None

    def check_known(self, *due: type[Event]) -> None:
        """Raise `WithheldSecrets`, naming the types of events due, if the recorded cards are hidden from the viewer."""
        if self.withheld:
            raise WithheldSecrets(*due)

    def cards_of(self, seat: int) -> SeatCards | None:
        """Return the recorded cards of a seat; None if there are none, or if they are hidden from the viewer."""
        recorded = None if self.deal is None else self.deal.cards
        return next((cards for cards in recorded or () if cards.seat == seat), None)

    def told(self, seat: int) -> tuple[AnyCard, ...]:
        """Return the hand of a seat as it was made known to everybody at the end; empty if it was not."""
        cards = self.cards_of(seat)
        return () if cards is None else cards.held

    def next_drawn(self, seat: int, count: int) -> tuple[AnyCard, ...]:
        """Return the next ``count`` cards that a seat is dealt in the draw, unknown if they were not recorded."""
        cards, already = self.cards_of(seat), len(self.drawn[seat])
        return (*(() if cards is None else cards.drawn), *unknown(already + count))[already : already + count]

    def has_mucked(self, seat: int) -> bool:
        """Return whether the record says that a seat did not show its hand in the showdown."""
        return self.deal is not None and seat in self.deal.mucked

    def shares_of(self, pot: int) -> dict[int, int]:
        """Return the recorded shares of a pot by seat; empty if they were not recorded."""
        awards = () if self.deal is None else self.deal.awards
        return {share.seat: share.amount for share in next((one.shares for one in awards if one.pot == pot), ())}


def joined(known: Cards, learned: Cards | None) -> Cards:
    """Return a hand's known cards, each replaced by the card that was learned later for its place, if any.

    >>> from pokersvc.cards import CARDS
    >>> joined((UNKNOWN, CARDS[51]), (CARDS[0], UNKNOWN))
    (Card('2c'), Card('As'))
    """
    if learned is None or len(known) != len(learned):
        return known
    return tuple([before if new is UNKNOWN else new for before, new in zip(known, learned, strict=True)])
