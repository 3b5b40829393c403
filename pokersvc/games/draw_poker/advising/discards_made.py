"""The discards of a game: who threw what away from which hand, against how many, for those who judge them later."""

from dataclasses import dataclass, replace

from pokersvc.betting.seats import seats_in
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.events import CardsDiscarded
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, RecordedCardsDiscarded
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.state import Cards


@dataclass(frozen=True, slots=True)
class DrawMade:
    """What a seat discarded from the hand that it was dealt."""

    round: int
    seat: int
    hand: Cards
    """All five, those that were kept first."""
    thrown: Cards
    opponents: int
    """How many others were in at that moment."""
    most: int
    """How many cards the house lets a player discard."""


class DrawsMade:
    """Follows a game and keeps its discards; they stay in it until the game's last event, which may reveal cards."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], DrawMade] = {}

    def take(self, event: Event, state: Situation) -> None:
        """Take the next event, as far as it may be known, with the state that it made."""
        if isinstance(event, CardsDiscarded | RecordedCardsDiscarded):
            thrown: Cards = (None,) * event.count if event.cards is None else event.cards
            others = len(seats_in(state.live)) - 1
            hand = (*state.hands[event.seat], *thrown)
            made = DrawMade(state.round, event.seat, hand, thrown, others, state.rules.discards)
            self._made[state.round, event.seat] = made
        elif isinstance(event, CardsLearned) and (known := self._made.get((state.round, event.seat))) is not None:
            assert state.recorded is not None
            dealt, gone = state.recorded.dealt[event.seat], state.discarded[event.seat]
            self._made[state.round, event.seat] = replace(known, hand=dealt, thrown=gone)

    def all(self) -> list[DrawMade]:
        """Return the discards so far, in their order."""
        return list(self._made.values())
