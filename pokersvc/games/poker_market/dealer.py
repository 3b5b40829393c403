"""What the dealer has to do next in the Poker Market: the events that nobody chooses."""

from collections.abc import Callable
from typing import Final

from pokersvc.cards import FRESH_DECK, shuffle
from pokersvc.core.chance import Entropy
from pokersvc.core.event import Event
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.phases import Phase
from pokersvc.games.poker_market.table import Table


def dealer_event(table: Table, entropy: Entropy) -> Event | None:
    """Return the dealer's next event; None when a seat must choose or the game is over."""
    dealing = None if table.actor else _DEALER.get(table.phase)
    try:
        return None if dealing is None else dealing(table, entropy)
    except WithheldSecrets:
        raise WithheldSecrets(events.DeckShuffled if table.phase is Phase.SHUFFLE else events.HandsDealt) from None


def _shuffle(table: Table, entropy: Entropy) -> Event:
    market = table.market + 1
    return events.DeckShuffled(market, entropy.seed(market))


def _deal(table: Table, _entropy: Entropy) -> Event:
    if table.seed is None:
        raise WithheldSecrets
    deck = shuffle(FRESH_DECK, table.seed)
    hands = []
    for turn, seat in enumerate(table.order):
        a, b, c, d, e = deck[5 * turn : 5 * turn + 5]
        hands.append(events.DealtHand((a, b, c, d, e), seat))
    return events.HandsDealt(tuple(hands), table.market)


def _end_round(table: Table, _entropy: Entropy) -> Event:
    return events.RoundEnded(table.market, table.round)


def _rank(table: Table, _entropy: Entropy) -> Event:
    best = table.best_first()
    return events.HandsRanked(
        tuple([events.RankedHand(table.hands[seat], len(best) - above, seat) for above, seat in enumerate(best)]),
        table.market,
    )


def _end_game(table: Table, _entropy: Entropy) -> Event:
    scores = tuple(table.points[1:])
    winners = tuple(seat for seat, score in enumerate(scores, 1) if score == max(scores))
    return events.GameEnded(scores, winners)


_DEALER: Final[dict[Phase, Callable[[Table, Entropy], Event]]] = {
    Phase.SHUFFLE: _shuffle,
    Phase.DEAL: _deal,
    Phase.ROUND_END: _end_round,
    Phase.RANK: _rank,
    Phase.GAME_END: _end_game,
}
