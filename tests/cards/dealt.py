"""Deals one hand again and again at a table with real cards, and counts how often each of its discards wins.

One source that runs twice: as plain Python, a card at a time, so that the rules can be read in it, and compiled by
numba (`pokersvc.core.compiled`). It shares no code with `pokersvc.cards.playing`, which it is there to check.
Sequences of card numbers are arrays; a *policy* is the discard of every hand, as bits, at the hand's `place` among all.
"""

from typing import Any

import numpy as np

COMPILED = ("place", "sort_five", "strength_of", "serve", "deal", "play", "judge")
"""The functions that numba compiles, each after the functions that it calls."""


def place(choose: Any, hand: Any) -> int:
    """Return a hand's rank in colexicographic order, its cards ascending; ``choose[n, k]`` is C(n, k)."""
    return int(choose[hand[0], 1] + choose[hand[1], 2] + choose[hand[2], 3] + choose[hand[3], 4] + choose[hand[4], 5])


def sort_five(hand: Any) -> None:
    """Put five cards into ascending order."""
    for i in range(1, 5):
        card = hand[i]
        j = i
        while j > 0 and hand[j - 1] > card:
            hand[j] = hand[j - 1]
            j -= 1
        hand[j] = card


def strength_of(pairs: Any, triples: Any, strengths: Any, width: int, hand: Any) -> int:
    """Return the strength of a hand by the tables of `pokersvc.cards.arrays`."""
    return int(strengths[pairs[hand[0] * 52 + hand[1]] * width + triples[pairs[hand[2] * 52 + hand[3]] * 52 + hand[4]]])


def serve(hand: Any, mask: int, deck: Any, pile: Any, at: Any) -> None:
    """Exchange one player's cards in ``mask`` for new ones from the deck.

    ``at`` is where the deck goes on, where it ends, and how many cards are on the pile of what can be dealt again.
    The player's own discards go onto the pile when all are served: nobody is dealt them at once.
    """
    own = 0
    for bit in range(5):
        if mask >> bit & 1:
            if at[0] == at[1]:  # the deck has run out: the pile is shuffled to a new one
                left = at[2]
                for i in range(left):
                    j = i + int(np.random.random() * (left - i))
                    deck[i], pile[j] = pile[j], pile[i]
                # what this player threw away already stands behind the others' cards
                for i in range(own):
                    pile[i] = pile[left + i]
                at[0], at[1], at[2] = 0, left, 0
            pile[at[2] + own] = hand[bit]
            own += 1
            hand[bit] = deck[at[0]]
            at[0] += 1
    at[2] += own


def deal(
    live: Any, hands: Any, masks: Any, asked: Any, opponents: int, before: int, choose: Any, policy: Any, sizes: Any
) -> None:
    """Deal to all opponents; repeat until those who draw first draw the required numbers of cards (-1: any number)."""
    cards = len(live)
    opponent = 0
    while opponent < opponents:
        for i in range(5 * opponent, 5 * opponent + 5):
            j = i + int(np.random.random() * (cards - i))
            live[i], live[j] = live[j], live[i]
        for i in range(5):
            hands[opponent, i] = live[5 * opponent + i]
        sort_five(hands[opponent])
        masks[opponent] = policy[place(choose, hands[opponent])]
        if opponent < before and asked[opponent] >= 0 and sizes[masks[opponent]] != asked[opponent]:
            opponent = 0
        else:
            opponent += 1
    for i in range(5 * opponents, min(cards, 10 * opponents + 5)):  # more are never dealt
        j = i + int(np.random.random() * (cards - i))
        live[i], live[j] = live[j], live[i]


def play(
    own: Any, discards: Any, opponents: int, before: int, asked: Any, deals: int, seed: int, choose: Any, policy: Any,
    sizes: Any, pairs: Any, triples: Any, strengths: Any, width: int, won: Any, squares: Any,
) -> None:  # fmt: skip
    """Simulate ``deals`` deals with every discard, and sum the results and their squares.

    The hand's owner draws after so many opponents and before the rest.
    """
    np.random.seed(seed)
    live = np.zeros(47, np.int64)
    number = 0
    for card in range(52):
        if card not in own:
            live[number] = card
            number += 1
    hands, masks = np.zeros((opponents, 5), np.int64), np.zeros(opponents, np.int64)
    final, mine = np.zeros((opponents, 5), np.int64), np.zeros(5, np.int64)
    deck, pile, at = np.zeros(104, np.int64), np.zeros(104, np.int64), np.zeros(3, np.int64)
    deck_then, pile_then, at_then = np.zeros(104, np.int64), np.zeros(104, np.int64), np.zeros(3, np.int64)
    for _ in range(deals):
        deal(live, hands, masks, asked, opponents, before, choose, policy, sizes)
        rest = 47 - 5 * opponents
        for i in range(rest):
            deck_then[i] = live[5 * opponents + i]
        at_then[0], at_then[1], at_then[2] = 0, rest, 0
        for opponent in range(before):
            serve(hands[opponent], masks[opponent], deck_then, pile_then, at_then)
        for which in range(len(discards)):
            for i in range(at_then[0], at_then[1]):
                deck[i] = deck_then[i]
            for i in range(at_then[2]):
                pile[i] = pile_then[i]
            at[0], at[1], at[2] = at_then[0], at_then[1], at_then[2]
            for i in range(5):
                mine[i] = own[i]
                for opponent in range(opponents):
                    final[opponent, i] = hands[opponent, i]
            serve(mine, discards[which], deck, pile, at)
            for opponent in range(before, opponents):
                serve(final[opponent], masks[opponent], deck, pile, at)
            share = judge(mine, final, opponents, pairs, triples, strengths, width)
            won[which] += share
            squares[which] += share * share


def judge(mine: Any, final: Any, opponents: int, pairs: Any, triples: Any, strengths: Any, width: int) -> float:
    """Return the hand's share of the pot at the showdown: 1, a fraction for a tie, or 0."""
    strength = strength_of(pairs, triples, strengths, width, mine)
    ties = 1
    for opponent in range(opponents):
        other = strength_of(pairs, triples, strengths, width, final[opponent])
        if other > strength:
            return 0.0
        if other == strength:
            ties += 1
    return 1.0 / ties
