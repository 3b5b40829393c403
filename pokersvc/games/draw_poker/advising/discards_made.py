"""The discards of a game, each with its hand and the number of opponents, to be judged later."""

from dataclasses import dataclass, replace

from pokersvc.betting.seats import seats_in
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.events import CardsDiscarded
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, RecordedCardsDiscarded
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.state import Cards


@dataclass(frozen=True, slots=True)
class DrawMade:
    """A seat's discard from the hand that it was dealt."""

    round: int
    seat: int
    hand: Cards
    """All five cards: first the kept ones, then the discarded ones."""
    thrown: Cards
    opponents: int
    """The number of other players still in at the time of the discard."""
    most: int
    """The maximum number of cards that the house lets a player discard."""


class DrawsMade:
    """Collects the discards of a game; complete only after the last event, since a late event may reveal cards."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], DrawMade] = {}

    def take(self, event: Event, state: Situation) -> None:
        """Note the discard or the newly known cards that an event brings; ``state`` is the state after the event."""
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
        """Return the discards so far, in the order in which they were made."""
        return list(self._made.values())
