"""Start events in the formats of earlier versions: missing fields get the values of that time."""

import json
from typing import Any, Final

import pytest

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted

STATED: Final[dict[str, Any]] = {
    "advice": "win", "ante": {"amount": 5}, "betting": {"minimum": 50}, "blinds": {"big": 50, "small": 25},
    "discards": 4, "name": "old", "player": "steady", "seats": {"default": 2}, "stack": 1000, "version": 1,
}  # fmt: skip
"""The rules of a house that states no more than it must."""
UNDERSTOOD: Final[dict[str, Any]] = {
    **STATED,
    "ante": {"amount": 5, "increase": 0, "short": "sit_out", "when": "before_deal"},
    "betting": {
        "cap": None, "check": "always", "check_ends": False, "final_minimum": None, "fold_free": False,
        "maximum": None, "minimum": 50, "most_bets": None, "opener": "first", "raises": "none", "short": "fold",
        "uncapped": "never",
    },
    "blinds": {"big": 50, "small": 25, "straddle": 0},
    "button_rule": "forward", "draw": "in_turn", "history": "shown", "muck_all_in": False, "open_hands": "showdown",
    "rake": None, "remainder": "carry", "reshuffle": "others", "samples": 10_000, "seats": {"default": 2, "most": 10},
    "shows_first": "aggressor", "stay": 1,
}  # fmt: skip
RAKE: Final[dict[str, Any]] = {"caps": (), "no_draw_no_rake": True, "rounding": "down", "share": 500, "unit": 1}


def read(version: int, **more: Any) -> GameStarted:
    """Return the start that a payload of a version is read as: engines came with the second, tables with the third."""
    payload: dict[str, Any] = {
        "game": "draw", "program": "0.1.0", "reproducible": True, "rounds": None, "rules": STATED,
        "seats": [{"kind": "random", "name": "Ann"}, {"kind": "random", "name": "Bob"}], "shuffle": 1,
    }  # fmt: skip
    if version > 1:
        payload |= {"engine": 1, "hidden_kinds": False}
    if version > 2:
        payload |= {"table": None}
    started = DRAW_POKER.codec.decode("GameStarted", version, json.dumps(payload | more), None)
    assert isinstance(started, GameStarted)
    return started


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_rules_that_leave_out_a_field_are_those_that_they_were(version: int) -> None:
    assert read(version).rules.model_dump() == UNDERSTOOD


@pytest.mark.parametrize("version", [3, 4])
def test_a_rake_that_states_its_share_alone_is_what_it_was(version: int) -> None:
    started = read(version, rules={**STATED, "rake": {"share": 500}})
    assert started.rules.model_dump() == {**UNDERSTOOD, "rake": RAKE}


@pytest.mark.parametrize("version", [3, 4])
def test_a_table_that_states_its_stacks_alone_is_what_it_was(version: int) -> None:
    table = read(version, table={"numbers": [1, 2], "stacks": [900, 800]}).table
    assert table is not None
    assert table.model_dump() == {
        "button": None, "cash": False, "currency": {"code": "", "exponent": 0}, "hand": 1, "numbers": (1, 2),
        "out": (), "posts": None, "rake": None, "recorded": False, "stacks": (900, 800),
    }  # fmt: skip
