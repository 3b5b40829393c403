"""The choice of the bot `shark` in place of a seat, and the value of each action by the bot's model of the others."""

from collections import Counter
from typing import Final, NamedTuple

import numpy as np

from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.reading.hands_held import ranges
from pokersvc.games.draw_poker.reading.shark import FOLD, STAY, action_of_line, best_line, imagined, lines_of
from pokersvc.games.draw_poker.reading.table_spot import spot_of
from pokersvc.games.draw_poker.reviewing.advised_draws import advised_draws
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import Floats, Numbers, Thrown
from pokersvc.games.draw_poker.view import DrawPokerView

_ASKED: Final = 10
"""The number of times that the bot is asked for its choice, since chance decides between nearly equal actions."""


class Imagined(NamedTuple):
    """The bot's choice, and the values of actions."""

    would: dict[Action, float]
    """Action → how often the bot would take it, the most frequent first."""
    brings: dict[Action, Floats]
    """For each of these actions and the seat's own, its win in chips in each world; empty if the bot does the same."""


class ReadingProgram:
    """The bot `shark`, which models each opponent from the record of the game."""

    def would(
        self, view: DrawPokerView, legal: LegalActions, action: Action, worlds: int, random: np.random.Generator
    ) -> Imagined:
        """Return the bot's choice, and the values of its actions and of the seat's own in ``worlds`` worlds."""
        lines = lines_of(view, legal)
        mine = _line_of(action)
        if lines == [mine]:
            return Imagined({action: 1.0}, {})
        spot = spot_of(view)
        chosen = Counter(best_line(spot, lines, random) for _ in range(_ASKED))
        would = {line: count / _ASKED for line, count in chosen.most_common()}
        taken = {line: action_of_line(line, view, legal) for line in would}
        said = {taken[line]: chance for line, chance in would.items()}
        if [*would] == [mine]:
            return Imagined(said, {})
        weighed = list(dict.fromkeys([*would, mine]))
        worth = imagined(spot, weighed, ranges(spot), worlds, random)
        return Imagined(said, {taken.get(line, action): won for line, won in zip(weighed, worth, strict=True)})

    def draws(self, view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
        """Return the advised discards, which the bot makes."""
        return advised_draws(view, legal, hands)


def _line_of(action: Action) -> int:
    match action:
        case Fold():
            return FOLD
        case Bet(amount=to) | Raise(to=to):
            return to
        case _:
            return STAY
