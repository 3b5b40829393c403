"""The terminal where people play: shows events, asks questions, and wipes the secrets of people who share it."""

import os
import select
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, Self

from pokersvc.cli.drawing.slow import shown_if_slow
from pokersvc.cli.output import columns, wrapped
from pokersvc.text import cells

if TYPE_CHECKING:
    from pokersvc import core
    from pokersvc.cli.drawing.layout import Asking

LINES_KEPT: Final = 12
"""The number of public lines that are printed again after the screen was wiped."""
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and the scrollback."""


def turned_round(lines: Sequence[str], heads: int) -> list[str]:
    """Return lines in reverse order, except that the first ``heads`` lines stay first."""
    return [*lines[:heads], *reversed(lines[heads:])]


class InputEnded(Exception):
    """The input has ended."""


class NewsCame(Exception):
    """Others acted, or the connection changed, while a person was asked."""


class QuitAsked(Exception):
    """A person wants to stop here and resume later."""


class PipedLines:
    """Lines from a pipe, read byte by byte: the bytes after a line stay in the pipe, where ``select`` sees them."""

    def __init__(self) -> None:
        self._begun = bytearray()

    def fileno(self) -> int:
        """Return the file descriptor that is readable when there is more input."""
        return sys.stdin.fileno()

    def read(self) -> str:
        """Wait for the next line; raise EOFError at the end of the input."""
        while (line := self.more()) is None:
            pass
        return line

    def more(self) -> str | None:
        """Read one byte, and return the line if it ends there; raise EOFError at the end of the input."""
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
    """A terminal, or a pipe in its place. If several people share it, nobody sees another person's secrets.

    A question ends with `NewsCame` as soon as ``news`` is readable.
    """

    title = ""
    """The name of the game, which only drawn screens show."""
    drawn = False
    """Whether the table is drawn; if not, events are printed line by line."""

    def __init__(self, *, shared: bool, news: int | None = None) -> None:
        self._shared = False
        self.share(shared=shared)
        self._news = news
        self._piped = None if sys.stdin.isatty() else PipedLines()
        self._early: str | None = None
        """A line that was read before it was asked for: it answers the next question."""
        self._ended = False
        """Whether the input has ended before a question."""
        self._private: str | None = None
        self._public: deque[str] = deque(maxlen=LINES_KEPT)
        self.apart = False
        """Whether the last printed line is blank, so that the next output needs no blank line before it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: what was printed stays."""

    @property
    def can_be_asked(self) -> bool:
        """Whether a person can be asked how to continue; from a pipe, only the answers already in it can be read."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def tell(self, sentence: str) -> None:
        """Print what happened, in lines that fit the terminal."""
        self.say(wrapped(sentence, "  "))

    def say(self, *lines: str) -> None:
        """Show lines that everybody at the terminal may see."""
        self.hide()
        self._public.extend(lines)
        self._print(lines)

    def share(self, *, shared: bool) -> None:
        """Set whether several people with secrets share this terminal, which may change when others join."""
        self._shared = shared and sys.stdout.isatty()

    def turn_to(self, name: str) -> None:
        """Begin a person's turn: wipe a shared terminal, and wait until only this person can see it."""
        if self._shared and self._private != name:
            self.hide()
            self._input(f"{name}, it is your turn: press Enter when only you can see the screen ")
        self._private = name

    def say_privately(self, *lines: str) -> None:
        """Show lines to the person whose turn `turn_to` began; on a shared terminal they are wiped afterwards."""
        self._print(lines)

    def stand(self, *lines: str) -> None:
        """Show the state of the game to the person whose turn `turn_to` began."""
        self.say_privately(*[""] * (not self.apart), *lines)

    def explain(self, lines: Sequence[str], *, best_first: bool = False, heads: int = 0, again: str = "") -> None:
        """Show lines that a person asked for; if ``best_first``, reverse them, so that the best is next to the prompt.

        The first ``heads`` lines stay first. ``again`` is the text that a person types to see all lines.
        """
        self.say_privately(*(turned_round(lines, heads) if best_first else lines))

    def refuse(self, sentence: str) -> None:
        """Show a person why an answer is not accepted."""
        self.say_privately(sentence)

    def note(self, lines: "Callable[[int], list[core.drawing.Line]]") -> None:
        """Do nothing: only a drawn table shows notes."""

    def notice(self, sentence: str) -> None:
        """Report at once, on standard error, an event outside the game, such as a lost connection."""
        print(wrapped(sentence, "  ", stream=sys.stderr), file=sys.stderr, flush=True)

    def thinking(self, sentence: str, table: "Callable[[], Asking]") -> AbstractContextManager[None]:
        """Return a context in which a bot chooses: if this takes long, a person sees the ``sentence`` until the end.

        Only a drawn table uses ``table``, which returns the drawing. Output to a file or a pipe stays unchanged.
        """
        room = columns()
        if room is None:
            return nullcontext()
        line = f"  {sentence}"
        while cells(line) >= room > 1:  # at the right edge it would wrap, and stay when the row is cleared
            line = f"{line[:-2]}…"
        return shown_if_slow(
            lambda: print(line, end="", flush=True),
            lambda: print(f"\r{'':<{cells(line)}}\r", end="", flush=True),
        )

    def answered(self, name: str) -> None:
        """Note that a person has chosen, and has seen everything that happened before the choice."""

    def wait(self, sentence: str, asking: "Asking", seconds: float | None = None, keys: str = "") -> str | None:
        """Wait ``seconds`` while a person reads; return a line typed in that time, or None.

        On a drawn table, pressing one of ``keys`` is enough. The ``sentence`` is shown only on a drawn table.
        """
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return self._input("") if ready else None

    def overhear(self, verb: str, seconds: float | None = None) -> str | None:
        """Wait ``seconds`` for a line that begins with a word, and return the rest of the line; None if none comes.

        Any other line answers the next question; from then on, nothing more is read. Raise `NewsCame` if others act.
        Call it only without a drawn table.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            typed = [] if self._ended or self._early is not None else [self._piped or sys.stdin]
            news = [] if self._news is None else [self._news]
            left = None if until is None else max(0.0, until - time.monotonic())
            ready, _, _ = select.select([*typed, *news], [], [], left)
            if not ready:
                return None
            if not typed or typed[0] not in ready:
                raise NewsCame
            try:
                line = input() if self._piped is None else self._piped.more()
            except EOFError:
                self._ended = True
                continue
            if line is not None:
                said, _, more = line.strip().partition(" ")
                if said.lower() == verb:
                    return more.strip()
                self._early = line

    @property
    def typed_early(self) -> bool:
        """Whether a person has already typed the answer to the next question; False for a pipe, where nobody types."""
        return self._early is not None and self._piped is None

    def _print(self, lines: tuple[str, ...]) -> None:
        print("\n".join(lines), flush=True)
        self.apart = lines[-1:] == ("",)

    def ask(self, question: str, asking: "Asking | None" = None) -> str:
        """Ask a question and return the answer; raise `QuitAsked` for ``quit``, `InputEnded` if the input ends."""
        return self._input(f"{wrapped(f'{question} >', '  ')} ")

    def hide(self) -> None:
        """Wipe a person's private lines before anyone else looks, and print the last public lines again."""
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
        if self._ended:
            raise EOFError
        if (early := self._early) is not None:
            self._early = None
            print(f"{prompt}{early if self._piped is None else ''}", flush=True, end="\n" * (self._piped is None))
            return early
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
