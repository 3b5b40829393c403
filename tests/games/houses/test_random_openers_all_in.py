"""A custom house with a random opener and all-ins: who may open, and rounds in which nobody can."""

from typing import Final

import pytest

from pokersvc.core.randomness.stream import Stream
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Discard
from pokersvc.games.draw_poker.house.houses import preset, rules_of

from ..draw_poker.scenario import ACES, KINGS, QUEENS, Scenario, happened
from .house import opened_by, until, with_hands

_DATA: Final = preset("no-limit").model_dump() | {"blinds": None, "open_hands": "showdown", "remainder": "carry"}
HOUSE: Final = rules_of(
    _DATA | {"ante": _DATA["ante"] | {"amount": 5}, "betting": _DATA["betting"] | {"opener": "random"}}, "changed"
)


def table_of(*stacks: int) -> Scenario:
    """Three hands are dealt; antes of 5 are paid."""
    return with_hands(HOUSE, ACES, KINGS, QUEENS, stacks=stacks)


def test_the_opener_is_drawn_among_those_who_can_still_bet() -> None:
    openers = set()
    for number in range(20):
        game = table_of(100, 5, 100)
        seed = bytes([number]) * 32
        game.state.deck_seed = seed
        chosen = game.dealer()
        assert chosen == events.OpenerChosen(1, (1, 3)[Stream(seed, "opener/1").below(2)])
        assert game.ready().to_act == chosen.seat
        openers.add(chosen.seat)
    assert openers == {1, 3}


def test_so_is_the_opener_of_the_final_betting() -> None:
    game = opened_by(table_of(100, 50, 100), 2).given(Bet(2, 45), Call(3), Call(1))
    for seat in (1, 2, 3):
        game.given(Discard(seat, ()))
    until(game, events.OpenerChosen)
    chosen = game.dealer()
    assert isinstance(chosen, events.OpenerChosen)
    assert chosen.seat in (1, 3)


@pytest.mark.parametrize("stacks", [(5, 5, 5), (5, 100, 5)], ids=["nobody can bet", "one has chips"])
def test_no_opener_is_drawn_for_a_betting_round_that_is_skipped(stacks: tuple[int, ...]) -> None:
    game = table_of(*stacks)
    assert game.ready().view().stage == "draw"
    for seat in (1, 2, 3):
        game.given(Discard(seat, ()))
    game.deal_on()
    assert happened(game.log, events.OpenerChosen) == []
    assert happened(game.log, events.RoundEnded) == [events.RoundEnded(1)]
