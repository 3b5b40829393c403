"""Invariants of every house of draw poker; each function checks one of them in one game."""

from random import Random
from typing import Final

from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.streets.phases import Phase

from ..draw_poker.played import Plan, Played
from ..draw_poker.test_properties import (
    a_copy_without_the_secrets_has_the_same_view,
    a_refused_action_changes_nothing,
    chips_are_conserved,
    exactly_one_of_dealer_seat_and_end,
    no_card_is_in_two_places,
    replaying_gives_an_equal_state_at_every_event,
    the_game_ends,
    the_log_of_a_game_can_be_audited,
)


def the_last_player_is_never_folded(plan: Plan) -> None:
    game = Played(plan)
    for event in game.steps():
        if isinstance(event, events.Folded | events.Forfeited | events.PlayerLeft) and game.state.hands[event.seat]:
            assert game.state.live or game.state.view(EVERYONE).stage == "between rounds"
        if isinstance(event, events.PotAwarded) and event.reason == "last_in":
            assert game.state.live == 1 << event.shares[0].seat


PUT_IN: Final = events.AntePosted | events.BlindPosted | events.Posted | events.Bet | events.Called | events.Raised


def one_winner_of_every_chip(plan: Plan) -> None:
    """The pots of a round and the carried chips equal what was put in and carried before."""
    game, paid_in, paid_out = Played(plan), 0, 0
    for event in game.steps():
        if isinstance(event, events.RoundStarted):
            paid_in, paid_out = game.state.pot, 0
        if isinstance(event, PUT_IN):
            paid_in += event.amount
        if isinstance(event, events.PlayerLeft) and event.reason == "short":
            paid_in += event.amount
        if isinstance(event, events.UncalledBetReturned):
            paid_in -= event.amount
        if isinstance(event, events.PotAwarded):
            paid_out += sum(share.amount for share in event.shares)
        if isinstance(event, events.RemainderCarried):
            assert event.amount == paid_in - paid_out > 0
            paid_out += event.amount
        if isinstance(event, events.RoundEnded):
            assert paid_in == paid_out


def copies_have_the_same_view(plan: Plan) -> None:
    seat = Random(plan.seed).randint(1, len(plan.kinds))
    a_copy_without_the_secrets_has_the_same_view(plan, (EVERYONE, AUDITOR, seat))


def most_price_rises(rules: DrawPokerRules, chips: int) -> int:
    """Return how often the price of a betting round can rise at most."""
    betting = rules.betting
    if betting.raises == "none":
        return 1
    if betting.raises == "double":
        return (betting.cap or 0).bit_length() + 1
    return chips // betting.minimum + 1


def betting_rounds_are_bounded(plan: Plan) -> None:
    """In a betting round each player acts at most once, and once more after each rise of the price."""
    game, actions, stage = Played(plan), 0, ""
    players = len(plan.kinds)
    for event in game.steps():
        now = game.state.view(EVERYONE).stage
        if now != stage:
            actions = 0
        if isinstance(event, events.Checked | events.Bet | events.Called | events.Raised | events.Folded):
            actions += 1
        assert actions <= players * (1 + most_price_rises(plan.rules, players * plan.stack))
        stage = now


def who_is_drawn_to_open_can_bet(plan: Plan) -> None:
    game = Played(plan)
    for event in game.steps():
        if isinstance(event, events.OpenerChosen):
            assert game.state.phase is Phase.BETTING
            assert game.state.to_act == event.seat or game.state.must_fold(event.seat)


EVERYWHERE: Final = [
    chips_are_conserved,
    replaying_gives_an_equal_state_at_every_event,
    copies_have_the_same_view,
    a_refused_action_changes_nothing,
    no_card_is_in_two_places,
    exactly_one_of_dealer_seat_and_end,
    the_log_of_a_game_can_be_audited,
    the_game_ends,
    the_last_player_is_never_folded,
    one_winner_of_every_chip,
    betting_rounds_are_bounded,
    who_is_drawn_to_open_can_bet,
]
