"""The terminal that people play at: what they are shown, what they are asked, and what must not stay on it."""

import os
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


class PipedLines:
    """Lines from a pipe, taken byte by byte: what follows a line stays in the pipe, where ``select`` sees it."""

    def __init__(self) -> None:
        self._begun = bytearray()

    def fileno(self) -> int:
        """Return what is readable where there is more of the input."""
        return sys.stdin.fileno()

    def read(self) -> str:
        """Wait for the next line; EOFError where there is none."""
        while (line := self.more()) is None:
            pass
        return line

    def more(self) -> str | None:
        """Take a byte of what has come, and return the line if that ends it; EOFError where there is none."""
        byte = os.read(self.fileno(), 1)
        if not byte and not self._begun:
            raise EOFError
        self._begun += byte
        if byte not in (b"\n", b""):
            return None
        line = self._begun.decode(sys.stdin.encoding, "replace")
        self._begun.clear()
        return line.removesuffix("\n")


class Screen:
    """One terminal, or a pipe that stands for one. Shared by several people, it keeps their secrets apart.

    Where ``news`` is readable, nobody is waited for any longer: `NewsCame`.
    """

    def __init__(self, *, shared: bool, news: int | None = None) -> None:
        self._shared = shared and sys.stdout.isatty()
        self._news = news
        self._piped = None if sys.stdin.isatty() else PipedLines()
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
        typed = self._piped or sys.stdin
        while True:
            ready, _, _ = select.select([typed, self._news], [], [])
            if typed not in ready:
                print(flush=True)
                raise NewsCame
            if self._piped is None:
                return input()
            if (line := self._piped.more()) is not None:
                return line
