"""The rules of the Poker Market: given what happened, when a seat acts, then an event or a refusal."""

import re
from typing import Any

import pytest

from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.core.actions import Action, Forfeit, IllegalAction, Leave
from pokersvc.core.event import redact
from pokersvc.core.state import Outcome, WithheldSecrets
from pokersvc.errors import InvalidValue
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass
from pokersvc.text import counted

from .scenario import HANDS, SOURCE, Scenario, dealt, new, propose, setup


def refused(market: Scenario, action: Any, code: str, said: str) -> None:
    """The action is refused with a code and a sentence, and changes nothing."""
    before = market.view
    with pytest.raises(IllegalAction, match=re.escape(said)) as refusal:
        market.state.decide(action)
    assert refusal.value.code == code
    assert market.view == before


# The deal and the order of turns.


def test_five_cards_each_are_dealt_from_the_top_in_the_order_of_turns_for_all_to_see() -> None:
    market = Scenario(new(4))
    market.deal()
    seed = SOURCE.entropy().seed(1)
    deck = shuffle(FRESH_DECK, seed)
    hands = tuple(events.DealtHand(deck[5 * at : 5 * at + 5], at + 1) for at in range(4))  # type: ignore[arg-type]

    assert market.happened == [events.DeckShuffled(1, seed), events.HandsDealt(hands, 1)]
    assert redact(market.happened[0], "everyone") == events.DeckShuffled(1, None)
    assert redact(market.happened[1], "everyone") == market.happened[1]


def test_a_copy_without_the_dealers_secrets_does_not_deal() -> None:
    state = new()
    state.apply(events.DeckShuffled(1, None))
    with pytest.raises(WithheldSecrets):
        state.dealer_event(SOURCE.entropy())


def test_each_player_on_turn_passes_or_proposes_in_a_fixed_order_and_then_the_round_is_over() -> None:
    market = dealt(rounds=2)
    market.act(Pass(1), propose(2, "KS", 1, "7C"), Decline(1))
    assert market.state.to_act == 3
    market.act(Pass(3))
    assert market.happened[-1] == events.RoundEnded(1, 1)
    assert market.state.to_act == 1
    market.act(Pass(1), Pass(2), Pass(3))
    assert events.RoundEnded(1, 2) in market.happened


def test_an_accepted_swap_changes_the_cards_in_their_places() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    assert (market.happened[-1], market.state.to_act) == (events.SwapProposed(Card("KS"), Card("7C"), 2, 1), 2)
    market.act(Accept(2))
    assert market.happened[-1] == events.SwapAccepted(2)
    assert [market.hand(seat) for seat in (1, 2, 3)] == ["KD KH KS 4S 2D", "3C 3H 7C 9D 8C", HANDS[2]]
    assert market.state.to_act == 2, "who answered has the next turn"


def test_a_declined_swap_changes_nothing() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"), Decline(2))
    assert market.happened[-1] == events.SwapDeclined(2)
    assert [market.hand(seat) for seat in (1, 2, 3)] == list(HANDS)
    assert market.view.bargains.last(1)[0].answer == "declined"


def test_cards_of_equal_faces_may_be_swapped() -> None:
    market = dealt()
    market.swap(1, "KD", 2, "KS")
    assert market.hand(1) == "KS KH 7C 4S 2D"


def test_legal_says_what_may_be_offered_and_asked_for_or_what_waits_for_an_answer() -> None:
    market = dealt()
    first, second, third = (seat.cards for seat in market.view.seats)
    assert market.state.legal(1) == LegalActions(None, first, ((2, second), (3, third)))
    market.act(propose(1, "7C", 2, "KS"))
    assert market.state.legal(2) == LegalActions(propose(1, "7C", 2, "KS"))


# What is illegal.


@pytest.mark.parametrize(
    ("action", "code", "said"),
    [
        (propose(1, "KD", 1, "KH"), "own_hand", "Player1 cannot swap cards with themselves"),
        (propose(1, "KS", 2, "3C"), "not_in_hand", "Player1 does not hold KS; Player1 holds KD KH 7C 4S 2D."),
        (propose(1, "KD", 2, "QS"), "not_in_hand", "Player2 does not hold QS; Player2 holds 3C 3H KS 9D 8C."),
        (propose(1, "KD", 4, "QS"), "no_such_player", "There is no seat 4; seats are 1 to 3."),
        (propose(1, "KD", 0, "QS"), "no_such_player", "There is no seat 0"),
        (propose(2, "3C", 1, "KD"), "not_your_turn", "Seat 2 cannot act now; it is Player1's turn."),
        (Pass(3), "not_your_turn", "Seat 3 cannot act now"),
        (Pass(0), "not_your_turn", "Seat 0 cannot act now"),
        (Accept(1), "no_proposal", "No proposal to Player1 is open"),
        (Decline(1), "no_proposal", "No proposal to Player1 is open"),
        (Accept(2), "not_your_turn", "Seat 2 cannot act now"),
        (Leave(1), "cannot_leave", "Players cannot leave a market before its end"),
        (Forfeit(1, "bored"), "unknown_code", "'bored' is no reason to forfeit"),
        (Forfeit(2, "raised"), "not_your_turn", "Seat 2 cannot act now"),
        (Action(1), "unknown_action", "Action is not an action of the Poker Market."),
        ("swap", "unknown_action", "str is not an action"),
    ],
    ids=str,
)
def test_on_a_turn_it_is_illegal(action: Any, code: str, said: str) -> None:
    refused(dealt(), action, code, said)


@pytest.mark.parametrize(
    ("action", "code", "said"),
    [
        (propose(2, "3C", 1, "KD"), "answer_first", "Player1 has proposed a swap to Player2"),
        (Pass(2), "answer_first", "it must be accepted or declined first"),
        (Accept(1), "not_your_turn", "it is Player2's turn"),
        (Accept(3), "not_your_turn", "it is Player2's turn"),
        (Leave(2), "cannot_leave", "Players cannot leave"),
    ],
    ids=str,
)
def test_while_a_proposal_is_open_it_is_illegal(action: Any, code: str, said: str) -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    refused(market, action, code, said)


def test_a_card_or_a_seat_that_is_none_is_refused() -> None:
    swap: Any = propose(1, "KD", 2, "3C")
    for wrong in (
        type(swap)(1, "Kd", 2, swap.gets),
        type(swap)(1, swap.gives, 2, None),
        type(swap)(1, swap.gives, "2", swap.gets),
        type(swap)(1, swap.gives, True, swap.gets),
    ):
        with pytest.raises(IllegalAction):
            dealt().state.decide(wrong)


def test_when_the_game_is_over_nobody_acts() -> None:
    market = dealt()
    market.pass_all()
    refused(market, Pass(1), "not_your_turn", "the game is over")


# A forfeit.


def test_a_forfeit_on_turn_is_a_pass() -> None:
    market = dealt()
    market.act(Forfeit(1, "timeout"))
    assert market.happened[-1] == events.Forfeited("timeout", 1)
    assert (market.state.to_act, list(market.view.bargains)) == (2, [])


def test_a_forfeit_of_an_answer_is_a_decline() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"), Forfeit(2, "raised"))
    assert market.happened[-1] == events.Forfeited("raised", 2)
    assert [market.hand(seat) for seat in (1, 2, 3)] == list(HANDS)
    assert market.state.to_act == 2
    assert market.view.bargains.last(1)[0].answer == "forfeited"


# The ranking.


def test_the_best_hand_scores_as_many_points_as_there_are_players_and_the_worst_one() -> None:
    market = dealt()
    market.pass_all()
    ranked = market.last(events.HandsRanked)
    assert [(hand.seat, hand.points) for hand in ranked.hands] == [(3, 3), (1, 2), (2, 1)]
    assert market.happened[-1] == events.GameEnded((2, 1, 3), (3,))
    assert market.state.outcome == Outcome((2, 1, 3), (2, 3, 1))


def test_between_equal_hands_the_one_with_the_earlier_turn_ranks_below() -> None:
    market = dealt(("AH KH QH JH 9C", "2C 2D 3D 4D 5C", "AD KD QD JD 9S", "AS KS QS JS 9D"))
    assert market.view.best_first == (2, 4, 3, 1)
    market.pass_all()
    assert market.state.outcome == Outcome((1, 4, 2, 3), (4, 1, 3, 2))


def test_what_counts_are_the_hands_at_the_end() -> None:
    market = dealt()
    market.swap(1, "7C", 2, "KS")
    market.swap(2, "7C", 3, "QS")
    market.pass_all()
    assert [hand.seat for hand in market.last(events.HandsRanked).hands] == [1, 3, 2]


# Rounds and markets.


def test_a_market_has_five_rounds_unless_told_otherwise() -> None:
    market = Scenario(new(2))
    market.deal()
    market.pass_all()
    assert [event.round for event in market.happened if isinstance(event, events.RoundEnded)] == [1, 2, 3, 4, 5]


def test_several_markets_rotate_the_order_and_add_the_points() -> None:
    market = Scenario(new(3, rounds=2, markets=4))
    market.deal()
    orders, first = [], []
    while market.state.outcome is None:
        if market.view.turn == 0 and market.view.round_in_market == 1:
            orders.append(market.view.order)
            first.append(market.state.to_act)
        market.act(Pass(market.state.to_act or 0))
    assert orders == [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]
    assert first == [1, 2, 3, 1]
    deals = [event for event in market.happened if isinstance(event, events.HandsDealt)]
    assert [tuple(hand.seat for hand in deal.hands) for deal in deals] == orders
    assert len({deal.hands[0].cards for deal in deals}) == 4, "each market has a deck of its own"
    rounds = [(e.market, e.round) for e in market.happened if isinstance(e, events.RoundEnded)]
    assert rounds == [(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6), (4, 7), (4, 8)]
    scores = [0, 0, 0]
    for event in market.happened:
        if isinstance(event, events.HandsRanked):
            for hand in event.hands:
                scores[hand.seat - 1] += hand.points
    assert market.state.outcome == Outcome.by_score(tuple(scores))


def test_the_later_turn_wins_ties_in_the_order_of_its_market() -> None:
    market = dealt(("AH KH QH JH 9C", "AD KD QD JD 9S"), markets=2)
    equal: Any = {seat: view.cards for seat, view in enumerate(market.view.seats, 1)}
    market.act(Pass(1))
    market.take(market.state.decide(Pass(2)))
    while not isinstance(due := market.state.dealer_event(market.entropy), events.HandsDealt):
        assert due is not None
        market.take(due)
    assert market.last(events.HandsRanked).hands[0].seat == 2
    market.take(events.HandsDealt(tuple(events.DealtHand(equal[seat], seat) for seat in (2, 1)), 2))
    market.pass_all()
    assert market.last(events.HandsRanked).hands[0].seat == 1


# How a game is started.


@pytest.mark.parametrize("players", [1, 11])
def test_two_to_ten_play(players: int) -> None:
    with pytest.raises(
        InvalidValue, match=f"{counted(players, 'player')} cannot play the Poker Market; it takes 2 to 10"
    ):
        POKER_MARKET.start(setup(players))


@pytest.mark.parametrize("players", [2, 10])
def test_as_many_may_play(players: int) -> None:
    assert len(POKER_MARKET.start(setup(players)).seats) == players


@pytest.mark.parametrize("markets", [0, -1, 1_000_001, "2", True, 1.5])
def test_markets_are_a_positive_number(markets: Any) -> None:
    with pytest.raises(InvalidValue, match=r"A game of .* markets cannot be played; markets are 1 to 1000000"):
        POKER_MARKET.options({"markets": markets})


def test_other_options_and_endless_rounds_are_refused() -> None:
    with pytest.raises(InvalidValue, match="The Poker Market has no option 'rules'; its option is 'markets'"):
        POKER_MARKET.options({"rules": "x"})
    with pytest.raises(InvalidValue, match="A market of 1000001 rounds cannot be played"):
        POKER_MARKET.start(setup(2, rounds=1_000_001))


def test_a_kind_of_player_that_is_not_known_is_refused() -> None:
    for kind in ("fox", "rollout/0", "rollout/x", "rank/5", "rollout/", "rollout/99999999999"):
        with pytest.raises(
            InvalidValue,
            match="kinds of players are human, beginner, club, greedy, random, rank, regular, rollout, trader",
        ):
            POKER_MARKET.start(setup(2, kind=kind))
    assert POKER_MARKET.start(setup(2, kind="rollout/500")).seats[0].kind == "rollout/500"


def test_the_start_holds_the_whole_rules() -> None:
    started = POKER_MARKET.start(setup(2, rounds=3, markets=2))
    assert started.rules.model_dump() == {"markets": 2, "rounds": 3, "version": 1}
    assert (started.reproducible, started.shuffle, started.game) == (True, 1, "market")
