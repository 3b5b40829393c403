"""What the dealer has to do next: the events of a round that nobody chooses."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal

from pokersvc.cards import strength
from pokersvc.core.chance import Entropy
from pokersvc.core.event import Event
from pokersvc.core.state import WithheldSecrets
from pokersvc.core.stream import Stream
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.betting import MOST_ALIKE
from pokersvc.games.draw_poker.button import next_button
from pokersvc.games.draw_poker.deck import known, next_cards, out_of_play
from pokersvc.games.draw_poker.past import hands_of, round_of
from pokersvc.games.draw_poker.phases import (
    ANTES,
    AWARD,
    BETTING,
    BETWEEN,
    BLINDS,
    CARRY,
    DEAL,
    OPEN,
    OPENER,
    OVER,
    RETURN,
    ROUND_END,
    SERVE,
    SHOWDOWN,
    SHUFFLE,
    Phase,
)
from pokersvc.games.draw_poker.pots import shares_of
from pokersvc.games.draw_poker.seats import clockwise, has, next_seat, seats_in
from pokersvc.games.draw_poker.table import Table


def dealer_event(table: Table, entropy: Entropy) -> Event | None:
    """Return the dealer's next event; None when a seat must choose or the game is over."""
    if table.actor:
        return None
    try:
        return _DEALER[table.phase](table, entropy)
    except WithheldSecrets:
        raise WithheldSecrets(*_HIDDEN[table.phase]) from None


# Events that are the same again and again: most are made once.
ante_posted = lru_cache(MOST_ALIKE)(events.AntePosted)
opener_chosen = lru_cache(MOST_ALIKE)(events.OpenerChosen)


def _between(table: Table, _entropy: Entropy) -> Event:
    if table.rounds_played():
        return _finish(table, "rounds")
    price = table.price_to_stay()
    for seat in seats_in(table.seated):
        if table.stacks[seat] < price:
            return events.PlayerLeft(0, "short", seat)
    if not table.two_able(price):
        return _finish(table, "last_player")
    button = next_button(table) if table.rules.button else None
    return events.RoundStarted(table.rules.ante_of(table.round + 1), button, table.round + 1)


def _finish(table: Table, reason: Literal["rounds", "last_player"]) -> Event:
    leaders = table.leaders()
    if table.pot:
        return events.PotAwarded(1, "game_end", (events.Share(table.pot, leaders[0]),))
    if table.revealed < len(table.past):
        return _reveal(table.past[table.revealed])
    return events.GameEnded(reason, tuple(table.stacks[1:]), leaders)


def _reveal(kept: bytes) -> Event:
    round_, _ = round_of(kept)
    hidden = [hand for hand in hands_of(kept) if not hand.shown]
    return events.HandsRevealed(tuple([events.OpenHand(known(hand.cards), hand.seat) for hand in hidden]), round_)


def _ante(table: Table, _entropy: Entropy) -> Event:
    seat = next_seat(table.pending, table.button)
    stack = table.stacks[seat]
    if stack < table.ante and table.rules.ante.short == "surrender":
        return events.PlayerLeft(stack, "short", seat)
    return ante_posted(min(stack, table.ante), seat)


def _blind(table: Table, _entropy: Entropy) -> Event:
    blinds = table.rules.blinds
    assert blinds is not None
    small, big = table.small_blind, table.big_blind
    if has(table.pending, small):
        return events.BlindPosted(min(blinds.small, table.stacks[small]), "small", small)
    return events.BlindPosted(min(blinds.big, table.stacks[big]), "big", big)


def _shuffle(table: Table, entropy: Entropy) -> Event:
    return events.DeckShuffled(entropy.seed(table.round))


def _deal(table: Table, _entropy: Entropy) -> Event:
    return events.HandDealt(next_cards(table, 5), 5, next_seat(table.pending, table.button))


def _opener(table: Table, _entropy: Entropy) -> Event:
    if table.deck_seed is None:
        raise WithheldSecrets
    candidates = seats_in(table.pending)
    chosen = Stream(table.deck_seed, f"opener/{table.street}").below(len(candidates))
    return opener_chosen(table.street, candidates[chosen])


def _fold_short(table: Table, _entropy: Entropy) -> Event:
    return events.Folded("short", next_seat(table.pending, table.cursor))


def _return(table: Table, _entropy: Entropy) -> Event:
    found = table.uncalled()
    assert found is not None
    seat, amount = found
    return events.UncalledBetReturned(amount, seat)


def _serve(table: Table, _entropy: Entropy) -> Event:
    if not table.deck_left:
        return events.DeckReshuffled(len(out_of_play(table)), table.reshuffles + 1)
    count = min(table.need, table.deck_left)
    return events.CardsDrawn(next_cards(table, count), count, table.cursor)


def _open(table: Table, _entropy: Entropy) -> Event:
    return events.HandsOpened(tuple([events.OpenHand(known(table.hands[seat]), seat) for seat in seats_in(table.live)]))


def _showdown(table: Table, _entropy: Entropy) -> Event:
    first = table.aggressor or next_seat(table.live, table.button)
    seat = next(seat for seat in clockwise(table.live, first - 1) if not has(table.settled, seat))
    cards = known(table.hands[seat])
    if table.all_in:
        return events.HandShown(cards, seat)
    best = max((strength(known(table.hands[other])) for other in seats_in(table.shown)), default=0)
    return events.HandShown(cards, seat) if strength(cards) >= best else events.HandMucked(seat)


def _award(table: Table, _entropy: Entropy) -> Event:
    pot = table.pots[-1]
    winners = pot.eligible
    last_in = table.only_one_left
    if not last_in:
        best = 0
        for seat in seats_in(pot.eligible):
            worth = strength(known(table.hands[seat]))
            if worth > best:
                best, winners = worth, 1 << seat
            elif worth == best:
                winners |= 1 << seat
    shares = shares_of(pot.amount, winners, odd_chips=table.rules.remainder == "odd_chips", button=table.button)
    return events.PotAwarded(
        len(table.pots),
        "last_in" if last_in else "showdown",
        tuple([events.Share(amount, seat) for seat, amount in shares.items()]),
    )


def _carry(table: Table, _entropy: Entropy) -> Event:
    return events.RemainderCarried(table.pot)


def _end_round(table: Table, _entropy: Entropy) -> Event:
    return events.RoundEnded(table.round)


def _over(_table: Table, _entropy: Entropy) -> None:
    return None


_DEALER: Final[dict[Phase, Callable[[Table, Entropy], Event | None]]] = {
    BETWEEN: _between,
    ANTES: _ante,
    BLINDS: _blind,
    SHUFFLE: _shuffle,
    DEAL: _deal,
    OPENER: _opener,
    BETTING: _fold_short,
    RETURN: _return,
    SERVE: _serve,
    OPEN: _open,
    SHOWDOWN: _showdown,
    AWARD: _award,
    CARRY: _carry,
    ROUND_END: _end_round,
    OVER: _over,
}
_HIDDEN: Final[dict[Phase, tuple[type[Event], ...]]] = {
    BETWEEN: (events.HandsRevealed,),
    SHUFFLE: (events.DeckShuffled,),
    DEAL: (events.HandDealt,),
    OPENER: (events.OpenerChosen,),
    SERVE: (events.CardsDrawn,),
    OPEN: (events.HandsOpened,),
    SHOWDOWN: (events.HandShown, events.HandMucked),
    AWARD: (events.PotAwarded,),
}
"""What is due where a copy lacks the cards or the seed that it depends on."""
