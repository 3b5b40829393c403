"""Orders of different sites: how the draw goes, who shows first, who may muck, and which cards are dealt again."""

from typing import Any

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Check, Discard, Raise
from pokersvc.games.draw_poker.house.houses import rules_of
from pokersvc.games.draw_poker.house.playable import InvalidRules
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from tests.games.draw_poker.committed import hand_dealt

from ..card_rooms.rooms import drawn, house, passed
from .scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, happened
from .tables import called, sitting, table


def rules(**changes: Any) -> DrawPokerRules:
    return rules_of({**house("no-limit").model_dump(), **changes}, "changed")


def in_the_draw(players: int, **changes: Any) -> Scenario:
    """Return a game at the start of the draw, after all have called."""
    game = sitting(table(*[100] * players), rules(**changes))
    passed(game.ready())
    game.deal_on()
    return game


def kinds(done: list[Event]) -> list[tuple[str, int]]:
    return [
        (type(event).__name__, getattr(event, "seat", 0))
        for event in happened(done, events.CardsDiscarded, events.CardsDrawn)
    ]


def discard(game: Scenario, seat: int, count: int) -> Discard:
    return Discard(seat, game.hand(seat)[:count])


def test_in_turn_each_discards_and_is_dealt() -> None:
    game = in_the_draw(3)
    for seat, count in ((2, 2), (3, 0), (1, 1)):
        game.given(discard(game, seat, count))
    game.deal_on()
    assert kinds(game.log) == [
        ("CardsDiscarded", 2),
        ("CardsDrawn", 2),
        ("CardsDiscarded", 3),
        ("CardsDiscarded", 1),
        ("CardsDrawn", 1),
    ]


def test_together_all_discard_and_then_all_are_dealt() -> None:
    game = in_the_draw(3, draw="together")
    for seat, count in ((2, 2), (3, 0), (1, 1)):
        assert game.to_act == seat
        game.given(discard(game, seat, count))
    game.deal_on()
    assert kinds(game.log) == [
        ("CardsDiscarded", 2),
        ("CardsDiscarded", 3),
        ("CardsDiscarded", 1),
        ("CardsDrawn", 2),
        ("CardsDrawn", 1),
    ]
    assert [len(game.hand(seat)) for seat in (1, 2, 3)] == [5, 5, 5]
    assert game.view().stage == "final betting"


def test_together_all_may_stand_pat() -> None:
    game = in_the_draw(3, draw="together").given(*(Discard(seat, ()) for seat in (2, 3, 1)))
    assert game.view().stage == "final betting"


@pytest.mark.parametrize("reshuffle", ["others", "all"])
@pytest.mark.parametrize("order", ["in_turn", "together"])
def test_ten_players_who_discard_all_that_they_may_are_all_served(order: str, reshuffle: str) -> None:
    game = in_the_draw(10, draw=order, reshuffle=reshuffle)
    while game.view().stage == "draw":
        seat = game.to_act
        assert seat is not None
        game.given(discard(game, seat, game.legal.discard or 0))
        game.deal_on()
    assert [len(game.hand(seat)) for seat in range(1, 11)] == [5] * 10
    everything = [card for seat in range(1, 11) for card in game.hand(seat)]
    assert len(set(everything)) == 50, "no card is in two hands"


def test_together_ten_players_may_discard_what_is_left_of_the_deck() -> None:
    assert in_the_draw(10, draw="together").legal.discard == 2
    assert in_the_draw(10, draw="together", reshuffle="all").legal.discard == 5
    assert in_the_draw(9, draw="together").legal.discard == 5


def test_nobody_is_dealt_their_own_discards_unless_all_are_dealt_again() -> None:
    game = in_the_draw(10)
    game.given(discard(game, 2, 2), discard(game, 3, 2))
    game.deal_on()
    again = [event for event in game.log if isinstance(event, events.DeckReshuffled)]
    assert again == [events.DeckReshuffled(2, 1)], "the discards of seat 2 alone"
    whole = in_the_draw(10, reshuffle="all")
    whole.given(discard(whole, 2, 2), discard(whole, 3, 2))
    whole.deal_on()
    assert events.DeckReshuffled(4, 1) in whole.log


def shown(
    *hands: str, all_in: bool = False, stacks: tuple[int, ...] = (), bettor: int = 0, **changes: Any
) -> list[Event]:
    """Return the showdown of these hands, after one of them (or none) bet in the final betting."""
    game = sitting(table(*(stacks or [100] * len(hands))), rules(**changes))
    while not isinstance(event := game.dealer(), events.HandDealt):
        assert event is not None
        game.given(event)
    game.given(*(hand_dealt(parse_cards(cards), seat) for seat, cards in enumerate(hands, 1)))
    if all_in:
        game.given(Raise(game.to_act or 0, 100))
    drawn(passed(game))
    while bettor and game.to_act != bettor:
        game.given(Check(game.to_act or 0))
    if bettor:
        game.given(Bet(bettor, 10))
    return happened(called(game).log, events.HandShown, events.HandMucked)


def order(done: list[Event]) -> list[tuple[str, int]]:
    return [("shows" if isinstance(event, events.HandShown) else "mucks", getattr(event, "seat", 0)) for event in done]


def test_who_bet_last_shows_first() -> None:
    assert order(shown(ACES, KINGS, QUEENS, bettor=3)) == [("shows", 3), ("shows", 1), ("mucks", 2)]


def test_in_some_houses_the_first_left_of_the_button_shows_first() -> None:
    done = shown(ACES, KINGS, QUEENS, bettor=3, shows_first="left_of_button")
    assert order(done) == [("shows", 2), ("mucks", 3), ("shows", 1)]


def test_all_in_all_hands_are_shown() -> None:
    assert order(shown(ACES, KINGS, QUEENS, all_in=True)) == [("shows", 2), ("shows", 3), ("shows", 1)]


def test_in_some_houses_a_called_loser_may_muck_when_all_in() -> None:
    assert order(shown(ACES, KINGS, QUEENS, all_in=True, muck_all_in=True)) == [
        ("shows", 2),
        ("mucks", 3),
        ("shows", 1),
    ]


def test_a_hand_that_wins_a_side_pot_is_shown_though_a_better_one_was() -> None:
    done = shown(KINGS, ACES, QUEENS, NOTHING, stacks=(100, 10, 100, 100), all_in=True, muck_all_in=True)
    assert order(done) == [("shows", 2), ("shows", 3), ("mucks", 4), ("shows", 1)]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"muck_all_in": True, "open_hands": "showdown"}, "muck_all_in"),
        ({"shows_first": "left_of_button", "open_hands": "showdown"}, "shows_first"),
    ],
)
def test_an_order_of_showing_hands_needs_a_house_that_shows_them_in_order(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRules, match=field):
        rules(**changes)
