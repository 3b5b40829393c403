"""How draw poker is checked by the kit for authors: in every house, with advice that is quick to find."""

from typing import Any, Final

import pytest

from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Discard, Raise
from pokersvc.games.draw_poker.display import words
from pokersvc.games.draw_poker.view import DrawPokerView


def _typed(action: Action, _view: DrawPokerView) -> str:
    match action:
        case Discard(cards=cards):
            return " ".join(map(str, cards))
        case Bet(amount=amount):
            return f"bet {amount}"
        case Raise(to=to):
            return f"raise to {to}"
        case _:
            return type(action).__name__.lower()


CHECKED: Final[dict[str, Any]] = {"programs": ["random", "minimum", "steady/monte-carlo"], "typed": _typed}


def quicken(patch: pytest.MonkeyPatch) -> None:
    """Ask without advice, which takes seconds at a large table and has tests of its own."""
    patch.setattr(words.DrawPokerWords, "ask", words.DrawPokerWords.question)
