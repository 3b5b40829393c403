"""The discard that a text names, by positions or cards; and what it picks while it is typed."""

from typing import Final

from pokersvc.cards import Card, InvalidCard
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Discard, LegalActions
from pokersvc.games.draw_poker.hand_drawn import small
from pokersvc.games.draw_poker.shortcuts import KEEPS_ALL
from pokersvc.games.draw_poker.view import DrawPokerView

_LIST_MARKS: Final = str.maketrans(",()[]", "     ")
"""Punctuation that people type in a list."""


_KEEPS_ALL: Final = tuple([word] for word in KEEPS_ALL)


def read_discard(text: str, view: DrawPokerView, seat: int) -> Action:
    """Return the discard that a text names; `InvalidAnswer` says what is wrong in it."""
    hand = view.seat(seat).cards
    words = text.translate(_LIST_MARKS).split()
    if [word.lower() for word in words] in _KEEPS_ALL:
        words = []
    if words and None in hand:
        raise InvalidAnswer("You have not seen this hand, so you can only keep all: press Enter.")
    chosen: list[Card] = []
    for word in words:
        card: AnyCard | None
        if word.isdecimal():
            if len(word) > 9 or not 1 <= int(word) <= len(hand):
                raise InvalidAnswer(f"There is no card {word}; positions are 1 to {len(hand)}.")
            card = hand[int(word) - 1]
            assert isinstance(card, Card)
        else:
            try:
                card = Card.parse(word)
            except InvalidCard as error:
                raise InvalidAnswer(f"{error} You can also name positions, 1 to {len(hand)}.") from error
        if card in chosen:
            raise InvalidAnswer(f"{card} is named twice; name each card once.")
        chosen.append(card)
    return Discard(seat, tuple(chosen))


def picked(text: str, view: DrawPokerView, legal: LegalActions) -> Line:
    """Return the cards that a text would discard, and that they are too many where they are; else nothing."""
    if legal.discard is None or view.to_act is None:
        return ()
    try:
        chosen = read_discard(text, view, view.to_act)
    except InvalidAnswer:
        return ()
    if not isinstance(chosen, Discard) or not chosen.cards:
        return ()
    pieces = [Piece("discard", Tone.QUIET)]
    for card in chosen.cards:
        pieces += [Piece(" "), small(card)]
    if len(chosen.cards) > legal.discard:
        pieces.append(Piece(f" (at most {legal.discard})", Tone.BAD))
    return tuple(pieces)
