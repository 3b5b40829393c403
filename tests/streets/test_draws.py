"""A single draw: events that it refuses, and the possible hands in a partial copy."""

from collections.abc import Callable

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.event import ImpossibleEvent
from pokersvc.streets import draws, phases
from pokersvc.streets.state import Unsure, hidden

from .test_two_draws import Done, Table

DEALT = parse_cards("2C 5D 9H JS KC")


def drawing(*, hides: bool = False) -> Table:
    """A table at which the first seat is to discard."""
    table = Table(3, "drawing", "others", together=False, hides=hides)
    while table.state.phase is not phases.DRAW:
        table.deal() if table.state.phase is phases.DEAL else table.bet()
    return table


def refused(table: Table, does: Callable[..., None], event: Done, why: str) -> None:
    """Check that the event is refused with this message, and changes neither hands nor deck nor turn."""
    state = table.state
    before = list(state.hands), list(state.discarded), state.deck_left, state.need, state.actor, state.phase
    with pytest.raises(ImpossibleEvent, match=why):
        does(state, event)
    after = list(state.hands), list(state.discarded), state.deck_left, state.need, state.actor, state.phase
    assert after == before


def test_nobody_discards_out_of_turn_or_what_is_not_theirs() -> None:
    table = drawing()
    seat = table.state.actor
    other = seat % 3 + 1
    mine, theirs = table.held[seat], table.held[other]
    refused(table, draws.cards_discarded, Done(other, cards=theirs[:1], count=1), f"seat {seat} is to act")
    refused(table, draws.stood_pat, Done(other), f"seat {seat} is to act")
    refused(table, draws.cards_discarded, Done(seat, cards=theirs[:1], count=1), "does not hold these cards")
    refused(table, draws.cards_discarded, Done(seat, cards=mine[:1], count=2), "does not hold these cards")


def test_no_more_cards_are_discarded_than_a_hand_has_where_nobody_sees_which() -> None:
    table = drawing(hides=True)
    seat = table.state.actor
    refused(table, draws.cards_discarded, Done(seat, cards=None, count=6), f"seat {seat} has 5 cards, not 6")
    draws.cards_discarded(table.state, Done(seat, cards=None, count=5))
    assert table.state.hands[seat] == ()


def test_only_who_discarded_is_dealt_cards_and_no_more_than_they_discarded() -> None:
    table = drawing()
    seat = table.state.actor
    other = seat % 3 + 1
    draws.cards_discarded(table.state, Done(seat, cards=table.held[seat][:2], count=2))
    kept, elsewhere = table.held[seat][2:], table.held[other]
    refused(table, draws.cards_drawn, Done(other, cards=elsewhere[:2], count=2), f"seat {seat} is to be dealt cards")
    refused(table, draws.cards_drawn, Done(seat, cards=elsewhere[:3], count=3), "the deck has 2 cards for this seat")
    refused(table, draws.cards_drawn, Done(seat, cards=elsewhere[:1], count=2), "cannot be dealt these cards")
    refused(table, draws.cards_drawn, Done(seat, cards=kept[:2], count=2), "cannot be dealt these cards")
    table.state.deck_left = 1
    refused(table, draws.cards_drawn, Done(seat, cards=elsewhere[:2], count=2), "the deck has 1 card for this seat")


def test_a_new_deck_has_no_more_cards_than_there_are() -> None:
    table = drawing()
    refused(table, draws.deck_reshuffled, Done(count=53, number=1), "a deck has 52 cards at most, not 53")
    draws.deck_reshuffled(table.state, Done(count=52, number=1))
    assert (table.state.deck_left, table.state.reshuffles) == (52, 1)


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        ("2C 9H KC 3S 4S", True),
        ("2C 5D 9H 3S 4S", True),
        ("9H 2C KC 3S 4S", False),  # what was kept stands in the order in which it was dealt
        ("2C 9H AS 3S 4S", False),
        ("2C 9H KC 3S 5D", False),  # and what was drawn is there
        ("2C 9H KC 3S 6S", False),
    ],
)
def test_a_hand_after_a_draw_that_is_known_is_of_what_was_dealt_and_all_that_was_drawn(shown: str, fits: bool) -> None:
    held = (*hidden(3), *parse_cards("3S 4S"))
    assert Unsure(DEALT, 2).fits(held, parse_cards(shown)) == fits


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        ("2C 9H KC AS 4S", True),
        ("2C 9H KC 5D 4S", True),
        ("2C 9H AS 3S 4S", False),
        ("2C 9H KC AS 3S", False),
    ],
)
def test_as_many_cards_may_be_others_as_were_drawn_and_are_not_known(shown: str, fits: bool) -> None:
    held = (*hidden(4), *parse_cards("4S"))
    assert Unsure(DEALT, 2).fits(held, parse_cards(shown)) == fits
