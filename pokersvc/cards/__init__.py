"""Cards and hands for every card game; nothing here depends on a particular game."""

from pokersvc.cards.card import CARDS, FACES, SUITS, Card, InvalidCard, parse_cards
from pokersvc.cards.deck import FRESH_DECK, SHUFFLE_VERSION, Deck, InvalidDeck, NotEnoughCards, shuffle
from pokersvc.cards.hand import Hand, InvalidHand
from pokersvc.cards.ranking import STRENGTHS, Category, category_of, code_of, linear_of, strength

__all__ = [
    "CARDS",
    "FACES",
    "FRESH_DECK",
    "SHUFFLE_VERSION",
    "STRENGTHS",
    "SUITS",
    "Card",
    "Category",
    "Deck",
    "Hand",
    "InvalidCard",
    "InvalidDeck",
    "InvalidHand",
    "NotEnoughCards",
    "category_of",
    "code_of",
    "linear_of",
    "parse_cards",
    "shuffle",
    "strength",
]
