"""Perfect play of Kalah: databases of endgames, the bot that makes no mistake, and reviews by it."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.kalah.perfect_play import endgame_check as endgame_check
    from pokersvc.games.kalah.perfect_play import endgames as endgames
else:
    __getattr__ = imported_when_used(__name__)
