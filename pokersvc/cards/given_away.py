"""The cost of a discard: how much less often it wins than the best discard that was allowed."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pokersvc.cards.card import Card
from pokersvc.cards.discards import best, outcomes, totals
from pokersvc.cards.hand import InvalidHand
from pokersvc.cards.opponents import WIN_UNITS, win_values


class GivenAway(NamedTuple):
    """A discard compared with the best one; chances to win are from 0 to 1, with a tie counted as its share."""

    thrown: tuple[Card, ...]
    chance: Fraction
    """The chance to win with the discard that was made."""
    best: tuple[Card, ...]
    """The best cards to throw away; of equally good discards the one of fewer cards."""
    best_chance: Fraction

    @property
    def cost(self) -> Fraction:
        """The difference in chances: 0 for a discard as good as the best."""
        return self.best_chance - self.chance


def given_away(hand: Sequence[Card], thrown: Sequence[Card], opponents: int, most: int = 5) -> GivenAway:
    """Judge a discard of a hand against ``opponents``, if at most ``most`` cards may be thrown away.

    All draws are counted, with the player's own cards in no opponent's hand, and with nothing known of the opponents'
    draws. So the result is as exact as `pokersvc.cards.advice` without known draws and before the deck runs out.

    Raises `InvalidHand` for cards that are not in the hand, and `InvalidValue` unless there are 1 to 9 opponents.

    >>> from pokersvc.cards.card import parse_cards
    >>> found = given_away(parse_cards("AC AD JH 3S 2D"), parse_cards("3S 2D"), opponents=3)
    >>> found.best, f"{float(100 * found.cost):.2f}"
    ((Card('Jh'), Card('3s'), Card('2d')), '1.42')
    """
    if len(set(hand)) != 5 or not set(thrown) <= set(hand):
        raise InvalidHand("A hand has five different cards, and only those can be thrown away.")
    values = win_values(opponents, (), hand)
    sums = totals(hand, values)
    made = sum(1 << bit for bit, card in enumerate(hand) if card in thrown)
    chosen = best(hand, values, most)
    return GivenAway(_cards(hand, made), _chance(sums, made), _cards(hand, chosen), _chance(sums, chosen))


def _cards(hand: Sequence[Card], discard: int) -> tuple[Card, ...]:
    return tuple(card for bit, card in enumerate(hand) if discard >> bit & 1)


def _chance(sums: Sequence[int], discard: int) -> Fraction:
    return Fraction(sums[discard], outcomes(discard) * WIN_UNITS)
