"""All kinds of bots of draw poker, without loading what they need before one is played."""

from collections.abc import Callable, Mapping
from typing import Final

from pokersvc.core.bots.player import Player
from pokersvc.games.draw_poker import reading, strategy
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.advising.players import PLAYERS
from pokersvc.games.draw_poker.view import DrawPokerView


def equilibrium() -> Player[DrawPokerView, LegalActions]:
    """Return the bot ``equilibrium``."""
    return strategy.equilibrium_player.EquilibriumPlayer()


def shark() -> Player[DrawPokerView, LegalActions]:
    """Return the bot ``shark``."""
    return reading.shark.SharkPlayer()


KINDS: Final[Mapping[str, Callable[[], Player[DrawPokerView, LegalActions]]]] = {
    **PLAYERS,
    "equilibrium": equilibrium,
    "shark": shark,
}
"""Kind of bot → a function that makes a bot of this kind."""
