"""What no event can do, whatever the rules are: it is refused before anything is changed."""

from typing import Any, Final, NoReturn

from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker.situation import Cards, Situation

HAND: Final = 5
"""The cards of a hand."""


def exists(state: Situation, event: Event, seat: int) -> None:
    """Refuse an event of a seat that the game does not have."""
    if seat > len(state.seats):
        raise ImpossibleEvent(event, f"there is no seat {seat}")


def not_one_of(event: Any, which: str) -> NoReturn:
    """Refuse an event of a seat that is not one of those it can come from."""
    raise ImpossibleEvent(event, f"seat {event.seat} is not {which}")


def not_in_turn(state: Situation, event: Any) -> NoReturn:
    """Refuse an event of a seat that is not the one to act."""
    whose = f"seat {state.actor}" if state.actor else "the dealer"
    raise ImpossibleEvent(event, f"{whose} is to act, not seat {event.seat}")


def is_hand(cards: Cards) -> bool:
    """Tell whether cards are five different ones."""
    return len(cards) == len(set(cards)) == HAND
