"""Strategies for two players, computed in advance and close to perfect play: making, storing and playing them.

A strategy is solved in an *abstraction* (a smaller game): deals in groups (`groups`), a fixed betting tree (`tree`).
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.strategy import charts as charts
    from pokersvc.games.draw_poker.strategy import equilibrium_player as equilibrium_player
    from pokersvc.games.draw_poker.strategy import spots as spots
    from pokersvc.games.draw_poker.strategy import strategy_file as strategy_file
    from pokersvc.games.draw_poker.strategy import training as training
    from pokersvc.games.draw_poker.strategy import tree as tree
else:
    __getattr__ = imported_when_used(__name__)
