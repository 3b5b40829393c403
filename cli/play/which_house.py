"""The question which house to play, which `pokersvc play` asks a person once, at a terminal."""

import sys
from collections.abc import Mapping, Sequence
from itertools import takewhile
from textwrap import shorten
from typing import Final

import pokersvc
from pokersvc.cli.output import USUAL_COLUMNS, Interrupted, columns, wrapped
from pokersvc.cli.play.backend import GameStopped
from pokersvc.cli.setup import settings
from pokersvc.errors import PokersvcError
from pokersvc.text import cells

_QUITS: Final = ("q", "quit", "exit")


def ask_once(game: "pokersvc.Game", given: Mapping[str, object]) -> str | None:
    """Ask for one of the houses that the given options allow, and save the answer as a setting.

    None, without a question, if nobody can be asked (input or output is no terminal) or there is nothing to choose.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    houses = _allowed(game, given)
    if len(houses) < 2:
        return None
    house = _asked(houses)
    try:
        settings.change("house", house.name)
    except PokersvcError as error:
        print(wrapped(f"{house.name} is played, but not remembered: {error}", stream=sys.stderr), file=sys.stderr)
    return house.name


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


def _asked(houses: "Sequence[pokersvc.House]") -> "pokersvc.House":
    first = houses[0].name
    print("Which house do you want to play?")
    print("\n".join(lines_of(houses, columns() or USUAL_COLUMNS)))
    print(wrapped("This is asked once. Change it with `pokersvc config set house`, or for one game with --rules."))
    names = [house.name for house in houses]
    while True:
        answer = _typed(wrapped(f"Type a number or a name, or press Enter for {first} >", "  ")).casefold()
        if answer in _QUITS:
            raise GameStopped("No house was chosen, so no game was started.")
        if answer in ("", *names):
            return houses[names.index(answer or first)]
        if answer.isdecimal() and 1 <= int(answer) <= len(houses):
            return houses[int(answer) - 1]
        print(wrapped(f"I don't understand {answer!r}: type a number from 1 to {len(houses)}, or a name.", "  "))


def _typed(question: str) -> str:
    try:
        return input(f"{question} ").strip()
    except KeyboardInterrupt:
        print(flush=True)
        raise Interrupted("Interrupted; no game was started.") from None
    except EOFError:
        print(flush=True)
        raise GameStopped("The input ended before a house was chosen, so no game was started.") from None


def lines_of(houses: "Sequence[pokersvc.House]", wide: int) -> list[str]:
    """Return a line of at most ``wide`` columns for each house: its number, its name and what is special about it.

    What all summaries begin with is left out; of a summary that is too long, its first part stays.
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
