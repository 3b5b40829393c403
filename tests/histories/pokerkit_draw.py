"""PokerKit with five-card draw, as docs/histories.md defines it."""

import re
import warnings
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokerkit import Automation, CheckingOrCalling, ChipsPushing, Folding, HandHistory, State

_DOCS = Path(__file__).parents[2] / "docs" / "histories.md"
AUTOMATIC: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
_GIVEN_UP: Final = "Unable to repair the hand history"


@cache
def registered() -> type[HandHistory]:
    """Return PokerKit's hand histories, with the codes of the docs."""
    (code,) = [
        code for code in re.findall(r"```python\n(.*?)```", _DOCS.read_text("utf-8"), re.DOTALL) if "5CD" in code
    ]
    exec(code, {})
    return HandHistory


def finishing_stacks(text: str) -> list[Decimal]:
    """Return the stacks that PokerKit's replay of a PHH ends with."""
    *_, state = registered().loads(text)
    return [Decimal(stack) for stack in state.stacks]


class Replayed(NamedTuple):
    """PokerKit's replay of a PHH hand. Actions that PokerKit refuses are replaced by checks and folds."""

    stacks: list[Decimal]
    pushed: list[dict[int, Decimal]]
    """The amounts that each pot paid each player, counted from 0."""
    refused: str | None
    """The first action before which the replay folds a player or gives up; None if PokerKit accepts all."""
    why: str
    """If that action is a bet or a raise, PokerKit's reason for refusing it."""
    checks: int
    """The number of checks that the replay added before that action."""


def replayed(text: str) -> Replayed:
    """Return the result of PokerKit's replay of a PHH hand, and its deviations."""
    history = registered().loads(text)
    taken = checks = seen = 0
    refused, why = None, ""
    state: State | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every card that is dealt again, and of a fold that is free
        try:
            for state, action in history.state_actions:
                new, seen = state.operations[seen:], len(state.operations)
                if refused is not None:
                    continue
                if action is not None:
                    taken += 1
                elif any(isinstance(one, Folding) for one in new):
                    refused = history.actions[taken]
                    continue
                else:
                    checks += sum(isinstance(one, CheckingOrCalling) for one in new)
                if taken < len(history.actions):
                    why = _against(state, history.actions[taken])
        except ValueError as error:
            if str(error) != _GIVEN_UP:
                raise
            refused = refused or history.actions[taken]
    assert state is not None
    pushed = [
        {player: Decimal(amount) for player, amount in enumerate(one.amounts) if amount}
        for one in state.operations
        if isinstance(one, ChipsPushing)
    ]
    return Replayed(list(map(Decimal, state.stacks)), pushed, refused, why if refused else "", checks)


def _against(state: State, action: str) -> str:
    """Return PokerKit's reason for refusing the next bet or raise."""
    words: Sequence[str] = action.split()
    if words[1:2] != ["cbr"] or words[0] != f"p{(state.actor_index or 0) + 1}":
        return ""
    amount: Any = Decimal(words[2])  # PokerKit declares whole numbers, and takes any
    try:
        state.verify_completion_betting_or_raising_to(amount)
    except ValueError as error:
        return str(error)
    return ""
