"""The two founding houses: their betting rules restated, and the invariants of every house in many games."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import strategies as st

from pokersvc.core.event import EVERYONE
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.played import Plan, Played
from ..draw_poker.test_properties import a_view_does_not_depend_on_hidden_cards
from .everywhere import EVERYWHERE
from .plans import hold, in_many_games, other_numbers, plans_of

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover


def a_stack_of(name: str, *stacks: int) -> st.SearchStrategy[DrawPokerRules]:
    return st.sampled_from([preset(name), *(other_numbers(name, stack=stack) for stack in stacks)])


BUY_THE_POT: Final = a_stack_of("buy-the-pot", 5, 6, 11, 23)
CAPPED_RAISE: Final = a_stack_of("capped-raise", 3, 4, 7, 20)


def legal_is_what_the_house_says(plan: Plan) -> None:
    """The betting rules of both houses restated in a few lines, independent of the engine."""
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


HERE: Final = [a_view_does_not_depend_on_hidden_cards, legal_is_what_the_house_says]
FOUNDING: Final = [*EVERYWHERE, *HERE]

every_founding_house = pytest.mark.parametrize(
    "house", [BUY_THE_POT, CAPPED_RAISE], ids=["buy-the-pot", "capped-raise"]
)


@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_in_the_founding_houses(holds: Callable[[Plan], None]) -> None:
    """What holds everywhere is checked in any house, and in these when slow."""
    hold(holds, plans_of(BUY_THE_POT | CAPPED_RAISE), games=8)


@pytest.mark.slow
@every_founding_house
def test_everything_in_the_founding_houses(house: st.SearchStrategy[DrawPokerRules]) -> None:
    for holds in FOUNDING:
        hold(holds, plans_of(house), games=20)


@pytest.mark.slow
@in_many_games
@every_founding_house
@pytest.mark.parametrize("holds", EVERYWHERE, ids=lambda holds: holds.__name__)
def test_what_holds_everywhere_in_hundreds_of_games_of_the_founding_houses(
    house: st.SearchStrategy[DrawPokerRules], holds: Callable[[Plan], None], games: int
) -> None:
    hold(holds, plans_of(house, most_rounds=8), games=games)


@pytest.mark.slow
@in_many_games
@every_founding_house
@pytest.mark.parametrize("holds", HERE, ids=lambda holds: holds.__name__)
def test_what_holds_here_in_hundreds_of_games_of_the_founding_houses(
    house: st.SearchStrategy[DrawPokerRules], holds: Callable[[Plan], None], games: int
) -> None:
    hold(holds, plans_of(house, most_rounds=8), games=games)
