"""What the dealer has to do next: the events of a round that nobody chooses."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from pokersvc.betting.blinds import blind_due, next_button, opening_of, post_due
from pokersvc.betting.pots import next_rake, shares_of
from pokersvc.betting.seats import clockwise, fewer_than_two, next_seat, seats_in
from pokersvc.betting.turns import ante_due, folded_unasked
from pokersvc.cards import strength
from pokersvc.core.chance import Entropy
from pokersvc.core.event import Event
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.decisions import MOST_ALIKE
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.past_hands import hands_of, round_of
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.openers import by_chance
from pokersvc.streets.phases import Phase
from pokersvc.streets.showdown import shows_all, shows_next, unbeaten, winners_of
from pokersvc.streets.state import known, next_cards, out_of_play

# Events that are the same again and again: most are made once.
ante_posted = lru_cache(MOST_ALIKE)(events.AntePosted)
opener_chosen = lru_cache(MOST_ALIKE)(events.OpenerChosen)


def _between(state: Situation, _entropy: Entropy) -> Event:
    if state.rounds_played():
        return _finish(state, "rounds")
    price = state.price_to_stay()
    if not state.terms.keeps_seats:
        for seat in seats_in(state.seated):
            if state.stacks[seat] < price:
                return events.PlayerLeft(0, "short", seat)
    if not state.two_able(price):
        return _finish(state, "last_player")
    button = next_button(state) if state.rules.button else None
    return events.RoundStarted(state.rules.ante_of(state.round + 1), button, state.round + 1)


def deals_to(state: Situation) -> tuple[int, ...] | None:
    """Return the seats that are dealt in where a round begins next, without those that surrender at its ante."""
    if state.phase is not Phase.BETWEEN or state.rounds_played():
        return None
    price, rules = state.price_to_stay(), state.rules
    sitting = state.sitting() if state.terms.keeps_seats else state.seated
    if any(state.stacks[seat] < price for seat in seats_in(sitting)) or not state.two_able(price):
        return None
    if state.table is not None:
        dealt = opening_of(state, next_button(state) if rules.button else 0).live
    else:
        dealt = state.seated
    if rules.ante.short == "surrender":
        ante, button = rules.ante_of(state.round + 1), next_button(state) if rules.button else 0
        for seat in clockwise(dealt, button):
            if state.stacks[seat] < ante and not fewer_than_two(dealt):  # who is left alone wins
                dealt &= ~(1 << seat)
    return seats_in(dealt)


def _finish(state: Situation, reason: Literal["rounds", "last_player"]) -> Event:
    leaders = state.leaders()
    if state.pot:
        return events.PotAwarded(1, "game_end", (events.Share(state.pot, leaders[0]),))
    if state.revealed < len(state.past):
        return _reveal(state.past[state.revealed])
    return events.GameEnded(reason, tuple(state.stacks[1:]), leaders)


def _reveal(kept: bytes) -> Event:
    round_, _ = round_of(kept)
    hidden = [hand for hand in hands_of(kept) if not hand.shown]
    return events.HandsRevealed(tuple([events.OpenHand(known(hand.cards), hand.seat) for hand in hidden]), round_)


def _ante(state: Situation, _entropy: Entropy) -> Event:
    seat, amount = ante_due(state)
    if amount < state.ante and state.rules.ante.short == "surrender":
        return events.PlayerLeft(amount, "short", seat)
    return ante_posted(amount, seat)


def _blind(state: Situation, _entropy: Entropy) -> Event:
    amount, kind, seat = post_due(state) if state.posts else blind_due(state)
    match kind:
        case "small" | "big" as blind:
            return events.BlindPosted(amount, blind, seat)
        case other:
            return events.Posted(amount, other, seat)


def _shuffle(state: Situation, entropy: Entropy) -> Event:
    return events.DeckShuffled(entropy.seed(state.round))


def _deal(state: Situation, _entropy: Entropy) -> Event:
    return events.HandDealt(next_cards(state, HAND), HAND, next_seat(state.pending, state.button))


def _opener(state: Situation, _entropy: Entropy) -> Event:
    return opener_chosen(state.street, by_chance(state))


def _fold_short(state: Situation, _entropy: Entropy) -> Event:
    return events.Folded("short", folded_unasked(state))


def _return(state: Situation, _entropy: Entropy) -> Event:
    found = state.uncalled()
    assert found is not None
    seat, amount = found
    return events.UncalledBetReturned(amount, seat)


def _serve(state: Situation, _entropy: Entropy) -> Event:
    if not state.deck_left:
        return events.DeckReshuffled(len(out_of_play(state)), state.reshuffles + 1)
    count = min(state.need, state.deck_left)
    return events.CardsDrawn(next_cards(state, count), count, state.cursor)


def _open(state: Situation, _entropy: Entropy) -> Event:
    return events.HandsOpened(tuple([events.OpenHand(known(state.hands[seat]), seat) for seat in seats_in(state.live)]))


def worth_of(state: Situation, seat: int) -> int:
    """Return how strong the hand of a seat is; `WithheldSecrets` where it is hidden."""
    cards = state.hands[seat]
    if not all(cards):  # no card is false
        raise WithheldSecrets
    return strength(cards)  # type: ignore[arg-type]  # all are known


def _showdown(state: Situation, _entropy: Entropy) -> Event:
    seat = shows_next(state)
    cards = known(state.hands[seat])
    shown = shows_all(state) or unbeaten(state, seat, strength(cards), worth_of)
    return events.HandShown(cards, seat) if shown else events.HandMucked(seat)


def _rake(state: Situation, _entropy: Entropy) -> Event:
    return events.RakeTaken(*next_rake(state))


def _award(state: Situation, _entropy: Entropy) -> Event:
    return award(state, state.pots[-1].eligible)


def award(state: Situation, compared: int) -> events.PotAwarded:
    """Return the award of the next pot, by the hands of seats that may win it."""
    pot = state.pots[-1]
    last_in = state.only_one_left
    winners = pot.eligible if last_in else winners_of(state, compared, worth_of)
    shares = shares_of(pot.amount, winners, odd_chips=state.rules.remainder == "odd_chips", button=state.button)
    return events.PotAwarded(
        len(state.pots),
        "last_in" if last_in else "showdown",
        tuple([events.Share(amount, seat) for seat, amount in shares.items()]),
    )


def _carry(state: Situation, _entropy: Entropy) -> Event:
    return events.RemainderCarried(state.pot)


def _end_round(state: Situation, _entropy: Entropy) -> Event:
    return events.RoundEnded(state.round)


def _over(_table: Situation, _entropy: Entropy) -> None:
    return None


Deals: TypeAlias = Callable[..., Event | None]
"""Returns the dealer's next event, from the situation and where chance comes from."""

DEALER: Final[Mapping[Phase, Deals]] = {
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
    Phase.RAKE: _rake,
    Phase.AWARD: _award,
    Phase.CARRY: _carry,
    Phase.ROUND_END: _end_round,
    Phase.OVER: _over,
}
HIDDEN: Final[Mapping[Phase, tuple[type[Event], ...]]] = {
    Phase.BETWEEN: (events.HandsRevealed,),
    Phase.SHUFFLE: (events.DeckShuffled,),
    Phase.DEAL: (events.HandDealt,),
    Phase.OPENER: (events.OpenerChosen,),
    Phase.SERVE: (events.CardsDrawn,),
    Phase.OPEN: (events.HandsOpened,),
    Phase.SHOWDOWN: (events.HandShown, events.HandMucked),
    Phase.AWARD: (events.PotAwarded,),
}
"""What is due where a copy lacks the cards or the seed that it depends on."""
