"""The situation in a hand that was dealt elsewhere: with what was recorded of it."""

from typing import Final

from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.recorded_events import CardsLearned, DealRecorded, HandQuoted, SeatCards
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.state import Cards


class RecordedSituation(Situation):
    """Without a deck: cards that nobody recorded are unknown. Only `recorded_apply` and `apply` change it."""

    __slots__ = ("awarded", "deal", "dealt", "drawn", "learned", "quoted")

    def __init__(self, started: events.GameStarted) -> None:
        super().__init__(started)
        self.quoted: list[HandQuoted] = []
        """The files that tell the hand."""
        self.deal: DealRecorded | None = None
        """What was recorded of the cards and of the showdown."""
        self.dealt: list[Cards] = [()] * len(self.stacks)
        """What each seat was dealt."""
        self.drawn: list[Cards] = [()] * len(self.stacks)
        """What each seat was dealt in the draw."""
        self.awarded: list[tuple[int, events.PotAwarded]] = []
        """The pots that were paid, each with the seats that might win it."""
        self.learned: list[CardsLearned] = []
        """What became known after the end."""

    def __eq__(self, other: object) -> bool:
        """Equal states have had equal events."""
        if not isinstance(other, RecordedSituation):
            return NotImplemented
        return super().__eq__(other) and all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    __hash__ = None

    def cards_of(self, seat: int) -> SeatCards | None:
        """Return what was recorded of a seat's cards; None where that is nothing, or withheld from this copy."""
        recorded = self.deal.cards if self.deal is not None else None
        for cards in recorded or ():
            if cards.seat == seat:
                return cards
        return None

    @property
    def withheld(self) -> bool:
        """Whether this copy lacks what was recorded of the cards."""
        return self.deal is not None and self.deal.cards is None


_COMPARED: Final = RecordedSituation.__slots__
