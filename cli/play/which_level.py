"""The question how strong the bots should be; `pokersvc play` asks a person once, at a terminal."""

from collections.abc import Sequence
from textwrap import wrap

import pokersvc
from pokersvc.cli.play import asked_once
from pokersvc.text import cells


def ask_once(game: "pokersvc.Game", usual: str) -> str | None:
    """Ask for one of the game's levels, and save the answer as a setting; ``usual`` is the house's kind of bot.

    Return None without asking if nobody can be asked (input or output is no terminal), if the game has no levels, or
    if its house has a bot that is none of them.
    """
    levels = game.bot_levels
    if usual not in levels or not asked_once.can_ask():
        return None
    question = "Who do you want to play against? From the weakest to the strongest:"
    asked = asked_once.AskedOnce("opponents", "level", question, "--opponents", levels, usual=usual)
    return asked_once.ask(asked, lines_of(game, levels, asked_once.room()))


def lines_of(game: "pokersvc.Game", levels: Sequence[str], wide: int) -> list[str]:
    """Return lines of at most ``wide`` columns for each level: its number, its name and how it plays."""
    longest = max(map(cells, levels))
    lines = []
    for number, level in enumerate(levels, 1):
        before = f"{number:>{len(str(len(levels)))}}  {level:<{longest}}  "
        said = wrap(game.players_said.get(level, ""), max(wide - cells(before), 10)) or [""]
        lines += [before + said[0], *(" " * cells(before) + more for more in said[1:])]
    return lines
