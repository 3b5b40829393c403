"""The button, antes and blinds, the deal, and who acts first."""

import pytest

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Call, Check, Fold, Raise

from ..draw_poker.scenario import Scenario, dealt, happened, seated
from .rooms import HOUSES, before, drawn, final, house, opened, passed

pytestmark = pytest.mark.parametrize("name", HOUSES)


def folded_round(game: Scenario) -> Scenario:
    """Everybody folds to the big blind."""
    game.ready()
    while game.to_act is not None:
        game.given(Fold(game.to_act))
    game.deal_on()
    return game


def seats_of(game: Scenario, kind: type[Event]) -> list[int]:
    return [getattr(event, "seat", 0) for event in happened(game.log, kind)]


def posted(game: Scenario) -> list[Event]:
    return happened(game.log, events.AntePosted, events.BlindPosted)


# The button.


def test_the_button_is_at_seat_1_first_then_one_seat_clockwise_each_round(name: str) -> None:
    game = before(name, 3)
    for _ in range(5):
        folded_round(game)
    buttons = [event.button for event in game.log if isinstance(event, events.RoundStarted)]
    assert buttons == [1, 2, 3, 1, 2]


def test_the_button_moves_past_players_who_are_out(name: str) -> None:
    game = before(name, 4, stacks=(200, 0, 0, 200), button=2)
    assert game.dealer() == events.PlayerLeft(0, "short", 2)
    game.ready()
    assert events.RoundStarted(0, 4, 1) in game.log


def test_blinds_are_posted_past_players_who_are_out(name: str) -> None:
    game = before(name, 5, stacks=(200, 0, 200, 0, 200)).ready()
    assert posted(game) == [events.BlindPosted(1, "small", 3), events.BlindPosted(2, "big", 5)]
    assert game.to_act == 1


def test_everyone_sees_where_the_button_is(name: str) -> None:
    game = before(name, 3, button=2)
    assert opened(name, 3, button=2).view().button == 2
    assert folded_round(game).view().button == 2, "until it moves"
    assert seated(3, rules=house(name)).view().button is None, "before the first round"
    assert dealt(3).view().button is None, "in a house without one"


# Antes, then blinds.


def test_the_small_blind_1_and_the_big_blind_2_are_left_of_the_button(name: str) -> None:
    game = opened(name, 4, button=3)
    assert posted(game) == [events.BlindPosted(1, "small", 4), events.BlindPosted(2, "big", 1)]


@pytest.mark.parametrize("blinds", [(5, 10), (3, 7), (10, 10)])
def test_the_blinds_are_what_the_house_says(name: str, blinds: tuple[int, int]) -> None:
    small, big = blinds
    game = opened(name, 4, blinds=blinds)
    assert posted(game) == [events.BlindPosted(small, "small", 2), events.BlindPosted(big, "big", 3)]
    assert game.legal.call == big
    assert game.legal.raise_to is not None
    assert game.legal.raise_to[0] == 2 * big


def test_heads_up_the_button_posts_the_small_blind(name: str) -> None:
    game = opened(name, 2, button=2)
    assert posted(game) == [events.BlindPosted(1, "small", 2), events.BlindPosted(2, "big", 1)]


def test_the_last_two_of_a_larger_table_are_heads_up(name: str) -> None:
    game = opened(name, 4, stacks=(0, 200, 0, 200), button=3)
    assert posted(game) == [events.BlindPosted(1, "small", 4), events.BlindPosted(2, "big", 2)]
    assert game.to_act == 4


def test_antes_first_from_the_left_of_the_button_then_blinds_then_the_deck(name: str) -> None:
    game = opened(name, 3, ante=3, button=2)
    assert game.log[2:8] == [
        events.AntePosted(3, 3),
        events.AntePosted(3, 1),
        events.AntePosted(3, 2),
        events.BlindPosted(1, "small", 3),
        events.BlindPosted(2, "big", 1),
        game.log[7],
    ]
    assert isinstance(game.log[7], events.DeckShuffled)


def test_there_is_no_ante_unless_the_house_says_so(name: str) -> None:
    assert happened(opened(name, 3).log, events.AntePosted) == []


def test_the_ante_is_not_part_of_the_price(name: str) -> None:
    game = opened(name, 3, ante=3)
    assert game.legal.call == 2
    assert game.view().price == 2
    assert game.pot == 3 * 3 + 1 + 2


# Short posts.


def test_a_short_stack_posts_what_it_has_as_its_ante(name: str) -> None:
    game = opened(name, 3, ante=3, stacks=(200, 200, 2))
    assert posted(game)[:3] == [events.AntePosted(3, 2), events.AntePosted(2, 3), events.AntePosted(3, 1)]
    assert posted(game)[4] == events.BlindPosted(0, "big", 3)


@pytest.mark.parametrize("button", [1, 2, 3])
def test_a_short_stack_posts_what_it_has_as_its_blind(name: str, button: int) -> None:
    big = (button + 1) % 3 + 1
    stacks = [200, 200, 200]
    stacks[big - 1] = 1
    game = opened(name, 3, stacks=stacks, button=button)
    assert posted(game)[1] == events.BlindPosted(1, "big", big)
    assert game.stacks[big - 1] == 0


@pytest.mark.parametrize(("stack", "ante"), [(1, 0), (1, 5), (5, 5), (6, 5)])
def test_the_price_to_call_is_the_full_big_blind_all_the_same(name: str, stack: int, ante: int) -> None:
    game = opened(name, 3, ante=ante, stacks=(200, 200, stack))
    assert game.to_act == 1
    assert game.legal.call == 2
    assert game.given(Call(1)).legal.call == 1, "the small blind has put in 1 of 2"


def test_the_least_raise_over_a_short_big_blind_is_a_full_one(name: str) -> None:
    game = opened(name, 3, stacks=(200, 200, 1))
    assert game.legal.raise_to is not None
    assert game.legal.raise_to[0] == 4


def test_a_small_blind_that_is_all_in_is_not_asked(name: str) -> None:
    game = opened(name, 3, stacks=(200, 1, 200)).given(Call(1))
    assert game.to_act == 3


def test_the_big_blind_that_is_all_in_is_not_asked(name: str) -> None:
    game = opened(name, 4, stacks=(200, 200, 2, 200)).given(Call(4), Call(1), Call(2))
    assert game.ready().view().stage == "draw"


def test_all_stacks_gone_in_the_ante_still_make_a_round(name: str) -> None:
    game = opened(name, 3, ante=5, stacks=(5, 4, 3))
    assert game.view().stage == "draw"
    game = drawn(game)
    assert happened(game.log, events.RoundEnded) == [events.RoundEnded(1)]
    assert sum(game.stacks) == 12


# The deal.


def test_hands_are_dealt_from_the_left_of_the_button_to_the_button(name: str) -> None:
    assert seats_of(opened(name, 5, button=3), events.HandDealt) == [4, 5, 1, 2, 3]


def test_heads_up_the_button_is_dealt_last(name: str) -> None:
    assert seats_of(opened(name, 2), events.HandDealt) == [2, 1]


def test_cards_are_drawn_in_the_order_of_the_deal(name: str) -> None:
    game = passed(opened(name, 5, button=3))
    assert game.to_act == 4
    drawn(game)
    assert seats_of(game, events.CardsDiscarded) == [4, 5, 1, 2, 3]


# Who acts first.


@pytest.mark.parametrize(("players", "first"), [(3, 1), (4, 4), (6, 4), (10, 4)])
def test_the_first_betting_starts_left_of_the_big_blind(name: str, players: int, first: int) -> None:
    assert opened(name, players).to_act == first


def test_heads_up_the_first_betting_starts_with_the_button(name: str) -> None:
    assert opened(name, 2).to_act == 1
    assert opened(name, 2, button=2).to_act == 2


def test_the_final_betting_starts_with_the_first_player_still_in_left_of_the_button(name: str) -> None:
    assert final(name, 4).to_act == 2
    game = opened(name, 4).given(Call(4), Call(1), Fold(2), Check(3))
    assert drawn(game).to_act == 3


def test_heads_up_the_final_betting_starts_with_the_big_blind(name: str) -> None:
    assert final(name, 2).to_act == 2


def test_the_final_betting_starts_left_of_a_button_that_has_folded(name: str) -> None:
    game = opened(name, 4).given(Call(4), Fold(1), Fold(2), Check(3))
    assert drawn(game).to_act == 3


# The blinds may still raise.


def test_the_big_blind_may_still_raise_when_all_have_called(name: str) -> None:
    game = opened(name, 3).given(Call(1), Call(2))
    assert game.to_act == 3
    assert game.legal.check
    assert game.legal.call == 0
    assert game.legal.raise_to is not None
    assert game.event_of(Raise(3, 4)) == events.Raised(2, 3, 4)


def test_the_small_blind_may_raise_as_it_calls(name: str) -> None:
    game = opened(name, 3).given(Call(1))
    assert game.event_of(Raise(2, 4)) == events.Raised(3, 2, 4)


def test_the_big_blind_s_check_ends_the_first_betting(name: str) -> None:
    game = opened(name, 3).given(Call(1), Call(2), Check(3))
    assert game.ready().view().stage == "draw"


def test_after_the_big_blind_has_raised_the_others_act_again(name: str) -> None:
    game = opened(name, 3).given(Call(1), Call(2), Raise(3, 4))
    assert game.to_act == 1
    assert game.legal.call == 2


def test_a_house_without_an_ante_of_its_own_has_a_stack_of_200_and_six_seats(name: str) -> None:
    rules = before(name, 2).state.rules
    assert (rules.stack, rules.seats.default, rules.seats.most, rules.discards) == (200, 6, 10, 5)
    assert (rules.ante.amount, rules.blinds, rules.advice, rules.player) == (0, rules.blinds, "win", "regular")
    assert rules.blinds is not None
    assert (rules.blinds.small, rules.blinds.big) == (1, 2)
