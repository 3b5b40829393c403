"""Invariants at every event of every card-room game, tested with random games."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import strategies as st

from pokersvc.betting.seats import seats_in
from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.played import Plan, Played
from ..draw_poker.test_properties import a_view_does_not_depend_on_hidden_cards
from ..houses.everywhere import EVERYWHERE, PUT_IN
from ..houses.plans import hold, in_many_games, plans_of
from .rooms import HOUSES, house
from .test_button import the_blinds_go_round_as_the_rule_says
from .test_short_big_blind import for_nothing

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

BETTING: Final = ("first betting", "final betting")
ACTED: Final = events.Checked | events.Bet | events.Called | events.Raised | events.Folded | events.Forfeited


def rules_of(name: str) -> st.SearchStrategy[DrawPokerRules]:
    """Return the house's rules, with both button rules, a straddle, and antes and stacks that bring players all-in."""
    return st.builds(
        lambda stack, ante, rule, straddle: house(
            name, stack=stack, ante=min(stack, ante), button_rule=rule, straddle=straddle
        ),
        st.sampled_from([200, 200, 4, 9, 23, 40]),
        st.sampled_from([0, 0, 1, 3]),
        st.sampled_from(["forward", "dead"]),
        st.sampled_from([0, 4]),
    )


def most_actions(name: str, stage: str, players: int, deepest: int) -> int:
    """Return the maximum number of actions in a betting round.

    Everyone acts once, and after each rise of the price everyone else once more. Under a fixed limit the price rises
    four times, of which the big blind is the first; after the draw, where half a unit is two chips, an all-in of one
    chip may come before each of the four. Without a fixed limit a rise is two chips at least, or a player's last.
    """
    rises = deepest // 2 + players
    if name == "fixed-limit":
        rises = {"first betting": 3, "final betting": 8}[stage]
    return players + rises * (players - 1)


def a_betting_round_takes_a_bounded_number_of_actions(plan: Plan) -> None:
    game = Played(plan)
    taken, stage, players, deepest = 0, "", 0, 0
    for event in game.steps():
        before, stage = stage, game.state.view(EVERYONE).stage
        if isinstance(event, events.RoundStarted):
            stacks = [seat.stack for seat in game.state.view(EVERYONE).seats if seat.standing != "out"]
            players, deepest = len(stacks), max(stacks)
        if before not in BETTING:
            taken = 0
            continue
        taken += isinstance(event, ACTED)
        assert taken <= most_actions(plan.rules.name, before, players, deepest), event
        if stage != before:
            taken = 0


def one_chip_beyond_a_limit_is_refused(plan: Plan) -> None:
    game = Played(plan)
    for _ in game.steps():
        if (seat := game.state.to_act) is None:
            continue
        for action in beyond(game, seat):
            with pytest.raises(IllegalAction):
                game.state.decide(action)


def beyond(game: Played, seat: int) -> list[Action]:
    legal = game.state.legal(seat)
    found: list[Action] = []
    if legal.bet is not None:
        found += [Bet(seat, legal.bet[0] - 1), Bet(seat, legal.bet[1] + 1)]
    if legal.raise_to is not None:
        found += [Raise(seat, legal.raise_to[0] - 1), Raise(seat, legal.raise_to[1] + 1)]
    if legal.discard is not None:
        found += [Check(seat), Call(seat), Fold(seat), Bet(seat, 2), Raise(seat, 4)]
    else:
        found.append(Discard(seat, ()))
    if legal.check:
        found += [Fold(seat), Call(seat)]
    return found


def facing_no_bet_nobody_folds_but_by_a_forfeit(plan: Plan) -> None:
    game, owed = Played(plan), 0
    for event in game.steps():
        if isinstance(event, events.Folded):
            assert event.reason == "chosen"
            assert owed > 0
        view, seat = game.state.view(EVERYONE), game.state.to_act
        owed = 0 if seat is None else view.price - view.seat(seat).put


def the_next_after_the_big_blind_straddles_where_three_or_more_play(plan: Plan) -> None:
    game = Played(plan)
    expected = 0
    for event in game.steps():
        if isinstance(event, events.BlindPosted) and event.blind == "big":
            live = seats_in(game.state.live)
            after = [seat for seat in live if seat > event.seat] or live
            expected = after[0] if plan.rules.straddle and len(live) > 2 else 0
        elif isinstance(event, events.Posted):
            assert (event.kind, event.seat) == ("straddle", expected)
            assert event.amount == plan.rules.straddle or not game.state.stacks[event.seat]
            expected = 0
        elif isinstance(event, events.DeckShuffled):
            assert not expected


def no_chip_stays_behind_after_a_round(plan: Plan) -> None:
    game = Played(plan)
    for event in game.steps():
        assert not isinstance(event, events.RemainderCarried)
        assert not isinstance(event, events.PotAwarded) or event.reason != "game_end"
        if isinstance(event, events.RoundEnded):
            assert game.state.view(EVERYONE).pot == 0


def nobody_wins_more_from_another_than_they_put_in(plan: Plan) -> None:
    """The remaining player who put in most may win everything, including what folded players put in above that."""
    game = Played(plan)
    staked, won, folded = dict[int, int](), dict[int, int](), set[int]()
    for event in game.steps():
        if isinstance(event, events.RoundStarted):
            staked, won, folded = {}, {}, set()
        if isinstance(event, PUT_IN):
            staked[event.seat] = staked.get(event.seat, 0) + event.amount
        if isinstance(event, events.UncalledBetReturned):
            staked[event.seat] -= event.amount
        if isinstance(event, events.Folded | events.Forfeited) and not game.state.live >> event.seat & 1:
            folded.add(event.seat)
        if isinstance(event, events.PotAwarded):
            for share in event.shares:
                won[share.seat] = won.get(share.seat, 0) + share.amount
        if isinstance(event, events.RoundEnded):
            deepest = max(stake for seat, stake in staked.items() if seat not in folded)
            for seat, amount in won.items():
                limit = staked[seat] if staked[seat] < deepest else sum(staked.values())
                assert amount <= sum(min(stake, limit) for stake in staked.values())


def nobody_is_asked_for_nothing(plan: Plan) -> None:
    game = Played(plan)
    for _ in game.steps():
        assert not for_nothing(game.state)


HERE: Final = [
    nobody_is_asked_for_nothing,
    the_blinds_go_round_as_the_rule_says,
    the_next_after_the_big_blind_straddles_where_three_or_more_play,
    a_betting_round_takes_a_bounded_number_of_actions,
    one_chip_beyond_a_limit_is_refused,
    facing_no_bet_nobody_folds_but_by_a_forfeit,
    no_chip_stays_behind_after_a_round,
    nobody_wins_more_from_another_than_they_put_in,
    a_view_does_not_depend_on_hidden_cards,
]
PROPERTIES: Final = [*EVERYWHERE, *HERE]

every_house = pytest.mark.parametrize("name", HOUSES)


@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_property(holds: Callable[[Plan], None]) -> None:
    """What holds everywhere is checked in any house (`tests.games.houses.test_any_house`), and in these when slow."""
    hold(holds, plans_of(st.sampled_from(HOUSES).flatmap(rules_of)), games=10)


@pytest.mark.slow
@every_house
def test_every_property(name: str) -> None:
    for holds in PROPERTIES:
        hold(holds, plans_of(rules_of(name)), games=15)


@pytest.mark.slow
@every_house
@in_many_games
@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_what_holds_everywhere_in_thousands_of_games(name: str, holds: Callable[[Plan], None], games: int) -> None:
    hold(holds, plans_of(rules_of(name), most_rounds=8), games=games)


@pytest.mark.slow
@every_house
@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_what_holds_here_in_many_games(name: str, holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(rules_of(name), most_rounds=8), games=60)


@pytest.mark.slow
@pytest.mark.exhaustive
@every_house
@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_what_holds_here_in_thousands_of_games(name: str, holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(rules_of(name), most_rounds=8), games=400)
