"""Being out, the end, forfeits, and the deck that runs out."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Forfeit
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.events import GameEnded, PlayerLeft, PotAwarded, Share

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, happened, seated
from .rooms import HOUSES, before, drawn, final, house, on, opened, passed

pytestmark = pytest.mark.parametrize("name", HOUSES)


def all_in(game: Scenario) -> Scenario:
    """Let everybody raise and call as much as possible, and stand pat."""
    game.ready()
    while game.to_act is not None and game.view().stage != "between rounds":
        seat, legal = game.to_act, game.legal
        if legal.discard is not None:
            game.given(Discard(seat, ()))
        elif legal.raise_to is not None:
            game.given(Raise(seat, legal.raise_to[1]))
        else:
            game = game.given(Call(seat)) if legal.call else passed(game)
        on(game)
    return game


# Out, and the end.


def test_who_has_no_chips_is_out(name: str) -> None:
    game = drawn(passed(opened(name, 3, ACES, KINGS, QUEENS, stacks=(200, 2, 200))))
    passed(game)
    assert game.stacks[1] == 0
    assert game.dealer() == PlayerLeft(0, "short", 2)


def test_who_has_one_chip_plays_on(name: str) -> None:
    game = before(name, 3, stacks=(200, 1, 200)).ready()
    assert game.view().seat(2).standing == "in"


def test_the_game_ends_with_one_player_left(name: str) -> None:
    game = drawn(passed(opened(name, 2, ACES, KINGS, stacks=(200, 2))))
    on(game)
    assert game.stacks == (202, 0)
    assert game.given(PlayerLeft(0, "short", 2)).dealer() == GameEnded("last_player", (202, 0), (1,))


def test_the_game_ends_after_its_rounds(name: str) -> None:
    game = seated(3, rounds=1, rules=house(name))
    on(game.ready().given(Fold(1), Fold(2)))
    assert game.dealer() == GameEnded("rounds", (200, 199, 201), (3,))


def test_a_remainder_at_the_end_cannot_exist(name: str) -> None:
    # Odd chips go out by position, so that no pot leaves any.
    game = seated(3, rounds=1, rules=house(name, ante=1)).ready()
    for seat, cards in enumerate(("JH AD 8C 6S 3C", "JD AH 8D 6H 3D", "JC TS 8H 6C 3H"), 1):
        game.state.hands[seat] = parse_cards(cards)
    game.given(Call(1), Call(2), Check(3))
    passed(drawn(game))
    assert (game.pot, game.stacks) == (0, (201, 202, 197))
    assert happened(game.log, events.RemainderCarried) == []
    assert isinstance(game.dealer(), GameEnded), "and no pot is awarded at the end of the game"


# Forfeits.


def test_a_forfeit_facing_a_bet_folds(name: str) -> None:
    game = opened(name, 3).given(Forfeit(1, "timeout"))
    assert game.view().seat(1).standing == "folded"


def test_a_forfeit_folds_even_a_free_hand(name: str) -> None:
    game = final(name, 3).given(Forfeit(2, "illegal"))
    assert game.view().seat(2).standing == "folded"
    assert game.to_act == 3


def test_the_big_blind_that_forfeits_its_option_is_folded(name: str) -> None:
    game = passed_to_the_big_blind(name).given(Forfeit(3, "raised"))
    assert game.ready().view().seat(3).standing == "folded"
    assert game.view().stage == "draw"


def passed_to_the_big_blind(name: str) -> Scenario:
    return opened(name, 3).given(Call(1), Call(2))


def test_when_all_others_forfeit_free_hands_the_last_player_wins(name: str) -> None:
    game = final(name, 3).given(Forfeit(2, "illegal"), Forfeit(3, "timeout"))
    assert game.to_act is None
    assert game.dealer() == PotAwarded(1, "last_in", (Share(6, 1),))


def test_a_forfeit_in_the_draw_stands_pat(name: str) -> None:
    game = passed(opened(name, 3, ACES, KINGS, QUEENS)).given(Forfeit(2, "timeout"))
    assert game.view().seat(2).standing == "in"
    assert game.hand(2) == parse_cards(KINGS)
    assert game.to_act == 3


def test_an_all_in_player_is_not_asked_and_so_not_folded(name: str) -> None:
    game = opened(name, 3, stacks=(200, 200, 2)).given(Call(1), Call(2)).ready()
    assert game.refusal(Forfeit(3, "timeout")) == "not_your_turn"


# The deck.


def draw_the_most(game: Scenario) -> list[int]:
    """Let everybody discard as many cards as allowed; return that number."""
    counts = []
    while game.ready().to_act is not None and game.view().stage == "draw":
        seat, most = game.to_act, game.legal.discard
        assert seat is not None
        assert most is not None
        game.given(Discard(seat, game.hand(seat)[:most]))
        on(game)
        counts.append(most)
    return counts


@pytest.mark.parametrize("players", range(2, 6))
def test_up_to_five_seats_the_deck_is_enough(name: str, players: int) -> None:
    game = passed(opened(name, players))
    assert draw_the_most(game) == [5] * players
    assert happened(game.log, events.DeckReshuffled) == []


@pytest.mark.parametrize("players", range(6, 11))
def test_above_five_seats_it_is_made_anew_from_what_others_threw_away(name: str, players: int) -> None:
    game = passed(opened(name, players))
    counts = draw_the_most(game)
    assert counts[0] == min(5, 52 - 5 * players)
    assert happened(game.log, events.DeckReshuffled) != []
    assert len(counts) == players


def test_at_ten_seats_with_nobody_folded_the_first_to_draw_may_take_two(name: str) -> None:
    game = passed(opened(name, 10))
    assert game.legal.discard == 2


def test_folded_hands_are_in_the_new_deck(name: str) -> None:
    game = opened(name, 10).given(Fold(4), Fold(5))
    assert passed(game).legal.discard == 5, "the 2 cards left and 10 folded ones"


def test_nobody_is_dealt_their_own_discard(name: str) -> None:
    game = passed(opened(name, 10))
    draw_the_most(game)
    gone: dict[int, set[object]] = {}
    for event in game.log:
        if isinstance(event, events.CardsDiscarded):
            gone[event.seat] = set(event.cards or ())
        if isinstance(event, events.CardsDrawn):
            assert not gone[event.seat] & set(event.cards or ())


def test_stacks_gone_all_at_once_leave_one_winner_of_every_chip(name: str) -> None:
    game = opened(name, 4, ACES, KINGS, QUEENS, NOTHING, stacks=(9, 9, 9, 9))
    while isinstance(game.view().to_act, int):
        game = all_in(game)
    assert sum(game.stacks) == 36
    assert game.pot == 0
