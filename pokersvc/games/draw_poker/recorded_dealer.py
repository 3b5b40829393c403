"""What the dealer has to do next in a hand that was dealt elsewhere: what was recorded takes the place of chance."""

from collections.abc import Mapping
from typing import Final

from pokersvc.betting.pots import shares_of
from pokersvc.betting.seats import has, next_seat, seats_in
from pokersvc.betting.state import Pot
from pokersvc.cards import strength
from pokersvc.cards.unknown import all_known, unknown
from pokersvc.core.chance import Entropy
from pokersvc.core.event import Event
from pokersvc.core.recorded import recorded_by
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker import dealer, events
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.recorded_situation import RecordedSituation
from pokersvc.streets.phases import Phase
from pokersvc.streets.showdown import shows_next
from pokersvc.streets.state import Cards

NOTHING_RECORDED: Final = DealRecorded((), (), ())
"""Stands for a recording that is missing: no card is known."""


def _between(state: RecordedSituation, entropy: Entropy) -> Event | None:
    if not state.round and (quoted := recorded_by(entropy, HandQuoted)) is not None:
        return quoted
    if state.round and not state.revealed and (hands := _told_at_the_end(state)):
        return events.HandsRevealed(hands, state.round)
    return _WITH_A_DECK[Phase.BETWEEN](state, entropy)


def _told_at_the_end(state: RecordedSituation) -> tuple[events.OpenHand, ...]:
    """Return the hands that were not shown, and that everybody was told all the same."""
    if state.withheld:
        raise WithheldSecrets
    told = [
        events.OpenHand(cards.held, cards.seat)
        for seat in range(1, len(state.hands))
        if (cards := state.cards_of(seat)) is not None
        and cards.held
        and all_known(cards.held)
        and not has(state.shown, seat)
    ]
    return tuple([hand for hand in told if state.hands[hand.seat]])


def _record_deal(_state: RecordedSituation, entropy: Entropy) -> Event:
    return recorded_by(entropy, DealRecorded) or NOTHING_RECORDED


def _deal(state: RecordedSituation, _entropy: Entropy) -> Event:
    if state.withheld:
        raise WithheldSecrets
    seat = next_seat(state.pending, state.button)
    cards = state.cards_of(seat)
    return RecordedHandDealt(unknown(HAND) if cards is None else cards.dealt, HAND, seat)


def _serve(state: RecordedSituation, entropy: Entropy) -> Event | None:
    if not state.deck_left:
        return _WITH_A_DECK[Phase.SERVE](state, entropy)
    if state.withheld:
        raise WithheldSecrets
    seat = state.cursor
    cards, already = state.cards_of(seat), len(state.drawn[seat])
    drawn: Cards = () if cards is None else cards.drawn
    count = min(state.need, state.deck_left)
    of_these = (*drawn, *unknown(HAND))[already : already + count]
    return RecordedCardsDrawn(of_these, count, seat)  # type: ignore[arg-type]  # none is None


def _showdown(state: RecordedSituation, _entropy: Entropy) -> Event:
    assert state.deal is not None
    seat = shows_next(state)
    hand = last_hand(state, seat)
    if not all_known(hand) or (has_mucked(state, seat) and not _wins_a_pot(state, seat, hand)):
        return events.HandMucked(seat)
    return events.HandShown(hand, seat)


def _wins_a_pot(state: RecordedSituation, seat: int, hand: Cards) -> bool:
    """Tell whether nobody who shows has a better hand for one of the pots, in whatever order the site showed them.

    Such a hand is not given up.
    """
    assert all_known(hand)
    worth = strength(hand)
    shows = {other: last_hand(state, other) for other in seats_in(state.live) if not has_mucked(state, other)}
    known = {other: strength(cards) for other, cards in shows.items() if all_known(cards)}
    return any(
        worth >= max([found for other, found in known.items() if has(pot.eligible, other)], default=0)
        for pot in state.levels()
        if has(pot.eligible, seat)
    )


def has_mucked(state: RecordedSituation, seat: int) -> bool:
    """Tell whether it was recorded that a seat did not show its hand in the showdown."""
    return state.deal is not None and seat in state.deal.mucked


def last_hand(state: RecordedSituation, seat: int) -> Cards:
    """Return the hand of a seat as it was last held, from all that was recorded of it.

    `WithheldSecrets` where this copy lacks that. A hand that everybody was told comes first where it is another one
    than was dealt: that is then found.
    """
    hand, cards = state.hands[seat], state.cards_of(seat)
    told = () if cards is None else cards.held
    if has(state.shown, seat) or (all_known(hand) and (not told or set(told) == set(hand))):
        return hand
    if not told and (state.withheld or None in hand):
        raise WithheldSecrets
    return told or hand


def _award(state: RecordedSituation, entropy: Entropy) -> Event | None:
    if state.only_one_left:
        return _WITH_A_DECK[Phase.AWARD](state, entropy)
    pot, number = state.pots[-1], len(state.pots)
    recorded = _recorded_shares(state, number)
    winners = decided(state, pot, recorded)
    if winners is None:  # cards decide that nobody recorded
        winners = sum(1 << seat for seat in recorded if has(pot.eligible, seat)) or pot.eligible
        shares = recorded if fits(recorded, pot) else _equal_shares(state, pot, winners)
    else:
        shares = _equal_shares(state, pot, winners)
        if set(shares) == set(recorded) and fits(recorded, pot) and max(recorded.values()) - min(recorded.values()) < 2:
            shares = recorded  # where an odd chip went is the site's own rule
    return events.PotAwarded(number, "showdown", tuple([events.Share(shares[seat], seat) for seat in sorted(shares)]))


def _recorded_shares(state: RecordedSituation, number: int) -> dict[int, int]:
    assert state.deal is not None
    award = next((award for award in state.deal.awards if award.pot == number), None)
    return {} if award is None else {share.seat: share.amount for share in award.shares}


def decided(state: RecordedSituation, pot: Pot, recorded: dict[int, int]) -> int | None:
    """Return the set of the seats that the known hands make win a pot; None where hands decide that are unknown.

    A hand that is unknown wins only where it was recorded that it did: else it was given up.
    """
    known = {seat: hand for seat in seats_in(pot.eligible) if all_known(hand := last_hand(state, seat))}
    if not known or any(has(pot.eligible, seat) and seat not in known for seat in recorded):
        return None
    worth = {seat: strength(hand) for seat, hand in known.items()}
    best = max(worth.values())
    return sum(1 << seat for seat, found in worth.items() if found == best)


def fits(shares: dict[int, int], pot: Pot) -> bool:
    """Tell whether shares are all of a pot, for seats that may win it."""
    return sum(shares.values()) == pot.amount and all(has(pot.eligible, seat) for seat in shares)


def _equal_shares(state: RecordedSituation, pot: Pot, winners: int) -> dict[int, int]:
    return shares_of(pot.amount, winners, odd_chips=state.rules.remainder == "odd_chips", button=state.button)


def _over(_state: RecordedSituation, entropy: Entropy) -> Event | None:
    return recorded_by(entropy, HandQuoted) or recorded_by(entropy, CardsLearned)


_WITH_A_DECK: Final = dealer.DEALER
DEALER: Final[Mapping[Phase, dealer.Deals]] = {
    **_WITH_A_DECK,
    Phase.BETWEEN: _between,
    Phase.SHUFFLE: _record_deal,
    Phase.DEAL: _deal,
    Phase.SERVE: _serve,
    Phase.SHOWDOWN: _showdown,
    Phase.AWARD: _award,
    Phase.OVER: _over,
}
HIDDEN: Final[Mapping[Phase, tuple[type[Event], ...]]] = {
    **dealer.HIDDEN,
    Phase.BETWEEN: (events.HandsRevealed, events.GameEnded),
    Phase.DEAL: (RecordedHandDealt,),
    Phase.SERVE: (RecordedCardsDrawn,),
    Phase.SHOWDOWN: (events.HandShown, events.HandMucked),
    Phase.AWARD: (events.PotAwarded,),
}
"""What is due where a copy lacks the cards that it depends on."""
