"""The observed behaviour of each seat: its bets by situation, its draws, and the hands it showed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pokersvc.cards import ranking
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events

PASSIVE, CALL, RAISE = range(3)
"""The choices: to fold or check, to call, and to bet or raise."""
CHOICES: Final = 3
FREE: Final = 0
"""The situation of a player who faces no bet."""
BLIND: Final = 1
"""The situation of a player who faces only a blind."""
UP_TO: Final = (0.36, 0.56, 0.8)
"""The upper limits of a small, a usual and a large call, as parts of the pot with the bet; larger calls are huge."""
SIZES: Final = len(UP_TO) + 1
"""The number of size classes of the bets that a player faces."""
ON_A_STREET: Final = 2 + 2 * SIZES
HUGE: Final = (1 + SIZES, 1 + 2 * SIZES)
"""The situations of a street in which a huge bet is faced."""
SITUATIONS: Final = 2 * ON_A_STREET
"""The number of situations: no bet, a blind, one bet or several, by size; before and after the draw."""


def situation(street: int, call: int, pot: int, level: int) -> int:
    """Return the number of a situation: the street (0 or 1), the chips to call, the pot and the number of bets."""
    if call <= 0:
        return street * ON_A_STREET + FREE
    if level == 0:
        return street * ON_A_STREET + BLIND
    part = call / max(1, pot)
    size = sum(part > limit for limit in UP_TO)
    return street * ON_A_STREET + 2 + SIZES * (level > 1) + size


class ChoiceSeen(NamedTuple):
    """One choice in the betting."""

    seat: int
    situation: int
    choice: int
    size: float
    """The size of a bet or raise as a part of the pot after a call; 0 for other choices."""


@dataclass(slots=True)
class SeenInRound:
    """The observations of one round."""

    choices: list[ChoiceSeen] = field(default_factory=list)
    drew: dict[int, int] = field(default_factory=dict)
    """Seat → the number of cards that it drew."""
    shown: dict[int, int] = field(default_factory=dict)
    """Seat → the strength of the hand that it showed."""
    newcomers: set[int] = field(default_factory=set)
    """The seats at which somebody sat down."""
    street: int = 0
    level: int = 0
    """How many bets and raises were made on this street, blinds not counted."""
    price: int = 0
    pot: int = 0
    put: dict[int, int] = field(default_factory=dict)


def seen_in(happened: Iterable[Event]) -> SeenInRound:
    """Return the observations from the events of a round."""
    seen = SeenInRound()
    for event in happened:
        _take(seen, event)
    return seen


def _take(seen: SeenInRound, event: Event) -> None:
    match event:
        case events.Checked():
            _chosen(seen, event.seat, PASSIVE, 0, 0)
        case events.Folded():
            if event.reason == "chosen":
                _chosen(seen, event.seat, PASSIVE, 0, 0)
        case events.Called():
            _chosen(seen, event.seat, CALL, event.amount, 0)
        case events.Bet() | events.Raised():
            _chosen(seen, event.seat, RAISE, event.amount, 1)
        case events.AntePosted():
            seen.pot += event.amount
        case events.BlindPosted() | events.Posted():
            _posted(seen, event)
        case events.CardsDiscarded():
            seen.drew[event.seat] = event.count
            _next_street(seen)
        case events.OpenerChosen() if event.betting == 2:
            _next_street(seen)
        case events.HandShown():
            seen.shown[event.seat] = ranking.strength(event.cards)
        case events.HandsOpened():
            seen.shown |= {one.seat: ranking.strength(one.cards) for one in event.hands}
        case events.SatDown():
            seen.newcomers.add(event.seat)
        case _:
            pass


def _posted(seen: SeenInRound, event: events.BlindPosted | events.Posted) -> None:
    seen.pot += event.amount
    if isinstance(event, events.BlindPosted) or event.kind != "dead":
        seen.put[event.seat] = put = seen.put.get(event.seat, 0) + event.amount
        seen.price = max(seen.price, put)


def _next_street(seen: SeenInRound) -> None:
    if not seen.street:
        seen.street, seen.level, seen.price = 1, 0, 0
        seen.put.clear()


def _chosen(seen: SeenInRound, seat: int, choice: int, amount: int, raised: int) -> None:
    put = seen.put.get(seat, 0)
    call = seen.price - put
    of = max(1, seen.pot + call)
    size = (put + amount - seen.price) / of if raised else 0.0
    seen.choices.append(ChoiceSeen(seat, situation(seen.street, call, seen.pot, seen.level), choice, size))
    seen.put[seat] = put + amount
    seen.pot += amount
    seen.price = max(seen.price, put + amount)
    seen.level += raised
