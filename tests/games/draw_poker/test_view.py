"""A viewer's knowledge: the table, the viewer's own cards, and others' cards only once shown."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Leave
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, redact
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold

from .scenario import ACES, DEALER, KINGS, NOTHING, QUEENS, Scenario, after_earlier_rounds, dealt, seated, stand_pat

HIDDEN = (None,) * 5


def test_everyone_sees_no_hand_a_seat_its_own_and_an_auditor_all() -> None:
    game = dealt(3, ACES, KINGS, QUEENS)
    hands = tuple(map(parse_cards, (ACES, KINGS, QUEENS)))

    def seen(viewer: Viewer) -> tuple[object, ...]:
        return tuple(seat.cards for seat in game.view(viewer).seats)

    assert seen(EVERYONE) == (HIDDEN, HIDDEN, HIDDEN)
    assert seen(2) == (HIDDEN, hands[1], HIDDEN)
    assert seen(AUDITOR) == hands


def test_a_discard_is_seen_by_its_seat_and_counted_by_everyone() -> None:
    game = dealt(2, ACES, KINGS).given(Bet(1, 50), Call(2), Discard(1, parse_cards("8C 6S")))
    assert game.view(1).seat(1).discarded == parse_cards("8C 6S")
    assert game.view(2).seat(1).discarded == game.view().seat(1).discarded == (None, None)
    assert game.view(2).seat(1).cards == (None,) * 3


def test_a_folded_hand_stays_hidden_after_the_showdown() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Fold(2), Call(3), *stand_pat(1, 3), Check(1), Check(3))
    game.deal_on()
    assert game.view(1).seat(2).cards == HIDDEN
    assert game.view(2).seat(2).cards == parse_cards(KINGS)
    assert game.view(2).seat(3).cards == parse_cards(QUEENS)


def test_the_stages_of_a_round() -> None:
    game = seated(2)
    stages = [game.view().stage]
    actions = [Bet(1, 50), Call(2), *stand_pat(1, 2), Check(1), Check(2)]
    while not isinstance(game.log[-1], events.RoundEnded):
        event = game.dealer()
        game.given(actions.pop(0) if event is None else event)
        stages.append(game.view().stage)
    assert list(dict.fromkeys(stages)) == [
        "between rounds", "forced bets", "first betting", "draw", "final betting", "showdown",
    ]  # fmt: skip
    assert stages[-1] == "between rounds"


def test_chips_and_turn_are_everyones_to_see() -> None:
    view = dealt(3).given(Bet(1, 70)).view()
    assert (view.round, view.ante, view.pot, view.price, view.to_act, view.button) == (1, 5, 85, 70, 2, None)
    assert [(seat.stack, seat.put, seat.staked) for seat in view.seats] == [(925, 70, 75), (995, 0, 5), (995, 0, 5)]
    assert view.deck_left == 52 - 15


def test_a_bet_of_one_betting_round_is_no_price_in_the_draw_nor_after_the_showdown() -> None:
    game = dealt(2).given(Bet(1, 70), Call(2))
    assert (game.view().price, game.view().seat(1).put) == (0, 0)
    game.given(*stand_pat(1, 2), Bet(1, 80), Call(2)).deal_on()
    assert (game.view().price, game.view().seat(1).put) == (0, 0)


def test_who_is_folded_is_so_until_the_round_is_over() -> None:
    game = dealt(3).given(Fold(1))
    assert [seat.standing for seat in game.view().seats] == ["folded", "in", "in"]
    game.given(Fold(2)).deal_on()
    assert [seat.standing for seat in game.view().seats] == ["in", "in", "in"]


@pytest.mark.parametrize("leaver", [1, 3])
def test_who_leaves_is_out_at_once_the_last_winner_too(leaver: int) -> None:
    game = seated(3, persons=(1, 3)).given(Fold(1), Fold(2))
    game.deal_on()
    assert game.state.playing(leaver)
    game.given(Leave(leaver))
    assert game.view().seat(leaver).standing == "out"
    assert not game.state.playing(leaver)
    assert [game.state.playing(seat) for seat in (1, 2, 3) if seat != leaver] == [True, True]


def test_who_cannot_pay_the_next_ante_is_out_at_once() -> None:
    game = dealt(2, NOTHING, ACES).given(Bet(1, 50), Call(2), *stand_pat(1, 2), Check(1), Check(2))
    game.deal_on()
    after_earlier_rounds(game, (5, 1995)).deal_on()
    assert [seat.standing for seat in game.view().seats] == ["out", "in"]
    assert game.view().stage == "over"


def test_nobody_stands_folded_when_the_game_is_over() -> None:
    game = seated(2, rounds=1).given(Fold(1))
    game.deal_on()
    game.deal_on()
    assert game.view().stage == "over"
    assert [seat.standing for seat in game.view().seats] == ["in", "in"]


def test_a_copy_without_the_dealers_secrets_can_be_replayed_but_not_gone_on_with() -> None:
    from pokersvc.core.state import WithheldSecrets

    game = dealt(2)
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    copy = Scenario(redact(started, 1)).given(*(redact(event, 1) for event in game.log[1:]))
    assert copy.view(1) == game.view(1)
    copy.given(Bet(1, 50), events.Folded("chosen", 2))
    copy = Scenario(redact(started, 1)).given(*(redact(event, 1) for event in game.log[1:]))
    copy.given(Bet(1, 50), events.Called(50, 2), Discard(1, copy.hand(1)[:1]))
    with pytest.raises(WithheldSecrets, match="can be replayed, but not continued"):
        copy.state.dealer_event(DEALER)


def test_a_view_is_a_value_that_later_events_do_not_change() -> None:
    game = dealt(2)
    before = game.view(1)
    game.given(Bet(1, 50))
    assert before.price == 0
    assert before.seat(1).stack == 995
