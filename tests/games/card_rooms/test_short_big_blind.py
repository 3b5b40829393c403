"""The price after a short big blind: the full one while two other players can still bet, else the amount posted."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from pokersvc.betting.seats import seats_in
from pokersvc.core.actions import Forfeit
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import Entropy, EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.events import PotAwarded, UncalledBetReturned
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.streets.phases import Phase

from ..draw_poker.scenario import ACES, KINGS, QUEENS, Scenario, happened
from .duel import ANTES, BLINDS, short_stacks
from .rooms import HOUSES, drawn, house, on, opened

every_house = pytest.mark.parametrize("name", HOUSES)

UNASKED: Final = (events.Checked, events.Called, events.Folded, events.Raised, events.Bet)


def nobody_was_asked(game: Scenario) -> bool:
    return game.view().stage == "draw" and happened(game.log, *UNASKED) == []


# Heads-up.


@every_house
@pytest.mark.parametrize("stack", [1, 3, 5])
def test_heads_up_a_small_blind_that_has_matched_the_big_one_has_nothing_to_choose(name: str, stack: int) -> None:
    game = opened(name, 2, stacks=(200, stack), blinds=(5, 10))
    assert nobody_was_asked(game)
    returned = [UncalledBetReturned(5 - stack, 1)] if stack < 5 else []
    assert happened(game.log, UncalledBetReturned) == returned


@every_house
def test_heads_up_a_small_blind_calls_what_the_big_one_had(name: str) -> None:
    game = opened(name, 2, stacks=(200, 8), blinds=(5, 10))
    assert game.legal == LegalActions(fold=True, call=3)
    assert game.refusal(Raise(1, 20)) == "cannot_raise"
    game = on(game.given(Call(1)))
    assert game.view().stage == "draw"
    assert happened(game.log, UncalledBetReturned) == []


@every_house
def test_the_price_that_everyone_sees_is_what_is_asked(name: str) -> None:
    game = opened(name, 2, stacks=(200, 8), blinds=(5, 10))
    assert game.view().price == 8
    assert DrawPokerWords().ask(game.view(1), game.legal) == "Call 3 or fold"


@every_house
def test_a_big_blind_with_chips_left_costs_its_full_price(name: str) -> None:
    assert opened(name, 2, stacks=(200, 11), blinds=(5, 10)).legal.call == 5


@every_house
def test_a_big_blind_that_is_all_in_for_the_whole_blind_costs_its_full_price(name: str) -> None:
    assert opened(name, 2, stacks=(200, 10), blinds=(5, 10)).legal == LegalActions(fold=True, call=5)


@every_house
def test_a_short_small_blind_calls_all_in(name: str) -> None:
    assert opened(name, 2, stacks=(7, 200), blinds=(5, 10)).legal == LegalActions(fold=True, call=2)


# All others all in from the ante.


@every_house
@pytest.mark.parametrize("button", [1, 2])
def test_nobody_plays_on_against_a_player_who_is_all_in_from_the_ante(name: str, button: int) -> None:
    game = on(opened(name, 2, ACES, KINGS, ante=5, stacks=(200, 3), button=button))
    assert nobody_was_asked(game)
    blind = 1 if button == 1 else 2
    assert happened(game.log, UncalledBetReturned) == [UncalledBetReturned(5 - 3 + blind, 1)]
    assert on(drawn(game)).stacks == (203, 0)


@every_house
@pytest.mark.parametrize("button", [1, 2, 3])
def test_nobody_plays_on_against_several_players_who_are_all_in_from_the_ante(name: str, button: int) -> None:
    assert nobody_was_asked(opened(name, 3, ante=5, stacks=(200, 5, 4), button=button))


# Three and more: the full price, as long as two others can still bet.


def three(stack: int, *, button: int = 200, small: int = 200) -> Scenario:
    """Blinds of 5 and 10: seat 1 has the button, seat 2 the small blind, seat 3 a big blind of a few chips."""
    return opened("no-limit", 3, ACES, KINGS, QUEENS, stacks=(button, small, stack), blinds=(5, 10))


def test_two_with_chips_play_for_the_full_price_beside_a_short_big_blind() -> None:
    game = three(3)
    assert game.legal == LegalActions(fold=True, call=10, raise_to=(20, 200))
    assert game.given(Call(1)).legal == LegalActions(fold=True, call=5, raise_to=(20, 200))
    game.given(Call(2))
    assert on(game).view().stage == "draw"
    assert game.view().pots == (9, 14)


def test_who_is_left_alone_with_a_short_big_blind_that_is_matched_has_nothing_to_choose() -> None:
    game = three(3).given(Fold(1))
    assert game.dealer() == UncalledBetReturned(2, 2)
    assert on(game).view().stage == "draw"


def test_who_is_left_alone_by_a_forfeit_has_nothing_to_choose_either() -> None:
    assert on(three(5).given(Forfeit(1, "timeout"))).view().stage == "draw"


def test_who_is_left_alone_with_more_in_than_they_have_matched_calls_what_is_in() -> None:
    assert three(8).given(Fold(1)).legal == LegalActions(fold=True, call=3)


@pytest.mark.parametrize(("button", "call"), [(4, 0), (5, 0), (6, 1), (9, 4), (10, 5)])
def test_who_is_left_with_chips_matches_a_call_for_less_and_no_more(button: int, call: int) -> None:
    game = three(3, button=button)
    assert game.legal == LegalActions(fold=True, call=button)
    game.given(Call(1))
    assert on(game).view().stage == ("first betting" if call else "draw")
    assert game.legal.call == call


def test_a_raise_is_matched_in_full_as_ever() -> None:
    game = three(3, button=40).given(Raise(1, 40))
    assert game.legal == LegalActions(fold=True, call=35)


def test_who_called_the_full_price_has_back_what_nobody_matched() -> None:
    game = three(3).given(Call(1), Fold(2))
    assert game.dealer() == UncalledBetReturned(5, 1)
    paid = happened(on(drawn(game)).log, PotAwarded)
    assert [sum(share.amount for share in pot.shares) for pot in paid] == [4, 9]


def test_a_small_blind_that_is_all_in_is_matched_and_no_more() -> None:
    game = three(3, small=5)
    assert game.to_act == 1
    assert game.legal == LegalActions(fold=True, call=5)


# The first engine.


@every_house
def test_by_engine_1_the_price_was_full_with_nobody_left_to_win_it_from(name: str) -> None:
    game = opened(name, 2, stacks=(200, 1), engine=1)
    assert game.legal == LegalActions(fold=True, call=1)
    assert game.given(Call(1)).dealer() == UncalledBetReturned(1, 1)


@every_house
def test_by_engine_1_who_had_matched_everyone_could_fold_the_pot_away(name: str) -> None:
    game = on(opened(name, 2, stacks=(200, 1), engine=1).given(Fold(1)))
    assert game.stacks == (199, 2)


# Always.


def for_nothing(state: DrawPokerState) -> bool:
    """Return whether a seat is asked without a real choice, or for chips that nobody put in or could add."""
    seat = state.to_act
    if seat is None or state.phase is not Phase.BETTING:
        return False
    put, stacks, big = state.put, state.stacks, state.big_blind
    others = [other for other in seats_in(state.live) if other != seat]
    most = max(put[other] for other in others)
    another_can_bet = any(stacks[other] for other in others)
    short = big > 0 and state.betting_round == 1 and not stacks[big] and put[big] < state.rules.betting.minimum
    short |= state.betting_round == 1 and state.price == state.rules.straddle > 0  # which nobody had the chips for
    if put[seat] + state.legal(seat).call > max(most, put[seat]):
        return not (short and another_can_bet)
    return most <= put[seat] and not another_can_bet


def random_hand(number: int, engine: int) -> Iterator[DrawPokerState]:
    """Play a hand among short stacks at random; yield the state after each event."""
    random = Random(number)
    rules = house(random.choice(HOUSES), ante=random.choice(ANTES), blinds=(blinds := random.choice(BLINDS)))
    players = random.choice((2, 2, 3, 4, 6, 10))
    seats = tuple(Seat("random", f"Player{seat}") for seat in range(1, players + 1))
    source = EntropySource.from_text(str(number))
    state = DRAW_POKER.new(replace(DRAW_POKER.start(Setup(seats, source, 1, {"rules": rules})), engine=engine))
    state.stacks[1:] = short_stacks(random, players, blinds[1])
    state.button = random.randrange(players)
    entropy, player = source.entropy(), RandomPlayer()
    while (event := _next(state, entropy, player, random)) is not None:
        state.apply(event)
        yield state


def _next(state: DrawPokerState, entropy: Entropy, player: RandomPlayer, random: Random) -> Event | None:
    seat = state.to_act
    if seat is None:
        return state.dealer_event(entropy)
    return state.decide(player.choose(state.view(seat), state.legal(seat), random))


def asked_for_nothing(hands: range, engine: int = DRAW_POKER.engine) -> int:
    """Return the number of hands in which a seat is asked without a real choice."""
    return sum(any(map(for_nothing, random_hand(number, engine))) for number in hands)


@pytest.mark.slow
def test_in_random_hands_nobody_is_asked_for_nothing_as_engine_1_did() -> None:
    hands = range(300)
    assert asked_for_nothing(hands) == 0
    assert asked_for_nothing(hands, engine=1) > 0


@pytest.mark.slow
@pytest.mark.parametrize("hands", [range(70_000, 72_805), pytest.param(range(70_000), marks=pytest.mark.exhaustive)])
def test_in_72_805_random_hands_nobody_is_asked_for_nothing(hands: range) -> None:
    assert asked_for_nothing(hands) == 0
