"""What the dealer has to do next: the events of a round that nobody chooses."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pokersvc.cards import Stream, strength
from pokersvc.games.draw_poker import betting, events
from pokersvc.games.draw_poker.deck import HiddenCards, known, next_cards, out_of_play
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.pots import clockwise, next_seat, seats_in, shares_of
from pokersvc.games.entropy import Entropy
from pokersvc.games.event import Event

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.state import DrawPokerState


def dealer_event(state: "DrawPokerState", entropy: Entropy) -> Event | None:
    """Return the dealer's next event; None once the game is over."""
    return _DEALER[state.phase](state, entropy)


def ending(state: "DrawPokerState") -> bool:
    """Tell whether the game ends before another round."""
    return _rounds_played(state) or _able(state).bit_count() < 2


def _rounds_played(state: "DrawPokerState") -> bool:
    return state.rounds is not None and state.round >= state.rounds


def _price_to_stay(state: "DrawPokerState") -> int:
    rules = state.rules
    return max(rules.stay, rules.ante_of(state.round + 1) if rules.ante.short == "sit_out" else 0)


def _able(state: "DrawPokerState") -> int:
    """Return the players who can be dealt another round and have chips to play it for."""
    least = max(_price_to_stay(state), 1)
    return sum(1 << seat for seat in seats_in(state.seated) if state.stacks[seat] >= least)


def _between(state: "DrawPokerState", _entropy: Entropy) -> Event:
    if _rounds_played(state):
        return _finish(state, "rounds")
    for seat in seats_in(state.seated):
        if state.stacks[seat] < _price_to_stay(state):
            return events.PlayerLeft(0, "short", seat)
    if _able(state).bit_count() < 2:
        return _finish(state, "last_player")
    button = next_seat(state.seated, state.button) if state.rules.button else None
    return events.RoundStarted(state.rules.ante_of(state.round + 1), button, state.round + 1)


def _finish(state: "DrawPokerState", reason: str) -> Event:
    stacks = tuple(state.stacks[1:])
    largest = max(stacks)
    if state.pot:
        return events.PotAwarded(1, "game_end", (events.Share(state.pot, stacks.index(largest) + 1),))
    winners = tuple(seat for seat, stack in enumerate(stacks, 1) if stack == largest)
    return events.GameEnded("rounds" if reason == "rounds" else "last_player", stacks, winners)


def _ante(state: "DrawPokerState", _entropy: Entropy) -> Event:
    seat = next_seat(state.pending, state.button)
    stack = state.stacks[seat]
    if stack < state.ante and state.rules.ante.short == "surrender":
        return events.PlayerLeft(stack, "short", seat)
    return events.AntePosted(min(stack, state.ante), seat)


def _blind(state: "DrawPokerState", _entropy: Entropy) -> Event:
    blinds = state.rules.blinds
    assert blinds is not None
    small = state.button if state.live.bit_count() == 2 else next_seat(state.live, state.button)
    if state.pending >> small & 1:
        return events.BlindPosted(min(blinds.small, state.stacks[small]), "small", small)
    big = next_seat(state.pending, 0)
    return events.BlindPosted(min(blinds.big, state.stacks[big]), "big", big)


def _shuffle(state: "DrawPokerState", entropy: Entropy) -> Event:
    return events.DeckShuffled(entropy.deck_seed(state.round))


def _deal(state: "DrawPokerState", _entropy: Entropy) -> Event:
    return events.HandDealt(next_cards(state, 5), 5, next_seat(state.pending, state.button))


def _opener(state: "DrawPokerState", _entropy: Entropy) -> Event:
    if state.deck_seed is None:
        raise HiddenCards
    candidates = list(seats_in(state.live))
    chosen = Stream(state.deck_seed, f"opener/{state.street}").below(len(candidates))
    return events.OpenerChosen(state.street, candidates[chosen])


def _fold_short(state: "DrawPokerState", _entropy: Entropy) -> Event:
    return events.Folded("short", next_seat(state.pending, state.cursor))


def _return(state: "DrawPokerState", _entropy: Entropy) -> Event:
    found = betting.uncalled(state)
    assert found is not None
    seat, amount = found
    return events.UncalledBetReturned(amount, seat)


def _serve(state: "DrawPokerState", _entropy: Entropy) -> Event:
    if not state.deck_left:
        return events.DeckReshuffled(len(out_of_play(state)), state.reshuffles + 1)
    count = min(state.need, state.deck_left)
    return events.CardsDrawn(next_cards(state, count), count, state.cursor)


def _open(state: "DrawPokerState", _entropy: Entropy) -> Event:
    return events.HandsOpened(tuple(events.OpenHand(known(state.hands[seat]), seat) for seat in seats_in(state.live)))


def _showdown(state: "DrawPokerState", _entropy: Entropy) -> Event:
    aggressor = state.aggressor if state.live >> state.aggressor & 1 else 0
    first = aggressor or next_seat(state.live, state.button)
    seat = next(seat for seat in clockwise(state.live, first - 1) if not state.settled >> seat & 1)
    cards = known(state.hands[seat])
    if state.all_in & state.live:
        return events.HandShown(cards, seat)
    best = max((strength(known(state.hands[other])) for other in seats_in(state.shown)), default=0)
    return events.HandShown(cards, seat) if strength(cards) >= best else events.HandMucked(seat)


def _award(state: "DrawPokerState", _entropy: Entropy) -> Event:
    pot = state.pots[-1]
    winners = pot.eligible
    last_in = state.live & (state.live - 1) == 0
    if not last_in:
        worth = {seat: strength(known(state.hands[seat])) for seat in seats_in(winners)}
        best = max(worth.values())
        winners = sum(1 << seat for seat, value in worth.items() if value == best)
    shares = shares_of(pot.amount, winners, odd_chips=state.rules.remainder == "odd_chips", button=state.button)
    return events.PotAwarded(
        len(state.pots),
        "last_in" if last_in else "showdown",
        tuple(events.Share(amount, seat) for seat, amount in shares.items()),
    )


def _carry(state: "DrawPokerState", _entropy: Entropy) -> Event:
    return events.RemainderCarried(state.pot)


def _end_round(state: "DrawPokerState", _entropy: Entropy) -> Event:
    return events.RoundEnded(state.round)


def _over(_state: "DrawPokerState", _entropy: Entropy) -> None:
    return None


_DEALER: Final[dict[Phase, Callable[["DrawPokerState", Entropy], Event | None]]] = {
    Phase.BETWEEN: _between,
    Phase.ANTES: _ante,
    Phase.BLINDS: _blind,
    Phase.SHUFFLE: _shuffle,
    Phase.DEAL: _deal,
    Phase.OPENER: _opener,
    Phase.BETTING: _fold_short,
    Phase.RETURN: _return,
    Phase.SERVE: _serve,
    Phase.OPEN: _open,
    Phase.SHOWDOWN: _showdown,
    Phase.AWARD: _award,
    Phase.CARRY: _carry,
    Phase.ROUND_END: _end_round,
    Phase.OVER: _over,
}
