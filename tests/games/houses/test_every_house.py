"""What holds in every house, the six that come with the program and any that the rules of a house accept."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import Action
from pokersvc.core.chance import EntropySource
from pokersvc.core.event import AUDITOR, EVERYONE, Event
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.houses import preset, preset_names, rules_of
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.playable import LIMITS, InvalidRules
from pokersvc.games.draw_poker.players import PLAYERS
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.seats import seats_in
from pokersvc.games.draw_poker.state import DrawPokerState

from ..draw_poker.played import KINDS, Cards, Plan, Played
from ..draw_poker.scenario import Scenario, after_earlier_rounds, seated
from ..draw_poker.test_properties import (
    a_copy_without_the_secrets_has_the_same_view,
    a_refused_action_changes_nothing,
    a_view_does_not_depend_on_hidden_cards,
    chips_are_conserved,
    exactly_one_of_dealer_seat_and_end,
    no_card_is_in_two_places,
    replaying_gives_an_equal_state_at_every_event,
    the_game_ends,
    the_log_of_a_game_can_be_audited,
)

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

SETTINGS: Final = settings(deadline=None, suppress_health_check=list(HealthCheck))
HOUSES: Final = preset_names()


def other_numbers(name: str, **numbers: int) -> DrawPokerRules:
    return rules_of(preset(name).model_dump() | numbers, name)


@st.composite
def plans_of(draw: st.DrawFn, rules: st.SearchStrategy[DrawPokerRules], *, most_rounds: int = 4) -> Plan:
    """Games of a house for people, programs, or both, at 2 to 10 seats."""
    house = draw(rules)
    seats = draw(st.integers(2, house.seats.most))
    kinds = draw(st.lists(st.sampled_from([HUMAN, *KINDS]), min_size=seats, max_size=seats))
    return Plan(tuple(kinds), draw(st.integers(1, most_rounds)), house, draw(st.integers(0, 2**32)), house.stack)


def hold(holds: Callable[[Plan], None], plans: st.SearchStrategy[Plan], *, games: int) -> None:
    """Try a property on many games."""

    @given(plans)
    @settings(SETTINGS, max_examples=games)
    def one_game(plan: Plan) -> None:
        holds(plan)

    one_game()


def a_stack_of(name: str, *stacks: int) -> st.SearchStrategy[DrawPokerRules]:
    return st.sampled_from([preset(name), *(other_numbers(name, stack=stack) for stack in stacks)])


BUY_THE_POT: Final = a_stack_of("buy-the-pot", 5, 6, 11, 23)
CAPPED_RAISE: Final = a_stack_of("capped-raise", 3, 4, 7, 20)


# Properties of the two founding houses, beside those that draw poker has everywhere.


def legal_is_what_the_house_says(plan: Plan) -> None:
    """The betting rules of both houses in a few lines, beside the engine's own."""
    game = Played(plan)
    double = plan.rules.betting.raises == "double"
    for _ in game.steps():
        if (seat := game.state.to_act) is None:
            continue
        view = game.state.view(EVERYONE)
        if view.stage == "draw":
            continue
        stack, put = view.seat(seat).stack, view.seat(seat).put
        if not view.price:
            least, most = (2, 2) if double else (1, stack)
            expected = LegalActions(check=True, bet=(least, most) if stack >= least else None)
        else:
            to = 2 * view.price
            may_raise = double and to <= 32 and to <= put + stack
            assert view.price - put <= stack
            expected = LegalActions(fold=True, call=view.price - put, raise_to=(to, to) if may_raise else None)
        assert game.state.legal(seat) == expected


def the_last_player_is_never_folded(plan: Plan) -> None:
    game = Played(plan)
    for event in game.steps():
        if isinstance(event, events.Folded | events.Forfeited | events.PlayerLeft) and game.state.hands[event.seat]:
            assert game.state.live or game.state.view(EVERYONE).stage == "between rounds"
        if isinstance(event, events.PotAwarded) and event.reason == "last_in":
            assert game.state.live == 1 << event.shares[0].seat


def one_winner_of_every_chip(plan: Plan) -> None:
    """What the pots of a round pay and what is carried is what was put in and carried before."""
    game, paid_in, paid_out = Played(plan), 0, 0
    for event in game.steps():
        if isinstance(event, events.RoundStarted):
            paid_in, paid_out = game.state.pot, 0
        if isinstance(event, events.AntePosted | events.BlindPosted | events.Bet | events.Called | events.Raised):
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
    """After a rise of the price nobody acts twice before the next one."""
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
HERE: Final = [a_view_does_not_depend_on_hidden_cards, legal_is_what_the_house_says]
FOUNDING: Final = [*EVERYWHERE, *HERE]

every_founding_house = pytest.mark.parametrize(
    "house", [BUY_THE_POT, CAPPED_RAISE], ids=["buy-the-pot", "capped-raise"]
)


@every_founding_house
@pytest.mark.parametrize("holds", FOUNDING, ids=lambda holds: holds.__name__)
def test_in_the_founding_houses(house: st.SearchStrategy[DrawPokerRules], holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(house), games=20)


in_one_house = pytest.mark.parametrize("games", [100, pytest.param(400, marks=pytest.mark.exhaustive)])
"""What holds in any house is tried in 400 of those that the rules accept; in each that comes with the program, less."""


@pytest.mark.slow
@in_one_house
@every_founding_house
@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_what_holds_everywhere_in_thousands_of_games_of_the_founding_houses(
    house: st.SearchStrategy[DrawPokerRules], holds: Callable[[Plan], None], games: int
) -> None:
    hold(holds, plans_of(house, most_rounds=8), games=games)


@pytest.mark.slow
@every_founding_house
@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_what_holds_here_in_thousands_of_games_of_the_founding_houses(
    house: st.SearchStrategy[DrawPokerRules], holds: Callable[[Plan], None]
) -> None:
    hold(holds, plans_of(house, most_rounds=8), games=400)


# Any house at all.


@st.composite
def any_rules(draw: st.DrawFn, raises: tuple[str, ...] = ("none", "double", *LIMITS)) -> DrawPokerRules:
    """Rules of a house that are accepted, whatever they are."""

    def one(*values: Any) -> Any:
        return draw(st.sampled_from(values))

    stack = one(1, 2, 3, 7, 20, 50, 200)
    raising = one(*raises)
    all_in = raising in LIMITS
    minimum = min(stack, one(1, 2, 5, 50))
    blinds = {"big": minimum, "small": min(minimum, one(1, 2))} if all_in and one(True, False) else None
    cap = minimum * one(1, 2, 8) if raising == "double" else None
    maximum = min(cap or stack, max(minimum, one(1, 4, stack))) if cap or (not all_in and one(True, False)) else None
    check = "always" if blinds or one(True, False) else "final"
    when = "before_deal" if blinds else one("before_deal", "after_deal")
    shorts = (["post"] if all_in else []) + (["sit_out"] if when == "before_deal" else ["surrender"])
    opener = "button" if blinds else one("first", "random", "button")
    data = {
        "advice": one("linear", "code", "rank", "win"),
        "ante": {"amount": min(stack, one(0, 1, 5)), "increase": one(0, 1, 9), "short": one(*shorts), "when": when},
        "betting": {
            "cap": cap,
            "check": check,
            "check_ends": check == "always" and one(False, True),
            "final_minimum": None if maximum or cap else one(None, min(stack, 2 * minimum), 1),
            "fold_free": one(False, True),
            "maximum": maximum,
            "minimum": minimum,
            "most_bets": one(None, 1, 4) if raising == "fixed_limit" else None,
            "opener": opener,
            "raises": raising,
            "short": "all_in" if all_in else "fold",
        },
        "blinds": blinds,
        "button_rule": one("forward", "dead") if blinds else "forward",
        "discards": one(5, 4, 1, 0),
        "name": "any",
        "open_hands": one("after_draw", "showdown", "in_order"),
        "player": one(*PLAYERS),
        "remainder": one("carry", "odd_chips") if opener == "button" else "carry",
        "seats": {"default": 2, "most": one(10, 6, 2)},
        "stack": stack,
        "stay": min(stack, one(1, 3) if all_in else one(0, 1, 3)),
        "version": 1,
    }
    try:
        return rules_of(data, "any")
    except InvalidRules:
        assume(False)
        raise


@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_in_any_house_that_the_rules_accept(holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(any_rules(), most_rounds=3), games=30)


@pytest.mark.slow
@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_in_thousands_of_houses_that_the_rules_accept(holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(any_rules(), most_rounds=6), games=400)


class Later(Played):
    """A game whose earlier rounds have left uneven stacks, and chips in the pot: with all-ins, that makes side pots."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        stacks, total = self.state.stacks, sum(self.state.stacks)
        self.state.pot = self.random.randint(0, min(9, total))
        left = total - self.state.pot
        cuts = sorted(self.random.randint(0, left) for _ in plan.kinds[1:])
        stacks[1:] = [to - since for since, to in pairwise([0, *cuts, left])]


def carried_chips_are_in_the_main_pot_once(plan: Plan) -> None:
    game = Later(plan)
    carried = 0
    for event in game.steps():
        state = game.state
        if isinstance(event, events.RoundStarted):
            carried = state.pot
        if isinstance(event, events.PlayerLeft):
            carried += event.amount  # surrendered at the ante
        if state.phase is Phase.AWARD and not isinstance(event, events.PotAwarded):
            assert sum(pot.amount for pot in state.pots) == state.pot
            least = min(state.staked[seat] for seat in seats_in(state.live))
            if len(state.pots) > 1:
                assert state.pots[0].amount == carried + sum(min(stake, least) for stake in state.staked)


CARRYING: Final = any_rules(LIMITS).filter(lambda rules: rules.remainder == "carry")


def test_chips_carried_into_side_pots() -> None:
    hold(carried_chips_are_in_the_main_pot_once, plans_of(CARRYING, most_rounds=3), games=100)


# The six houses, at every number of seats.


def mixed(name: str, seats: int, *, rounds: int | None = 3) -> Plan:
    """Half the seats are people's, half of other programs'."""
    random = Random(f"{name} {seats}")
    kinds = [HUMAN if random.random() < 0.5 else random.choice(KINDS) for _ in range(seats)]
    return Plan(tuple(kinds), rounds, preset(name), seats, preset(name).stack)


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("name", HOUSES)
def test_every_house_plays_from_2_to_10_seats_with_people_and_programs_and_ends(name: str, seats: int) -> None:
    plan = mixed(name, seats)
    the_game_ends(plan)
    chips_are_conserved(plan)
    one_winner_of_every_chip(plan)


@pytest.mark.parametrize("name", ["rising-ante", "buy-the-pot", "capped-raise"])
def test_the_founding_houses_end_by_themselves_when_their_own_programs_play(name: str) -> None:
    rules = preset(name)
    for seed in range(5):
        the_game_ends(Plan((rules.player,) * rules.seats.default, None, rules, seed, rules.stack))


@pytest.mark.parametrize("name", ["no-limit", "pot-limit", "fixed-limit"])
def test_card_rooms_end_by_themselves_when_programs_play_at_random(name: str) -> None:
    for seed in range(3):
        the_game_ends(Plan(("random",) * 6, None, other_numbers(name, stack=20), seed, 20))


@pytest.mark.parametrize(("name", "seats"), [("no-limit", 6), ("pot-limit", 6), ("fixed-limit", 2)])
def test_card_rooms_end_by_themselves_when_their_own_programs_play(name: str, seats: int) -> None:
    """Six at a fixed limit, with 300 of its larger bets on the table, may well play for 10,000 rounds."""
    rules = preset(name)
    program = DRAW_POKER.players[rules.player]()
    for seed in range(3):
        plan = Plan((rules.player,) * seats, 10_000, rules, seed, rules.stack)
        state, random = DRAW_POKER.new(plan.started), Random(seed)
        entropy = EntropySource.from_text(str(seed)).entropy()
        while state.ended is None:
            event = state.dealer_event(entropy)
            if event is None and (seat := state.to_act) is not None:
                event = state.decide(program.choose(state.view(seat), state.legal(seat), random))
            assert event is not None
            state.apply(event)
        assert state.ended.reason == "last_player", f"after {state.round} rounds"


class Stayers(Played):
    """Nobody folds and everyone draws the most."""

    def choose(self, seat: int) -> Action:
        legal = self.state.legal(seat)
        hand = [card for card in self.state.view(seat).seat(seat).cards if card is not None]
        if legal.discard is not None:
            return Discard(seat, tuple(hand[: legal.discard]))
        if legal.bet is not None and not legal.check:
            return Bet(seat, legal.bet[0])
        if legal.bet is not None and self.random.random() < 0.2:
            return Bet(seat, legal.bet[0])
        if legal.raise_to is not None and self.random.random() < 0.1:
            return Raise(seat, legal.raise_to[0])
        return Check(seat) if legal.check else Call(seat)


@pytest.mark.parametrize("name", HOUSES)
def test_ten_seats_that_never_fold_and_draw_the_most_trap_no_card_and_no_chip(name: str) -> None:
    rules = preset(name)
    reshuffles = 0
    for seed in range(5):
        game, cards, stage = Stayers(Plan(("random",) * 10, 3, rules, seed, rules.stack)), Cards(), ""
        for event in game.steps():
            cards.follow(event, stage)
            stage = game.state.view(EVERYONE).stage
            reshuffles += isinstance(event, events.DeckReshuffled)
            if isinstance(event, events.CardsDrawn):
                assert game.state.deck_left == len(cards.deck)
        assert game.state.outcome is not None
        assert sum(game.state.outcome.scores) == 10 * rules.stack
    assert reshuffles, "the deck runs out"


def to_the_end(game: Scenario, how: Callable[[DrawPokerState, int], Action]) -> Iterator[Event]:
    while True:
        done = game.deal_on()
        yield from done
        if (seat := game.to_act) is not None:
            game.given(how(game.state, seat))
        elif not done:
            return


def staying(state: DrawPokerState, seat: int) -> Action:
    """Stay in as cheaply as can be, and stand pat."""
    legal = state.legal(seat)
    if legal.discard is not None:
        return Discard(seat, ())
    if legal.check:
        return Check(seat)
    if legal.bet is not None:
        return Bet(seat, legal.bet[0])
    return Call(seat) if legal.call else Fold(seat)


@pytest.mark.parametrize("carried", [0, 3])
@pytest.mark.parametrize(
    "stacks",
    [(1, 1, 1, 1), (0, 0, 0, 0), (1, 1, 1, 9), (9, 1, 1, 0), (4, 4, 4, 4), (5, 5, 5, 5), (2, 3, 5, 7)],
    ids=str,
)
@pytest.mark.parametrize("name", HOUSES)
def test_everyone_broke_at_once_traps_no_chip(name: str, stacks: tuple[int, ...], carried: int) -> None:
    game = after_earlier_rounds(seated(4, rules=preset(name), rounds=6), stacks, carried)
    done = list(to_the_end(game, staying))
    ended = done[-1]
    assert isinstance(ended, events.GameEnded)
    assert sum(ended.stacks) == sum(stacks) + carried
    assert game.pot == 0
    assert game.state.outcome is not None
    assert ended.winners == game.state.outcome.winners


def test_the_seats_and_the_player_of_a_house_are_those_of_a_game_without_other_wishes() -> None:
    for name in HOUSES:
        options = DRAW_POKER.options({"rules": name})
        assert DRAW_POKER.default_kind(options) in PLAYERS
        assert 2 <= DRAW_POKER.default_seats(options) <= 10
