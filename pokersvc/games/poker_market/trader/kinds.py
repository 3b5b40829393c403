"""The kinds of bots of the Poker Market."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from pokersvc.core.bots.kinds import Kinds
from pokersvc.games.poker_market.players import GreedyPlayer, RandomPlayer, RankPlayer, RolloutPlayer
from pokersvc.games.poker_market.trader.levels import HABITS, CasualPlayer
from pokersvc.games.poker_market.trader.trader import TraderPlayer

PLAYERS: Final = Kinds(
    {
        "greedy": GreedyPlayer,
        "random": RandomPlayer,
        "rank": RankPlayer,
        **{level: partial(CasualPlayer, habits) for level, habits in HABITS.items()},
    },
    {"rollout": RolloutPlayer, "trader": TraderPlayer},
)
"""Kind of bot → the function that makes it; in ``rollout/WORK`` and ``trader/WORK``, the number sets the bot's work."""
LEVELS: Final = (*HABITS, "trader")
"""The levels that a person chooses from, the weakest first."""
SAID: Final[Mapping[str, str]] = {
    "beginner": "looks at its own hand, overlooks most swaps, and often answers on a whim",
    "club": "looks at its own hand, and asks for what others are likely to accept",
    "regular": "wants places, learns who accepts what, and overlooks little",
    "trader": "looks ahead, and foretells what others will accept",
    "rollout": "plays the rest of the market out after each likely swap",
    "rank": "wants a better place, then a better hand, and helps nobody past itself",
    "greedy": "takes any swap that makes its own hand better",
    "random": "proposes anything, and accepts every other proposal",
}
"""Kind of bot → how it plays, in a line, for those who choose one."""
