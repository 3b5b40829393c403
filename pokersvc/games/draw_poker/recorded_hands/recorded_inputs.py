"""What stands in the place of a deck in a hand that was dealt elsewhere: what was recorded of its cards and showdown.

The engine is the same. A hand has recorded inputs or a deck, and differs only in what follows from that:

- A card that nobody recorded is unknown. So its deal, discards and draws are events of their own, which may say so, and
  later another file may tell the card.
- Who mucked is recorded, as the site chose in which order hands were shown; a hand that wins is shown all the same.
- Hands that are known decide a pot. Where one that is unknown was paid, the pot is paid as it was recorded.
- Everybody may have been told a hand that was not shown; it is revealed at the end.
- A file may contradict itself. Cards that cannot be where it says are no impossible event: `CardBooks` finds them.

What else is recorded, the button, the posts and the rake, is stated at the table and taken by betting as at any other.
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
    """What was recorded of a hand, and what its events have said of that; lists by seat have an unused place 0."""

    dealt: list[Cards]
    """What each seat was dealt."""
    drawn: list[Cards]
    """What each seat was dealt in the draw."""
    quoted: list[HandQuoted] = field(default_factory=list)
    """The files that tell the hand."""
    deal: DealRecorded | None = None
    """What was recorded of the cards and of the showdown."""
    awarded: list[tuple[int, PotAwarded]] = field(default_factory=list)
    """The pots that were paid, each with the set of the seats that might win it."""
    learned: list[CardsLearned] = field(default_factory=list)
    """What became known after the end."""

    @classmethod
    def of(cls, seats: int) -> "RecordedInputs":
        """Return that nothing has happened yet at so many seats."""
        return cls([()] * (seats + 1), [()] * (seats + 1))

    @property
    def withheld(self) -> bool:
        """Whether this copy lacks what was recorded of the cards."""
        return self.deal is not None and self.deal.cards is None

    def check_known(self, *due: type[Event]) -> None:
        """Raise `WithheldSecrets`, with what is due, where this copy lacks what was recorded of the cards."""
        if self.withheld:
            raise WithheldSecrets(*due)

    def cards_of(self, seat: int) -> SeatCards | None:
        """Return what was recorded of a seat's cards; None where that is nothing, or withheld from this copy."""
        recorded = None if self.deal is None else self.deal.cards
        return next((cards for cards in recorded or () if cards.seat == seat), None)

    def told(self, seat: int) -> tuple[AnyCard, ...]:
        """Return the hand of a seat as everybody was told it at the end; nothing where they were not."""
        cards = self.cards_of(seat)
        return () if cards is None else cards.held

    def next_drawn(self, seat: int, count: int) -> tuple[AnyCard, ...]:
        """Return the cards that a seat is dealt next in the draw, as far as they were recorded."""
        cards, already = self.cards_of(seat), len(self.drawn[seat])
        return (*(() if cards is None else cards.drawn), *unknown(already + count))[already : already + count]

    def has_mucked(self, seat: int) -> bool:
        """Tell whether it was recorded that a seat did not show its hand in the showdown."""
        return self.deal is not None and seat in self.deal.mucked

    def shares_of(self, pot: int) -> dict[int, int]:
        """Return what each seat was paid of a pot, as it was recorded; nothing where it was not."""
        awards = () if self.deal is None else self.deal.awards
        return {share.seat: share.amount for share in next((one.shares for one in awards if one.pot == pot), ())}


def joined(known: Cards, learned: Cards | None) -> Cards:
    """Return cards with what was learned of them later, place by place.

    >>> from pokersvc.cards import CARDS
    >>> joined((UNKNOWN, CARDS[51]), (CARDS[0], UNKNOWN))
    (Card('2c'), Card('As'))
    """
    if learned is None or len(known) != len(learned):
        return known
    return tuple([before if new is UNKNOWN else new for before, new in zip(known, learned, strict=True)])
