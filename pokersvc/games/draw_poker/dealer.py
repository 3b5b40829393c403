"""The dealer's next event: the events that no player chooses.

In a hand that was dealt elsewhere, recorded inputs take the place of chance: see `RecordedInputs`.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from pokersvc.betting.blinds import blind_due, next_button, opening_of, post_due
from pokersvc.betting.bomb_pots import bomb_ante
from pokersvc.betting.chip_race import raced_off
from pokersvc.betting.pots import next_rake, shares_of
from pokersvc.betting.ranking import prizes_of
from pokersvc.betting.seats import clockwise, fewer_than_two, has, next_seat, seats_in
from pokersvc.betting.state import Pot
from pokersvc.betting.turns import ante_due, folded_unasked
from pokersvc.cards import Card, strength
from pokersvc.cards.deck import card_digests
from pokersvc.cards.unknown import all_known, unknown
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.randomness.recorded import recorded_by
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.cash_decisions import admitted, announced_by_rule, due_before_round
from pokersvc.games.draw_poker.decisions import MOST_ALIKE
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.past_hands import hands_of, round_of
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import RecordedInputs
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.openers import by_chance
from pokersvc.streets.phases import Phase
from pokersvc.streets.showdown import shows_all, shows_next, unbeaten, winners_of
from pokersvc.streets.state import known, next_cards, next_salts, out_of_play

# Events that recur often; each distinct one is made only once.
ante_posted = lru_cache(MOST_ALIKE)(events.AntePosted)
opener_chosen = lru_cache(MOST_ALIKE)(events.OpenerChosen)
NOTHING_RECORDED: Final = DealRecorded((), (), ())
"""An empty record of cards and showdown, used where a hand that was dealt elsewhere has no record yet."""


def _between(state: Situation, entropy: Entropy) -> Event:
    if state.recorded is not None and (event := _between_as_recorded(state, state.recorded, entropy)) is not None:
        return event
    if state.cash and (bought := admitted(state)) is not None:
        return bought
    if state.rounds_played():
        return _finish(state, "rounds")
    if state.cash and (due := announced_by_rule(state) or due_before_round(state)) is not None:
        return due
    if (chip := state.chip_to_race) is not None:
        return events.ChipsRacedOff(chip, raced_off(state.stacks, state.seated, chip)[1:])
    price = state.price_to_stay()
    if not state.terms.keeps_seats:
        for seat in seats_in(state.seated):
            if state.stacks[seat] < price:
                return events.PlayerLeft(0, "short", seat)
    if not state.two_able(price):
        return _finish(state, "last_player")
    button = next_button(state) if state.rules.button else None
    ante = bomb_ante(state) if state.bomb_pot_next else state.next_ante
    return events.RoundStarted(ante, button, state.round + 1)


def _between_as_recorded(state: Situation, recorded: RecordedInputs, entropy: Entropy) -> Event | None:
    """Return the event that quotes the file before a recorded hand or reveals hands after it; else None."""
    if not state.round:
        return recorded_by(entropy, HandQuoted)
    if state.revealed:
        return None
    recorded.check_known(events.HandsRevealed, events.GameEnded)
    not_shown = [seat for seat, hand in enumerate(state.hands) if hand and not has(state.shown, seat)]
    told = {seat: recorded.told(seat) for seat in not_shown}
    hands = tuple([events.OpenHand(hand, seat) for seat, hand in told.items() if hand and all_known(hand)])
    return events.HandsRevealed(hands, state.round) if hands else None


def deals_to(state: Situation) -> tuple[int, ...] | None:
    """Return the seats dealt into the next round, less those that go out at the ante; None if no round follows."""
    if state.phase is not Phase.BETWEEN or state.rounds_played() or state.chip_to_race is not None:
        return None
    if state.cash and (admitted(state) or announced_by_rule(state) or due_before_round(state)):
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
        ante, button = state.next_ante, next_button(state) if rules.button else 0
        for seat in clockwise(dealt, button):
            if state.stacks[seat] < ante and not fewer_than_two(dealt):  # the last one left wins
                dealt &= ~(1 << seat)
    return seats_in(dealt)


def _finish(state: Situation, reason: Literal["rounds", "last_player"]) -> Event:
    if not state.pot and state.revealed < len(state.past):
        return _reveal(state.past[state.revealed])
    ranking = state.ranking if state.is_tournament else ()
    leaders = tuple([seat for seat, place in enumerate(ranking, 1) if place == 1]) or state.leaders()
    if state.pot:
        return events.PotAwarded(1, "game_end", (events.Share(state.pot, leaders[0]),))
    if state.tournament_entry is not None and state.prizes is None:
        prices = tuple(state.paid[1:])
        prizes = prizes_of(sum(prices), state.tournament_entry.prizes, ranking)
        return events.PrizesAwarded(ranking, prices, prizes)
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
    if kind == "small":
        return events.BlindPosted(amount, "small", seat)
    return events.BlindPosted(amount, "big", seat) if kind == "big" else events.Posted(amount, kind, seat)


def _shuffle(state: Situation, entropy: Entropy) -> Event:
    if state.recorded is not None:
        return recorded_by(entropy, DealRecorded) or NOTHING_RECORDED
    return events.DeckShuffled(entropy.seed(state.round))


def _deal(state: Situation, _entropy: Entropy) -> Event:
    seat = next_seat(state.pending, state.button)
    if state.recorded is not None:
        state.recorded.check_known(RecordedHandDealt)
        known = state.recorded.cards_of(seat)
        return RecordedHandDealt(unknown(HAND) if known is None else known.dealt, HAND, seat)
    cards = next_cards(state, HAND)
    if not state.commits:
        return earlier_events.HandDealt(cards, HAND, seat)
    salts = next_salts(state, HAND)
    return events.HandDealt(cards, HAND, card_digests(cards, salts), salts, seat)


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
    count, seat = min(state.need, state.deck_left), state.cursor
    if state.recorded is not None:
        state.recorded.check_known(RecordedCardsDrawn)
        return RecordedCardsDrawn(state.recorded.next_drawn(seat, count), count, seat)
    cards = next_cards(state, count)
    if not state.commits:
        return earlier_events.CardsDrawn(cards, count, seat)
    salts = next_salts(state, count)
    return events.CardsDrawn(cards, count, card_digests(cards, salts), salts, seat)


def _open(state: Situation, _entropy: Entropy) -> Event:
    return events.HandsOpened(tuple([events.OpenHand(known(state.hands[seat]), seat) for seat in seats_in(state.live)]))


def worth_of(state: Situation, seat: int) -> int:
    """Return the strength of a seat's hand, 0 if it was not recorded; raise `WithheldSecrets` if it is hidden."""
    if state.recorded is not None:
        hand = last_hand(state, seat)
        return 0 if hand is None else strength(hand)
    cards = state.hands[seat]
    if not all(cards):  # a card is never falsy
        raise WithheldSecrets
    return strength(cards)  # type: ignore[arg-type]  # all are known


def _showdown(state: Situation, _entropy: Entropy) -> Event:
    seat = shows_next(state)
    hand, recorded = last_hand(state, seat), state.recorded
    if hand is None:
        return events.HandMucked(seat)
    if recorded is None:
        shows, compared = shows_all(state), state.shown
    else:  # compare all shown hands, in whatever order the site showed them
        shows = not recorded.has_mucked(seat)
        compared = sum(1 << other for other in seats_in(state.live) if not recorded.has_mucked(other))
    if shows or unbeaten(state, seat, strength(hand), compared, worth_of):
        return events.HandShown(hand, seat)
    return events.HandMucked(seat)


def last_hand(state: Situation, seat: int) -> tuple[Card, ...] | None:
    """Return the hand of a seat as it was last held; None if nobody recorded all of its cards.

    Raise `WithheldSecrets` if this copy lacks them. A hand made known to everybody takes precedence if it differs from
    the one that was dealt, so that the difference is found.
    """
    hand, recorded = state.hands[seat], state.recorded
    if recorded is None:
        return known(hand)
    told = recorded.told(seat)
    as_dealt = has(state.shown, seat) or (all_known(hand) and (not told or set(told) == set(hand)))
    if not as_dealt and not told and (recorded.withheld or None in hand):
        raise WithheldSecrets
    last = hand if as_dealt or not told else told
    return last if all_known(last) else None


def _rake(state: Situation, _entropy: Entropy) -> Event:
    return events.RakeTaken(*next_rake(state))


def _award(state: Situation, _entropy: Entropy) -> Event:
    pot = state.pots[-1]
    if state.recorded is None or state.only_one_left:
        return award(state, pot.eligible)
    number = len(state.pots)
    shares = _shares_as_recorded(state, pot, state.recorded.shares_of(number))
    return events.PotAwarded(
        number, "showdown", tuple([events.Share(amount, seat) for seat, amount in sorted(shares.items())])
    )


def award(state: Situation, compared: int) -> events.PotAwarded:
    """Return the award of the next pot: to the best hand of the seats in ``compared``, or to the only seat still in."""
    pot = state.pots[-1]
    last_in = state.only_one_left
    shares = _equal_shares(state, pot, pot.eligible if last_in else winners_of(state, compared, worth_of))
    return events.PotAwarded(
        len(state.pots),
        "last_in" if last_in else "showdown",
        tuple([events.Share(amount, seat) for seat, amount in shares.items()]),
    )


def _equal_shares(state: Situation, pot: Pot, winners: int) -> dict[int, int]:
    return shares_of(pot.amount, winners, odd_chips=state.rules.remainder == "odd_chips", button=state.button)


def _shares_as_recorded(state: Situation, pot: Pot, recorded: dict[int, int]) -> dict[int, int]:
    """Return seat → share of a pot: known hands decide or, if they cannot, the shares in the record.

    An unknown hand wins only if it was recorded as a winner; otherwise it was given up. Recorded shares are used only
    if they are possible: eligible seats share the whole pot.
    """
    fits = sum(recorded.values()) == pot.amount and all(has(pot.eligible, seat) for seat in recorded)
    whole = sum(1 << seat for seat in seats_in(pot.eligible) if last_hand(state, seat) is not None)
    paid = sum(1 << seat for seat in recorded if has(pot.eligible, seat))
    if not whole or paid & ~whole:
        return recorded if fits else _equal_shares(state, pot, paid or pot.eligible)
    shares = _equal_shares(state, pot, winners_of(state, whole, worth_of))
    if fits and set(shares) == set(recorded) and max(recorded.values()) - min(recorded.values()) < 2:
        return recorded  # each site has its own rule for odd chips
    return shares


def _carry(state: Situation, _entropy: Entropy) -> Event:
    return events.RemainderCarried(state.pot)


def _end_round(state: Situation, _entropy: Entropy) -> Event:
    return events.RoundEnded(state.round)


def _over(state: Situation, entropy: Entropy) -> Event | None:
    return None if state.recorded is None else recorded_by(entropy, HandQuoted) or recorded_by(entropy, CardsLearned)


Deals: TypeAlias = Callable[..., Event | None]
"""A function that returns the dealer's next event in one phase, given the situation and the source of chance."""

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
    Phase.DEAL: (events.HandDealt, earlier_events.HandDealt),
    Phase.OPENER: (events.OpenerChosen,),
    Phase.SERVE: (events.CardsDrawn, earlier_events.CardsDrawn),
    Phase.OPEN: (events.HandsOpened,),
    Phase.SHOWDOWN: (events.HandShown, events.HandMucked),
    Phase.AWARD: (events.PotAwarded,),
}
"""Phase → the possible types of the next event, if this copy of the game lacks the cards or the seed that decide it."""
