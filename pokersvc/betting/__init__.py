"""Chips at a table, for any game in which people bet: seats, button, blinds, prices and raises, pots, rake, cash games.

It knows no cards, no game and no chance. A game builds its state on `BettingState` and says by `Terms` how people bet;
it stores events of its own, which the functions here take. `docs/betting.md` has an example.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.betting import money as money

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__)
