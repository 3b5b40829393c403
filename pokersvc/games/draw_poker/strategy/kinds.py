"""All kinds of bots of draw poker; the code that each needs is loaded when it is first played."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from pokersvc.core.bots.player import Player
from pokersvc.games.draw_poker import exploiting, reading, strategy
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.advising.players import PLAYERS
from pokersvc.games.draw_poker.view import DrawPokerView


def equilibrium() -> Player[DrawPokerView, LegalActions]:
    """Return the bot ``equilibrium``."""
    return strategy.equilibrium_player.EquilibriumPlayer()


def _exploiter(risk: int) -> Player[DrawPokerView, LegalActions]:
    return exploiting.exploiter_player.ExploiterPlayer(risk)


def _level(name: str) -> Player[DrawPokerView, LegalActions]:
    return reading.shark.ReadingPlayer(reading.levels.MANNERS[name])


LEVELS: Final[Mapping[str, str]] = {
    "beginner": "calls too much, chases draws, and plays only its own cards",
    "club": "knows what beats what; still calls too much and forgets who acts after it",
    "regular": "plays well by the odds and by what bets say, and the same against everybody",
    "shark": "watches how each opponent plays, and answers that",
}
"""Level of the bots that a person chooses from → how it plays, the weakest first."""

KINDS: Final[Mapping[str, Callable[[], Player[DrawPokerView, LegalActions]]]] = {
    **PLAYERS,
    "equilibrium": equilibrium,
    "exploiter": partial(_exploiter, 50),
    **{f"exploiter/{risk}": partial(_exploiter, risk) for risk in (10, 25, 100, 200)},
    **{level: partial(_level, level) for level in LEVELS},
}
"""Kind of bot → a function that makes a bot of this kind."""

SAID: Final[Mapping[str, str]] = {
    **LEVELS,
    "steady": "bets by the strength of its hand, and sometimes folds a weak one",
    "equilibrium": "plays close to perfectly for two where it has a strategy, otherwise like steady",
    "exploiter": "plays for two at a fixed limit against the habits it has seen, at little risk; otherwise like shark",
    "house": "bets any number below its stack, and always calls",
    "table": "bets, calls and folds by percentages for each kind of hand",
    "random": "does anything that is legal",
    "minimum": "bets the minimum, calls any bet and stands pat",
}
"""Kind of bot → how it plays, in a line, for those who choose one."""
