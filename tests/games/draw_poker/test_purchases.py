"""Purchases in a cash game: their bounds, the host's approval, and with what one comes back."""

from dataclasses import replace
from typing import Any

import pytest

from pokersvc.betting.cash import BuyChips, SitDown
from pokersvc.core.actions import CloseGame, Leave
from pokersvc.core.event import ImpossibleEvent
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, events
from pokersvc.games.draw_poker.actions import AnswerPurchase
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_rules import CashRules, TablePeople

from .cash_evening import after_a_round, another_round, evening
from .scenario import Scenario
from .tables import called

WORDS = DrawPokerWords()

# Given bounds.


def test_a_purchase_is_neither_less_nor_more_than_the_house_sells_at_once() -> None:
    game = after_a_round(buy_least=10, buy_most=40)
    assert [game.refusal(BuyChips(1, chips)) for chips in (9, 41)] == ["illegal_amount"] * 2
    assert game.event_of(BuyChips(1, 10)) == events.ChipsBought(10, 1)
    assert game.event_of(BuyChips(1, 40)) == events.ChipsBought(40, 1)


def test_the_stack_after_a_purchase_is_at_most_that_of_the_house() -> None:
    game = after_a_round(buy_least=10)
    game.state.stacks[1] = 185
    assert game.refusal(BuyChips(1, 16)) == "illegal_amount"
    game.state.stacks[1] = 195
    assert game.refusal(BuyChips(1, 5)) == "illegal_amount", "less than the least"


def test_who_sits_down_buys_within_the_same_bounds() -> None:
    game = after_a_round(buy_least=50, buy_most=150).given(Leave(2))
    assert [game.refusal(SitDown(2, chips)) for chips in (49, 151)] == ["illegal_amount"] * 2
    assert game.event_of(SitDown(2, 150)) == events.SatDown(150, None, 2, 2)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"buy_least": 0}, "buy_least"),
        ({"buy_least": 201}, "buy_least"),
        ({"buy_least": 50, "buy_most": 49}, "buy_most"),
        ({"buy_most": "50"}, "buy_most"),
        ({"away_rounds": 0}, "away_rounds"),
        ({"return_rounds": 10_001}, "return_rounds"),
        ({"approval": 1}, None),
        ({"approval": True, "cash": False}, "approval"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_their_field(given: dict[str, Any], field: str | None) -> None:
    with pytest.raises(InvalidValue) as refused:
        evening(**given)
    assert refused.value.field == field


def test_the_start_records_the_rules_and_none_where_there_are_none() -> None:
    started = evening(buy_least=10, approval=True, away_rounds=5, return_rounds=9).log[0]
    assert isinstance(started, events.GameStarted)
    assert started.cash == CashRules(approval=True, away_rounds=5, least=10, return_rounds=9)
    plain = evening().log[0]
    assert isinstance(plain, events.GameStarted)
    assert plain.cash is None


def test_the_host_cannot_set_the_stack_below_the_least_purchase() -> None:
    game = after_a_round(buy_least=50, changeable=True)
    assert game.refusal(DRAW_POKER.change_of_stakes(game.state, {"stack": 49})) == "illegal_amount"
    game.given(game.event_of(DRAW_POKER.change_of_stakes(game.state, {"stack": 50})))


# Given a host who approves.


def asked(**given: Any) -> Scenario:
    return after_a_round(approval=True, **given).given(BuyChips(1, 60))


def test_a_purchase_waits_for_the_host_and_moves_no_chips() -> None:
    game = asked()
    assert game.log[-1] == cash_events.PurchaseAsked(60, None, None, 1)
    assert sum(game.stacks) == 300
    assert game.state.pausing
    assert WORDS.tell(game.log[-1], game.state) == "Ann asks the host for 60"
    at_cash = game.view().seat(1).at_cash
    assert at_cash is not None
    assert at_cash.asks_for == 60


def test_the_purchase_that_the_host_admits_comes_next_and_nothing_else() -> None:
    game = asked()
    game.given(game.event_of(AnswerPurchase(1, True, 2)))
    assert not game.state.pausing
    assert game.refusal(Leave(3)) == "not_between_rounds"
    assert game.refusal(CloseGame()) == "not_between_rounds"
    assert game.dealer() == events.ChipsBought(60, 1)
    game.given(events.ChipsBought(60, 1))
    assert sum(game.stacks) == 360
    assert game.state.pausing
    assert game.refusal(AnswerPurchase(1, True)) == "nothing_asked"


def test_a_refused_purchase_is_forgotten() -> None:
    game = asked()
    game.given(game.event_of(AnswerPurchase(1, False)))
    assert game.log[-1] == cash_events.PurchaseRefused(None, 1)
    assert game.refusal(AnswerPurchase(1, False)) == "nothing_asked"
    assert isinstance(game.dealer(), events.RoundStarted)


def test_who_sits_down_is_admitted_too() -> None:
    game = after_a_round(approval=True).given(Leave(2), SitDown(2, 80, "Zoe"))
    assert game.log[-1] == cash_events.PurchaseAsked(80, "Zoe", 4, 2)
    assert WORDS.tell(game.log[-1], game.state) == "Zoe asks the host to sit down with 80"
    assert game.state.names[2] == "Bob", "nobody sits there yet"
    game.given(game.event_of(AnswerPurchase(2, True)))
    assert game.dealer() == events.SatDown(80, "Zoe", 4, 2)


def test_a_later_question_takes_the_place_of_an_earlier_one() -> None:
    game = asked()
    assert game.refusal(BuyChips(1, 60)) == "asked_already"
    game.given(BuyChips(1, 70), game.event_of(AnswerPurchase(1, True)))
    assert game.dealer() == events.ChipsBought(70, 1)


def test_what_may_not_be_bought_any_more_is_not_admitted() -> None:
    game = asked()
    game.state.stacks[1] = 150
    assert game.refusal(AnswerPurchase(1, True)) == "illegal_amount"
    game.given(Leave(1))
    assert game.refusal(AnswerPurchase(1, True)) == "nothing_asked"


def test_a_question_waits_over_rounds_and_is_answered_between_them_by_a_person() -> None:
    game = asked()
    assert game.refusal(AnswerPurchase(1, True, 9)) == "not_a_person"
    called(game)
    game.deal_on()
    assert game.refusal(AnswerPurchase(1, True)) == "not_between_rounds"
    called(game)
    game.state.stacks[1] = 100
    assert game.event_of(AnswerPurchase(1, True)) == cash_events.PurchaseAdmitted(None, 1)


def test_nothing_is_asked_where_nobody_approves() -> None:
    game = after_a_round()
    assert game.refusal(AnswerPurchase(1, True)) == "nothing_asked"
    with pytest.raises(ImpossibleEvent, match="approval"):
        game.given(cash_events.PurchaseAsked(5, None, None, 1))
    with pytest.raises(ImpossibleEvent, match="asks to buy"):
        game.given(cash_events.PurchaseAdmitted(None, 1))


# Given a time for coming back with as much.


def test_nobody_comes_back_soon_with_fewer_chips_than_they_took() -> None:
    game = after_a_round(return_rounds=2)
    game.state.stacks[2] = 180
    game.given(Leave(2))
    assert game.refusal(SitDown(2, 179)) == "too_few_chips"
    assert game.event_of(SitDown(2, 180)) == events.SatDown(180, None, 2, 2)
    called(game)
    assert game.refusal(SitDown(2, 179)) == "too_few_chips"
    another_round(game)
    assert game.event_of(SitDown(2, 1)) == events.SatDown(1, None, 2, 2)


def test_who_took_more_than_the_house_sells_may_bring_it_back() -> None:
    game = after_a_round(return_rounds=2, buy_most=50)
    game.state.stacks[2] = 290
    game.given(Leave(2))
    assert game.refusal(SitDown(2, 200)) == "too_few_chips"
    assert game.refusal(SitDown(2, 291)) == "illegal_amount"
    game.given(SitDown(2, 290))
    assert game.stacks[1] == 290


def test_who_sits_elsewhere_may_bring_all_that_they_took_and_owes_blinds_as_a_newcomer_does() -> None:
    game = after_a_round(seats=4, buy_most=50)
    game.state.stacks[2] = 290
    game.given(Leave(2), Leave(3))
    assert game.refusal(SitDown(3, 291, "Bo", 2)) == "illegal_amount"
    assert game.refusal(SitDown(3, 290, "Zoe", 0)) == "illegal_amount", "somebody new buys what the house sells"
    game.given(SitDown(3, 290, "Bo", 2))
    assert game.stacks[2] == 290
    assert game.state.owes_big == 1 << 3
    assert game.event_of(SitDown(2, 1, "Zoe", 3)) == events.SatDown(1, "Zoe", 3, 2), "nothing must be brought back"


def test_it_goes_by_person_wherever_they_sit() -> None:
    game = after_a_round(return_rounds=5, seats=4)
    game.state.stacks[2] = 180
    game.given(Leave(2), Leave(3))
    assert game.refusal(SitDown(3, 100, "Bo", 2)) == "too_few_chips", "Bob under another name at another seat"
    assert game.event_of(SitDown(2, 100, "Zoe")) == events.SatDown(100, "Zoe", 5, 2), "somebody new to the table"


def test_a_person_sits_at_one_seat_and_is_known_or_new() -> None:
    game = after_a_round(seats=4).given(Leave(2))
    assert game.refusal(SitDown(2, 100, None, 1)) == "already_seated"
    assert game.refusal(SitDown(2, 100, None, -1)) == "no_such_person"
    assert game.event_of(SitDown(2, 100, None, 0)) == events.SatDown(100, None, 5, 2), "somebody new under the old name"
    assert game.event_of(SitDown(2, 100, None, 9)) == events.SatDown(100, None, 9, 2)


def test_what_a_person_brought_and_took_is_added_up_over_seats_and_returns() -> None:
    game = after_a_round(seats=4)
    game.state.stacks[1:] = [100] * 4
    game.given(Leave(2), BuyChips(1, 30))
    game.given(SitDown(2, 50, "Zoe"), Leave(3), SitDown(3, 70, "Bo", 2))
    accounts = {person: (one.brought, one.taken) for person, one in game.state.cash_seats.accounts.items()}
    assert accounts == {1: (130, 0), 2: (170, 100), 3: (100, 100), 4: (100, 0), 5: (50, 0)}
    found = [seat.at_cash for seat in game.view().seats]
    assert [one and one.person for one in found] == [1, 5, 2, 4]


# Given the start of a game.


def contradicted(game: Scenario, **changes: Any) -> list[str]:
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    return [one.found for one in DRAW_POKER.contradictions(replace(started, **changes))]


PEOPLE = TablePeople(known=(), next=9, seats=(1, 2, 3))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, None),
        ({"people": PEOPLE}, None),
        ({"cash": CashRules(least=300)}, "least"),
        ({"cash": CashRules(least=9, most=8)}, "most"),
        ({"cash": CashRules(straddle_by_choice=True)}, "straddle_by_choice"),
        ({"cash": CashRules(), "table": None}, "another game"),
        ({"cash": CashRules(), "engine": 4}, "another game"),
        ({"people": PEOPLE.model_copy(update={"seats": (1, 2)})}, "seats"),
        ({"people": PEOPLE.model_copy(update={"seats": (1, 2, 2)})}, "seats"),
        ({"people": PEOPLE.model_copy(update={"next": 3})}, "next"),
    ],
)
def test_an_audit_contradicts_a_start_that_cannot_be(changes: dict[str, Any], found: str | None) -> None:
    said = contradicted(evening(), **changes)
    assert len(said) == (found is not None)
    assert found is None or found in said[0]


def test_who_has_sat_down_elsewhere_does_not_sit_at_their_seat_of_before_too() -> None:
    game = after_a_round(seats=4)
    game.given(Leave(1), Leave(2), SitDown(1, 100, None, 2))
    assert game.refusal(SitDown(2, 100)) == "already_seated"
    assert game.event_of(SitDown(2, 100, "Zoë")) == events.SatDown(100, "Zoë", 5, 2)
