"""The dealer's next event in the Poker Market: the events that no player chooses."""

from collections.abc import Callable
from typing import Final

from pokersvc.cards import FRESH_DECK, shuffle
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.market import Market
from pokersvc.games.poker_market.phases import DEAL, GAME_END, RANK, ROUND_END, SHUFFLE, Phase


def dealer_event(market: Market, entropy: Entropy) -> Event | None:
    """Return the dealer's next event; None if a seat must choose or the game is over."""
    dealing = None if market.actor else _DEALER.get(market.phase)
    try:
        return None if dealing is None else dealing(market, entropy)
    except WithheldSecrets:
        raise WithheldSecrets(events.DeckShuffled if market.phase is SHUFFLE else events.HandsDealt) from None


def contradiction(market: Market, event: Event) -> str | None:
    """Return a correction, as text, of dealt hands with the wrong seats or market; None if the event may be right."""
    if not isinstance(event, events.HandsDealt):
        return None
    if tuple(hand.seat for hand in event.hands) != tuple(market.order):
        return f"hands of the seats {', '.join(map(str, market.order))}"
    return None if event.market == market.number else f"hands of market {market.number}"


def deals_to(market: Market) -> tuple[int, ...] | None:
    """Return all seats if the next event shuffles the deck of a new market; else None."""
    return tuple(range(1, len(market.seats) + 1)) if market.phase is SHUFFLE else None


def _shuffle(market: Market, entropy: Entropy) -> Event:
    number = market.number + 1
    return events.DeckShuffled(number, entropy.seed(number))


def _deal(market: Market, _entropy: Entropy) -> Event:
    if market.seed is None:
        raise WithheldSecrets
    deck = shuffle(FRESH_DECK, market.seed)
    hands = []
    for turn, seat in enumerate(market.order):
        a, b, c, d, e = deck[5 * turn : 5 * turn + 5]
        hands.append(events.DealtHand((a, b, c, d, e), seat))
    return events.HandsDealt(tuple(hands), market.number)


def _end_round(market: Market, _entropy: Entropy) -> Event:
    return events.RoundEnded(market.number, market.round)


def _rank(market: Market, _entropy: Entropy) -> Event:
    best = market.best_first()
    return events.HandsRanked(
        tuple([events.RankedHand(market.hands[seat], len(best) - above, seat) for above, seat in enumerate(best)]),
        market.number,
    )


def _end_game(market: Market, _entropy: Entropy) -> Event:
    scores = tuple(market.points[1:])
    winners = tuple(seat for seat, score in enumerate(scores, 1) if score == max(scores))
    return events.GameEnded(scores, winners)


_DEALER: Final[dict[Phase, Callable[[Market, Entropy], Event]]] = {
    SHUFFLE: _shuffle,
    DEAL: _deal,
    ROUND_END: _end_round,
    RANK: _rank,
    GAME_END: _end_game,
}
