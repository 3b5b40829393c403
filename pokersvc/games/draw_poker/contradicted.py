"""Contradictions in partly hidden events, found from their public part and from what this copy of the game knows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from pokersvc.betting.seats import has, next_seat, seats_in
from pokersvc.betting.state import pots_of
from pokersvc.cards import Card, strength
from pokersvc.cards.deck import card_digests
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.dealer import award, worth_of
from pokersvc.games.draw_poker.decisions import legal
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.past_hands import hands_of
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.showdown import shows_all, shows_next, unbeaten
from pokersvc.text import counted

_IN_TWO: Final = "no card in two hands"


def contradiction(state: Situation, event: Event) -> str | None:
    """Return a correction, as text, of a partly hidden event that is certainly wrong; None if the event may be right.

    A hand that was dealt elsewhere is never contradicted here, because its hands may have been shown in any order.
    """
    if state.recorded is not None:
        return None
    match event:
        case events.HandDealt() | earlier_events.HandDealt():
            return _hand_dealt(state, event)
        case events.OpenerChosen():
            return _opener_chosen(state, event)
        case events.CardsDiscarded():
            return _cards_discarded(state, event)
        case events.CardsDrawn() | earlier_events.CardsDrawn():
            return _cards_drawn(state, event)
        case events.HandsOpened():
            return _hands_opened(state, event)
        case events.HandShown():
            return _hand_shown(state, event)
        case events.HandMucked():
            return _hand_mucked(state, event)
        case events.PotAwarded():
            return _pot_awarded(state, event)
        case events.HandsRevealed():
            return _hands_revealed(state, event)
        case _:
            return None


def _hand_dealt(state: Situation, event: events.HandDealt | earlier_events.HandDealt) -> str | None:
    seat = next_seat(state.pending, state.button)
    return _digests_of(event) if event.seat == seat else f"a hand of seat {seat}"


def _digests_of(event: Event) -> str | None:
    """Return a correction if the digests of a deal do not match the cards and salts that the deal shows."""
    if not isinstance(event, events.HandDealt | events.CardsDrawn) or event.cards is None or event.salts is None:
        return None
    sizes = {len(event.cards), len(event.salts)}
    fits = sizes == {len(event.digests)} and card_digests(event.cards, event.salts) == event.digests
    return None if fits else "the digests of its cards with their salts"


def _opener_chosen(state: Situation, event: events.OpenerChosen) -> str | None:
    if event.betting == state.street and has(state.pending, event.seat):
        return None
    return f"one of the seats {_listed(state.pending)} in betting round {state.street}"


def _cards_discarded(state: Situation, event: events.CardsDiscarded) -> str | None:
    most = legal(state, event.seat).discard or 0
    return None if event.count <= most else f"{counted(most, 'card')} at most"


def _cards_drawn(state: Situation, event: events.CardsDrawn | earlier_events.CardsDrawn) -> str | None:
    count = min(state.need, state.deck_left)
    if event.count != count:
        return counted(count, "card")
    again = not state.reshuffles and set(event.cards or ()).intersection(state.discarded[event.seat])
    return f"none that seat {event.seat} has discarded" if again else _digests_of(event)


def _hands_opened(state: Situation, event: events.HandsOpened) -> str | None:
    if [hand.seat for hand in event.hands] != list(seats_in(state.live)):
        return f"the hands of the seats {_listed(state.live)}"
    return _shown(state, {hand.seat: hand.cards for hand in event.hands})


def _hand_shown(state: Situation, event: events.HandShown) -> str | None:
    if (seat := shows_next(state)) != event.seat:
        return f"what seat {seat} does with its hand"
    if (wrong := _shown(state, {seat: event.cards})) is not None or not _is_hand(event.cards) or shows_all(state):
        return wrong
    shown = unbeaten(state, seat, strength(event.cards), state.shown, worth_of)
    return None if shown else f"seat {seat} to muck its hand, which is beaten"


def _hand_mucked(state: Situation, event: events.HandMucked) -> str | None:
    if (seat := shows_next(state)) != event.seat:
        return f"what seat {seat} does with its hand"
    pots = pots_of(state.pot, state.staked, state.live) if state.all_in else [(0, state.live)]
    beatable = all(eligible & state.shown for _, eligible in pots if has(eligible, seat))
    return None if beatable and not shows_all(state) else f"the hand of seat {seat}, which nothing beats or all show"


def _shown(state: Situation, shown: Mapping[int, tuple[Card, ...]]) -> str | None:
    for seat, cards in shown.items():
        if any(card not in (None, other) for card, other in zip(state.hands[seat], cards, strict=False)):
            return f"the hand that seat {seat} was dealt"
    others = [state.hands[seat] for seat in seats_in(state.live & state.shown) if seat not in shown]
    return _IN_TWO if _repeated([*shown.values(), *others]) else None


def _pot_awarded(state: Situation, event: events.PotAwarded) -> str | None:
    """Return a correction of a pot's award that the shown hands contradict; None if the award may be right.

    A hand that is not shown is beaten, so the shown hands decide.
    """
    compared = state.pots[-1].eligible & state.shown
    if not (compared or state.only_one_left) or event == (due := award(state, compared)):
        return None
    shares = ", ".join(f"{share.amount} to seat {share.seat}" for share in due.shares)
    return f"pot {due.pot} paid for {due.reason}: {shares}"


def _hands_revealed(state: Situation, event: events.HandsRevealed) -> str | None:
    if not all(_is_hand(hand.cards) for hand in event.hands):
        return "five different cards in each hand"
    if state.revealed == len(state.past):
        return None
    opened = {hand.seat: hand.cards for hand in event.hands}
    for seat, cards in opened.items():
        if not set(state.past_showed.get((event.round, seat), ())).issubset(cards):
            return f"the cards that seat {seat} has shown in its hand"
    kept = [hand for hand in hands_of(state.past[state.revealed]) if not hand.reused]
    return _IN_TWO if _repeated(opened.get(hand.seat, hand.cards) for hand in kept) else None


def _is_hand(cards: tuple[Card, ...]) -> bool:
    """Return whether a hand has five cards, all different."""
    return len(cards) == len(set(cards)) == HAND


def _repeated(hands: Iterable[tuple[AnyCard | None, ...]]) -> bool:
    """Return whether a known card occurs twice."""
    cards = Counter(card for hand in hands for card in hand if card is not None)
    return len(cards) < cards.total()


def _listed(seats: int) -> str:
    return ", ".join(map(str, seats_in(seats)))
