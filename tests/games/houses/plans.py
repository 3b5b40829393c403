"""Hypothesis strategies for games of houses: built-in houses, or any that the rules accept."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker.advising.players import PLAYERS
from pokersvc.games.draw_poker.house.houses import preset, rules_of
from pokersvc.games.draw_poker.house.playable import LIMITS, InvalidRules
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.played import KINDS, Plan, Played

SETTINGS: Final = settings(deadline=None, suppress_health_check=list(HealthCheck))


def other_numbers(name: str, **numbers: int) -> DrawPokerRules:
    return rules_of(preset(name).model_dump() | numbers, name)


@st.composite
def plans_of(draw: st.DrawFn, rules: st.SearchStrategy[DrawPokerRules], *, most_rounds: int = 4) -> Plan:
    """Return a strategy for games of a house for people, bots, or both, with 2 to 10 seats."""
    house = draw(rules)
    seats = draw(st.integers(2, house.seats.most))
    kinds = draw(st.lists(st.sampled_from([HUMAN, *KINDS]), min_size=seats, max_size=seats))
    return Plan(tuple(kinds), draw(st.integers(1, most_rounds)), house, draw(st.integers(0, 2**32)), house.stack)


def hold(holds: Callable[[Plan], None], plans: st.SearchStrategy[Plan], *, games: int) -> None:
    """Check an invariant in many games."""

    @given(plans)
    @settings(SETTINGS, max_examples=games)
    def one_game(plan: Plan) -> None:
        holds(plan)

    one_game()


@st.composite
def any_rules(draw: st.DrawFn, raises: tuple[str, ...] = ("none", "double", *LIMITS)) -> DrawPokerRules:
    """Rules of a house that are accepted, whatever they are."""

    def one(*values: Any) -> Any:
        return draw(st.sampled_from(values))

    stack = one(1, 2, 3, 7, 20, 50, 200)
    raising = one(*raises)
    all_in = raising in LIMITS
    minimum = min(stack, one(1, 2, 5, 50))
    blinds = None
    if all_in and one(True, False):
        straddle = one(0, *[times * minimum for times in (2, 3) if times * minimum <= stack])
        blinds = {"big": minimum, "small": min(minimum, one(1, 2)), "straddle": straddle}
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
            "uncapped": one("never", "two_dealt_in", "two_left") if raising == "fixed_limit" else "never",
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


class Later(Played):
    """A game whose earlier rounds have left uneven stacks, and chips in the pot: with all-ins, that makes side pots."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        stacks, total = self.state.stacks, sum(self.state.stacks)
        self.state.pot = self.random.randint(0, min(9, total))
        left = total - self.state.pot
        cuts = sorted(self.random.randint(0, left) for _ in plan.kinds[1:])
        stacks[1:] = [to - since for since, to in pairwise([0, *cuts, left])]


in_many_games = pytest.mark.parametrize("games", [100, pytest.param(400, marks=pytest.mark.exhaustive)])
"""Check an invariant in 100 games with the slow tests, and in 400 with the exhaustive ones."""
