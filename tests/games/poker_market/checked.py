"""How the Poker Market is checked by the kit for authors."""

from typing import Any, Final

from pokersvc.core.actions import Action
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.view import PokerMarketView


def _typed(action: Action, _view: PokerMarketView) -> str:
    if isinstance(action, Propose):
        return f"{action.gives} for {action.gets}"
    return type(action).__name__.lower()


CHECKED: Final[dict[str, Any]] = {
    "options": [{}, {"markets": 2}],
    "programs": ["random", "greedy", "rank"],
    "typed": _typed,
}
