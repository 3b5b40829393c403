"""The question which house to play; `pokersvc play` asks a person once, at a terminal."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from textwrap import shorten

import pokersvc
from pokersvc.cli.play import asked_once
from pokersvc.cli.setup import settings
from pokersvc.errors import PokersvcError
from pokersvc.text import cells


def ask_once(game: "pokersvc.Game", given: Mapping[str, object]) -> str | None:
    """Ask for one of the houses that the given options allow, and save the answer as a setting.

    Return None without asking if nobody can be asked (input or output is no terminal) or there is nothing to choose.
    """
    if not asked_once.can_ask():
        return None
    houses = _allowed(game, given)
    if len(houses) < 2:
        return None
    names = tuple([house.name for house in houses])
    asked = asked_once.AskedOnce("house", "house", "Which house do you want to play?", "--rules", names, usual=names[0])
    return asked_once.ask(asked, lines_of(houses, asked_once.room()))


def _allowed(game: "pokersvc.Game", given: Mapping[str, object]) -> "list[pokersvc.House]":
    """Return the houses that can be played with the given options, the founding one first."""
    found = []
    for house in game.houses():
        try:
            game.options({**given, "rules": house.name})
        except PokersvcError:
            continue
        found.append(house)
    return sorted(found, key=lambda house: house.name != settings.SETTINGS["house"].default)


def lines_of(houses: "Sequence[pokersvc.House]", wide: int) -> list[str]:
    """Return a line of at most ``wide`` columns for each house: its number, its name and what is special about it.

    The common beginning of all summaries is left out; of a summary that is too long, the first part stays.
    """
    words = [house.summary.removesuffix(".").split() for house in houses]
    common = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*words, strict=False)))
    longest = max(cells(house.name) for house in houses)
    lines = []
    for number, (house, said) in enumerate(zip(houses, words, strict=True), 1):
        before = f"{number:>{len(str(len(houses)))}}  {house.name:<{longest}}  "
        about, room = " ".join(said[common:]), max(wide - cells(before), 1)
        if cells(about) > room:
            about = about.partition(":")[0]
        lines.append(before + shorten(about, room, placeholder="…"))
    return lines
