"""Uncalled bets and pots after the betting."""

import pytest

from pokersvc.betting.state import Pot, pots_of
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.events import PotAwarded, Share, UncalledBetReturned

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, happened
from .rooms import HOUSES, drawn, final, on, opened, passed

every_house = pytest.mark.parametrize("name", HOUSES)


def paid(game: Scenario) -> list[Event]:
    """Return the uncalled bet and the awards at the end of the round; players still in stand pat."""
    on(drawn(game))
    return happened(game.log, UncalledBetReturned, PotAwarded)


# Nobody left to bet.


def test_a_betting_round_is_skipped_when_nobody_has_chips() -> None:
    game = opened("no-limit", 2, stacks=(50, 50)).given(Raise(1, 50), Call(2))
    drawn(game)
    assert happened(game.log, events.Checked) == []
    assert happened(game.log, events.RoundEnded) == [events.RoundEnded(1)]


def test_a_betting_round_is_skipped_when_one_player_has_chips() -> None:
    game = opened("no-limit", 3, stacks=(50, 50, 200)).given(Raise(1, 50), Call(2), Call(3))
    drawn(game)
    assert happened(game.log, events.Checked, events.Bet) == []
    assert happened(game.log, events.RoundEnded) == [events.RoundEnded(1)]


def test_two_players_with_chips_go_on_betting_beside_an_all_in() -> None:
    game = opened("no-limit", 3, stacks=(50, 200, 200)).given(Raise(1, 50), Call(2), Call(3))
    assert drawn(game).legal.bet == (2, 150)


@every_house
def test_a_betting_round_ends_at_once_when_the_last_player_with_chips_faces_no_bet(name: str) -> None:
    game = opened(name, 3, stacks=(2, 2, 200)).given(Call(1), Call(2))
    assert on(game).view().stage == "draw", "the big blind is not asked"


@every_house
def test_it_does_not_end_while_the_last_player_with_chips_faces_a_bet(name: str) -> None:
    game = final(name, 2, stacks=(200, 5)).given(Bet(2, 3))
    assert game.to_act == 1
    assert game.legal.call == 3


@every_house
def test_the_last_player_with_chips_is_not_asked_to_bet_when_another_folds(name: str) -> None:
    game = final(name, 3, stacks=(200, 5, 200)).given(Bet(2, 3), Call(3), Fold(1))
    assert game.to_act is None
    assert on(game).view().stage == "between rounds"


# The draw.


@every_house
def test_all_in_players_draw_too(name: str) -> None:
    game = opened(name, 3, stacks=(2, 200, 2)).given(Call(1), Call(2))
    for seat in (2, 3, 1):
        assert on(game).to_act == seat
        assert game.legal.discard == 5
        game.given(Discard(seat, game.hand(seat)))
    on(game)
    assert len(happened(game.log, events.CardsDrawn)) == 3


# Uncalled bets.


def test_what_nobody_could_call_is_returned() -> None:
    game = opened("no-limit", 2, stacks=(200, 30)).given(Raise(1, 80), Call(2))
    assert game.dealer() == UncalledBetReturned(50, 1)
    assert on(game).stacks == (170, 0)
    assert game.pot == 60


def test_the_bet_that_everybody_folds_to_is_returned() -> None:
    game = final("no-limit", 3).given(Bet(2, 100), Fold(3), Fold(1))
    assert game.dealer() == UncalledBetReturned(100, 2)
    assert paid(game)[1] == PotAwarded(1, "last_in", (Share(6, 2),))


@every_house
def test_the_rest_of_the_big_blind_is_returned_when_everybody_folds(name: str) -> None:
    game = opened(name, 3).given(Fold(1), Fold(2))
    assert paid(game) == [UncalledBetReturned(1, 3), PotAwarded(1, "last_in", (Share(2, 3),))]


def test_what_a_folded_player_had_called_is_not_returned() -> None:
    game = opened("no-limit", 3, stacks=(200, 200, 30)).given(Raise(1, 50), Call(2), Call(3))
    drawn(game).given(Bet(2, 40), Fold(1))
    assert game.dealer() == UncalledBetReturned(40, 2)
    on(game)
    pots = happened(game.log, PotAwarded)
    assert [sum(share.amount for share in pot.shares) for pot in pots] == [40, 90]


def test_an_ante_that_nobody_could_match_is_returned() -> None:
    game = opened("no-limit", 2, ante=5, stacks=(200, 3))
    assert happened(game.log, UncalledBetReturned) == [UncalledBetReturned(5 + 1 - 3, 1)]


def test_by_engine_1_what_nobody_could_call_came_back_to_a_player_who_folded_too() -> None:
    # Asked for the full price, the small blind folded: the big blind had 3 in all, so of the other's 4 came back 1.
    game = opened("no-limit", 2, ante=3, stacks=(200, 3), engine=1).given(Fold(1))
    assert paid(game) == [UncalledBetReturned(1, 1), PotAwarded(1, "last_in", (Share(6, 2),))]


def test_returned_chips_are_no_longer_all_in() -> None:
    game = opened("no-limit", 2, stacks=(200, 30)).given(Raise(1, 200), Call(2))
    assert on(game).stacks == (170, 0)
    assert not game.state.all_in >> 1 & 1


# Side pots.


def test_one_pot_for_each_all_in_level_the_last_made_first() -> None:
    stacks = (50, 100, 150, 200)
    game = opened("no-limit", 4, ACES, KINGS, QUEENS, NOTHING, stacks=stacks)
    game.given(Raise(4, 200), Call(1), Call(2), Call(3))
    assert paid(game) == [
        UncalledBetReturned(50, 4),
        PotAwarded(3, "showdown", (Share(100, 3),)),
        PotAwarded(2, "showdown", (Share(150, 2),)),
        PotAwarded(1, "showdown", (Share(200, 1),)),
    ]


def test_side_pots_are_told_by_number_the_first_after_the_main_pot() -> None:
    stacks = (50, 100, 150, 200)
    game = opened("no-limit", 4, ACES, KINGS, QUEENS, NOTHING, stacks=stacks)
    game.given(Raise(4, 200), Call(1), Call(2), Call(3))
    told = [DrawPokerWords().tell(event, game.state) for event in paid(game)]
    assert told[1:3] == ["Player3 wins 100 of side pot 2", "Player2 wins 150 of side pot 1"]
    assert "side pot" not in told[3]


def test_chips_carried_from_earlier_rounds_are_in_the_main_pot_once() -> None:
    assert pots_of(65, [0, 10, 20, 20, 10], 0b01110) == [Pot(45, 0b01110), Pot(20, 0b01100)]


def test_a_side_pot_is_won_by_the_best_hand_in_it() -> None:
    game = opened("no-limit", 3, NOTHING, KINGS, ACES, stacks=(50, 100, 100))
    game.given(Raise(1, 50), Raise(2, 100), Call(3))
    assert paid(game) == [PotAwarded(2, "showdown", (Share(100, 3),)), PotAwarded(1, "showdown", (Share(150, 3),))]


def test_players_all_in_for_the_same_share_a_level() -> None:
    game = opened("no-limit", 4, ACES, KINGS, QUEENS, NOTHING, stacks=(50, 100, 50, 200))
    game.given(Raise(4, 200), Call(1), Call(2), Call(3))
    assert [event.pot for event in paid(game) if isinstance(event, PotAwarded)] == [2, 1]


def test_the_chips_of_folded_players_are_in_the_pots_of_their_levels() -> None:
    game = opened("no-limit", 4, ACES, KINGS, QUEENS, NOTHING, stacks=(20, 60, 100, 100))
    game.given(Raise(4, 40), Call(1), Raise(2, 60), Fold(3), Fold(4))
    # Main pot: 20 + 20 + 2 + 20; side pot: the rest of seat 4's 40 and as much of seat 2's; the other 20 come back.
    assert paid(game) == [
        UncalledBetReturned(20, 2),
        PotAwarded(2, "showdown", (Share(40, 2),)),
        PotAwarded(1, "showdown", (Share(62, 1),)),
    ]


def test_a_bet_beside_an_all_in_makes_a_side_pot_of_its_own() -> None:
    game = opened("fixed-limit", 3, ACES, KINGS, QUEENS, stacks=(2, 200, 200)).given(Call(1), Call(2), Check(3))
    drawn(game).given(Bet(2, 4), Call(3))
    assert paid(game) == [PotAwarded(2, "showdown", (Share(8, 2),)), PotAwarded(1, "showdown", (Share(6, 1),))]


def test_short_antes_and_blinds_make_levels_too() -> None:
    game = opened("pot-limit", 4, NOTHING, ACES, KINGS, QUEENS, ante=3, stacks=(200, 4, 2, 200))
    game.given(Call(4), Call(1))
    drawn(game)
    passed(game)
    # Staked: seat 1 and 4 five each, seat 2 four (ante and small blind), seat 3 two of its ante.
    assert paid(game) == [
        PotAwarded(3, "showdown", (Share(2, 4),)),
        PotAwarded(2, "showdown", (Share(6, 2),)),
        PotAwarded(1, "showdown", (Share(8, 2),)),
    ]


def test_by_engine_1_what_several_folded_players_left_above_all_others_was_in_the_last_pot() -> None:
    # Seats 1 and 4 fold to the full price of a big blind that has posted nothing, each with 3 in: 2 against 3 and 3.
    game = opened("no-limit", 4, NOTHING, ACES, KINGS, QUEENS, ante=3, stacks=(200, 2, 2, 200), engine=1)
    assert paid(game.given(Fold(4), Fold(1))) == [PotAwarded(1, "showdown", (Share(10, 2),))]


def test_with_nobody_all_in_there_is_one_pot() -> None:
    game = passed(final("no-limit", 4))
    assert [event.pot for event in paid(game) if isinstance(event, PotAwarded)] == [1]
