"""Invariants of every house, tested in random houses that the rules accept."""

from collections.abc import Callable
from typing import Final

import pytest

from pokersvc.betting.seats import seats_in
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.playable import LIMITS
from pokersvc.streets.phases import Phase

from ..draw_poker.played import Plan
from .everywhere import EVERYWHERE
from .plans import Later, any_rules, hold, in_many_games, plans_of

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover


@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_in_any_house_that_the_rules_accept(holds: Callable[[Plan], None]) -> None:
    hold(holds, plans_of(any_rules(), most_rounds=3), games=10)


@pytest.mark.slow
def test_everything_in_any_house_that_the_rules_accept() -> None:
    for holds in EVERYWHERE:
        hold(holds, plans_of(any_rules(), most_rounds=3), games=30)


@pytest.mark.slow
@in_many_games
@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_in_hundreds_of_houses_that_the_rules_accept(holds: Callable[[Plan], None], games: int) -> None:
    hold(holds, plans_of(any_rules(), most_rounds=6), games=games)


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
    hold(carried_chips_are_in_the_main_pot_once, plans_of(CARRYING, most_rounds=3), games=40)
