"""Chips at a table, for any game in which people bet: seats, button, blinds, prices and raises, pots, rake, cash games.

Nothing here knows of cards, a particular game or chance. A game derives its state from `BettingState` and describes by
`Terms` how people bet; it stores events of its own and passes them to the functions here. `docs/betting.md` has an
example.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.betting import money as money

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__)
