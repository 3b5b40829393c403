"""Questions that `pokersvc play` asks a person once, at a terminal; it saves the answers as settings."""

import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from pokersvc.cli.output import USUAL_COLUMNS, Interrupted, columns, wrapped
from pokersvc.cli.play.backend import GameStopped
from pokersvc.cli.setup import settings
from pokersvc.errors import PokersvcError

_QUITS: Final = ("q", "quit", "exit")


class AskedOnce(NamedTuple):
    """A question with a list of answers."""

    setting: str
    """The key of the setting that keeps the answer."""
    what: str
    """The thing that is chosen, in a word."""
    question: str
    option: str
    """The command-line option that answers it for one game."""
    names: tuple[str, ...]
    usual: str
    """The answer if only Enter is pressed."""


def can_ask() -> bool:
    """Return whether a person can be asked: only if input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(asked: AskedOnce, lines: Sequence[str]) -> str:
    """Ask with a line for each answer, save the answer as a setting, and return it."""
    answer = _answer(asked, lines)
    try:
        settings.change(asked.setting, answer)
    except PokersvcError as error:
        print(wrapped(f"{answer} is played, but not remembered: {error}", stream=sys.stderr), file=sys.stderr)
    return answer


def _answer(asked: AskedOnce, lines: Sequence[str]) -> str:
    print(asked.question)
    print("\n".join(lines))
    print(
        wrapped(
            f"This is asked once. Change it with `pokersvc config set {asked.setting}`, or for one game with"
            f" {asked.option}."
        )
    )
    names = asked.names
    while True:
        answer = _typed(asked).casefold()
        if answer in _QUITS:
            raise GameStopped(f"No {asked.what} was chosen, so no game was started.")
        if answer in ("", *names):
            return answer or asked.usual
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        print(wrapped(f"I don't understand {answer!r}: type a number from 1 to {len(names)}, or a name.", "  "))


def _typed(asked: AskedOnce) -> str:
    question = wrapped(f"Type a number or a name, or press Enter for {asked.usual} >", "  ")
    try:
        return input(f"{question} ").strip()
    except KeyboardInterrupt:
        print(flush=True)
        raise Interrupted("Interrupted; no game was started.") from None
    except EOFError:
        print(flush=True)
        raise GameStopped(f"The input ended before a {asked.what} was chosen, so no game was started.") from None


def room() -> int:
    """Return the number of columns of the terminal."""
    return columns() or USUAL_COLUMNS
