"""The terminal that people play at: what they are shown, what they are asked, and what must not stay on it."""

import select
import sys
from collections import deque
from typing import Final

from pokersvc.cli.output import wrapped

LINES_KEPT: Final = 12
"""How many public lines are shown again after a screen was wiped."""
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and what can be scrolled back to."""


class InputEnded(Exception):
    """The input has ended."""


class NewsCame(Exception):
    """Others have acted, or the connection has changed, while a person was asked."""


class QuitAsked(Exception):
    """A person wants to stop here and resume later."""


class Screen:
    """One terminal, or a pipe that stands for one. Shared by several people, it keeps their secrets apart.

    Where ``news`` is readable, a person at a terminal is not waited for any longer: `NewsCame`.
    """

    def __init__(self, *, shared: bool, news: int | None = None) -> None:
        self._shared = shared and sys.stdout.isatty()
        self._news = news if sys.stdin.isatty() else None
        self._private: str | None = None
        self._public: deque[str] = deque(maxlen=LINES_KEPT)
        self.apart = False
        """Whether what is said next stands below a blank line."""

    def say(self, *lines: str) -> None:
        """Show lines that everybody at the terminal may see."""
        self.hide()
        self._public.extend(lines)
        self._print(lines)

    def turn_to(self, name: str) -> None:
        """Make sure that the person of this name, and nobody else, looks at the screen."""
        if self._shared and self._private != name:
            self.hide()
            self._input(f"{name}, it is your turn: press Enter when only you can see the screen ")
        self._private = name

    def say_privately(self, *lines: str) -> None:
        """Show lines to the person whom `turn_to` called; on a shared terminal they are wiped afterwards."""
        self._print(lines)

    def _print(self, lines: tuple[str, ...]) -> None:
        print("\n".join(lines), flush=True)
        self.apart = lines[-1:] == ("",)

    def ask(self, question: str) -> str:
        """Ask and return the answer; `QuitAsked` for ``quit``, `InputEnded` where no answer comes."""
        return self._input(f"{wrapped(f'{question} >', '  ')} ")

    def hide(self) -> None:
        """Wipe what a person was shown privately, before anybody else looks; what is public stands there again."""
        if self._shared and self._private is not None:
            print(CLEAR, end="")
            print("\n".join(self._public), flush=True)
        self._private = None

    def _input(self, prompt: str) -> str:
        self.apart = False
        try:
            answer = self._answered(prompt)
        except EOFError:
            print(flush=True)
            raise InputEnded from None
        if not sys.stdin.isatty():
            print(flush=True)  # a pipe does not echo the end of the line
        answer = answer.strip()
        if answer.lower() in ("q", "quit", "exit"):
            raise QuitAsked
        return answer

    def _answered(self, prompt: str) -> str:
        if self._news is None:
            return input(prompt)
        print(prompt, end="", flush=True)
        ready, _, _ = select.select([sys.stdin, self._news], [], [])
        if sys.stdin not in ready:
            print(flush=True)
            raise NewsCame
        return input()
