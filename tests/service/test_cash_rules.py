"""The rules of a cash game at the service: answered once, told to all, and done before a round."""

import pytest

from pokersvc.betting.cash import BuyChips, SitOut
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import cash_events, events
from pokersvc.games.draw_poker.actions import AnnounceBombPot, AnswerPurchase
from pokersvc.service import CommandReused, Service

from .ruled import a_game
from .support import play_to_the_pause, types


def test_the_host_admits_a_purchase_and_it_is_made_in_the_same_command(service: Service) -> None:
    game_id = a_game(service, approval=True)
    (asked,) = service.act(game_id, BuyChips(1, 50))
    assert asked.event == cash_events.PurchaseAsked(50, None, None, 1)
    answered = service.answer_purchase(game_id, 1, admits=True, command_id="yes")
    assert [one.event for one in answered] == [cash_events.PurchaseAdmitted(None, 1), events.ChipsBought(50, 1)]
    assert service.answer_purchase(game_id, 1, admits=True, command_id="yes") == answered
    with pytest.raises(CommandReused):
        service.answer_purchase(game_id, 1, admits=False, command_id="yes")
    assert service.status(game_id).pausing


def test_only_the_service_answers(service: Service) -> None:
    game_id = a_game(service, approval=True)
    service.act(game_id, BuyChips(1, 50))
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, AnswerPurchase(1, True))
    assert refused.value.code == "service_only"


def test_other_games_sell_nothing(service: Service) -> None:
    setup = Setup((Seat(HUMAN, "Ann"), Seat("random", "Bob")), EntropySource.from_text("kalah"))
    game_id, _ = service.start("kalah", setup)
    with pytest.raises(InvalidValue, match="Nobody buys"):
        service.answer_purchase(game_id, 1, admits=True)


def test_what_is_wished_is_done_before_the_round_in_its_command(service: Service) -> None:
    game_id = a_game(service)
    service.act(game_id, Wish(1, top_up_to=200))
    first, second, *_ = types(service.go_on(game_id))
    assert (first, second) == ("ToppedUp", "RoundStarted")


def test_who_sits_out_too_long_gets_up_before_a_round(service: Service) -> None:
    game_id = a_game(service, away_rounds=1)
    service.act(game_id, SitOut(1))
    service.go_on(game_id)
    while not service.status(game_id).pausing:
        service.step(game_id)
    began = types(service.go_on(game_id))
    assert began[:2] == ["SeatFreed", "RoundStarted"]
    assert service.view(game_id, EVERYONE).seat(1).standing == "out"


def test_a_bomb_pot_is_announced_once(service: Service) -> None:
    game_id = a_game(service, bomb_pot=5)
    said = service.change_stakes(game_id, {"bomb_pot": True}, command_id="boom")
    assert [one.event for one in said] == [cash_events.BombPotAnnounced(None, False, 3)]
    assert service.change_stakes(game_id, {"bomb_pot": True}, command_id="boom") == said
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, AnnounceBombPot(1))
    assert refused.value.code == "service_only"


def test_a_wish_that_leaves_too_few_pauses_the_game_instead_of_ending_it(service: Service) -> None:
    seats = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"))
    given = {"rules": "no-limit", "cash": True}
    game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text("two"), None, given))
    play_to_the_pause(service, game_id)
    service.act(game_id, Wish(1, out_at_blind=True))
    for _ in range(2):
        done = types(service.go_on(game_id))
        if done == ["SatOutAtBlind"]:
            break
        play_to_the_pause(service, game_id)
    assert done == ["SatOutAtBlind"]
    assert service.status(game_id).pausing
    assert service.status(game_id).outcome is None


def test_wishes_may_change_where_the_house_sells_less_than_one_of_them(service: Service) -> None:
    game = a_game(service, changeable=True)
    service.act(game, Wish(1, top_up_to=180))
    service.change_stakes(game, {"stack": 100})
    service.act(game, Wish(1, out_at_blind=True))
    (seat, *_) = service.view(game, EVERYONE).seats
    assert seat.at_cash is not None
    assert (seat.at_cash.top_up_to, seat.at_cash.out_at_blind) == (180, True)
    with pytest.raises(IllegalAction, match="up to 100"):
        service.act(game, Wish(1, top_up_to=150))
