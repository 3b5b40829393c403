"""Cards that a seat shows by its own choice after a round; everybody checks them by the salts that are opened."""

from collections.abc import Sequence
from dataclasses import dataclass

from pokersvc.betting.seats import has
from pokersvc.betting.state import exists
from pokersvc.cards import Card
from pokersvc.cards.deck import card_digests
from pokersvc.core.actions import BetweenRounds, IllegalAction
from pokersvc.core.event import ImpossibleEvent
from pokersvc.streets.events import OfShown
from pokersvc.streets.state import StreetsState
from pokersvc.text import listed


@dataclass(frozen=True, slots=True)
class Show(BetweenRounds):
    """Show cards of the last round to everybody."""

    cards: tuple[Card, ...] = ()
    """One card or several; empty for all that are not shown yet."""


@dataclass(frozen=True, slots=True)
class ShowAgain(Show):
    """A recorded show with its salts, by which a copy of the game that lacks the cards can decide it again."""

    salts: tuple[bytes, ...] = ()


def has_cards(state: StreetsState, seat: int) -> bool:
    """Return whether a seat still has its cards of the round: it was dealt some, and no new deck was made of them."""
    return bool(state.hands[seat]) and not (has(state.reused, seat) and not state.discarded[seat])


def decide_show(state: StreetsState, action: Show, *, pausing: bool) -> tuple[tuple[Card, ...], tuple[bytes, ...]]:
    """Return the cards that a person shows, with their salts; raise `IllegalAction` if they cannot show them."""
    seat, cards = action.seat, action.cards
    if type(seat) is not int or seat < 1 or not has(state.persons, seat):
        raise IllegalAction("not_a_person", f"Seat {seat} is not a person's; cards are shown by people.")
    if not pausing:
        raise IllegalAction("not_between_rounds", "Cards can only be shown between two rounds.")
    name = state.names[seat]
    if not has_cards(state, seat):
        raise IllegalAction("no_cards", f"{name} has no cards of the last round to show.")
    if seat not in state.committed:
        raise IllegalAction("no_showing", "In this game the dealer did not commit to single cards, so none are shown.")
    given: object = cards
    if not isinstance(given, tuple) or not all(type(card) is Card for card in given):
        raise IllegalAction("not_cards", f"{name} cannot show {cards!r}; name cards, or none to show all.")
    if len(set(cards)) != len(cards):
        raise IllegalAction("repeated_card", f"{name} cannot show {_said(cards)}: each card is shown once.")
    before, hand = shown_by(state, seat), state.hands[seat]
    if has(state.shown, seat) or len(before) == len(hand):
        raise IllegalAction("already_shown", f"All cards of {name} are shown already.")
    if again := [card for card in cards if card in before]:
        raise IllegalAction("already_shown", f"{name} has shown {_said(again)} already.")
    cards = cards or tuple([card for card in hand if type(card) is Card and card not in before])
    return cards, _salts(state, action, cards)


def shown_by(state: StreetsState, seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat has shown by its own choice since the round, in the order shown."""
    return tuple(state.showed.get(seat, {}).values())


def _salts(state: StreetsState, action: Show, cards: tuple[Card, ...]) -> tuple[bytes, ...]:
    """Return the salts of the cards: those that this copy of the game knows, else those that the action states."""
    seat, hand = action.seat, state.hands[action.seat]
    if all(hand):
        known = [_salt_of(state, seat, card) for card in cards if card in hand]
        salts = tuple([salt for salt in known if salt is not None])
    else:
        salts = action.salts if isinstance(action, ShowAgain) else ()
    if not cards or len(salts) != len(cards) or not _can_hold(state, seat, cards, salts):
        raise IllegalAction(
            "not_your_card", f"{state.names[seat]} cannot show {_said(cards)}: the seat does not hold all of them."
        )
    return salts


def _can_hold(state: StreetsState, seat: int, cards: tuple[Card, ...], salts: tuple[bytes, ...]) -> bool:
    """Return whether a seat was dealt these cards, and can hold them beside those that it has shown before."""
    digests = {*card_digests(cards, salts), *state.showed.get(seat, {})}
    return _all_held(state, seat, digests)


def cards_shown(state: StreetsState, event: OfShown) -> None:
    """Note cards that a seat shows; refuse those that it was not dealt or that it cannot hold any more."""
    seat, cards, salts = event.seat, event.cards, event.salts
    exists(state, event, seat)
    if not has_cards(state, seat):
        raise ImpossibleEvent(event, f"seat {seat} has no cards of the last round")
    if not cards or len(salts) != len(cards) or len(set(cards)) != len(cards):
        raise ImpossibleEvent(event, "it needs different cards, and a salt for each")
    if has(state.shown, seat) or set(cards).intersection(shown_by(state, seat)):
        raise ImpossibleEvent(event, f"seat {seat} has shown them already")
    if not _can_hold(state, seat, cards, salts):
        raise ImpossibleEvent(event, f"seat {seat} was not dealt these cards, or does not hold all of them any more")
    state.showed[seat] = {
        **state.showed.get(seat, {}),
        **dict(zip(card_digests(cards, salts), cards, strict=True)),
    }


def _salt_of(state: StreetsState, seat: int, card: Card) -> bytes | None:
    """Return the salt with which a seat was last dealt a card; None if this copy does not know it."""
    for committed in reversed(state.committed.get(seat, ())):
        for other, salt in zip(committed.cards, committed.salts, strict=True):
            if other == card:
                return salt
    return None


def _all_held(state: StreetsState, seat: int, digests: set[bytes]) -> bool:
    """Return whether a seat was dealt cards with these digests, and can still hold all of them."""
    dealt = state.committed.get(seat, ())
    return digests.issubset({digest for one in dealt for digest in one.digests}) and all(
        len(digests.intersection(one.digests)) <= one.held for one in dealt
    )


def _said(cards: Sequence[Card]) -> str:
    return listed([str(card) for card in cards])
