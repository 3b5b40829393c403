"""Reads a discard that a person has typed or is still typing: cards, or their numbers counted from the left."""

from typing import Final, NamedTuple

from pokersvc.cards import Card, InvalidCard
from pokersvc.cards.unknown import AnyCard, all_known
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Discard, LegalActions
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.games.draw_poker.display.shortcuts import KEEPS_ALL
from pokersvc.games.draw_poker.view import DrawPokerView

_LIST_MARKS: Final = str.maketrans(",()[]", "     ")
"""Punctuation that people type in a list."""
_KEEPS_ALL: Final = tuple([word] for word in KEEPS_ALL)


class Picked(NamedTuple):
    """The cards that are picked to be discarded, and the maximum number of discards."""

    cards: tuple[Card, ...]
    most: int


def read_discard(text: str, view: DrawPokerView, seat: int) -> Discard:
    """Return the discard that a text names; raise `InvalidAnswer`, with the reason, for any other text."""
    hand = view.seat(seat).cards
    words = text.translate(_LIST_MARKS).split()
    if [word.lower() for word in words] in _KEEPS_ALL:
        words = []
    if words and not all_known(hand):
        raise InvalidAnswer("You have not seen this hand, so you can only keep all: press Enter.")
    chosen: list[Card] = []
    for word in words:
        card: AnyCard | None
        if word.isdecimal():
            if len(word) > 9 or not 1 <= int(word) <= len(hand):
                raise InvalidAnswer(f"There is no card {word}; numbers are 1 to {len(hand)}, from the left.")
            card = in_reading_order(hand)[int(word) - 1]
            assert isinstance(card, Card)
        else:
            try:
                card = Card.parse(word)
            except InvalidCard as error:
                raise InvalidAnswer(f"{error} You can also use numbers, 1 to {len(hand)} from the left.") from error
        if card in chosen:
            raise InvalidAnswer(f"{card} is named twice; name each card once.")
        chosen.append(card)
    return Discard(seat, tuple(chosen))


def picked(text: str, view: DrawPokerView, legal: LegalActions) -> Picked | None:
    """Return the cards that a text would discard, which may be too many; None if it would discard no card."""
    if legal.discard is None or view.to_act is None:
        return None
    try:
        chosen = read_discard(text, view, view.to_act)
    except InvalidAnswer:
        return None
    return Picked(chosen.cards, legal.discard) if chosen.cards else None
