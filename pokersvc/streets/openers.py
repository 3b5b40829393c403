"""The choice of the seat that opens a betting round, where position does not decide: by chance or by up cards."""

from collections import Counter

from pokersvc.betting.seats import clockwise, seats_in
from pokersvc.cards.unknown import known_among
from pokersvc.core.randomness.stream import Stream
from pokersvc.core.state import WithheldSecrets
from pokersvc.streets.state import Cards, StreetsState
from pokersvc.streets.street import Opener


def by_chance(state: StreetsState) -> int:
    """Return a seat that can bet, chosen by the round's seed."""
    if state.deck_seed is None:
        raise WithheldSecrets
    candidates = seats_in(state.pending)
    return candidates[Stream(state.deck_seed, f"opener/{state.street}").below(len(candidates))]


def by_cards(state: StreetsState, opener: Opener) -> int:
    """Return the seat still in whose up cards have the lowest card or the highest hand, as ``opener`` says."""
    seats = clockwise(state.live, state.button)
    if opener == "low_card":
        return min(seats, key=lambda seat: min(card.number for card in known_among(state.up[seat])))
    return max(seats, key=lambda seat: faces_up(state.up[seat]))


def faces_up(cards: Cards) -> tuple[list[int], list[int]]:
    """Return a sort key for up cards: first the sizes of groups of equal rank, then the ranks; no straights or flushes.

    >>> from pokersvc import parse_cards
    >>> faces_up(parse_cards("2C KD 2H")) > faces_up(parse_cards("AC KH QD"))
    True
    """
    faces = Counter(card.number // 4 for card in known_among(cards))
    groups = sorted(((count, face) for face, count in faces.items()), reverse=True)
    return [count for count, _ in groups], [face for _, face in groups]
