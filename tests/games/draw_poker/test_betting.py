"""Betting: who may bet, check, call and fold, the amounts, and the order."""

import pytest

from pokersvc.core.actions import Action, Forfeit
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise

from .scenario import Scenario, dealt, happened, rules_with, stand_pat


def final_betting(players: int = 3, *, stacks: tuple[int, ...] = (), persons: tuple[int, ...] = ()) -> Scenario:
    """Return a game after all called a bet of 50 and stood pat."""
    game = dealt(players, stacks=stacks, persons=persons)
    game.given(Bet(1, 50), *(Call(seat) for seat in range(2, players + 1)))
    return game.given(*stand_pat(*range(1, players + 1)))


# The first betting.


def test_the_first_player_bets_or_folds() -> None:
    game = dealt(3)
    assert game.to_act == 1
    assert game.legal == LegalActions(fold=True, bet=(50, 995))
    assert game.event_of(Bet(1, 120)) == events.Bet(120, 1)
    assert game.event_of(Fold(1)) == events.Folded("chosen", 1)


def test_nobody_may_check_in_the_first_betting() -> None:
    assert dealt(2).refusal(Check(1)) == "cannot_check"
    assert dealt(3).given(Fold(1)).refusal(Check(2)) == "cannot_check"


def test_until_somebody_bets_the_next_player_bets_or_folds() -> None:
    game = dealt(3).given(Fold(1))
    assert game.to_act == 2
    assert game.legal == LegalActions(fold=True, bet=(50, 995))


def test_a_bet_is_at_least_50() -> None:
    assert dealt(2).refusal(Bet(1, 49)) == "illegal_amount"
    assert dealt(2).event_of(Bet(1, 50)) == events.Bet(50, 1)


def test_a_bet_is_at_most_the_stack_and_may_equal_it() -> None:
    assert dealt(2).refusal(Bet(1, 996)) == "illegal_amount"
    game = dealt(2).given(Bet(1, 995))
    assert game.stacks == (0, 995)
    assert game.pot == 1005


@pytest.mark.parametrize("amount", [0, -50, 49, 996, 10**30, 50.0, True, "50", None])
def test_a_bet_is_a_whole_number_within_the_limits(amount: int) -> None:
    assert dealt(2).refusal(Bet(1, amount)) == "illegal_amount"


def test_everyone_after_a_bet_matches_it_exactly_or_folds() -> None:
    game = dealt(3).given(Bet(1, 70))
    assert game.to_act == 2
    assert game.legal == LegalActions(fold=True, call=70)
    assert game.event_of(Call(2)) == events.Called(70, 2)
    assert game.event_of(Fold(2)) == events.Folded("chosen", 2)


def test_a_bet_is_not_raised() -> None:
    game = dealt(3).given(Bet(1, 70))
    assert game.refusal(Raise(2, 140)) == "cannot_raise"
    assert game.refusal(Bet(2, 140)) == "cannot_bet"
    assert game.refusal(Check(2)) == "cannot_check"


def test_there_is_nothing_to_call_before_a_bet() -> None:
    assert dealt(2).refusal(Call(1)) == "cannot_call"


def test_who_has_less_than_50_cannot_open_and_is_folded_by_the_dealer() -> None:
    game = dealt(3, stacks=(54, 1000, 1000))
    assert happened(game.log, events.Folded) == [events.Folded("short", 1)]
    assert game.to_act == 2


def test_who_has_exactly_50_can_open() -> None:
    game = dealt(3, stacks=(55, 1000, 1000))
    assert game.to_act == 1
    assert game.legal == LegalActions(fold=True, bet=(50, 50))


def test_who_cannot_match_the_bet_is_folded_by_the_dealer() -> None:
    game = dealt(3, stacks=(1000, 104, 1000)).given(Bet(1, 100))
    assert game.to_act is None
    assert game.dealer() == events.Folded("short", 2)
    assert game.ready().to_act == 3


def test_who_can_just_match_the_bet_is_asked() -> None:
    game = dealt(3, stacks=(1000, 105, 1000)).given(Bet(1, 100))
    assert game.to_act == 2
    assert game.given(Call(2)).stacks[1] == 0


def test_who_has_less_than_50_matches_no_bet_either_but_may_still_win_when_all_others_fold() -> None:
    game = dealt(3, stacks=(1000, 1000, 30))
    done = game.given(Fold(1), Fold(2)).deal_on()
    assert happened(done, events.Folded) == []
    assert happened(done, events.PotAwarded) == [events.PotAwarded(1, "last_in", (events.Share(15, 3),))]


def test_the_first_betting_ends_when_all_have_matched_or_folded() -> None:
    game = dealt(4).given(Fold(1), Bet(2, 60), Call(3), Fold(4))
    assert game.to_act == 2
    assert game.legal == LegalActions(discard=4)
    assert game.pot == 4 * 5 + 2 * 60


# The final betting.


def test_the_final_betting_starts_with_the_first_seat_still_in() -> None:
    game = dealt(4).given(Fold(1), Bet(2, 60), Call(3), Fold(4), *stand_pat(2, 3))
    assert game.to_act == 2


def test_until_somebody_bets_a_player_checks_bets_or_folds() -> None:
    game = final_betting(3)
    assert game.to_act == 1
    assert game.legal == LegalActions(check=True, fold=True, bet=(50, 945))
    assert game.event_of(Check(1)) == events.Checked(1)
    assert game.given(Check(1)).legal == LegalActions(check=True, fold=True, bet=(50, 945))


def test_a_free_hand_may_be_folded_too() -> None:
    assert final_betting(3).event_of(Fold(1)) == events.Folded("chosen", 1)


def test_the_limits_of_a_bet_are_the_same_in_the_final_betting() -> None:
    game = final_betting(2)
    assert [game.refusal(Bet(1, amount)) for amount in (49, 946)] == ["illegal_amount"] * 2
    assert game.event_of(Bet(1, 945)) == events.Bet(945, 1)


def test_who_has_less_than_50_may_still_check_or_fold() -> None:
    game = final_betting(3, stacks=(60, 55, 1000))
    assert game.legal == LegalActions(check=True, fold=True)
    assert game.refusal(Bet(1, 5)) == "cannot_bet"
    assert game.given(Check(1)).legal == LegalActions(check=True, fold=True), "a stack of 0 as well"


def test_a_bet_goes_round_the_table_to_those_who_checked() -> None:
    game = final_betting(3).given(Check(1), Check(2), Bet(3, 80))
    assert game.to_act == 1
    assert game.legal == LegalActions(fold=True, call=80)
    assert game.given(Call(1)).to_act == 2
    assert game.legal == LegalActions(fold=True, call=80)


def test_a_bet_in_the_middle_goes_to_the_left_first() -> None:
    game = final_betting(4).given(Check(1), Bet(2, 80))
    order = []
    while game.to_act is not None:
        order.append(game.to_act)
        game.given(Call(game.to_act))
    assert order == [3, 4, 1]


def test_who_folds_before_a_bet_is_not_asked_when_it_goes_round() -> None:
    game = final_betting(4).given(Check(1), Fold(2), Check(3), Bet(4, 80))
    assert game.to_act == 1
    assert game.given(Fold(1)).to_act == 3


def test_nobody_may_raise_when_a_bet_goes_round() -> None:
    game = final_betting(3).given(Check(1), Bet(2, 80), Call(3))
    assert game.refusal(Raise(1, 160)) == "cannot_raise"
    assert game.refusal(Bet(1, 160)) == "cannot_bet"
    assert game.refusal(Check(1)) == "cannot_check"


def test_nobody_acts_twice_after_the_bet() -> None:
    game = final_betting(3).given(Check(1), Bet(2, 80), Call(3), Call(1))
    assert game.to_act is None
    assert isinstance(game.dealer(), events.HandsOpened)


def test_who_checked_and_cannot_match_is_folded_by_the_dealer() -> None:
    game = final_betting(3, stacks=(134, 1000, 1000)).given(Check(1), Bet(2, 80), Call(3))
    assert game.dealer() == events.Folded("short", 1)


def test_when_all_check_the_hands_are_opened() -> None:
    game = final_betting(3).given(Check(1), Check(2), Check(3))
    assert isinstance(game.dealer(), events.HandsOpened)
    assert game.pot == 3 * 55


@pytest.mark.parametrize("players", range(2, 11))
def test_the_final_betting_takes_at_most_2n_minus_1_actions(players: int) -> None:
    game = final_betting(players)
    taken = 0
    while (seat := game.to_act) is not None:
        bets: Action = Bet(seat, 50) if seat == players else Check(seat)
        game.given(Call(seat) if game.legal.call else bets)
        taken += 1
    assert taken == 2 * players - 1
    assert isinstance(game.dealer(), events.HandsOpened)


# Whose turn it is.


@pytest.mark.parametrize("action", [Fold(2), Bet(2, 50), Call(3), Check(0), Fold(-1), Fold(11), Forfeit(2, "raised")])
def test_who_is_not_on_turn_is_refused(action: Action) -> None:
    assert dealt(3).refusal(action) == "not_your_turn"


def test_nobody_acts_while_the_dealer_is_to_act() -> None:
    game = dealt(3, stacks=(1000, 104, 1000)).given(Bet(1, 100))
    assert [game.refusal(Fold(seat)) for seat in (1, 2, 3)] == ["not_your_turn"] * 3


def test_cards_are_not_discarded_in_the_betting() -> None:
    game = dealt(2)
    assert game.refusal(Discard(1, game.hand(1)[:1])) == "cannot_discard"


@pytest.mark.parametrize("action", [Check(1), Fold(1), Call(1), Bet(1, 50), Raise(1, 50)])
def test_nobody_bets_in_the_draw(action: Action) -> None:
    game = dealt(2).given(Bet(1, 50), Call(2))
    assert game.refusal(action) == f"cannot_{type(action).__name__.lower()}"


# Forfeits.


@pytest.mark.parametrize("code", ["illegal", "raised", "timeout"])
def test_a_program_that_forfeits_in_the_betting_is_folded(code: str) -> None:
    game = dealt(3)
    assert game.event_of(Forfeit(1, code)) == events.Forfeited(code, 1)  # type: ignore[arg-type]  # one of three
    game.given(Forfeit(1, code))
    assert game.to_act == 2
    assert [seat.standing for seat in game.view().seats] == ["folded", "in", "in"]


def test_a_program_that_forfeits_facing_a_bet_is_folded() -> None:
    game = dealt(3).given(Bet(1, 50), Forfeit(2, "timeout"), Call(3))
    assert game.to_act == 1
    assert game.given(*stand_pat(1)).to_act == 3


def test_a_program_that_forfeits_a_free_check_is_folded() -> None:
    game = final_betting(3).given(Forfeit(1, "raised"))
    assert game.view().seat(1).standing == "folded"


def test_when_all_others_forfeit_the_last_player_wins() -> None:
    game = dealt(3).given(Forfeit(1, "timeout"), Forfeit(2, "raised"))
    assert game.dealer() == events.PotAwarded(1, "last_in", (events.Share(15, 3),))


def test_a_person_is_asked_again_and_forfeits_nothing() -> None:
    assert dealt(2, persons=(1,)).refusal(Forfeit(1, "illegal")) == "not_a_program"


def test_a_forfeit_has_a_code_from_a_closed_list() -> None:
    assert dealt(2).refusal(Forfeit(1, "it said: fold me")) == "unknown_code"


# The last player in.


def test_the_last_player_in_wins_at_once_unasked() -> None:
    game = dealt(3).given(Fold(1), Fold(2))
    assert game.to_act is None
    assert [type(event) for event in game.deal_on()] == [events.PotAwarded, events.RoundEnded]
    assert game.stacks == (995, 995, 1010)


def test_the_last_player_in_cannot_fold() -> None:
    game = dealt(2).given(Fold(1))
    assert game.refusal(Fold(2)) == "not_your_turn"
    assert game.refusal(Forfeit(2, "timeout")) == "not_your_turn"


def test_the_bettor_wins_when_all_others_fold() -> None:
    game = dealt(3).given(Bet(1, 300), Fold(2), Fold(3))
    assert game.dealer() == events.PotAwarded(1, "last_in", (events.Share(315, 1),))


def test_the_last_player_in_is_found_in_the_final_betting_too() -> None:
    game = final_betting(3).given(Check(1), Fold(2), Bet(3, 50), Fold(1))
    assert game.dealer() == events.PotAwarded(1, "last_in", (events.Share(215, 3),))


def test_a_player_who_cannot_open_is_not_folded_when_last_in() -> None:
    game = dealt(2, stacks=(1000, 5)).given(Fold(1))
    assert game.dealer() == events.PotAwarded(1, "last_in", (events.Share(10, 2),))


def test_when_nobody_can_open_the_last_seat_wins_the_antes() -> None:
    game = dealt(3, stacks=(30, 30, 30))
    assert happened(game.log, events.Folded) == [events.Folded("short", 1), events.Folded("short", 2)]
    assert happened(game.log, events.PotAwarded) == [events.PotAwarded(1, "last_in", (events.Share(15, 3),))]


def test_a_house_may_limit_its_bets_and_let_players_check_at_once() -> None:
    game = dealt(2, rules=rules_with(betting__maximum=80, betting__check="always", betting__fold_free=False))
    assert game.legal == LegalActions(check=True, bet=(50, 80))
    assert game.refusal(Fold(1)) == "cannot_fold"
    assert game.refusal(Bet(1, 81)) == "illegal_amount"
